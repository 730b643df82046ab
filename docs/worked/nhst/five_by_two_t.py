"""Five replications of two-fold cross-validation: ten differences of two learning algorithms.

The numerator is the first difference alone, so the result depends on which fold comes first. The F test on the same
numbers does not have this problem.
"""

import ropewalk as rw

d = [[0.031, 0.012], [0.024, 0.019], [0.008, 0.030], [0.021, 0.014], [0.027, 0.022]]  # replications x folds
result = rw.nhst.five_by_two_t(d)
print(f"{result.name}: t = {result.statistic:.2f}, p = {result.p_value:.3f}")
