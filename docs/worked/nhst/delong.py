"""Two risk scores for the same 200 patients.

DeLong's test is a large-sample approximation; with a few dozen examples, use the permutation test.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
sick = (rng.random(200) < 0.3).astype(int)
hard = rng.normal(0, 0.8, 200)
a, b = 1.8 * sick + hard + rng.normal(0, 0.5, 200), 1.2 * sick + hard + rng.normal(0, 0.5, 200)
result = rw.nhst.delong(sick, a, b)
print(
    f"AUROC {result.auc_a:.3f} and {result.auc_b:.3f}, difference {result.difference:.3f} ± {result.standard_error:.3f}, p = {result.p_value:.2g}"
)
