"""The Bayesian sign test on several measures at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.edges import edges
from ropewalk.bayes.prior import positive
from ropewalk.bayes.sign import Place
from ropewalk.errors import DataError, OptionError
from ropewalk.matrices import matrix
from ropewalk.posterior import Beta, DirichletRegions, Point
from ropewalk.posterior.regions import largest

Pattern: TypeAlias = tuple[Place, ...]

REGIONS: tuple[Place, ...] = ("better", "equivalent", "worse")
_MOST = 8  # largest number of measures: 3^8 = 6,561 patterns


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SeveralSign:
    """Dirichlet posterior over the patterns of better, equivalent and worse on several measures.

    `several_sign` makes it.

    Parameters
    ----------
    alpha : dict
        Dirichlet parameter of every pattern that can occur; the others are never seen and have none.
    measures : int
        Number of measures.

    See Also
    --------
    ropewalk.bayes.several_sign : Makes it, and explains the test.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> found = bayes.several_sign([(0.03, 1.0), (0.02, 2.0), (0.04, 3.0), (0.05, 0.1)], ropes=[0.01, 0.2])
    >>> next(iter(found.mean))
    ('better', 'better')
    """

    alpha: dict[Pattern, float]
    measures: int

    @property
    def mean(self) -> dict[Pattern, float]:
        """Probability of each pattern for a new unit, the most probable first."""
        total = sum(self.alpha.values())
        ranked = sorted(self.alpha.items(), key=lambda item: -item[1])
        return {pattern: value / total for pattern, value in ranked}

    @property
    def most_probable(self) -> dict[Pattern, float]:
        """Probability that each pattern is the most frequent one, the highest first; exact."""
        p = largest(list(self.alpha.values()))
        ranked = sorted(zip(self.alpha, p, strict=True), key=lambda item: -item[1])
        return dict(ranked)

    def measure(self, index: int) -> DirichletRegions:
        """One measure on its own: what `sign` says of it.

        Parameters
        ----------
        index : int
            Number of the measure.

        Returns
        -------
        DirichletRegions
            Better, equivalent and worse.

        Raises
        ------
        OptionError
            If there is no such measure.
        """
        if not 0 <= index < self.measures:
            raise OptionError(
                f"there is no measure {index}", hint=f"There are {self.measures}, counted from 0."
            )
        sums = dict.fromkeys(REGIONS, 0.0)
        for pattern, value in self.alpha.items():
            sums[pattern[index]] += value
        return DirichletRegions(**sums)

    @property
    def better_on_all(self) -> Beta | Point:
        """Share of units on which A is better on every measure."""
        return self._share(lambda pattern: all(region == "better" for region in pattern))

    @property
    def dominates(self) -> Beta | Point:
        """Share of units on which A is worse on no measure and better on at least one."""
        return self._share(lambda pattern: "worse" not in pattern and "better" in pattern)

    @property
    def dominated(self) -> Beta | Point:
        """Share of units on which A is better on no measure and worse on at least one."""
        return self._share(lambda pattern: "better" not in pattern and "worse" in pattern)

    @property
    def dominance(self) -> DirichletRegions:
        """A dominates, neither dominates, A is dominated: three regions like those of one measure."""
        total = sum(self.alpha.values())
        up = self._weight(lambda p: "worse" not in p and "better" in p)
        down = self._weight(lambda p: "better" not in p and "worse" in p)
        return DirichletRegions(better=up, equivalent=total - up - down, worse=down)

    def _weight(self, wanted: Callable[[Pattern], bool]) -> float:
        return sum(value for pattern, value in self.alpha.items() if wanted(pattern))

    def _share(self, wanted: Callable[[Pattern], bool]) -> Beta | Point:
        """The beta distribution of a sum of Dirichlet entries; impossible patterns have no share."""
        inside, total = self._weight(wanted), sum(self.alpha.values())
        if inside == 0 or inside == total:
            return Point(at=float(inside > 0))
        return Beta(a=inside, b=total - inside)


def several_sign(
    d: ArrayLike, ropes: Sequence[float | Sequence[float]], *, strength: float = 1.0
) -> SeveralSign:
    """Posterior over the patterns of better, equivalent and worse on several measures at once.

    Parameters
    ----------
    d : array_like, units x measures
        Advantage of A over B, positive where A is better on that measure. Change the sign of measures
        such as run time first.
    ropes : sequence, one for each measure
        Half width, or a pair (low, high).
    strength : float, default 1.0
        Weight of the prior observation, which is equivalent on every measure. On a measure with a ROPE of no
        width it counts half on each side.

    Returns
    -------
    SeveralSign
        `most_probable` and `mean` by pattern, `dominates`, `dominated` and `better_on_all` as posteriors of
        shares of units, `measure(i)` for one measure.

    Notes
    -----
    Formula::

        each unit falls into one of 3^m patterns; theta ~ Dirichlet(counts of the patterns + prior). A
        difference on the edge of a ROPE counts half on each side, and a unit with several of them is spread
        over all patterns that they make. Sums of patterns are beta.

    Assumes
        independent units, such as tasks. The measures of a unit may depend on each other in any way.

    Not for
        measures for which the size of the difference matters; overlapping folds; many measures with few
        units, because 3 measures already have 27 patterns.

    For one measure alone, the posterior is that of `sign` with the same strength.

    References
    ----------
    .. [1] Benavoli & de Campos 2016, doi:10.1007/s00354-016-0005-8. The classical partner is `nhst.sign`
       on each measure with `nhst.adjust`.

    Examples
    --------
    >>> accuracy = [0.03, 0.02, 0.00, 0.04, 0.05, 0.03]
    >>> seconds_saved = [1.0, 2.0, -0.5, 3.0, 0.1, 1.5]
    >>> r = several_sign(list(zip(accuracy, seconds_saved)), ropes=[0.01, 0.2])
    >>> pattern, p = next(iter(r.most_probable.items()))
    >>> pattern, round(p, 2)
    (('better', 'better'), 0.85)
    >>> round(r.dominates.mean, 3)
    0.714
    """
    x = matrix(d, rows="unit", columns="measure")
    if not x.size:
        raise DataError(
            f"the table has {x.shape[0]} units and {x.shape[1]} measures",
            hint="Give one row per unit and one column per measure.",
        )
    pairs = [edges(rope) for rope in ropes]
    if len(pairs) != x.shape[1]:
        raise OptionError(
            f"{len(pairs)} ROPEs are given for {x.shape[1]} measures", hint="Give one ROPE for each measure."
        )
    if len(pairs) > _MOST:
        raise OptionError(f"{len(pairs)} measures are too many", hint=f"Give at most {_MOST}.")
    positive(strength=strength)
    alpha: dict[Pattern, float] = {}
    sides = [[_sides(value, *pair) for value, pair in zip(row, pairs, strict=True)] for row in x]
    sides.append([_sides(0.5 * (low + high), low, high) for low, high in pairs])
    weights = [1.0] * len(x) + [strength]
    for unit, weight in zip(sides, weights, strict=True):
        for parts in product(*unit):
            pattern = tuple(region for region, _ in parts)
            alpha[pattern] = alpha.get(pattern, 0.0) + weight * float(np.prod([share for _, share in parts]))
    return SeveralSign(alpha=alpha, measures=x.shape[1])


def _sides(value: float, low: float, high: float) -> list[tuple[Place, float]]:
    """The regions of one difference with their shares; an edge counts half for each side."""
    if low == high == value:
        return [("better", 0.5), ("worse", 0.5)]
    if value == high:
        return [("better", 0.5), ("equivalent", 0.5)]
    if value == low:
        return [("equivalent", 0.5), ("worse", 0.5)]
    return [("better" if value > high else "worse" if value < low else "equivalent", 1.0)]
