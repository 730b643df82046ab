"""With few data sets the prior of the tails matters. Here six data sets of five folds, and the answer under
every prior that the literature proposes.

If the lowest and the highest probability lead to the same verdict, the prior of nu does not decide it.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
tasks = [effect + rng.normal(0, 0.01, 5) for effect in rng.normal(0.015, 0.01, 6)]

answers = rw.bayes.hierarchical_t_range(tasks, 0.01, rho=1 / 5)
low, high = answers.most_probable("better")
print(f"probability that 'better' is the most probable region: {low:.3f} to {high:.3f}")
