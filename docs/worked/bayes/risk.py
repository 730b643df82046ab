"""A model made 5 mistakes on 100 examples. How large may its error rate be?

A claim such as “at most 10% errors” needs an upper bound below 0.10.
"""

import ropewalk as rw

posterior = rw.bayes.risk(5, 100)
low, high = posterior.interval(0.95)
print(f"error rate {posterior.mean:.3f}, 95% interval [{low:.3f}, {high:.3f}]")
print(f"below 0.10 with probability {posterior.cdf(0.10):.3f}")
