"""The chance of a decision against how much is added."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ropewalk.decide.rule import UNDECIDED, Rule
from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats

DRAWS = 4_000
MOST = 10**9  # more units than that are not useful advice
_FIRST, STEP = 1 / 16, 2**0.5  # from a sixteenth of the current number, in steps of sqrt(2)
_FEW = 10  # smallest start of a plan without data
_TIMES = 64  # times the current size: larger sizes show nothing new if uncertainty remains
_SURE, _FLAT = 0.97, 1.02


class Growth(Protocol):
    """A design to which units can be added, and the verdicts that would follow."""

    @property
    def unit(self) -> str:
        """Name of the unit that is added."""
        ...

    @property
    def n(self) -> int:
        """Number of units so far."""
        ...

    @property
    def least(self) -> int:
        """Smallest number of units that can be added."""
        return 1

    @property
    def limited(self) -> bool:
        """Whether uncertainty remains however many units are added."""
        return False

    def future(self, more: int, draws: int, rng: np.random.Generator) -> Floats:
        """Posterior probabilities (rows better, equivalent, worse) in simulated futures with `more` added."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Curve:
    """The chance of each verdict with `more` units added, from `draws` simulated futures.

    `limit` is the chance of a decision with an unlimited number of further units, and `settles` the mean
    posterior probability of each region then.
    """

    more: NDArray[np.int64]
    better: Floats
    equivalent: Floats
    worse: Floats
    draws: int
    limit: float
    settles: tuple[float, float, float] | None = None

    @property
    def decided(self) -> Floats:
        """The chance of any decision: the assurance."""
        return self.better + self.equivalent + self.worse

    @property
    def error(self) -> Floats:
        """The Monte Carlo standard error of the assurance, never below that of one draw."""
        p = self.decided
        return np.maximum(np.sqrt(p * (1 - p) / self.draws), 1 / self.draws)

    def needed(self, chance: float) -> int | None:
        """How many must be added for this chance of a decision; None if the curve does not reach it.

        Between two points of the curve the chance is interpolated linearly in the logarithm of the number.
        """
        p = self.decided
        reached = np.flatnonzero(p >= chance)
        if not reached.size:
            return None
        k = int(reached[0])
        if k == 0 or p[k] == p[k - 1]:
            return int(self.more[k])
        share = (chance - p[k - 1]) / (p[k] - p[k - 1])
        low, high = np.log(self.more[k - 1 : k + 1])
        return int(np.ceil(np.exp(low + share * (high - low)) - 1e-9))


def assurance(
    design: Growth,
    rule: Rule,
    *,
    more: Sequence[int] | None = None,
    draws: int = DRAWS,
    rng: int = 0,
    most: int = MOST,
    step: float = STEP,
) -> Curve:
    """The chance that the verdict is decided, over the posterior predictive of further units.

    Formula
        Pr(decided | m more) = ∫ 1[rule(posterior of the old and m new data)] p(new data | old data): the
        share of simulated futures in which the rule decides.
    Assumes
        that further units are like those at hand, and that the method's model holds.
    Reference
        O'Hagan, Stevens & Campbell 2005, Assurance in clinical trial design, doi:10.1002/pst.175.

    `more` has the numbers of further units. By default each is `step` times the one before, until the
    chance no longer grows, or up to `most`.

    >>> from ropewalk.assurance import Edges, Normal
    >>> from ropewalk.sums import Sums
    >>> rope = Edges(low=-0.01, high=0.01)
    >>> pilot = Normal(unit="example", sums=Sums(n=500, mean=0.02, m2=20.0), edges=rope)
    >>> found = assurance(pilot, Rule(threshold=0.95), more=[500, 5_000, 50_000])
    >>> found.decided.round(1)
    array([0.5, 0.8, 0.9])
    """
    if draws < 1:
        raise OptionError(f"draws is {draws}", hint="Give the number of simulated futures, such as 4000.")
    if more is not None and (not more or min(more) < design.least):
        raise OptionError(
            f"more is {list(more)}", hint=f"Give numbers of further units, {design.least} or more each."
        )

    def chances(m: int) -> Floats:
        # The same seed for every m, so that the curve does not show the noise of the draws.
        return shares(rule(design.future(m, draws, np.random.default_rng(rng))))[:UNDECIDED]

    limit, settles = 1.0, None
    if design.limited:
        last = design.future(most, draws, np.random.default_rng(rng))
        limit, (better, equivalent, worse) = float(np.mean(rule(last) < UNDECIDED)), last.mean(axis=1)
        settles = float(better), float(equivalent), float(worse)
    most = min(most, _TIMES * design.n) if design.limited else most
    if more is not None:
        at = sorted(set(more))
        rows = [chances(m) for m in at]
    else:
        at, rows = [], []
        for m in _numbers(design, most, step):
            at.append(m)
            rows.append(chances(m))
            if rows[-1].sum() >= _SURE or (design.limited and rows[-1].sum() * _FLAT >= limit > 0):
                break
    by_name = np.array(rows).T
    return Curve(
        more=np.array(at, dtype=np.int64),
        better=by_name[0],
        equivalent=by_name[1],
        worse=by_name[2],
        draws=draws,
        limit=limit,
        settles=settles,
    )


def shares(names: NDArray[np.intp]) -> Floats:
    """How often each verdict was given: better, equivalent, worse, undecided."""
    return np.array([np.mean(names == k) for k in range(UNDECIDED + 1)])


def _numbers(design: Growth, most: int, step: float) -> list[int]:
    """Numbers to evaluate, rounded to two digits and spaced more finely than visible on the curve."""
    m, found = max(design.n * _FIRST, float(design.least)) if design.n else float(_FEW), []
    while m < most:
        found.append(max(rounded(int(np.ceil(m))), design.least))
        m *= step
    return sorted(set(found))


def rounded(n: int) -> int:
    """Two digits, upwards.

    >>> rounded(1234), rounded(7)
    (1300, 7)
    """
    step: int = 10 ** max(0, len(str(n)) - 2)
    return -(-n // step) * step
