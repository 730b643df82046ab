"""Two models were scored on 300 consecutive seconds of a recording. Neighboring seconds resemble each other, so
the 300 differences are worth fewer than 300 independent ones.

With the effective sample size the interval is wider, as it should be.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
noise = rng.normal(0, 1, 300)
drift = np.zeros(300)
for i in range(1, 300):
    drift[i] = 0.8 * drift[i - 1] + noise[i]
d = 0.2 + drift  # advantage of A, second by second

worth = rw.decide.series_summary(d)
naive, honest = rw.bayes.t(d), rw.bayes.ess_t(d, n_eff=worth.n_eff)
print(f"{d.size} rows are worth {worth.n_eff:.0f} independent ones")
for name, posterior in (("t", naive), ("ess_t", honest)):
    low, high = posterior.hdi(0.95)
    print(f"{name:6} 95% HDI [{low:+.3f}, {high:+.3f}]")
