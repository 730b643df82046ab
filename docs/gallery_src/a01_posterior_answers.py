"""
Posterior of the accuracy difference
====================================

Two models, right or wrong on the same 1,200 examples. The area of each color is the probability of that
region: forest better, practically equivalent, svm better.
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
figure = comparison.plot("posterior")
