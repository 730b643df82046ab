"""Verdicts of the tests on ranks that are not paired, or of many models, where the truth is known."""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from scipy.special import ndtri

from ropewalk import bayes
from study import SHARES, Floats, Study, said

_DRAWS = 2000
_MODELS = 5


def rank_sum(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """n units of each model, normal; A scores higher than B in the given share of pairs."""
    spread = 3.0 if setting == "B varies three times as much" else 1.0
    out = []
    for share in effects:
        shift = float(ndtri(share)) * np.sqrt(1 + spread**2)
        p = []
        for _ in range(replications):
            a, b = rng.normal(shift, 1, n), rng.normal(0, spread, n)
            found = bayes.rank_sum(a, b, draws=_DRAWS, rng=rng).most_probable
            p.append((found.better, found.worse))
        out.append(said(*np.transpose(p)))
    return np.array(out)


def friedman(rng: Generator, setting: str, n: int, effects: tuple[float, ...], replications: int) -> Floats:
    """Five models on n tasks; the first beats each of the others, which are alike, in the given share."""
    out = []
    for share in effects:
        shift = float(ndtri(share)) * np.sqrt(2)
        p = []
        for _ in range(replications):
            z = rng.normal(size=(n, _MODELS))
            z[:, 0] += shift
            ahead = bayes.friedman(z, draws=_DRAWS, rng=rng).pair(0, 1)
            better = float(ahead.sf(0.0))
            p.append((better, 1 - better))
        out.append(said(*np.transpose(p)))
    return np.array(out)


RANK_STUDIES = (
    Study(
        method="rank_sum",
        data="units that are not paired, no ROPE",
        unit="units of each model",
        settings=("alike", "B varies three times as much"),
        sizes=(5, 10, 30),
        simulate=rank_sum,
        replications=5000,
        effects=SHARES,
        edge=0.5,
    ),
    Study(
        method="friedman",
        data="one pair of five models by mean ranks, no ROPE",
        unit="tasks",
        settings=("independent tasks",),
        sizes=(5, 10, 30),
        simulate=friedman,
        replications=5000,
        effects=SHARES,
        edge=0.5,
    ),
)
