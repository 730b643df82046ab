"""Nineteen differences are small and positive; on one example model A failed completely.

The t-test is about the mean, which a single example can shift. The robust test is about the center of the
differences. Which one matters depends on what a failure costs you.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
d = np.append(rng.normal(0.02, 0.01, 19), -0.9)
for name, posterior in (("t", rw.bayes.t(d)), ("robust_t", rw.bayes.robust_t(d))):
    low, high = posterior.hdi(0.95)
    print(
        f"{name:9} 95% HDI [{low:+.3f}, {high:+.3f}]   A better by more than 0.01: {posterior.sf(0.01):.3f}"
    )
