"""
Signed-rank test on task means
==============================

One number per task: the Bayesian signed-rank test (Benavoli et al. 2014).
"""

import numpy as np
import pandas as pd

import ropewalk as rw

rng = np.random.default_rng(4)
tasks = 24
level = rng.normal(75, 8, tasks)
table = {name: level + ability + rng.normal(0, 1.5, tasks) for name, ability in [("hnb", 2.0), ("nbc", -0.5)]}
rows = [
    {"model": model, "task": f"data set {t + 1:02d}", "accuracy": value}
    for model, values in table.items()
    for t, value in enumerate(values)
]
comparison = rw.compare(pd.DataFrame(rows), rope=1.0, method="signed_rank").overall[0]

# %%
figure = comparison.plot("simplex")
