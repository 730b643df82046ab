"""The AUROC of two risk scores on 60 patients: too few for DeLong's normal approximation.

The predictions of the two models are swapped at random, patient by patient.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
sick = (rng.random(60) < 0.4).astype(int)
hard = rng.normal(0, 0.8, 60)
a, b = 1.8 * sick + hard + rng.normal(0, 0.5, 60), 1.0 * sick + hard + rng.normal(0, 0.5, 60)
result = rw.nhst.permutation_metric("auroc", sick, a, b)
print(f"difference of AUROC {result.statistic:.3f}, p = {result.p_value:.4f}")
