"""A new model is compared on twelve data sets by accuracy and by training time. Is it better on both?

`dominates` is the share of data sets on which A is better on at least one measure and worse on none.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
accuracy = rng.normal(0.02, 0.015, 12)
seconds_saved = rng.normal(2.0, 1.5, 12)
found = rw.bayes.several_sign(np.column_stack([accuracy, seconds_saved]), ropes=[0.01, 0.5])
for pattern, p in sorted(found.most_probable.items(), key=lambda item: -item[1])[:3]:
    print(f"accuracy {pattern[0]:10} time {pattern[1]:10} most probable with {p:.3f}")
print(f"share of data sets on which A dominates: {found.dominates.mean:.2f}")
