"""Nine training runs of A and seven of B, which are not paired.

`superiority` is the share of pairs in which the run of A scores higher.
"""

import ropewalk as rw

a = [0.881, 0.874, 0.890, 0.885, 0.869, 0.892, 0.878, 0.883, 0.887]
b = [0.861, 0.872, 0.866, 0.858, 0.875, 0.863, 0.870]
result = rw.nhst.rank_sum(a, b)
print(
    f"U = {result.statistic:.0f}, p = {result.p_value:.4f}, A scores higher in {result.superiority:.0%} of the pairs"
)
