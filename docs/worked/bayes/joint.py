"""Five models scored on the same 30 examples. Which one is the best?

P(best) adds up to 1 over the models. Comparisons of two models use the same draws.
"""

import numpy as np

import ropewalk as rw

rng = np.random.default_rng(0)
models = ["a", "b", "c", "d", "e"]
z = rng.normal(0, 1, (30, 1)) + rng.normal([0.6, 0.5, 0.3, 0.0, 0.0], 0.5, (30, 5))

fitted = rw.bayes.joint(z)
for name, best in zip(models, fitted.p_best, strict=True):
    print(f"{name}  P(best) {best:.3f}")
print(f"a better than d: {fitted.alone(0, 3).sf(0.0):.3f}")
