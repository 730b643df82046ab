"""Three baselines were compared with a new model, with p-values 0.01, 0.03 and 0.04. Together they form a family of
tests.

Holm controls the probability of any false claim, Benjamini–Hochberg the expected share of false claims.
"""

import ropewalk as rw

p = [0.01, 0.03, 0.04]
for method in ("holm", "benjamini-hochberg"):
    print(f"{method:19}", rw.nhst.adjust(p, method=method).round(3))
