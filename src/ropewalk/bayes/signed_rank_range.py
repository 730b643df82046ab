"""How far the answer of the signed-rank test depends on its prior."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.edges import edges
from ropewalk.bayes.prior import positive
from ropewalk.bayes.signed_rank import sample
from ropewalk.posterior import Probabilities, WeightedRegions
from ropewalk.posterior.base import Floats
from ropewalk.sums import differences

_MOST = 40  # places of z0 to evaluate, in addition to the infinities


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PriorRange:
    """Answer of the signed-rank test for several places z0 of the prior observation.

    `signed_rank_range` makes it.

    Parameters
    ----------
    z0 : tuple of float
        Places of the prior observation.
    regions : tuple of WeightedRegions
        Answer for each of them.

    See Also
    --------
    ropewalk.bayes.signed_rank_range : Makes it.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> found = bayes.signed_rank_range([0.03, 0.02, -0.01, 0.01, 0.04], rope=0.01, draws=2_000)
    >>> low, high = found.most_probable("better")
    >>> low < high
    True
    """

    z0: tuple[float, ...]
    regions: tuple[WeightedRegions, ...]

    def most_probable(self, region: str) -> tuple[float, float]:
        """Lowest and highest probability that a region is the most probable one.

        Parameters
        ----------
        region : {"better", "equivalent", "worse"}
            The region.

        Returns
        -------
        tuple of float
            Lowest and highest probability over the places of the prior observation.
        """
        values = [float(getattr(r.most_probable, region)) for r in self.regions]
        return min(values), max(values)

    def at(self, z0: float) -> Probabilities:
        """The reading `most_probable` with the prior observation at z0.

        Parameters
        ----------
        z0 : float
            One of the places.

        Returns
        -------
        Probabilities
            Better, equivalent and worse.
        """
        return self.regions[self.z0.index(z0)].most_probable


def signed_rank_range(
    d: ArrayLike,
    rope: float | Sequence[float],
    *,
    strength: float = 0.5,
    draws: int = 150_000,
    rng: int | np.random.Generator = 0,
) -> PriorRange:
    """The signed-rank test over every position of its prior observation, from -infinity to +infinity.

    Parameters
    ----------
    d : array_like
        Advantage of A over B on each unit: the difference of their scores, positive where A is better.
    rope : float or (low, high)
        Differences that do not matter: half the width of the region, or its edges.
    strength : float, default 0.5
        Weight of the prior observation, in units.
    draws : int, default 150000
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    PriorRange
        The probabilities under the prior observation on either side.

    Notes
    -----
    Formula::

        `signed_rank` for each z0, from the same draws. The answer changes only where z0 + z_j crosses an edge
        of 2 ROPE: one z0 is taken from each interval between two such places (forty of them, evenly chosen,
        where there are more), and both infinities. theta_better never falls and theta_worse never rises as
        z0 moves up, but the probability of being the largest need not follow: take the range as it comes out.

    Assumes
        what `signed_rank` assumes.

    Not for
        the effect of `strength`, which does not vary here.

    References
    ----------
    .. [1] Benavoli, Corani, Demšar & Zaffalon 2017, sec. 4.3, tables 10 and 11: the imprecise Dirichlet
       process.

    Examples
    --------
    >>> r = signed_rank_range([0.03, 0.02, -0.01, 0.01, 0.04], rope=0.01, draws=20_000)
    >>> low, high = r.most_probable("better")
    >>> low < high
    True
    """
    x = differences(d)
    low, high = edges(rope)
    z0 = (-np.inf, *_places(x, low, high), np.inf)
    positive(strength=strength)
    (regions,) = sample(x, [(low, high)], strength=strength, places=z0, draws=draws, rng=rng)
    return PriorRange(z0=z0, regions=tuple(regions))


def _places(x: Floats, low: float, high: float) -> list[float]:
    """The middle of the ROPE, and one z0 from each interval in which the result is constant."""
    cuts = np.unique(np.concatenate([2 * high - x, 2 * low - x, [low, high]]))
    middles = 0.5 * (cuts[1:] + cuts[:-1])
    if middles.size > _MOST:
        middles = middles[np.linspace(0, middles.size - 1, _MOST).astype(int)]
    return sorted({float(m) for m in middles} | {0.5 * (low + high)})
