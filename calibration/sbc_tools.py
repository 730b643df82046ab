"""What a model of simulation-based calibration is, and where a truth lies in a posterior."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from ropewalk.posterior import Probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """How to draw a truth and data for `method`; `pit` gives where each of the `quantities` lies, 0 to 1.

    Where the method is only close to its own model, `exact` is false and `how` says what is neglected.
    A model that was once near the limit has more `replications` than the others.
    """

    method: str
    quantities: tuple[str, ...]
    how: str
    pit: Callable[[Generator], Sequence[float]]
    exact: bool = True
    replications: int = 1000


def rank(truth: float, draws: ArrayLike, rng: Generator) -> float:
    """The place of the truth among draws, ties at random."""
    x = np.round(np.asarray(draws), 9)
    at = round(truth, 9)
    below, same = int(np.sum(x < at)), int(np.sum(x == at))
    return float((below + rng.random() * (same + 1)) / (x.size + 1))


def which(probabilities: Sequence[float], true: int, rng: Generator) -> float:
    """The place of one of several outcomes, at random within its share of the probability."""
    return float(sum(probabilities[:true]) + rng.random() * probabilities[true])


def region(p: Probabilities, theta: ArrayLike, rng: Generator) -> float:
    """The place of the truly most probable of (better, equivalent, worse)."""
    return which((p.better, p.equivalent, p.worse), int(np.argmax(theta)), rng)
