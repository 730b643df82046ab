"""Leaderboards on which some pairs hardly vary: they are no more certain than the pairs on their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropewalk.analysis.model_pairs import score_pairs
from ropewalk.analysis.summed_pairs import summed_pairs
from ropewalk.data import Scores, Summed
from ropewalk.methods import unvaried
from ropewalk.methods.pair import Pair, TaskPairs
from ropewalk.posterior import JointPosterior
from ropewalk.posterior.base import Floats
from ropewalk.posterior.own_pairs import HardlyVariedPairs, OwnPairs
from ropewalk.posterior.unvaried import FINE
from ropewalk.sums import LEAST_VARIED, close

Bools: TypeAlias = NDArray[np.bool_]
PairsOf: TypeAlias = Callable[[str, str], Iterable[Pair]]


def earned(
    posterior: JointPosterior, names: Sequence[str], maybe: Bools, pairs_of: PairsOf, *, tasks: int, rng: int
) -> JointPosterior:
    """Limit the certainty of the pairs that hardly vary, of those in `maybe`.

    `pairs_of` returns two models on every task; over many tasks, the tasks are the units.
    """
    reach, worth, weight = np.zeros((3, len(names), len(names)))
    for i, j in np.argwhere(np.triu(maybe, 1)).tolist():
        found = list(pairs_of(names[i], names[j]))
        if len(found) < min(tasks, 2):
            continue
        over = TaskPairs(pairs=found)
        pair = found[0] if tasks == 1 else over.as_pair
        share = unvaried.weight_of(pair) if tasks == 1 else unvaried.weight_over(over)
        if share > 0:
            for at in ((i, j), (j, i)):
                weight[at], worth[at], reach[at] = share, pair.worth, unvaried.reach_of(pair)
    if not weight.any():
        return posterior
    some, own = HardlyVariedPairs(reach=reach, worth=worth, weight=weight), posterior.own
    if isinstance(own, OwnPairs):
        own = replace(own, unvaried=some)
    elif own is not None:
        own = replace(own, draws=some.moved(own.draws, np.random.default_rng(rng)))
    return replace(posterior, draws=some.moved(posterior.draws, np.random.default_rng(rng)), own=own)


def pairs_of(source: Scores | Summed, rho: float | None) -> PairsOf:
    """Return two models on every task, as they are compared."""

    def found(a: str, b: str) -> Iterable[Pair]:
        if isinstance(source, Summed):
            return summed_pairs(source, [(a, b)])
        return score_pairs(source, [(a, b)], rho, examples=False)

    return found


def still(sds: Floats, values: Floats) -> Bools:
    """Which pairs may hardly vary, by the standard deviations of their differences within tasks.

    No two scores are further apart than 2, 100 for percentages, or the largest and the smallest of `values`.
    """
    low, high = float(np.nanmin(values)), float(np.nanmax(values))
    largest = max(-low, high)
    least = max(FINE * max(high - low, 100.0 if largest > 1 else 2.0), close(0.0, largest))
    return np.asarray(sds <= 2 * least)  # the sds of a pair are a little different: over all tasks, or runs


def alike(z: Floats, points: float) -> Bools:
    """Which pairs may be nearly alike, by their first examples: see `nearly_alike`."""
    first, n = z[: 2 * LEAST_VARIED - 1], len(z)
    within = 2 * close(points, float(np.nanmax(np.abs(first))))
    found = np.zeros((z.shape[1], z.shape[1]), dtype=np.bool_)
    for i in range(z.shape[1]):
        d = first - first[:, [i]]
        others = np.count_nonzero(~(np.abs(d - np.sort(d, axis=0)[len(d) // 2]) <= within), axis=0)
        found[i] = (others < LEAST_VARIED) & (10 * others <= n)
    return found
