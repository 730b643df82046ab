"""
Run times that hit their limit
==============================

Differences of run times, three of which are known only up to a limit. The plot shows the probabilities that hold for every
time that the stopped runs may have taken.
"""

import pandas as pd

import ropewalk as rw

times = pd.DataFrame(
    {
        "instance": list("abcdefghij"),
        "fast": [12.5, 31.0, ">3600", 8.1, 95.2, 3.9, 412.0, 27.3, 18.8, 230.1],
        "slow": [640.0, ">3600", ">3600", 44.9, 1210.5, 88.0, ">3600", 19.5, 71.4, 902.6],
    }
)
comparison = rw.compare(times, rope=10, higher_is_better=False).answers[0]

# %%
figure = comparison.plot(rw.plot.kinds(comparison)[0])
