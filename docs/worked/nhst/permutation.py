"""Differences of two models on six examples: few enough to try every pattern of signs.

With six differences no p-value below 2/64 is possible, whatever the numbers are.
"""

import ropewalk as rw

result = rw.nhst.permutation([0.03, 0.02, 0.01, -0.01, 0.05, 0.04])
print(f"{result.name}, {result.patterns} patterns: mean {result.statistic:.4f}, p = {result.p_value:.3f}")
