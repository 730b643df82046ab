"""The basis of the claims on one task: "not worse" and "worse", each with a conservative bound."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import DataError
from ropewalk.nhst import BettingResult, betting
from ropewalk.outcomes import Outcomes
from ropewalk.posterior import (
    Beta,
    DirichletRegions,
    Point,
    Posterior,
    ProportionDifference,
    Unvaried,
    WeightedRegions,
)
from ropewalk.results.evidence import Differences, OverTasks, Seeds
from ropewalk.sums import LEAST_VARIED

if TYPE_CHECKING:
    from ropewalk.data.ranges import Range
    from ropewalk.results import Comparison

_NONE = 1e-9  # stands for a count of zero, because a Dirichlet distribution needs positive counts


class NotWorse(Protocol):
    """Distribution for the claim that the advantage is at least x: Pr(d > x), and lower bounds of d."""

    def sf(self, x: ArrayLike) -> NDArray[np.float64]: ...

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]: ...


class Worse(Protocol):
    """Distribution for the claim that the advantage is below x: Pr(d < x), and upper bounds of d."""

    def cdf(self, x: ArrayLike) -> NDArray[np.float64]: ...

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class GateClaims:
    """The evidence for "not worse" and for "worse", and its assumptions.

    `grown` gives the same claims for a multiple of the units of the same kind; None where that
    is not known. `alike` is true if the answers are the same on every unit. `refused` is why nothing is
    claimed, and `lacking` is the number of varying units that are missing.
    """

    not_worse: NotWorse
    worse: Worse
    what: str
    grown: Callable[[float], tuple[NotWorse, Worse]] | None = None
    alike: bool = False
    refused: str = ""
    lacking: int | None = None


def claims_on(c: Comparison, scores: Range | None, *, same: bool = False) -> GateClaims:
    """Return the claims on one task.

    Right and wrong answers are counted (`on_counts`). Scores with a known range use a bound that holds in
    finite samples (`ropewalk.nhst.betting`). Everything else, such as an unbounded loss, folds, several
    training runs or a metric of the whole test set, uses the posterior of the comparison, whose mean is
    assumed to be normal. This needs 30 varying units.

    `same` says that both sides are the same files: then the model is known to be the same.
    """
    if isinstance(c.posterior, (DirichletRegions, WeightedRegions)):
        raise DataError(
            "every task has a single unit, so the spread within tasks is unknown",
            hint="Give more examples per task.",
        )
    if same:
        return GateClaims(not_worse=Point(at=0.0), worse=Point(at=0.0), what="the same files on both sides")
    if isinstance(c.evidence, Outcomes):
        return counted(c.evidence)
    if scores is not None and is_bounded(c):
        return on_bounded(bounded_differences(c), scores)
    lacking = LEAST_VARIED - _varied(c)
    if lacking > 0:
        return nothing(
            f"the normal approximation needs {LEAST_VARIED} {c.unit}s that vary, but there are only "
            f"{_varied(c)}",
            lacking,
        )
    posterior = cast("Posterior", c.posterior)  # methods on one task return no other kind
    return GateClaims(
        not_worse=posterior, worse=posterior, what=f"{c.why}; assumes an approximately normal mean"
    )


# --- right and wrong --------------------------------------------------------------------------------------


def counted(n: Outcomes) -> GateClaims:
    """Return the claims on right and wrong answers."""
    lost, won, alike = n.n01, n.n10, n.n00 + n.n11
    not_worse, worse = on_counts(lost, won, alike)
    return GateClaims(
        not_worse=not_worse,
        worse=worse,
        what="exact bounds for right and wrong answers; assumes independent examples",
        grown=lambda factor: on_counts(factor * lost, factor * won, factor * alike),
        alike=lost == won == 0,
    )


def on_counts(lost: float, won: float, alike: float, *, share: float = 1.0) -> tuple[Posterior, Posterior]:
    """The posterior for the claim that the candidate is not worse, and the one for the claim that it is.

    Formula
        (lost, won, alike) ~ Dirichlet(n01 + share, n10, n00 + n11) for "not worse", and
        Dirichlet(n01, n10 + share, n00 + n11) for "worse"; advantage = won - lost. The first digit is the
        candidate.
    Assumes
        independent examples. One example is added against the claim, which gives Clopper and Pearson's
        bound where one of the three counts is 0. With a flat prior, a candidate that is worse by exactly
        the margin passes in up to 9% of cases at 0.95 (4 expected losses, no wins); with the added example
        in at most 5%.
    Not for
        a comparison, which has one posterior for all three of its answers.
    Reference
        Clopper & Pearson 1934, doi:10.1093/biomet/26.4.404.

    >>> lower, upper = on_counts(0, 0, 299)  # the rule of three: not worse by more than 1%
    >>> round(float(lower.sf(-0.01)), 3)
    0.95
    """
    return _one_side(lost + share, won, alike), _one_side(lost, won + share, alike)


def _one_side(lost: float, won: float, alike: float) -> Posterior:
    if alike == 0:
        return Disagreement(lost=max(lost, _NONE), won=max(won, _NONE))
    return ProportionDifference(a01=max(lost, _NONE), a10=max(won, _NONE), same=alike)


@dataclass(frozen=True, slots=True, kw_only=True)
class Disagreement(Posterior):
    """Advantage of models that disagree on every example: 2 Beta(won, lost) - 1."""

    lost: float
    won: float

    @property
    def _beta(self) -> Beta:
        return Beta(a=self.won, b=self.lost)

    @property
    def mean(self) -> float:
        return 2 * self._beta.mean - 1

    @property
    def sd(self) -> float:
        return 2 * self._beta.sd

    def pdf(self, x: ArrayLike) -> NDArray[np.float64]:
        return 0.5 * self._beta.pdf(0.5 * (1 + np.asarray(x, dtype=np.float64)))

    def cdf(self, x: ArrayLike) -> NDArray[np.float64]:
        return self._beta.cdf(0.5 * (1 + np.asarray(x, dtype=np.float64)))

    def sf(self, x: ArrayLike) -> NDArray[np.float64]:
        return self._beta.sf(0.5 * (1 + np.asarray(x, dtype=np.float64)))

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        return 2 * self._beta.quantile(p) - 1

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> NDArray[np.float64]:
        return 2 * self._beta.sample(n, rng) - 1


# --- bounded scores ---------------------------------------------------------------------------------------


def is_bounded(c: Comparison) -> bool:
    """Whether differences of single independent units are known, not only of folds, runs or whole sets."""
    if isinstance(c.evidence, Outcomes):
        return True
    single = c.unit in ("example", "cluster") and isinstance(c.evidence, Differences)
    return single and not isinstance(c.evidence, Seeds) and c.correlation is None


def bounded_differences(c: Comparison) -> NDArray[np.float64]:
    """Return the advantage on each unit."""
    if isinstance(c.evidence, Outcomes):
        return np.repeat(c.evidence.values, c.evidence.counts)
    assert isinstance(c.evidence, Differences)
    return c.evidence.d


def on_bounded(
    d: NDArray[np.float64], scores: Range, *, weights: NDArray[np.float64] | None = None
) -> GateClaims:
    """Return the claims on differences of scores with a bounded range.

    "P" of a claim is 1 - p of the betting test of its opposite. It is not a posterior probability: for a
    candidate whose claim is false it reaches 0.95 in at most 5% of data sets.
    """
    reach = scores.reach
    result = betting(np.clip(d, -reach, reach), reach=reach, weights=weights)

    def grown(factor: float) -> tuple[NotWorse, Worse]:
        more = BettingResult(
            name=result.name,
            statistic=result.statistic,
            p_value=result.p_value,
            n=round(factor * result.n),
            reach=reach,
            up=result.up.more_of_the_same(factor),
            down=result.down.more_of_the_same(factor),
        )
        return BoundedBelow(more), BoundedAbove(more)

    because = " (inferred from these scores; set --bounds if that is wrong)" if scores.guessed else ""
    return GateClaims(
        not_worse=BoundedBelow(result),
        worse=BoundedAbove(result),
        what=f"scores from {scores.words}{because}: betting bounds, for any number of independent units",
        grown=grown,
        alike=not d.any(),
    )


@dataclass(frozen=True, slots=True)
class BoundedBelow:
    """Lower bounds of a mean, as a distribution: sf(x) is the confidence that the mean is above x."""

    result: BettingResult

    def sf(self, x: ArrayLike) -> NDArray[np.float64]:
        return _each(lambda at: 1 - self.result.p_at_most(at), x)

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        return _each(lambda level: self.result.lower_bound(1 - level), p)


@dataclass(frozen=True, slots=True)
class BoundedAbove:
    """Upper bounds of a mean, as a distribution: cdf(x) is the confidence that the mean is below x."""

    result: BettingResult

    def cdf(self, x: ArrayLike) -> NDArray[np.float64]:
        return _each(lambda at: 1 - self.result.p_at_least(at), x)

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        return _each(self.result.upper_bound, p)


def _each(of: Callable[[float], float], x: ArrayLike) -> NDArray[np.float64]:
    at = np.asarray(x, dtype=np.float64)
    return np.array([of(float(v)) for v in at.ravel()]).reshape(at.shape)


# --- anything else ----------------------------------------------------------------------------------------


def _varied(c: Comparison) -> int:
    """Number of varying units: all that share the most frequent difference count as one."""
    if isinstance(c.evidence, (Differences, OverTasks)):
        return varied(c.evidence.d)
    return 1 if isinstance(c.posterior, Unvaried) else c.n


def varied(d: NDArray[np.float64]) -> int:
    """Number of varying differences: all that share the most frequent value count as one.

    >>> varied(np.array([0.0, 0.0, 0.0, 0.1, -0.2]))
    3
    """
    _, times = np.unique(d, return_counts=True)
    return int(d.size - times.max() + 1)


def nothing(why: str, lacking: int | None) -> GateClaims:
    """Return no claim, with the reason."""
    return GateClaims(not_worse=Unknown(), worse=Unknown(), what=why, refused=why, lacking=lacking)


@dataclass(frozen=True, slots=True)
class Unknown:
    """An advantage about which nothing is claimed."""

    def sf(self, x: ArrayLike) -> NDArray[np.float64]:
        return np.zeros(np.shape(x))

    def cdf(self, x: ArrayLike) -> NDArray[np.float64]:
        return np.zeros(np.shape(x))

    def quantile(self, p: ArrayLike) -> NDArray[np.float64]:
        return np.asarray(np.where(np.asarray(p) < 0.5, -np.inf, np.inf))
