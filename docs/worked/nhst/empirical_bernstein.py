"""The same question as on the card of the betting bound: 400 graded answers, and a bound that holds for any
distribution.

The empirical Bernstein bound gives the same guarantee and is wider than the betting bound.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
d = np.where(rng.random(400) < 0.1, rng.uniform(-0.3, 0.4, 400), 0.0)
print(f"empirical Bernstein: {rw.nhst.empirical_bernstein(d, reach=1.0).lower_bound(0.95):+.4f}")
print(f"betting:             {float(rw.nhst.betting(d, reach=1.0).lower_bound(0.95)):+.4f}")
