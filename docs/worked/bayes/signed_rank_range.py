"""With only six data sets, the prior observation of the signed-rank test has noticeable weight. Here it is
moved from minus to plus infinity.

If the range straddles the threshold, six data sets are too few for a verdict that does not depend on the
prior.
"""

import ropewalk as rw

d = [0.031, 0.012, 0.004, 0.027, -0.002, 0.018]
ranges = rw.bayes.signed_rank_range(d, rope=0.01)
low, high = ranges.most_probable("better")
print(f"probability of 'better': {low:.3f} to {high:.3f}")
