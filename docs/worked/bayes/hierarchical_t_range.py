"""With few data sets, the prior of the tails matters. This example has six data sets of five folds, and computes the
answer under every prior proposed in the literature.

If the lowest and the highest probability lead to the same verdict, the choice of prior for nu does not matter.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
tasks = [effect + rng.normal(0, 0.01, 5) for effect in rng.normal(0.015, 0.01, 6)]

answers = rw.bayes.hierarchical_t_range(tasks, 0.01, rho=1 / 5)
low, high = answers.most_probable("better")
print(f"probability that 'better' is the most probable region: {low:.3f} to {high:.3f}")
