"""Accuracies of two models on ten data sets. The sign and the rank of each difference count.

For a ROPE and the probability of equivalence, use the Bayesian signed-rank test on the same numbers.
"""

import ropewalk as rw

result = rw.nhst.wilcoxon([0.031, 0.012, 0.004, 0.027, -0.002, 0.018, 0.045, 0.0, 0.022, 0.016])
print(
    f"sum of ranks {result.statistic:.0f}, p = {result.p_value:.4f} ({'exact' if result.exact else 'normal approximation'})"
)
