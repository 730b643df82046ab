"""What a study of verdicts is, and how its answers are counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

Floats: TypeAlias = NDArray[np.float64]

THRESHOLD = 0.95
EFFECTS = (0.0, 0.5, 1.0, 1.5, 2.0, 4.0)
FEW_EFFECTS = (0.0, 1.0, 2.0, 4.0)
SHARES = (0.5, 0.6, 0.7, 0.8, 0.9)
SHARE_OF_SD = 0.1  # the default ROPE


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """`simulate(rng, setting, n, effects, replications)` gives shares, effects x verdicts."""

    method: str
    data: str
    unit: str  # what n counts
    settings: tuple[str, ...]
    sizes: tuple[int, ...]
    simulate: Callable[[Generator, str, int, tuple[float, ...], int], Floats]
    replications: int
    effects: tuple[float, ...] = EFFECTS
    edge: float = 1.0


def said(better: ArrayLike, worse: ArrayLike) -> Floats:
    """Shares of better, equivalent, worse, undecided; the probabilities are effects x simulations."""
    b, w = np.asarray(better), np.asarray(worse)
    claims = [np.mean(p >= THRESHOLD, axis=-1) for p in (b, 1 - b - w, w)]
    return np.stack([*claims, 1 - sum(claims)], axis=-1)
