"""Differences from ten-fold cross-validation, repeated ten times.

The correction of Nadeau and Bengio accounts for the training data that folds share.
"""

import numpy as np

import ropewalk as rw

d = np.random.default_rng(0).normal(0.01, 0.03, 100)
print(f"corrected: p = {rw.nhst.corrected_t(d, rho=1 / 10).p_value:.3f}")
print(f"ordinary:  p = {rw.nhst.paired_t(d).p_value:.2g}")
