"""Two risk models score 400 patients, a quarter of whom are sick. AUROC belongs to the whole test set, so there
is no score per patient to average.

`value_a` and `value_b` are the AUROCs of the data. The draws describe how their difference would vary with other
patients.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
sick = (rng.random(400) < 0.25).astype(int)
hard = rng.normal(0, 0.8, 400)
a = 1.6 * sick + hard + rng.normal(0, 0.5, 400)
b = 1.2 * sick + hard + rng.normal(0, 0.5, 400)

posterior = rw.bayes.bootstrap("auroc", sick, a, b)
low, high = posterior.hdi(0.95)
print(f"AUROC {posterior.value_a:.3f} and {posterior.value_b:.3f}")
print(f"advantage of A {posterior.mean:.3f}, 95% HDI [{low:.3f}, {high:.3f}]")
print(f"A better by more than 0.01: {posterior.sf(0.01):.3f}")
