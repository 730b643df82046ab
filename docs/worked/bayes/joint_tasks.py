"""Three models on eight tasks with twenty examples each. The second model was not run on the first task.

A model that was not run on a task has a column of NaN there; the others still count.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
tasks = [rng.normal([0.80, 0.82, 0.85], 0.05, (20, 3)) + rng.normal(0, 0.05) for _ in range(8)]
tasks[0][:, 1] = np.nan

fitted = rw.bayes.joint_tasks(tasks)
for name, best in zip(("logistic", "forest", "boosting"), fitted.p_best, strict=True):
    print(f"{name:9} P(best) {best:.3f}")
