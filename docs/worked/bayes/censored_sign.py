"""Two solvers ran on eight instances with a limit of one hour. B was stopped on three of them, and both were
stopped on one. Where only B was stopped, A saved at least the rest of the hour.

The range covers all possible durations of the stopped runs. A verdict requires both ends to reach the threshold.
"""

import numpy as np

import ropewalk as rw

inf = np.inf
a = np.array([12.5, 31.0, 3600, 8.1, 95.2, 3.9, 412.0, 27.3])
b = np.array([640.0, 3600, 3600, 44.9, 1210.5, 88.0, 3600, 19.5])
low = np.where((a >= 3600) & (b >= 3600), -inf, b - a)  # seconds saved by A: at least
high = np.where(b >= 3600, inf, b - a)  # and at most

ranges = rw.bayes.censored_sign(low, high, rope=10)
print("A faster by more than 10 s: {:.3f} to {:.3f}".format(*ranges.better))
print("practically equivalent:     {:.3f} to {:.3f}".format(*ranges.equivalent))
print("B faster by more than 10 s: {:.3f} to {:.3f}".format(*ranges.worse))
