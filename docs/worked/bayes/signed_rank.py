"""Accuracies of two models on ten data sets, with one number each: the table in a typical paper.

Unlike the sign test, it also uses the sizes of the differences.
"""

import ropewalk as rw

d = [0.031, 0.012, 0.004, 0.027, -0.002, 0.018, 0.045, 0.009, 0.022, 0.016]
regions = rw.bayes.signed_rank(d, rope=0.01)
probability = regions.most_probable
print(
    f"better {probability.better:.3f}, equivalent {probability.equivalent:.3f}, worse {probability.worse:.3f}"
)
print(f"Monte Carlo error {regions.error:.4f}")
