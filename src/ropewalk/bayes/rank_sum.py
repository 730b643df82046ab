"""The Bayesian rank-sum test: two models whose units are not paired."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.bayes.edges import edges
from ropewalk.bayes.prior import check_draws, positive
from ropewalk.bayes.region_draws import sampled_regions
from ropewalk.errors import OptionError, did_you_mean
from ropewalk.posterior import WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.sums import differences

Place = Literal["better", "equivalent", "worse"]


def rank_sum(
    a: ArrayLike,
    b: ArrayLike,
    *,
    rope: float | Sequence[float] = 0.0,
    strength: float = 0.5,
    place: Place = "equivalent",
    draws: int = 150_000,
    rng: int | np.random.Generator = 0,
) -> WeightedRegions:
    """Posterior over (better, equivalent, worse) for one unit of A against one unit of B, unpaired.

    Parameters
    ----------
    a, b : array_like
        Scores of A and of B, higher is better. They need not have the same length and have no common order.
    rope : float or (low, high), default 0
        Differences of scores that do not matter.
    strength : float, default 0.5
        Weight of the prior observation of each model, in units.
    place : {"equivalent", "better", "worse"}, default "equivalent"
        Where a pair with a prior observation counts. "better" and "worse" give the ends of the range that
        the prior allows.
    draws : int, default 150_000
        Number of draws of the weights.
    rng : int or numpy.random.Generator, default 0
        Random seed.

    Returns
    -------
    WeightedRegions
        `most_probable` is the probability that each region is the largest, `mean` the probability of each
        region for a new pair of units, `error` the Monte Carlo standard error.

    Notes
    -----
    Formula::

        theta_better = Σ_ij w_i v_j [a_i - b_j > high], theta_worse = Σ_ij w_i v_j [a_i - b_j < low], with
        w ~ Dirichlet(1, ..., 1, strength) and v ~ Dirichlet(1, ..., 1, strength), independent. The last
        entry of each belongs to its prior observation. A difference on an edge counts half on each side.
        With a ROPE of zero width, pairs with a prior observation count half as better and half as worse.

    Assumes
        independent units, and that A's units have nothing to do with B's. Nothing about the shape of the
        two distributions: it asks how often A scores higher, not by how much.

    Not for
        two models on the same examples, folds or tasks: pair them (use `signed_rank` or `t`), which needs far
        fewer units; fewer than about five units per model, where `place` decides.

    Without a ROPE and at a threshold of 0.95, A is wrongly called better than an equal B in 6.8% of cases
    with 5 units of each model, 6.3% with 10, and 5.1% with 20 or 30. If B varies three times as much as A,
    these are 6.2, 6.6, 5.6 and 5.4% (5,000 simulations each, standard error 0.3 points).

    References
    ----------
    .. [1] Benavoli, Mangili, Ruggeri & Zaffalon 2015, arXiv:1402.2755. The range over `place` is their
       imprecise Dirichlet process.

    Examples
    --------
    >>> r = rank_sum([0.81, 0.84, 0.86, 0.88, 0.90], [0.70, 0.74, 0.79, 0.80, 0.83, 0.85], draws=20_000)
    >>> r.most_probable.better > 0.95, r.error < 0.003
    (True, True)
    """
    x, y = differences(a), np.sort(differences(b))
    low, high = edges(rope)
    positive(strength=strength)
    check_draws(draws)
    if place not in get_args(Place):
        raise OptionError(f'place is "{place}"', hint=did_you_mean(place, get_args(Place)))
    of_prior = _prior_pairs(place, no_width=low == high)
    below, not_above = _Ranked.of(x - high, y), _Ranked.of(x - low, y)

    def theta(size: int, generator: np.random.Generator) -> Floats:
        w = generator.standard_exponential((size, x.size)).T.copy()
        sums = np.zeros((y.size + 1, size))
        np.cumsum(generator.standard_exponential((size, y.size)).T, axis=0, out=sums[1:])
        w0, v0 = generator.standard_gamma(strength, (2, size))
        of_a, of_b = w.sum(axis=0), sums[-1]
        whole = (of_a + w0) * (of_b + v0)
        better = (w * below.weight(sums)).sum(axis=0)
        worse = of_a * of_b - (w * not_above.weight(sums)).sum(axis=0)
        prior = (whole - of_a * of_b) * of_prior[:, np.newaxis]
        seen = np.stack([better, of_a * of_b - better - worse, worse])
        return np.asarray(np.clip((seen + prior) / whole, 0.0, 1.0))

    return sampled_regions(theta, units=x.size + y.size, draws=draws, rng=rng)


@dataclass(frozen=True, slots=True)
class _Ranked:
    """For each point, the number of sorted y below it, without and with those equal to it."""

    without: NDArray[np.intp]
    with_edge: NDArray[np.intp]

    @classmethod
    def of(cls, points: Floats, y: Floats) -> _Ranked:
        # A decimal difference that equals an edge on paper must also equal it here.
        slack = 1e-12 * (np.abs(y).max() + np.abs(points).max())
        return cls(
            np.searchsorted(y, points - slack, side="left"), np.searchsorted(y, points + slack, side="right")
        )

    def weight(self, sums: Floats) -> Floats:
        """Σ_j v_j [y_j < point]; a y_j equal to the point counts half."""
        return np.asarray(0.5 * (sums.take(self.without, axis=0) + sums.take(self.with_edge, axis=0)))


def _prior_pairs(place: Place, *, no_width: bool) -> Floats:
    """The shares of better, equivalent and worse for a pair with a prior observation."""
    if place == "equivalent" and no_width:
        return np.array([0.5, 0.0, 0.5])
    return np.array([float(place == region) for region in get_args(Place)])
