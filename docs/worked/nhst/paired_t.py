"""Losses of two regression models on the same 40 examples.

The p-value says how surprising such a mean would be if the models did not differ at all. It does not say that
a difference matters.
"""

import numpy as np

import ropewalk as rw

d = np.random.default_rng(0).normal(0.04, 0.1, 40)
result = rw.nhst.paired_t(d)
low, high = result.confidence_interval(0.95)
print(
    f"t = {result.statistic:.2f}, p = {result.p_value:.3f}, 95% confidence interval [{low:.3f}, {high:.3f}]"
)
