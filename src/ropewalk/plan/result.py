"""The answer of a plan: how many more units of which kind, at which chance and price."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ropewalk.assurance import Curve, rounded
from ropewalk.errors import OptionError, short
from ropewalk.report.document import Document
from ropewalk.results.formatting import counted, decimals, on_its_side
from ropewalk.results.rendered import Rendered

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ropewalk.decide import Rope, Verdict
    from ropewalk.methods.plausible import Plausible
    from ropewalk.questions import Asks

HARDLY = 0.05  # chances below this are called very unlikely


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Direction:
    """More of one kind of unit, everything else as it is.

    Parameters
    ----------
    unit : str
        Kind of unit.
    n : int
        Number of units that there are.
    curve : object
        Chance of each verdict by the number of further units.
    chance : float
        Probability of a verdict that the plan aims for.
    stays : int or None
        Number of further units that would decide if mean and spread stayed as they are (Williams 2026), which
        is a point and not a chance; None where that is not known or never.
    cost : float or None
        Price of one unit.
    asked : bool, default False
        Whether the numbers of units were given, so that there is nothing to interpolate between.

    Examples
    --------
    >>> import ropewalk as rw
    >>> found = rw.plan(difference=0.02, sd=0.3, rope=0.01, costs={"example": 0.01})
    >>> direction = found.pairs[0].directions[0]
    >>> direction.needed, direction.price
    (5600, 56.0)
    """

    unit: str
    n: int
    curve: Curve
    chance: float
    stays: int | None = None
    cost: float | None = None
    asked: bool = False

    @property
    def needed(self) -> int | None:
        """Number of further units that decide with the requested chance, in two digits; None if none does.

        If numbers were given, it is the first of them that does.
        """
        if self.asked:
            reached = self.curve.more[self.curve.decided >= self.chance]
            return int(reached[0]) if reached.size else None
        found = self.curve.needed(self.chance)
        return None if found is None else rounded(found)

    @property
    def reaches(self) -> float:
        """Chance with the needed units: the one asked for, or that of the first number that was given."""
        return float(self.curve.decided[self.curve.more == self.needed][0]) if self.asked else self.chance

    @property
    def earliest(self) -> int | None:
        """Number of further units below which a decision is very unlikely."""
        found = None if self.asked else self.curve.needed(HARDLY)
        return None if found is None or found <= self.curve.more[0] else rounded(found)

    @property
    def price(self) -> float | None:
        """Price of the needed units; None where it is not known."""
        return None if self.cost is None or self.needed is None else self.cost * self.needed


@dataclass(frozen=True, slots=True, kw_only=True)
class Combination:
    """Further units of several kinds together, with the chance of a decision and the price.

    Parameters
    ----------
    adds : dict
        Number of further units of each kind.
    chance : float
        Chance of a decision.
    price : float or None
        Their price, if known.

    Examples
    --------
    >>> from ropewalk.plan import Combination
    >>> Combination(adds={"seed": 3, "example": 400}, chance=0.81, price=None).text
    '3 more seeds and 400 more examples'
    """

    adds: Mapping[str, int]
    chance: float
    price: float | None

    @property
    def text(self) -> str:
        """The additional units in words."""
        parts = [f"{k:,} more {unit}{'' if k == 1 else 's'}" for unit, k in self.adds.items() if k]
        return " and ".join(parts)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairPlan:
    """Plan of one pair of models.

    Parameters
    ----------
    a, b : str
        The two models.
    task : str or None
        The task, where it is one of several.
    method, metric : str
        Method and metric of the verdict.
    rope : Rope
        Region of practical equivalence.
    now : Verdict or None
        Verdict on the data at hand; None without data.
    leads_a : bool, default True
        Whether A is drawn in the color of the model that is ahead.
    directions : tuple of Direction
        What more of each kind of unit would do.
    ways : tuple of Combination, default ()
        Combinations that reach the chance asked for, the cheapest first.
    notes : tuple of str, default ()
        Notes for the reader.
    prior : object, optional
        Prior of the advantage; None where nothing is simulated, or the truth is stated.
    asks : {"average", "these", "next", "likeliest"}, optional
        Over tasks, the question that the verdict answers.

    Examples
    --------
    >>> import ropewalk as rw
    >>> pair = rw.plan(difference=0.02, sd=0.3, rope=0.01).pairs[0]
    >>> pair.is_decided, pair.best.unit
    (False, 'example')
    """

    a: str
    b: str
    task: str | None
    method: str
    metric: str
    rope: Rope
    now: Verdict | None
    leads_a: bool = True
    directions: tuple[Direction, ...]
    ways: tuple[Combination, ...] = ()
    notes: tuple[str, ...] = ()
    prior: Plausible | None = None  # of the advantage; None without simulation or with a stated truth
    asks: Asks | None = None

    @property
    def is_decided(self) -> bool:
        """Whether the data at hand decide already."""
        return self.now is not None and self.now.name != "undecided"

    @property
    def conditions(self) -> str:
        """Assumption behind the chances besides the data; "" if the truth was stated."""
        if self.prior is None:
            return ""
        if not math.isfinite(self.prior.sd):
            return (
                "any difference is equally plausible before seeing data (a flat prior), which is too "
                "optimistic"
            )
        return f"differences of about ±{self.prior.sd:.3g} before seeing data ({self.prior.source})"

    @property
    def best(self) -> Direction | None:
        """Direction that gets there: the cheapest where prices are known, else the first."""
        there = [d for d in self.directions if d.needed is not None]
        priced = [d for d in there if d.price is not None]
        return min(priced, key=lambda d: d.price or 0.0) if priced else there[0] if there else None

    @property
    def sentence(self) -> str:
        """The answer in one sentence."""
        pair = f"{short(self.a)} and {short(self.b)}" + (f" on {short(self.task)}" if self.task else "")
        if self.now is not None and self.is_decided:
            return f"{self.now.sentence.removesuffix('.')}: already decided, no more data are needed."
        if not self.directions:
            return f"There is no plan for {pair}: see the note."
        chance = self.directions[0].chance
        if self.ways and self.ways[0].price is not None:
            return f"{_capital(self.ways[0].text)} would decide between {pair} with probability {chance:g}."
        d = self.best
        if d is not None:
            more = "more " if d.n else ""
            about = "" if d.asked else "About "
            each = f"{about}{counted_more(d.needed or 0, d.unit, more)}"
            reached = on_its_side(d.reaches, chance, lambda digits: f"{d.reaches:.{digits}g}", 2)
            return f"{each} would decide between {pair} with probability {reached}."
        if self.ways:
            return f"{_capital(self.ways[0].text)} would decide between {pair} with probability {chance:g}."
        open_ended = [d for d in self.directions if d.curve.limit >= chance]
        if open_ended:
            most = max(open_ended, key=lambda d: float(d.curve.decided[-1]))
            return (
                f"Even {counted_more(int(most.curve.more[-1]), most.unit)} would decide between {pair} only "
                f"with probability {decimals(float(most.curve.decided[-1]), chance, 2)}."
            )
        kinds = " or ".join(f"{d.unit}s" for d in self.directions)
        return (
            f"More {kinds} alone cannot decide between {pair} with probability {chance:g}: the chance stays "
            f"at {decimals(max(d.curve.limit for d in self.directions), chance, 2)}."
        )


def counted_more(n: int, unit: str, more: str = "more ") -> str:
    """
    >>> counted_more(1200, "example"), counted_more(1, "seed", "")
    ('1,200 more examples', '1 seed')
    """
    return counted(n, more + unit)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Plan(Rendered):
    """Plans of all undecided pairs, with the rule, the chance asked for, and the seed.

    Parameters
    ----------
    pairs : tuple of PairPlan
        One for each undecided pair.
    threshold : float
        Probability that a verdict needs.
    chance : float
        Probability of a verdict that the plan aims for.
    draws : int
        Number of simulated futures.
    seed : int
        Random seed.
    left_out : int, default 0
        Number of undecided pairs that were not planned.
    cautions : tuple of str, default ()
        What could reverse the verdicts; shown first.

    See Also
    --------
    ropewalk.plan : Makes it.

    Examples
    --------
    >>> import ropewalk as rw
    >>> found = rw.plan(difference=0.02, sd=0.3, rope=0.01)
    >>> found.chance, len(found.pairs)
    (0.8, 1)
    """

    pairs: tuple[PairPlan, ...]
    threshold: float
    chance: float
    draws: int
    seed: int
    left_out: int = 0
    cautions: tuple[str, ...] = ()

    def _document(self) -> Document:
        from ropewalk.plan.document import document

        return document(self)

    def to_json(self) -> str:
        """Render the plan as JSON: schema ropewalk-plan/1.

        Returns
        -------
        str
            A JSON document.
        """
        from ropewalk.plan.json import document

        return document(self)

    def plot(self, pair: int = 0, *, style: str = "screen") -> Figure:
        """Draw the assurance curve of a pair: the chance of each verdict against how much is added.

        Parameters
        ----------
        pair : int, default 0
            Number of the pair.
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.

        Returns
        -------
        Figure
            The matplotlib figure.

        Raises
        ------
        OptionError
            If there is no such pair, or it is decided already.
        """
        from ropewalk.plot.assurance import assurance

        with_curves = [p for p in self.pairs if p.directions]
        if not with_curves:
            raise OptionError(
                "there is no curve to draw: every pair is decided",
                hint="Plans are for undecided comparisons.",
            )
        if not 0 <= pair < len(with_curves):
            raise OptionError(
                f"there is no plan {pair}", hint=f"There are {len(with_curves)}, numbered from 0."
            )
        return assurance(with_curves[pair], style=style)

    def __repr__(self) -> str:
        first = self.pairs[0].sentence if self.pairs else "nothing to plan"
        return f"<ropewalk plan: {first}>"
