"""Three models, each trained with four seeds and tested on the same 60 examples. Which is the best for other
seeds and other examples?

There are few seeds, so P(best) stays away from 1 unless the models differ by much more than their seeds.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
hard = rng.normal(0, 1, 60)
runs = [m + hard + rng.normal(0, 0.1, (4, 1)) + rng.normal(0, 0.5, (4, 60)) for m in (0.0, 0.2, 0.35)]

fitted = rw.bayes.joint_runs(runs)
for name, best in zip(("small", "medium", "large"), fitted.p_best, strict=True):
    print(f"{name:7} P(best) {best:.3f}")
