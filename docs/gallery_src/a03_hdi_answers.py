"""
Highest-density intervals
=========================

Intervals of the accuracy difference at levels from 50% to 99%, with the ROPE.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
hard = rng.random(1200)  # how hard each example is
answers = {
    "forest": (hard + 0.15 * rng.standard_normal(1200) < 0.88).astype(int),
    "svm": (hard + 0.15 * rng.standard_normal(1200) < 0.85).astype(int),
}
comparison = rw.compare(answers, rope=0.01).comparisons[0]

# %%
figure = comparison.plot("hdi")
