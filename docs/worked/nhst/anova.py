"""Four models on the same fifteen data sets, with accuracies that are comparable across data sets.

A small p-value says that not all models have the same mean. It does not say which ones differ.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
z = rng.normal(0.8, 0.05, (15, 1)) + rng.normal([0.03, 0.02, 0.0, 0.0], 0.02, (15, 4))
result = rw.nhst.anova(z)
print(f"F = {result.statistic:.2f} with {result.df} degrees of freedom, p = {result.p_value:.4f}")
