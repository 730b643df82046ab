"""
Reliability diagram
===================

Predicted probabilities against how often the event occurred.
"""

import numpy as np
import pandas as pd

import ropewalk as rw

rng = np.random.default_rng(5)
p = rng.beta(2, 2, 2000)
truth = (rng.random(2000) < p).astype(int)
sharp = p**2 / (p**2 + (1 - p) ** 2)  # overconfident
table = pd.DataFrame(
    {"id": range(2000), "truth": truth, "honest": p.round(4), "overconfident": sharp.round(4)}
)
report = rw.compare(table)

# %%
figure = report.plot_reliability("overconfident")
