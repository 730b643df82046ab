"""Scores of which only the sums were taken, where the data lie: too many rows to be held in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Ints, Strings
from ropewalk.data.audit import Audit
from ropewalk.data.design import Design
from ropewalk.data.scores import Scores, TaskScores, distinct_models, read_as_accuracy
from ropewalk.data.way import Way
from ropewalk.errors import MethodError
from ropewalk.grouped import ClusterSums
from ropewalk.sums import ROUNDING, Sums


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally:
    """How many differences fall into each bin; `values` are the middles of the bins.

    Bin k has the differences with |d| from scale·(e^((k-1)/fine) - 1) to scale·(e^(k/fine) - 1), on either
    side of zero, so its width is (scale + |d|)/fine; zero has a bin of its own. The middles are symmetric,
    so that ranks of |d| tie where the bins do.

    >>> tally = Tally.of(np.array([0, 2, -2]), np.array([5, 3, 1]), scale=0.1, fine=1000.0)
    >>> tally.values, tally.counts
    (array([-0.00015011,  0.        ,  0.00015011]), array([1, 5, 3]))
    """

    values: Floats
    counts: Ints
    fine: float

    @classmethod
    def of(cls, bins: Ints, counts: Ints, *, scale: float, fine: float) -> Tally:
        order = np.argsort(bins)
        k = bins[order].astype(np.float64)
        middle = np.sign(k) * scale * np.expm1((np.abs(k) - 0.5) / fine) + 0.0  # no -0
        return cls(values=middle, counts=counts[order], fine=fine)

    def turned(self) -> Tally:
        """The same for B over A."""
        return Tally(values=-self.values[::-1], counts=self.counts[::-1], fine=self.fine)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaskClusters:
    """The clusters of one task, in the order of their names: how many units, and the models' means (each a
    row). `ahead` and `m2` are as those of a task: means of the differences, and their M2 within clusters.
    """

    names: Strings
    sizes: Floats
    means: Floats
    ahead: Floats
    m2: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaskSums:
    """One task: n units, the models' means, and M2 of the differences of every pair (models x models).

    `ahead` are the means of the differences to the first model, which have more digits than the models' own.
    `covariance` is Σ(z - mean)(z - mean)' of the models themselves. `tally` has the differences of the first
    model to the second, in score units, where there are two and the scores are not right and wrong.
    """

    name: str | None
    n: int
    means: Floats
    ahead: Floats
    m2: Floats
    covariance: Floats
    tally: Tally | None = None
    clusters: TaskClusters | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Summed:
    """What `Scores` answers from sums alone: `sums` and `counts` of every pair on every task.

    As there, what leaves here is the advantage of A over B, whichever way the metric runs.
    """

    models: tuple[str, ...]
    tasks: tuple[TaskSums, ...]
    metric: str
    higher_is_better: bool
    is_binary: bool
    audit: Audit
    design: Design = Design(unit="example")  # noqa: RUF009  # frozen
    way: Way | None = None  # how the direction is known; None: by whoever made the sums

    def __post_init__(self) -> None:
        distinct_models(self.models)

    def describe_design(self) -> str:
        """The design in words."""
        return self.design.describe()

    @property
    def is_clustered(self) -> bool:
        """Whether the units fall into clusters."""
        return self.tasks[0].clusters is not None

    def by_cluster(self) -> Scores:
        """Scores with each cluster's mean as one unit."""
        parts = [(t.name, t.clusters) for t in self.tasks if t.clusters is not None]
        return Scores(
            models=self.models,
            tasks=tuple(TaskScores(name=name, units=c.names, values=c.means) for name, c in parts),
            metric=self.metric,
            higher_is_better=self.higher_is_better,
            design=self.design,
            audit=self.audit,
            way=self.way,
        )

    def cluster_sums(self, a: str, b: str, clusters: TaskClusters) -> ClusterSums:
        """The sums of each cluster of the advantages of `a` over `b`."""
        i, j = self.models.index(a), self.models.index(b)
        d = clusters.ahead[:, i] - clusters.ahead[:, j]
        within = float(clusters.m2[i, j])
        sums = ClusterSums(sizes=clusters.sizes, means=d if self.higher_is_better else -d, within=within)
        return sums.rounded(float(np.abs(clusters.means[:, [i, j]]).max()))

    def sums(self, a: str, b: str, task: TaskSums) -> Sums:
        """n, mean and M2 of the advantages of `a` over `b`."""
        i, j = self.models.index(a), self.models.index(b)
        mean, m2 = float(task.ahead[i] - task.ahead[j]), float(task.m2[i, j])
        # As in `Sums.of`: a spread of rounding errors is no spread.
        if m2 <= task.n * (ROUNDING * float(np.abs(task.means[[i, j]]).max())) ** 2:
            m2 = 0.0
        return Sums(n=task.n, mean=mean if self.higher_is_better else -mean, m2=m2)

    def counts(self, a: str, b: str, task: TaskSums) -> tuple[int, int, int, int]:
        """n00, n01, n10, n11: the first digit is `a`, the second `b`, 1 = right.

        Of 0/1 scores Σ(a - b)² = n01 + n10 and Σ(a - b) = n10 - n01, and Σa = n10 + n11.
        """
        if not self.is_binary:
            raise MethodError(
                f"the scores ({self.metric}) are not 0 and 1, so right and wrong cannot be counted",
                hint="Use a method for real-valued scores.",
            )
        i, j = self.models.index(a), self.models.index(b)
        n, ahead = task.n, float(task.ahead[i] - task.ahead[j])
        disagree, net = _count(task.m2[i, j] + n * ahead**2), _count(n * ahead)
        n10, n01 = (disagree + net) // 2, (disagree - net) // 2
        n11 = _count(n * task.means[i]) - n10
        n00 = n - n01 - n10 - n11
        return (n00, n01, n10, n11) if self.higher_is_better else (n11, n10, n01, n00)

    def as_accuracy(self) -> Summed:
        """0/1 losses, of which lower is better, as right (1) and wrong (0)."""
        if self.higher_is_better:
            return self
        return replace(
            self,
            tasks=tuple(_turned(t) for t in self.tasks),
            metric="accuracy",
            higher_is_better=True,
            audit=self.audit.noted(read_as_accuracy(self.metric)),
        )

    def tally(self, a: str, b: str, task: TaskSums) -> Tally | None:
        """The differences in bins, where they were counted."""
        if task.tally is None:
            return None
        first = self.models.index(a) < self.models.index(b)
        return task.tally if first == self.higher_is_better else task.tally.turned()


def _turned(task: TaskSums) -> TaskSums:
    """Losses of 0 and 1 as right and wrong."""
    c = task.clusters
    clusters = None if c is None else replace(c, means=1.0 - c.means, ahead=-c.ahead)
    return replace(task, means=1.0 - task.means, ahead=-task.ahead, clusters=clusters)


def _count(x: NDArray[np.float64] | float) -> int:
    """A whole number that went through divisions."""
    return round(float(x))
