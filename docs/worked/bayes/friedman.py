"""Four models on twelve data sets. Scores on different data sets are not comparable, so only the order on each data
set counts.

`p_best` is the probability of having the lowest mean rank. Pairs are compared with the same draws.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
models = ["boosting", "forest", "svm", "bayes"]
z = rng.normal(0, 1, (12, 1)) + rng.normal([0.9, 0.8, 0.3, 0.0], 0.5, (12, 4))

fitted = rw.bayes.friedman(z)
for name, rank, best in zip(models, fitted.mean_ranks, fitted.p_best, strict=True):
    print(f"{name:9} mean rank {rank:.2f}   P(best) {best:.3f}")
print(f"boosting ahead of bayes by more than half a rank: {fitted.pair(0, 3).sf(0.5):.3f}")
