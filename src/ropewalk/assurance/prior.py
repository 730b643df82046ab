"""A prior of the advantage for simulated futures: normal around no difference.

Under a flat prior, an undecided pilot leaves a wide posterior, most of it at differences larger than any that
occur in practice. Futures drawn from it are decided far too often (the winner's curse). A prior with the
spread of plausible differences corrects this.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ropewalk.posterior.base import Floats

FLAT = float("inf")  # the standard deviation of a flat prior
OVERSAMPLED = 8  # proposals for each draw that is kept


def log_normal(x: Floats, variance: Floats | float) -> Floats:
    """The log density of N(0, variance), up to a constant."""
    return np.asarray(-0.5 * (x**2 / variance + np.log(variance)))


def kept(log_weights: Floats, draws: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The indices of the proposals to keep by weight, at evenly spaced points of the cumulative weight.

    They are shuffled, because neighbors would otherwise be the same proposal.
    """
    w = np.exp(log_weights - log_weights.max())
    at = (np.arange(draws) + rng.random()) / draws
    found = np.searchsorted(np.cumsum(w) / w.sum(), at, side="right").clip(max=w.size - 1)
    return rng.permutation(found)
