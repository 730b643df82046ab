"""Two classifiers disagree on 357 of 1,000 examples: A is wrong on 159 of them, B on 198.

The examples on which both are right or both wrong do not enter the test.
"""

import ropewalk as rw

result = rw.nhst.mcnemar(159, 198)
print(f"{result.name}: chi² = {result.statistic:.2f}, p = {result.p_value:.3f}")
result = rw.nhst.mcnemar(2, 9)
print(f"{result.name}: p = {result.p_value:.3f}")
