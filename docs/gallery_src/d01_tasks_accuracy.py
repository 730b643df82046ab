"""
Right and wrong answers on many tasks
=====================================

A forest plot on the accuracy scale, computed from counts.
"""

import numpy as np
import pandas as pd

import ropewalk as rw

rng = np.random.default_rng(3)
rows = []
for t in range(12):
    lost, won = rng.binomial(60, [0.06, 0.11])
    both = rng.binomial(60 - lost - won, 0.8)
    rows.append(
        {"task": f"task {t + 1:02d}", "n00": 60 - lost - won - both, "n01": lost, "n10": won, "n11": both}
    )
report = rw.compare(pd.DataFrame(rows), rope=0.01)
comparison = report.overall[0]

# %%
figure = comparison.plot("forest")
