"""One pair of models on one task, or over all tasks: everything that is known about it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.posterior.unvaried import HardlyVaried, Unvaried
from ropewalk.results.evidence import Evidence, Examples

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.decide import ClusterSummary, Effect, Rope, Sensitivity, SeriesSummary, Verdict
    from ropewalk.nhst import TestResult
    from ropewalk.posterior import Posterior, Regions
    from ropewalk.questions import Asks
    from ropewalk.results.other_questions import Reading


EstimateKind: TypeAlias = Literal["advantage", "phi", "chance", "share"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Posterior mean of what was estimated, with its highest-density interval.

    Parameters
    ----------
    name : str
        What was estimated, in words.
    kind : str, default "advantage"
        What was estimated, as a code that scripts can rely on.
    mean : float
        Posterior mean.
    low, high : float
        Ends of the interval.
    level : float, default 0.95
        Probability inside the interval.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    >>> estimate = report.comparisons[0].estimate
    >>> estimate.low < estimate.mean < estimate.high
    True
    """

    name: str
    kind: EstimateKind = "advantage"
    mean: float
    low: float
    high: float
    level: float = 0.95


# The kind of a check is for programs; its name is for readers.
CheckKind: TypeAlias = Literal[
    "assumption",  # an assumption of the method
    "sample size",
    "dependence",  # whether units can be treated as independent
    "normality",
    "stated",  # an assumption that was stated but not checked
    "second opinion",  # another method, or the same method with other settings
    "disagreement",  # a second opinion with another verdict, shown first
    "numerical error",
    "default ROPE",
    "same answers",
    "no variation",
    "replication",
    "calibration",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """Assumption that was checked: whether it held, in words and in numbers.

    Parameters
    ----------
    name : str
        What was checked.
    ok : bool
        Whether it held.
    text : str
        What was found.
    kind : str, default "assumption"
        What sort of check it is.
    numbers : dict, optional
        Numbers behind the text, by name.
    brief : str, default ""
        What was found, in a few words and without numbers.

    Examples
    --------
    >>> from ropewalk.results import Check
    >>> Check(name="independence", ok=True, text="no correlation between neighbours was found").ok
    True
    """

    name: str
    ok: bool
    text: str
    kind: CheckKind = "assumption"
    numbers: dict[str, float] = field(default_factory=dict)
    brief: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correlation:
    """Correlation between any two units that was assumed.

    Parameters
    ----------
    unit : str
        What a unit is.
    low, high : float
        Lowest and highest correlation over the tasks.

    Examples
    --------
    >>> from ropewalk.results import Correlation
    >>> Correlation(unit="fold", low=0.1, high=0.1).text
    'correlation 0.1 between any two folds'
    """

    unit: str
    low: float
    high: float

    @property
    def text(self) -> str:
        """The correlation in words."""
        value = f"{self.high:.3g}" if self.high - self.low < 1e-9 else f"{self.low:.3g} to {self.high:.3g}"
        return f"correlation {value} between any two {self.unit}s"

    @property
    def inflation(self) -> float:
        """What it adds to 1/n in the variance of a mean: rho/(1 - rho) (Nadeau & Bengio 2003)."""
        return self.high / (1 - self.high)


COLOURS = 8  # number of model colors, on plots and on the page
_ROUNDED = 1e-9  # probabilities that differ by less are equal: the last digits depend on the SciPy version


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Comparison:
    """Advantage of A over B: posterior, ROPE, verdict, effect size, classical tests and checks.

    Comparisons are made by `ropewalk.compare`, and are found in `report.comparisons` and `report.overall`.

    Parameters
    ----------
    a, b : str
        The two models.
    task : str or None
        The task, where it is one of several.
    method, why : str
        Name of the method, and why it was chosen.
    n, unit : int, str
        How many units were compared, and what a unit is.
    metric : str
        What was measured.
    evidence : Differences, Outcomes, WholeSet or OverTasks
        What the data say; `mean_a`, `mean_b` and `advantage` are those that were observed.
    posterior : Posterior or Regions
        Posterior of the advantage, or of the three regions.
    estimate : Estimate
        Posterior mean with its 95% highest-density interval (`mean`, `low`, `high`).
    rope : Rope
        Region of practical equivalence, with where it comes from.
    verdict : Verdict
        `name`, and the probabilities `better`, `equivalent` and `worse`, seen from A.
    effect : Effect
        Size of the difference, independent of the sample size.
    classical : list of TestResult
        Classical tests, for comparison.
    checks : list of Check
        What was checked of the assumptions.
    examples : Examples, optional
        Examples on which the two differ most.
    correlation : Correlation, optional
        Correlation between units, where one was assumed.
    dependence : ClusterSummary or SeriesSummary, optional
        Dependence between units, where it was estimated.
    was_asked : bool, default False
        Whether the method was asked for by name.
    prior_sd : float, optional
        Spread of the prior of the advantage, where one was given.
    leader : str, default ""
        Model that is ahead in the report's answer for this pair; "" where it is not known.
    places : tuple of int, optional
        Places of A and B on the report's leaderboard, from 0; a model is drawn in the color of its place.
    asks : {"average", "these", "next", "likeliest"}, optional
        Over tasks, the question that the probabilities answer.

    See Also
    --------
    ropewalk.compare : Makes comparisons.
    ropewalk.plot.kinds : Plots of a comparison.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}, rope=0.1).comparisons[0]
    <forest - svm: undecided (0.716 / 0.236 / 0.048), mcnemar, 6 examples>
    """

    a: str
    b: str
    task: str | None
    method: str
    why: str
    n: int
    unit: str
    metric: str
    evidence: Evidence
    posterior: Posterior | Regions
    estimate: Estimate
    rope: Rope
    verdict: Verdict
    effect: Effect
    classical: list[TestResult]
    checks: list[Check]
    examples: Examples | None = None
    correlation: Correlation | None = None
    dependence: ClusterSummary | SeriesSummary | None = None
    was_asked: bool = False
    prior_sd: float | None = None
    leader: str = ""
    places: tuple[int, int] | None = None
    asks: Asks | None = None

    @property
    def warnings(self) -> list[str]:
        """Checks that failed: what to look at before believing the answer."""
        return [f"{check.name}: {check.text}" for check in self.checks if not check.ok]

    @property
    def readings(self) -> Mapping[Asks, Reading]:
        """Answers to the other questions over tasks, by question; computed when they are asked for."""
        from ropewalk.methods.varied import readings

        return readings(self)

    @property
    def is_identical(self) -> bool:
        """Whether the two models give the same answer on every unit."""
        found = self.posterior
        return isinstance(found, Unvaried) and found.at == 0 and not isinstance(found, HardlyVaried)

    @property
    def winner(self) -> str | None:
        """Model that the verdict calls better; None where there is no such verdict."""
        return {"better": self.a, "worse": self.b}.get(self.verdict.name)

    @property
    def colours(self) -> tuple[int, int]:
        """Numbers of the colors of A and B, the same in every comparison of a report.

        There are `COLOURS` of them. Where a leaderboard is so long that both have the same one, the model
        that is further down takes the next.
        """
        a, b = self.places or ((0, 1) if self.leads_a else (1, 0))
        later = int(a % COLOURS == b % COLOURS)
        return (a + later * (a > b)) % COLOURS, (b + later * (b > a)) % COLOURS

    @property
    def leads_a(self) -> bool:
        """Whether A is the model that is ahead, on whichever task this is."""
        if self.leader:
            return self.leader == self.a
        v = self.verdict
        return v.better > v.worse if abs(v.better - v.worse) > _ROUNDED else self.advantage >= 0

    @property
    def advantage(self) -> float:
        """Observed mean advantage of A over B, in score units."""
        return self.evidence.advantage

    @property
    def sensitivity(self) -> Sensitivity:
        """Verdict with other ROPEs, thresholds and priors; computed when it is asked for."""
        from ropewalk.methods.varied import sensitivity

        return sensitivity(self)

    def at_ropes(self, times: ArrayLike) -> NDArray[np.float64] | None:
        """Probabilities with a wider or a narrower ROPE.

        Parameters
        ----------
        times : array_like
            Factors by which the ROPE is widened.

        Returns
        -------
        ndarray or None
            Rows better, equivalent and worse, one column per factor; None where the method cannot say.
        """
        from ropewalk.methods.varied import at_times

        return at_times(self, np.atleast_1d(np.asarray(times, dtype=np.float64)))

    def plot(self, kind: str = "posterior", *, ax: Axes | None = None, style: str = "screen") -> Figure:
        """Draw a plot by its name.

        Parameters
        ----------
        kind : str, default "posterior"
            `ropewalk.plot.kinds(comparison)` lists those that apply.
        ax : matplotlib.axes.Axes, optional
            Axes to draw into. By default the plot has a figure of its own.
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.

        Returns
        -------
        Figure
            A matplotlib figure.

        Raises
        ------
        OptionError
            If there is no such plot or style.
        MethodError
            If the plot does not apply to this comparison.
        """
        from ropewalk.plot import draw

        return draw(self, kind, ax=ax, style=style)

    def __repr__(self) -> str:
        v, where = self.verdict, "" if self.task is None else f" on {self.task}"
        from ropewalk.results.formatting import slashed

        three = slashed(v, v.decided_by.least)
        return f"<{self.a} - {self.b}{where}: {v.name} ({three}), {self.method}, {self.n:,} {self.unit}s>"
