"""The same two solvers as on the card of the censored sign test: eight instances, a limit of one hour. The
signed-rank test also uses the amount of time saved, as far as it is known.

The signed-rank test asks about the mean of two randomly drawn instances. The instance that neither solver finished
keeps the range wide.
"""

import numpy as np

import ropewalk as rw

inf = np.inf
a = np.array([12.5, 31.0, 3600, 8.1, 95.2, 3.9, 412.0, 27.3])
b = np.array([640.0, 3600, 3600, 44.9, 1210.5, 88.0, 3600, 19.5])
low = np.where((a >= 3600) & (b >= 3600), -inf, b - a)
high = np.where(b >= 3600, inf, b - a)

ranges = rw.bayes.censored_signed_rank(low, high, rope=10, draws=20_000)
print("A faster by more than 10 s: {:.3f} to {:.3f}".format(*ranges.better))
print("instances that neither finished:", ranges.unknown)
