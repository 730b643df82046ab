"""Draws of (better, equivalent, worse), counted while they are made."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ropewalk.posterior import Probabilities, WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.threads import side_by_side

BLOCK = 200_000  # weights held at once by one thread: 1.6 MB, so that they stay in the cache
THREADS = 32  # many, because they hardly use the interpreter
KEPT = 4_000  # draws kept for plots
_TIE = 1e-12  # two regions closer than this share the first place


def largest_shares(theta: Floats) -> Floats:
    """How often each row of theta (regions x draws) is the largest in its column; ties are shared."""
    largest = theta >= theta.max(axis=0) - _TIE
    return np.asarray((largest / largest.sum(axis=0)).sum(axis=1))


def sampled_regions(
    theta: Callable[[int, np.random.Generator], Floats],
    *,
    units: int,
    draws: int,
    rng: int | np.random.Generator,
) -> WeightedRegions:
    """Regions from draws of `theta(size, generator)`: rows better, equivalent and worse.

    Draws are made in blocks, each with its own seed, so that the result does not depend on the number of
    threads and memory does not grow with the number of draws.
    """
    rows = max(1, min(draws, BLOCK // units))
    starts = range(0, draws, rows)
    seeds = np.random.default_rng(rng).spawn(len(starts))

    def block(part: tuple[int, np.random.Generator]) -> tuple[Floats, Floats, Floats]:
        start, generator = part
        found = theta(min(rows, draws - start), generator)
        return largest_shares(found), found.sum(axis=1), found[:, : max(KEPT - start, 0)]

    found = side_by_side(block, [*zip(starts, seeds, strict=True)], most=THREADS)
    won, total = (np.sum([part[i] for part in found], axis=0) for i in (0, 1))
    return regions_of(won / draws, total, np.concatenate([part[2] for part in found], axis=1), draws)


def regions_of(won: Floats, total: Floats, points: Floats, draws: int) -> WeightedRegions:
    """The two readings, the Monte Carlo error and the points kept for plots (regions x draws)."""
    return WeightedRegions(
        mean=named(total / total.sum()),
        most_probable=named(won),
        error=float(np.sqrt(np.max(won * (1 - won)) / draws)),
        points=points.T,
        weights=np.full(points.shape[1], 1 / points.shape[1]),
    )


def named(p: Sequence[float] | Floats) -> Probabilities:
    """The three numbers with their names."""
    return Probabilities(better=float(p[0]), equivalent=float(p[1]), worse=float(p[2]))
