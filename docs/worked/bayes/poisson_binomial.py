"""For each of seven tasks, a test set gives the probability that A is better. Is A better on most tasks of this kind?

A task with a probability near 1/2 carries little information. Counting wins would give it the same weight as any
other.
"""

import ropewalk as rw

p = [0.97, 0.90, 0.55, 0.80, 0.48, 0.99, 0.71]
print(f"A better on more than half of all such tasks: {rw.bayes.poisson_binomial(p):.3f}")
wins = [round(x) for x in p]
print(f"the same from wins alone:                     {rw.bayes.poisson_binomial(wins):.3f}")
