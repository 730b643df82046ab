"""Two classifiers answered the same 1,000 questions. Both were wrong on 54, only B was right on 159, only A on
198, and both on 589. How much more accurate is A, and is that more than one point?

The three probabilities add up to 1. The interval shows how large the advantage may be. Because both models often get
the same questions right or wrong, it is narrower than two separate intervals would suggest.
"""

import ropewalk as rw

posterior = rw.bayes.accuracy_difference(54, 159, 198, 589)
low, high = posterior.hdi(0.95)
print(f"advantage of A {posterior.mean:.3f}, 95% HDI [{low:.3f}, {high:.3f}]")
print(f"A better by more than 0.01: {posterior.sf(0.01):.3f}")
print(f"practically equivalent:     {posterior.cdf(0.01) - posterior.cdf(-0.01):.3f}")
print(f"B better by more than 0.01: {posterior.cdf(-0.01):.3f}")
