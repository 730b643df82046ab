"""
Forest plot of many data sets
=============================

The estimate from each data set alone, and given all others: estimates of small or noisy data sets shrink towards the
mean.
"""

import numpy as np
import pandas as pd

import ropewalk as rw

rng = np.random.default_rng(2)
rows = [
    {"model": model, "task": f"data set {t + 1:02d}", "repeat": r, "fold": f, "accuracy": accuracy}
    for t, level in enumerate(rng.uniform(0.7, 0.9, 15))
    for model, better in (("boosting", rng.normal(0.015, 0.015)), ("linear", 0.0))
    for r in range(2)
    for f in range(5)
    for accuracy in [float(np.clip(level + better + rng.normal(0, 0.02), 0, 1))]
]
report = rw.compare(pd.DataFrame(rows), rope=0.01, method="hierarchical_t")
comparison = report.overall[0]

# %%
figure = comparison.plot("forest")
