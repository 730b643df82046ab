"""
Run times with a time limit
===========================

Some runs were stopped at a limit. The plot shows the least favorable probabilities over all possible durations of these
runs.
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
