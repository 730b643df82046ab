"""Sums of scores, computed where the data are: too many rows to be held in memory."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Ints, Strings
from ropewalk.data.audit import Audit
from ropewalk.data.design import Design
from ropewalk.data.known_direction import Way
from ropewalk.data.scores import Scores, distinct_models, read_as_accuracy
from ropewalk.data.task_scores import TaskScores
from ropewalk.errors import MethodError
from ropewalk.grouped import ClusterSums
from ropewalk.sums import ROUNDING, Sums


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Tally:
    """Number of differences in each bin.

    Parameters
    ----------
    values : ndarray
        Middles of the bins, symmetric around zero, so that ranks of `|d|` tie where the bins do.
    counts : ndarray of int
        Number of differences in each bin.
    fine : float
        How narrow the bins are.

    Notes
    -----
    Bin k has the differences with g(k-1) < `|d|` <= g(k) on either side of zero, where g(k) is scale·k/fine
    up to the scale and scale·e^(k/fine - 1) beyond. So its width is max(scale, `|d|`)/fine. Zero has a bin of
    its own.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.data import Tally
    >>> tally = Tally.of(np.array([0, 2, -2]), np.array([5, 3, 1]), scale=0.1, fine=1000.0)
    >>> tally.values, tally.counts
    (array([-0.00015,  0.     ,  0.00015]), array([1, 5, 3]))
    """

    values: Floats
    counts: Ints
    fine: float

    @classmethod
    def of(cls, bins: Ints, counts: Ints, *, scale: float, fine: float) -> Tally:
        """Make a tally from the numbers of bins.

        Parameters
        ----------
        bins : ndarray of int
            Number k of each bin, negative for negative differences.
        counts : ndarray of int
            Number of differences in each bin.
        scale : float
            Differences well below it have bins of equal width, those above of equal ratio.
        fine : float
            How narrow the bins are.

        Returns
        -------
        Tally
            The bins, sorted.
        """
        order = np.argsort(bins)
        k = bins[order].astype(np.float64)
        size = (np.abs(k) - 0.5) / fine
        size = np.where(size <= 1, size, np.exp(np.maximum(size, 1.0) - 1))
        middle = np.sign(k) * scale * size + 0.0  # avoids -0
        return cls(values=middle, counts=counts[order], fine=fine)

    def turned(self) -> Tally:
        """The same differences with A and B swapped.

        Returns
        -------
        Tally
            Values with the opposite sign.
        """
        return Tally(values=-self.values[::-1], counts=self.counts[::-1], fine=self.fine)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaskClusters:
    """Sums of the clusters of one task, in the order of their names.

    Parameters
    ----------
    names : ndarray of str
        Names of the clusters.
    sizes : ndarray
        Number of units in each cluster.
    means : ndarray
        Models' means, one row per cluster.
    ahead : ndarray
        Means of the differences to the first model.
    m2 : ndarray
        M2 of the differences of every pair within each cluster.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.data import TaskClusters
    >>> one = TaskClusters(names=np.array(["p"], object), sizes=np.ones(1), means=np.ones((1, 2)),
    ...                    ahead=np.zeros((1, 2)), m2=np.zeros((1, 2, 2)))
    >>> one.sizes
    array([1.])
    """

    names: Strings
    sizes: Floats
    means: Floats
    ahead: Floats
    m2: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaskSums:
    """Sums of one task: what the methods need of it where the rows stay where they are.

    Parameters
    ----------
    name : str or None
        Name of the task; None where there is only one.
    n : int
        Number of units.
    means : ndarray
        Mean of each model.
    ahead : ndarray
        Means of the differences to the first model, which have more digits than the models' own.
    m2 : ndarray
        M2 of the differences of every pair, models x models.
    covariance : ndarray
        Σ(z - mean)(z - mean)' of the models themselves.
    tally : Tally, optional
        Differences of the first model to the second, in score units, where there are two models and the
        scores are not right and wrong.
    clusters : TaskClusters, optional
        Sums of the clusters.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.data import TaskSums
    >>> task = TaskSums(name=None, n=3, means=np.array([0.9, 0.8]), ahead=np.array([0.0, -0.1]),
    ...                 m2=np.zeros((2, 2)), covariance=np.zeros((2, 2)))
    >>> task.n
    3
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
    """Sums in place of `Scores`, for rows that stay in a file or a database.

    As there, every difference is the advantage of A over B, whichever direction the metric has.

    Parameters
    ----------
    models : tuple of str
        Names of the models.
    tasks : tuple of TaskSums
        Sums of each task.
    metric : str
        What was measured.
    higher_is_better : bool
        Whether a higher score is better.
    is_binary : bool
        Whether every score is 0 or 1.
    audit : Audit
        What happened while the data were read.
    design : Design, optional
        What one unit is. By default a test example.
    way : Way, optional
        How the direction is known. By default the caller knows it.

    See Also
    --------
    ropewalk.read : Sums in place where files are large, or with in_place=True.

    Examples
    --------
    >>> import numpy as np
    >>> import ropewalk as rw
    >>> from ropewalk.data import TaskSums
    >>> task = TaskSums(name=None, n=50, means=np.array([0.9, 0.8]), ahead=np.array([0.0, -0.1]),
    ...                 m2=np.array([[0.0, 2.0], [2.0, 0.0]]), covariance=np.eye(2))
    >>> summed = rw.Summed(models=("a", "b"), tasks=(task,), metric="accuracy", higher_is_better=True,
    ...                    is_binary=False, audit=rw.Audit(paired=50))
    >>> summed.sums("a", "b", task)
    Sums(n=50, mean=0.1, m2=2.0)
    """

    models: tuple[str, ...]
    tasks: tuple[TaskSums, ...]
    metric: str
    higher_is_better: bool
    is_binary: bool
    audit: Audit
    design: Design = Design(unit="example")  # noqa: RUF009  # frozen
    way: Way | None = None

    def __post_init__(self) -> None:
        distinct_models(self.models)

    def describe_design(self) -> str:
        """Describe the design in words.

        Returns
        -------
        str
            Such as "test examples".
        """
        return self.design.describe()

    @property
    def is_clustered(self) -> bool:
        """Whether the units fall into clusters."""
        return self.tasks[0].clusters is not None

    def by_cluster(self) -> Scores:
        """Scores with each cluster's mean as one unit.

        Returns
        -------
        Scores
            One unit per cluster.
        """
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
        """Sums of each cluster of the advantages of `a` over `b`.

        Parameters
        ----------
        a, b : str
            The two models.
        clusters : TaskClusters
            The clusters of a task.

        Returns
        -------
        ClusterSums
            Number, mean and M2 of each cluster.
        """
        i, j = self.models.index(a), self.models.index(b)
        d = clusters.ahead[:, i] - clusters.ahead[:, j]
        within = float(clusters.m2[i, j])
        sums = ClusterSums(sizes=clusters.sizes, means=d if self.higher_is_better else -d, within=within)
        return sums.rounded(float(np.abs(clusters.means[:, [i, j]]).max()))

    def sums(self, a: str, b: str, task: TaskSums) -> Sums:
        """Number, mean and M2 of the advantages of `a` over `b`.

        Parameters
        ----------
        a, b : str
            The two models.
        task : TaskSums
            The task.

        Returns
        -------
        Sums
            What most methods need of the data.
        """
        i, j = self.models.index(a), self.models.index(b)
        mean, m2 = float(task.ahead[i] - task.ahead[j]), float(task.m2[i, j])
        # As in `Sums.of`, a spread due to rounding errors counts as 0.
        if m2 <= task.n * (ROUNDING * float(np.abs(task.means[[i, j]]).max())) ** 2:
            m2 = 0.0
        return Sums(n=task.n, mean=mean if self.higher_is_better else -mean, m2=m2)

    def counts(self, a: str, b: str, task: TaskSums) -> tuple[int, int, int, int]:
        """Count right and wrong answers of two models.

        Parameters
        ----------
        a, b : str
            The two models.
        task : TaskSums
            The task.

        Returns
        -------
        tuple of int
            n00, n01, n10, n11: the first digit is `a`, the second is `b`, and 1 means right.

        Raises
        ------
        MethodError
            If the scores are not 0 and 1.

        Notes
        -----
        Of 0/1 scores Σ(a - b)² = n01 + n10, Σ(a - b) = n10 - n01, and Σa = n10 + n11.
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
        """Turn 0/1 losses, of which lower is better, into right (1) and wrong (0).

        Returns
        -------
        Summed
            The same where they are not such losses.
        """
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
        """Differences in bins, where they were counted.

        Parameters
        ----------
        a, b : str
            The two models.
        task : TaskSums
            The task.

        Returns
        -------
        Tally or None
            The bins; None where the differences were not counted.
        """
        if task.tally is None:
            return None
        first = self.models.index(a) < self.models.index(b)
        return task.tally if first == self.higher_is_better else task.tally.turned()


def _turned(task: TaskSums) -> TaskSums:
    """Convert losses of 0 and 1 to right and wrong."""
    c = task.clusters
    clusters = None if c is None else replace(c, means=1.0 - c.means, ahead=-c.ahead)
    return replace(task, means=1.0 - task.means, ahead=-task.ahead, clusters=clusters)


def _count(x: NDArray[np.float64] | float) -> int:
    """Round a whole number that went through divisions."""
    return round(float(x))
