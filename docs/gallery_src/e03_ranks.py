"""
Probability of each rank
========================

The distribution of the rank of each model: a model that is first with probability 0.6 may still come third.
"""

import numpy as np
import pandas as pd

import ropewalk as rw

rng = np.random.default_rng(4)
tasks = 24
level = rng.normal(75, 8, tasks)
table = {
    name: level + ability + rng.normal(0, 1.5, tasks)
    for name, ability in [("hnb", 2.0), ("aode", 1.6), ("j48gr", 0.8), ("j48", 0.7), ("nbc", -0.5)]
}
rows = [
    {"model": model, "task": f"data set {t + 1:02d}", "accuracy": value}
    for model, values in table.items()
    for t, value in enumerate(values)
]
report = rw.compare(pd.DataFrame(rows), rope=1.0)
board = report.board

# %%
figure = board.plot_ranks()
