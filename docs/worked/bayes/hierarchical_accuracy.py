"""Two language models on six benchmarks of different size. The counts of each benchmark: only A right, only B
right, and the rest.

The mean advantage refers to benchmarks like these. The posterior of a single benchmark borrows strength from the
others.
"""

import ropewalk as rw

only_a, only_b, same = [30, 12, 45, 8, 21, 5], [20, 10, 25, 9, 12, 4], [450, 178, 630, 83, 267, 41]
fitted = rw.bayes.hierarchical_accuracy(only_a, only_b, same)

mean = fitted.mean_advantage
low, high = mean.hdi(0.95)
print(f"mean advantage of A {mean.mean:.3f}, 95% HDI [{low:.3f}, {high:.3f}]")
print(f"A better by more than 0.01 on average: {mean.sf(0.01):.3f}")
small = fitted.task(5)
print(f"the smallest benchmark alone {(5 - 4) / 50:+.3f}, together with the others {small.mean:+.3f}")
