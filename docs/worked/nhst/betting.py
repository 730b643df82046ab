"""A release gate on 400 graded answers between 0 and 1. The candidate may lose at most 0.02 on average, and the
bound has to hold for any distribution.

The candidate is not worse by more than the margin if the lower bound is above -0.02.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
d = np.where(rng.random(400) < 0.1, rng.uniform(-0.3, 0.4, 400), 0.0)  # candidate minus baseline
result = rw.nhst.betting(d, reach=1.0)
print(f"mean difference {d.mean():+.4f}, lower bound at 95% {float(result.lower_bound(0.95)):+.4f}")
