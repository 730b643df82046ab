"""Three classifiers with probabilities on the same 300 examples, compared by average precision, a metric of the
whole test set.

All models get the same random weights in each draw, so their differences are paired.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
y = (rng.random(300) < 0.3).astype(int)
hard = rng.normal(0, 0.7, 300)
said = {
    name: gap * y + hard + rng.normal(0, 0.5, 300)
    for name, gap in (("svm", 1.6), ("tree", 1.3), ("bayes", 0.9))
}

fitted = rw.bayes.joint_bootstrap("average_precision", y, said)
for name, value, best in zip(said, fitted.values, fitted.p_best, strict=True):
    print(f"{name:6} average precision {value:.3f}   P(best) {best:.3f}")
