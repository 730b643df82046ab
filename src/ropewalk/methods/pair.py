"""A pair of models, and the options for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np

from ropewalk.data import SEVERAL, Design, is_rank
from ropewalk.decide import (
    RopeRequest,
    Rule,
)
from ropewalk.errors import MethodError
from ropewalk.outcomes import Outcomes
from ropewalk.posterior.base import Floats
from ropewalk.results.evidence import Evidence, Examples, OverTasks
from ropewalk.sums import Sums, close, without_rounding

if TYPE_CHECKING:
    from ropewalk.bayes import BootstrapPosterior
    from ropewalk.data.arrays import Ints, Strings
    from ropewalk.grouped import ClusterSums
    from ropewalk.metrics import Metric
    from ropewalk.questions import Asks

Kind: TypeAlias = Literal[
    "set metric",
    "runs",
    "clusters",
    "correlated",
    "outcomes",
    "folds",
    "ranks",
    "tasks",
    "seeds",
    "examples",
    "limits",  # some values are only known to exceed a limit
]
TaskKind: TypeAlias = Literal["several metrics", "one-sided outcomes", "outcomes", "scores"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """The options for every pair."""

    method: str
    rope: RopeRequest
    rule: Rule
    rng: int
    prior_sd: float | None = None  # the sd of a normal prior of the advantage, if one was given
    question: Asks | None = None  # question over tasks; None for the method's first one
    weights: Mapping[str, float] | None = None  # of the tasks, for the mean over exactly these tasks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Clusters:
    """The rows behind units that are cluster means: their sums, by cluster and in total.

    `d` has the difference and `names` the cluster of each row if rows were read; otherwise they are empty.
    """

    each: ClusterSums
    rows: Sums
    evidence: Evidence  # the units of a naive analysis
    d: Floats
    names: Strings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Runs:
    """The scores of both models, higher is better, runs x units; `paired` where the seeds are the same."""

    a: Floats
    b: Floats
    paired: bool


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SetPredictions:
    """The data for a metric of the whole test set: the truth, both predictions, and clusters, if any.

    If examples were counted, `counts` has the number of examples like each row. If their scores were put
    into bins, `values` has the metric of both models from finer bins, known to `error`, and `bins` has the
    number of these bins and the number of bins of the rows.
    """

    metric: Metric
    y: Any
    a: Any
    b: Any
    clusters: Strings | None
    posterior: BootstrapPosterior
    counts: Ints | None = None
    values: tuple[float, float] | None = None
    error: float = 0.0
    bins: tuple[int, int] = (0, 0)

    @property
    def rarest(self) -> int | None:
        """Number of examples of the rarest class; None if the truth is a number."""
        y = np.asarray(self.y)
        if y.ndim != 1 or y.dtype.kind == "f":
            return None
        place = np.unique(y, return_inverse=True)[1]
        return int(np.bincount(place, weights=self.counts).min())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """Models A and B on one task, with the facts on which the choice of a method depends.

    `d` has the advantage on each unit, of which `sums` are the sums; with `counts`, `d` has distinct
    advantages (or bins of them), and the number of units with each. A metric of the whole test set has no
    advantage on a unit: there `d` is empty, and `sums` are those of as many units with the same mean whose
    mean has the same standard deviation as the posterior.
    """

    a: str
    b: str
    task: str | None
    metric: str
    design: Design
    evidence: Evidence
    d: Floats
    sums: Sums
    rho: float
    ordered: bool  # whether the units are in file order, so that neighbors may be correlated
    points: float  # one percentage point for a bounded metric; 0 for others
    clusters: Clusters | None = None
    runs: Runs | None = None
    whole: SetPredictions | None = None
    examples: Examples | None = None
    counts: Ints | None = None
    reach: float = 0.0  # largest possible difference of two scores of a unit; 0 if not needed

    @property
    def kind(self) -> Kind:
        """Kind of units and scores, for the choice of a method."""
        unit = self.design.unit
        if self.whole:
            return "set metric"
        if self.runs:
            return "runs"
        if self.clusters:
            return "clusters"
        if self.rho > 0 and unit != "fold":
            return "correlated"
        if isinstance(self.evidence, Outcomes):
            return "outcomes"
        if unit == "fold":
            return "folds"
        if unit == "task":
            return "ranks" if is_rank(self.metric) else "tasks"
        return "seeds" if unit == "seed" else "examples"

    @property
    def n(self) -> int:
        return self.sums.n if self.counts is not None else int(self.d.size) or self.sums.n

    @property
    def unit(self) -> str:
        """Name of a unit."""
        clustered = self.clusters or (self.whole and self.whole.clusters is not None)
        return "cluster" if clustered else self.design.unit

    @property
    def within(self) -> float:
        """Differences that are so close to each other count as the same; see `close`."""
        return close(self.points, self.evidence.mean_a, self.evidence.mean_b)

    @property
    def alike(self) -> bool:
        """Whether the two models never differ."""
        return self.sums.mean == 0 and self.sums.m2 == 0

    @property
    def worth(self) -> float:
        """Number of independent units these are worth as evidence about differences never seen.

        Correlated units contribute 1/n + rho/(1 - rho) to the variance of a mean (Nadeau and Bengio 2003). Of
        seeds crossed with examples the smaller number counts; of classes, the rarest.
        """
        n = float(self.n)
        if self.runs is not None:
            n = float(min(len(self.runs.a), len(self.runs.b), self.n))
        elif self.whole is not None and self.whole.rarest is not None:
            n = float(min(self.whole.rarest, self.n))
        return 1 / (1 / n + self.rho / (1 - self.rho))

    @property
    def outcomes(self) -> Outcomes:
        if not isinstance(self.evidence, Outcomes):
            raise MethodError(
                f"mcnemar needs right/wrong outcomes, but {self.metric} is a real-valued score",
                hint="Use t, robust_t, sign or signed_rank.",
            )
        return self.evidence


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaskPairs:
    """A and B on every task, one `Pair` each, in the order of the tasks."""

    pairs: Sequence[Pair]

    @property
    def names(self) -> list[str]:
        return [p.task or "" for p in self.pairs]

    @property
    def means(self) -> Floats:
        """The mean advantage on each task."""
        means = np.array([p.sums.mean for p in self.pairs])
        # Rounding errors add up in a mean, so a hundred times that of one difference is treated as zero.
        largest = [float(np.abs(p.d).max()) for p in self.pairs if p.d.size]
        return without_rounding(means, 100 * max(largest)) if largest else means

    @property
    def are_outcomes(self) -> bool:
        return all(isinstance(p.evidence, Outcomes) for p in self.pairs)

    @property
    def kind(self) -> TaskKind:
        """The kind of data on the tasks, for the choice of a method."""
        if self.pairs[0].metric == SEVERAL:
            return "several metrics"
        if not self.are_outcomes:
            return "scores"
        two_sided = any(p.outcomes.n01 and p.outcomes.n10 for p in self.pairs)
        return "outcomes" if two_sided else "one-sided outcomes"

    @property
    def evidence(self) -> OverTasks:
        return OverTasks(
            names=self.names,
            n=[p.n for p in self.pairs],
            d=self.means,
            mean_a=float(np.mean([p.evidence.mean_a for p in self.pairs])),
            mean_b=float(np.mean([p.evidence.mean_b for p in self.pairs])),
            of="" if any(p.runs is not None for p in self.pairs) else self.pairs[0].unit,
        )

    @property
    def as_pair(self) -> Pair:
        """Return the tasks as the units of one pair, for the tests on task means."""
        return replace(
            self.pairs[0],
            task=None,
            design=Design(unit="task"),
            evidence=self.evidence,
            d=self.means,
            sums=Sums.of(self.means),
            rho=0.0,
            ordered=False,
            clusters=None,
            runs=None,
            whole=None,
            examples=None,
            counts=None,
            reach=max(p.reach for p in self.pairs),
        )
