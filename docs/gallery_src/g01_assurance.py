"""
How much more data would decide?
================================

The chance of a verdict against the number of additional examples.
"""

import ropewalk as rw

plan = rw.plan(accuracy=(0.87, 0.85), disagreement=0.1, rope=0.01, examples=1200)

# %%
figure = plan.plot()
