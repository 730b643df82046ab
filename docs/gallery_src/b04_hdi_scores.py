"""
Intervals of a mean difference
==============================

Highest-density intervals of the mean difference, with the ROPE.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(1)
quality = rng.normal(0.6, 0.15, 300)  # what both models share
scores = {
    "large": np.clip(quality + rng.normal(0.03, 0.1, 300), 0, 1),
    "small": np.clip(quality + rng.normal(0.0, 0.1, 300), 0, 1),
}
comparison = rw.compare(scores, rope=0.01, higher_is_better=True).comparisons[0]

# %%
figure = comparison.plot("hdi")
