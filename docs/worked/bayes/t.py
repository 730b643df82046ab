"""Two classifiers were scored by ten times ten-fold cross-validation on the same folds. Folds share training data, so
rho is 1/10.

Without `rho` the interval would be far too narrow: 100 folds are not 100 independent experiments.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
d = rng.normal(0.015, 0.03, 100)  # accuracy of A minus accuracy of B, fold by fold
for rho in (1 / 10, 0.0):
    posterior = rw.bayes.t(d, rho=rho)
    low, high = posterior.hdi(0.95)
    print(
        f"rho {rho:.1f}: mean {posterior.mean:.3f}, 95% HDI [{low:+.3f}, {high:+.3f}], better {posterior.sf(0.01):.3f}"
    )
