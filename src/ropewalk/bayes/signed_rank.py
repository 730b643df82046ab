"""The Bayesian signed-rank test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.bayes.edges import edges
from ropewalk.bayes.prior import check_draws, positive
from ropewalk.bayes.region_draws import BLOCK, KEPT, THREADS, largest_shares, regions_of
from ropewalk.errors import OptionError
from ropewalk.posterior import WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.sums import differences, tallied
from ropewalk.threads import side_by_side

DRAWS = 150_000


def signed_rank(
    d: ArrayLike,
    rope: float | Sequence[float],
    *,
    strength: float = 0.5,
    z0: float = 0.0,
    counts: ArrayLike | None = None,
    draws: int = DRAWS,
    rng: int | np.random.Generator = 0,
) -> WeightedRegions:
    """Posterior over (better, equivalent, worse) from the mean of two differences drawn at random.

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    rope : float or (low, high)
        Differences that do not matter: half the width of the region, or its edges.
    strength : float, default 0.5
        Weight of the prior observation, in units.
    z0 : float, default 0.0
        Position of the prior observation.
    counts : array_like, optional
        Number of identical units that each row stands for; by default 1.
    draws : int, default 150000
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    WeightedRegions
        Posterior of the three regions.

    Notes
    -----
    Formula::

        theta_better = Σ_ij w_i w_j [z_i + z_j > 2 high], theta_worse = Σ_ij w_i w_j [z_i + z_j < 2 low],
        w ~ Dirichlet(strength, 1, ..., 1), z = (z0, d_1, ..., d_q). A sum on an edge counts half on each
        side.

    Assumes
        independent units, such as tasks. No symmetry and no normality.

    Not for
        overlapping folds; fewer than about five units, where the prior observation at z0 has much influence
        (see `signed_rank_range`).

    `error` is the Monte Carlo error. The draws do not depend on the number of threads, and memory does not
    grow with their number. With `counts`, each difference counts that many times, at no extra cost.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon 2017, eq. 9 and 11 (jmlr.org/papers/v18/16-305.html).

    Examples
    --------
    >>> r = signed_rank([0.03, 0.02, 0.01, -0.01, 0.05, 0.04], rope=0.01, draws=20_000)
    >>> r.most_probable.better > 0.9, r.error < 0.003
    (True, True)
    """
    x, times = (differences(d), None) if counts is None else tallied(d, counts)
    low, high = edges(rope)
    positive(strength=strength)
    if np.isnan(z0):
        raise OptionError("z0 is NaN", hint="Give the place of the prior observation; it may be infinite.")
    check_draws(draws)
    ropes = [(low, high)]
    return sample(x, ropes, strength=strength, places=(z0,), counts=times, draws=draws, rng=rng)[0][0]


def sample(
    x: Floats,
    ropes: Sequence[tuple[float, float]],
    *,
    strength: float = 0.5,
    places: Sequence[float] = (0.0,),
    counts: Floats | None = None,
    draws: int = DRAWS,
    rng: int | np.random.Generator = 0,
) -> list[list[WeightedRegions]]:
    """The posterior for each ROPE and each place z0 of the prior observation, all from the same draws.

    Dirichlet weights are gamma variables over their sum. The part of theta that does not depend on z0
    is computed once; z0 adds 2 w_0 Σ_j w_j [...] + w_0² [...]. From one ROPE to the next, only
    pairs that an edge has passed are counted: a hundred ROPEs cost a few times as much as one.
    """
    order = np.argsort(x, kind="stable")
    z, z0 = x[order], np.asarray(places, dtype=np.float64)
    times = None if counts is None else counts[order]
    low, high = np.transpose(ropes)
    # 2r - z_i is rounded: a decimal sum that equals an edge on paper must also equal it here.
    slack = 1e-12 * (np.abs(z).max() + np.abs(low) + np.abs(high))
    to_low, to_high = (_Cuts.of(z, z, edge, slack).steps() for edge in (low, high))
    prior_low, prior_high = (_Cuts.of(z0, z, edge, slack) for edge in (low, high))
    itself_below = _above(-2 * z0, -2 * low[:, None], slack[:, None])
    itself_above = _above(2 * z0, 2 * high[:, None], slack[:, None])
    rows = max(1, min(draws, BLOCK // z.size))
    starts = range(0, draws, rows)
    seeds = np.random.default_rng(rng).spawn(len(starts))

    def block(part: tuple[int, np.random.Generator]) -> tuple[Floats, Floats, Floats]:
        start, generator = part
        size = min(rows, draws - start)
        if times is None:
            w = generator.standard_exponential((size, z.size)).T.copy()
        else:
            w = generator.standard_gamma(times, (size, z.size)).T.copy()
        w0 = generator.standard_gamma(strength, size)
        sums = np.zeros((z.size + 1, size))
        np.cumsum(w, axis=0, out=sums[1:])
        total, whole = sums[-1], (sums[-1] + w0) ** 2
        below, not_above = np.zeros(size), np.zeros(size)
        won, mean = np.empty((2, low.size, z0.size, 3))
        kept = np.empty((low.size, z0.size, 3, min(max(KEPT - start, 0), size)))
        for k in range(low.size):
            below += to_low[k].weight(w, sums)
            not_above += to_high[k].weight(w, sums)
            for j in range(z0.size):
                worse = below + 2 * w0 * prior_low.weight(sums, k, j) + w0**2 * itself_below[k, j]
                better = 2 * w0 * (total - prior_high.weight(sums, k, j)) + w0**2 * itself_above[k, j]
                better += total**2 - not_above
                theta = np.clip(np.stack([better, whole - better - worse, worse]) / whole, 0.0, 1.0)
                won[k, j] = largest_shares(theta)
                mean[k, j] = theta.sum(axis=1)
                kept[k, j] = theta[:, : kept.shape[-1]]
        return won, mean, kept

    found = side_by_side(block, [*zip(starts, seeds, strict=True)], most=THREADS)
    won, mean = (np.sum([part[i] for part in found], axis=0) for i in (0, 1))
    first = np.concatenate([points for _, _, points in found], axis=-1)
    return [
        [regions_of(won[k, j] / draws, mean[k, j], first[k, j], draws) for j in range(z0.size)]
        for k in range(low.size)
    ]


@dataclass(frozen=True, slots=True)
class _Cuts:
    """For each edge and each point p, the number of sorted z with p + z < 2 edge, and with p + z <= 2 edge.

    Each region is one end of the sorted z, so its weight is one cumulative sum. A sum equal to an edge counts
    half on each side: the mean of the sums without and with the edge.
    """

    without: NDArray[np.intp]
    with_edge: NDArray[np.intp]

    @classmethod
    def of(cls, points: Floats, z: Floats, edge: Floats, slack: Floats) -> _Cuts:
        at, close = 2 * edge[:, None] - points, slack[:, None]
        return cls(np.searchsorted(z, at - close, side="left"), np.searchsorted(z, at + close, side="right"))

    def weight(self, sums: Floats, k: int, j: int) -> Floats:
        """Σ_i w_i [p_j + z_i < 2 edge_k], from the cumulative sums of w."""
        return np.asarray(0.5 * (sums[self.without[k, j]] + sums[self.with_edge[k, j]]))

    def steps(self) -> list[_MovedCuts]:
        """The changes from each edge to the next, starting at zero."""
        nothing = np.zeros((1, self.without.shape[1]), dtype=np.intp)
        out = []
        for to, since, to_edge, since_edge in zip(
            self.without,
            np.concatenate([nothing, self.without]),
            self.with_edge,
            np.concatenate([nothing, self.with_edge]),
            strict=False,
        ):
            i = np.flatnonzero((to != since) | (to_edge != since_edge))
            out.append(_MovedCuts(i=i, to=(to[i], to_edge[i]), since=(since[i], since_edge[i])))
        return out


@dataclass(frozen=True, slots=True, kw_only=True)
class _MovedCuts:
    """Points i whose cut moved, with its new and old place, each without and with the edge."""

    i: NDArray[np.intp]
    to: tuple[NDArray[np.intp], NDArray[np.intp]]
    since: tuple[NDArray[np.intp], NDArray[np.intp]]

    def weight(self, w: Floats, sums: Floats) -> Floats:
        """Σ_i w_i Σ_j w_j over the pairs that the edge passed."""
        passed = _mean(sums, *self.to)
        if any(cuts.any() for cuts in self.since):
            passed -= _mean(sums, *self.since)
        passed *= w.take(self.i, axis=0)
        return np.asarray(passed.sum(axis=0))


def _mean(sums: Floats, without: NDArray[np.intp], with_edge: NDArray[np.intp]) -> Floats:
    out = sums.take(without, axis=0)
    if not np.array_equal(without, with_edge):  # a sum equals the edge
        out += sums.take(with_edge, axis=0)
        out *= 0.5
    return out


def _above(x: Floats, edge: Floats, slack: Floats) -> Floats:
    """1 above the edge, 1/2 on it, 0 below."""
    return np.where(np.abs(x - edge) <= slack, 0.5, np.where(x > edge, 1.0, 0.0))
