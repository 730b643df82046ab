"""Only the ranks of four systems in eight competitions are published. The fourth system did not take part in
the last one.

The worth of a model is proportional to its chance of winning against the others.
"""

import numpy as np

import ropewalk as rw

nan = np.nan
ranks = [
    [1, 2, 3, 4],
    [1, 3, 2, 4],
    [2, 1, 3, 4],
    [1, 2, 4, 3],
    [1, 2, 3, 4],
    [3, 1, 2, 4],
    [1, 3, 2, 4],
    [1, 2, 3, nan],
]
fitted = rw.bayes.plackett_luce(ranks)
for name, best in zip("ABCD", fitted.p_best, strict=True):
    print(f"{name}  P(best) {best:.3f}")
print(f"convergence of the sampler: R-hat {fitted.r_hat:.3f}")
