"""Five seeds of each model, all tested on the same 100 examples.

Both the seeds and the examples are samples; a t-test over only one of them would be too confident.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
hard = rng.normal(0, 1, 100)
new, old = (m + hard + rng.normal(0, 0.15, (5, 1)) + rng.normal(0, 0.5, (5, 100)) for m in (0.2, 0.0))
result = rw.nhst.quasi_f(new, b=old)
print(
    f"F = {result.statistic:.2f} with ({result.df[0]:.1f}, {result.df[1]:.1f}) degrees of freedom, p = {result.p_value:.3f}"
)
