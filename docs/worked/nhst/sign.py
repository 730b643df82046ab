"""Accuracies of two models on ten data sets. Only the sign of each difference counts.

A data set without a difference is left out, and reported as a tie.
"""

import ropewalk as rw

result = rw.nhst.sign([0.031, 0.012, 0.004, 0.027, -0.002, 0.018, 0.045, 0.0, 0.022, 0.016])
print(f"{result.statistic:.0f} wins of {result.n}, {result.zeros} tie left out, p = {result.p_value:.3f}")
