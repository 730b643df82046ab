"""Several measures of each unit."""

from __future__ import annotations

import numpy as np

D = np.random.default_rng(4).integers(-3, 4, (25, 2)) / 100  # hundredths: many lie on an edge


ROPES = [0.01, (-0.02, 0.01)]
