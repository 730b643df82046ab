"""Losses of five forecasters on 200 days.

The set contains the best model with probability 0.9. Models outside it are worse than some model in it.
"""

import numpy as np

import ropewalk as rw

losses = np.random.default_rng(0).normal([0.0, 0.05, 0.2, 0.5, 1.0], 1.0, (200, 5))
result = rw.nhst.model_confidence_set(losses, draws=1000)
print("in the set:", [f"model {i}" for i in result.included])
print("p-values:  ", np.round(result.p_values, 3))
