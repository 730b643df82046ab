"""Accuracies of two models on ten data sets. Only the region that each difference falls into counts, not its
size.

The sign test makes no assumption about the sizes of the differences, at the cost of power.
"""

import ropewalk as rw

d = [0.031, 0.012, 0.004, 0.027, -0.002, 0.018, 0.045, 0.009, 0.022, 0.016]
regions = rw.bayes.sign(d, rope=0.01)
print(
    f"share of such data sets: better {regions.mean.better:.2f}, equivalent {regions.mean.equivalent:.2f}, worse {regions.mean.worse:.2f}"
)
print(f"'better' is the most probable region with probability {regions.most_probable.better:.3f}")
