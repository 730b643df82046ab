"""Three models on twelve tasks, with the risk of each model on each task. Every pair is compared at once.

Each entry is the probability that the model of the row is better than the model of the column on more than half of
such tasks. Cycles would be listed.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
risk = rng.normal([0.20, 0.22, 0.27], 0.03, (12, 3))
better = (risk[:, :, None] < risk[:, None, :]) + 0.5 * np.eye(3)

fitted = rw.bayes.poisson_binomial_matrix(better)
print(np.round(fitted.matrix, 3))
print("cycles:", fitted.cycles)
