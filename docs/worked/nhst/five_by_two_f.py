"""Five replications of two-fold cross-validation: ten differences of two learning algorithms.

The F test uses all ten differences. It is more stable than the t-test, whose numerator is the first difference.
"""

import ropewalk as rw

d = [[0.031, 0.012], [0.024, 0.019], [0.008, 0.030], [0.021, 0.014], [0.027, 0.022]]  # replications x folds
result = rw.nhst.five_by_two_f(d)
print(f"{result.name}: F = {result.statistic:.2f}, p = {result.p_value:.3f}")
