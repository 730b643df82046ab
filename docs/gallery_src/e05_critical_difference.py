"""
Critical-difference diagram
===========================

Mean ranks with Nemenyi's critical difference (Demšar 2006), for readers who ask for it.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(4)
tasks = 24
level = rng.normal(75, 8, tasks)
table = {
    name: level + ability + rng.normal(0, 1.5, tasks)
    for name, ability in [("hnb", 2.0), ("aode", 1.6), ("j48gr", 0.8), ("j48", 0.7), ("nbc", -0.5)]
}
matrix = np.column_stack(list(table.values()))
found = rw.nhst.nemenyi(matrix)

# %%
figure = rw.plot.critical_difference(list(table), found.average_ranks, found.critical_difference)
