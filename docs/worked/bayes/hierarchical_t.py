"""Two learning algorithms, ten data sets, the differences of ten cross-validation folds on each. Folds share
training data: rho is 1/10.

The first answer is about the next data set, the second about the average over all such data sets.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
effects = rng.normal(0.02, 0.01, 10)
tasks = [effect + rng.normal(0, 0.02, 10) for effect in effects]

fitted = rw.bayes.hierarchical_t(tasks, rho=1 / 10)
regions = fitted.next_task(0.01).mean
print(
    f"next data set: better {regions.better:.3f}, equivalent {regions.equivalent:.3f}, worse {regions.worse:.3f}"
)
print(f"mean advantage above 0.01: {fitted.mean_advantage.sf(0.01):.3f}")
