"""
Posterior of an AUROC difference
================================

AUROC is a metric of the whole test set. Its posterior comes from the Bayesian bootstrap.
"""

import numpy as np
import pandas as pd

import ropewalk as rw

rng = np.random.default_rng(0)
sick = rng.random(500) < 0.3
hard = rng.normal(0, 0.8, 500)
table = pd.DataFrame({"id": range(500), "truth": sick.astype(int)})
for name, gap in (("forest", 1.3), ("bayes", 1.0)):
    table[name] = 1 / (1 + np.exp(-(gap * (2 * sick - 1) + hard + rng.normal(0, 0.6, 500))))
comparison = rw.compare(table, metric="auroc", rope=0.01).comparisons[0]

# %%
figure = comparison.plot("posterior")
