"""
Looking after every batch
=========================

How often each verdict is reached when the evaluation stops as soon as it is decided.
"""

import ropewalk as rw

plan = rw.plan.sequential(accuracy=(0.87, 0.85), disagreement=0.1, rope=0.01, batches=20, batch_size=1000)

# %%
figure = plan.plot()
