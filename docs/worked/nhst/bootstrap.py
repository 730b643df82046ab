"""The macro F1 of two classifiers on 300 examples with three classes.

The confidence interval resamples examples; the p-value is two-sided.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
y = rng.integers(0, 3, 300)
a = np.where(rng.random(300) < 0.85, y, rng.integers(0, 3, 300))
b = np.where(rng.random(300) < 0.75, y, rng.integers(0, 3, 300))
result = rw.nhst.bootstrap("f1_macro", y, a, b, draws=1999)
low, high = result.confidence_interval()
print(
    f"difference of macro F1 {result.statistic:.3f}, 95% confidence interval [{low:.3f}, {high:.3f}], p = {result.p_value:.4f}"
)
