"""Twelve patients with twenty images each. The model's advantage differs from patient to patient.

The ordinary t-test assumes 240 independent images and is far too confident.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
patient = np.repeat(np.arange(12), 20)
d = rng.normal(0.0, 0.1, 12)[patient] + rng.normal(0.02, 0.1, 240)
print(f"clusters respected: p = {rw.nhst.cluster_t(d, patient).p_value:.3f}")
print(f"clusters ignored:   p = {rw.nhst.paired_t(d).p_value:.3f}")
