"""Model A was trained nine times and B seven times, on different seeds. Nothing pairs a run of A with a run of
B.

The first line is about a new pair of runs. The second is the probability that "better" is the most probable of the
three regions.
"""

import ropewalk as rw

a = [0.881, 0.874, 0.890, 0.885, 0.869, 0.892, 0.878, 0.883, 0.887]
b = [0.861, 0.872, 0.866, 0.858, 0.875, 0.863, 0.870]
regions = rw.bayes.rank_sum(a, b, rope=0.005)
print(f"a run of A better than a run of B by more than 0.005: {regions.mean.better:.3f}")
print(
    f"probability that 'better' is the most probable region: {regions.most_probable.better:.3f} ± {regions.error:.4f}"
)
