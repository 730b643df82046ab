"""Two classifiers disagree on 357 of 1,000 examples: A is wrong on 159 of them, B on 198.

phi is A's share of these mistakes; if it is below 1/2, A is better. The prior is uniform.
"""

import ropewalk as rw

phi = rw.bayes.mcnemar(159, 198)
low, high = phi.hdi(0.95)
print(f"phi {phi.mean:.3f}, 95% HDI [{low:.3f}, {high:.3f}]")
print(f"A is better: {phi.cdf(0.5):.3f}")
