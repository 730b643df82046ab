"""Four models on twelve data sets, after Friedman's test has found a difference.

Two models differ if their average ranks are further apart than the critical difference.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
models = ["boosting", "forest", "svm", "bayes"]
z = rng.normal(0, 1, (12, 1)) + rng.normal([0.9, 0.8, 0.3, 0.0], 0.5, (12, 4))
result = rw.nhst.nemenyi(z)
print(f"critical difference {result.critical_difference:.2f}")
print("groups that do not differ:", [[models[i] for i in group] for group in result.groups])
figure = rw.plot.critical_difference(models, rw.nhst.friedman(z).average_ranks, result.critical_difference)
