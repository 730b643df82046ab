"""Four models on twelve data sets; only the order on each data set counts.

If the p-value is small, continue with Nemenyi's test to see which models differ.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
z = rng.normal(0, 1, (12, 1)) + rng.normal([0.9, 0.8, 0.3, 0.0], 0.5, (12, 4))
result = rw.nhst.friedman(z)
print("average ranks", result.average_ranks.round(2))
print(f"chi² = {result.statistic:.2f}, p = {result.p_value:.5f}")
