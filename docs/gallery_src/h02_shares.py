"""
Shares of tasks
===============

The sign test has a posterior over three shares: the tasks on which the first model is better, practically equivalent or
worse. Each curve is the posterior of one share.
"""

import numpy as np
import pandas as pd

import ropewalk as rw

rng = np.random.default_rng(0)
tasks = [f"data set {i + 1:02d}" for i in range(25)]
level = rng.normal(0.8, 0.06, 25)
table = pd.DataFrame({"task": tasks, "boosting": level + rng.normal(0.015, 0.02, 25), "forest": level}).round(
    4
)
comparison = rw.compare(table, rope=0.01, method="sign").overall[0]

# %%
figure = comparison.plot("posterior")
