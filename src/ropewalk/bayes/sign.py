"""The Bayesian sign test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

from numpy.typing import ArrayLike

from ropewalk.bayes.edges import edges
from ropewalk.bayes.prior import positive
from ropewalk.errors import OptionError, did_you_mean
from ropewalk.posterior import DirichletRegions
from ropewalk.sums import tallied

Place = Literal["better", "equivalent", "worse"]


def sign(
    d: ArrayLike,
    rope: float | Sequence[float],
    *,
    strength: float = 1.0,
    place: Place = "equivalent",
    counts: ArrayLike | None = None,
) -> DirichletRegions:
    """Posterior over (better, equivalent, worse) from the region in which each difference falls.

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    rope : float or (low, high)
        Differences that do not matter: half the width of the region, or its edges.
    strength : float, default 1.0
        Weight of the prior observation, in units.
    place : {"equivalent", "better", "worse"}, default "equivalent"
        Region in which the prior observation lies.
    counts : array_like, optional
        Number of identical units that each row stands for; by default 1.

    Returns
    -------
    DirichletRegions
        Posterior of the three regions.

    Notes
    -----
    Formula::

        theta ~ Dirichlet(n_better, n_equivalent, n_worse), plus `strength` in the region `place`.
        A difference on an edge of the ROPE counts half on each side; with a ROPE of zero width, so does
        a prior observation inside it.

    Assumes
        independent units; nothing about the size of the differences beyond the ROPE.

    Not for
        data in which the size of a difference matters (use `t` or `signed_rank`), overlapping folds.

    `most_probable` is exact: one integral over gamma densities, without sampling. With `counts`, each
    difference counts that many times.

    Without a ROPE and at a threshold of 0.95, A is wrongly called better than an equal B in 12.5% of cases
    with 3 tasks (all won), 11% with 6, 9% with 9, and at most 7% with more (simulated). If tasks come in
    families of five with correlation 0.3, it happens in 12 to 24% of cases.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon 2017, eq. 10 (jmlr.org/papers/v18/16-305.html).

    Examples
    --------
    >>> sign([0.03, 0.02, 0.00, -0.01, 0.05], rope=0.01).most_probable.better
    0.578...
    """
    x, times = tallied(d, counts)
    low, high = edges(rope)
    positive(strength=strength)
    if place not in get_args(Place):
        raise OptionError(f'place is "{place}"', hint=did_you_mean(place, get_args(Place)))
    better = times[x > high].sum() + 0.5 * times[x == high].sum()
    worse = times[x < low].sum() + 0.5 * times[x == low].sum()
    alpha = {"better": better, "equivalent": times.sum() - better - worse, "worse": worse}
    if place == "equivalent" and low == high:  # no ROPE: the prior observation counts half for each side
        alpha["better"] += strength / 2
        alpha["worse"] += strength / 2
    else:
        alpha[place] += strength
    return DirichletRegions(**{k: float(v) for k, v in alpha.items()})
