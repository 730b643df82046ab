"""
Draw into your own axes
=======================

Every plot of a pair can be drawn into existing axes. Here are the posterior and the highest-density intervals in one figure.
"""

import matplotlib.pyplot as plt
import numpy as np

import ropewalk as rw

rng = np.random.default_rng(1)
level = rng.normal(0.8, 0.05, 60)
scores = {"new": level + rng.normal(0.015, 0.03, 60), "old": level}
comparison = rw.compare(scores, rope=0.01, higher_is_better=True).comparisons[0]

# %%
figure, axes = plt.subplots(1, 2, figsize=(12, 5))
comparison.plot("posterior", ax=axes[0])
comparison.plot("hdi", ax=axes[1])
