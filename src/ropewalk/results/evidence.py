"""The data on a pair of models, before any statistical model."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropewalk.outcomes import Outcomes

if TYPE_CHECKING:
    from ropewalk.bayes import Crossed, HierarchicalAccuracy, HierarchicalMcNemar, HierarchicalT
    from ropewalk.posterior import Draws, Regions


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Differences:
    """Advantage of A over B on each unit.

    Parameters
    ----------
    d : ndarray
        Advantages; positive means that A is better.
    mean_a, mean_b : float
        Mean scores of the two models.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.results import Differences
    >>> Differences(d=np.array([0.1, -0.05]), mean_a=0.8, mean_b=0.775).advantage
    0.025
    """

    d: NDArray[np.float64]
    mean_a: float
    mean_b: float

    @property
    def advantage(self) -> float:
        """Mean of the advantages."""
        return float(self.d.mean())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Seeds(Differences):
    """Several training runs of each model: `d` has the means over the runs, `fitted` the crossed model."""

    fitted: Crossed


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeSet:
    """Metric of each model on the whole test set.

    Parameters
    ----------
    mean_a, mean_b : float
        Metric of A and of B.
    advantage : float
        Advantage of A over B.

    Examples
    --------
    >>> from ropewalk.results import WholeSet
    >>> WholeSet(mean_a=0.9, mean_b=0.8, advantage=0.1).advantage
    0.1
    """

    mean_a: float
    mean_b: float
    advantage: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OverTasks:
    """Mean advantage of A over B on each task.

    Parameters
    ----------
    names : list of str
        Names of the tasks.
    n : list of int
        Number of units of each task.
    d : ndarray
        Mean advantage on each task.
    mean_a, mean_b : float
        Mean scores over the tasks.
    weights : ndarray, optional
        Weights of the tasks, if they differ.
    of : str, default ""
        What the units of a task are; "" if their number alone does not say how precise a task is.

    Examples
    --------
    >>> import numpy as np
    >>> from ropewalk.results import OverTasks
    >>> found = OverTasks(names=["x", "y"], n=[9, 9], d=np.array([0.25, 0.5]), mean_a=0.9, mean_b=0.525)
    >>> found.advantage
    0.375
    """

    names: list[str]
    n: list[int]
    d: NDArray[np.float64]
    mean_a: float
    mean_b: float
    weights: NDArray[np.float64] | None = None
    of: str = ""

    @property
    def advantage(self) -> float:
        """Mean of the advantages over the tasks."""
        return float(np.average(self.d, weights=self.weights))


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots, because cached properties need a __dict__
class Hierarchy(OverTasks):
    """The evidence over tasks, with the hierarchical model of the tasks and the edges of the ROPE."""

    fitted: HierarchicalT | HierarchicalMcNemar | HierarchicalAccuracy
    rope: tuple[float, float]

    @cached_property
    def next_task(self) -> Regions:
        """Return the outcomes on the next task."""
        return self.fitted.next_task(self.rope)

    @cached_property
    def these(self) -> Draws:
        """Return the mean over exactly these tasks."""
        return self.fitted.these(self.weights)

    @property
    def shrinkage(self) -> NDArray[np.float64]:
        """Shrinkage of each task towards the others: 0 is none, 1 is complete."""
        return self.fitted.shrinkage


@dataclass(frozen=True, slots=True, kw_only=True)
class Examples:
    """Examples on which the two models differ most.

    Parameters
    ----------
    for_a, for_b : tuple of (str, float)
        Names of the examples that speak for A, and for B, with how far that model is ahead; the largest
        first.
    n_a, n_b : int
        How many there are in all.

    Examples
    --------
    >>> from ropewalk.results import Examples
    >>> Examples(for_a=(("q7", 1.0),), for_b=(), n_a=1, n_b=0).n_a
    1
    """

    for_a: tuple[tuple[str, float], ...]
    for_b: tuple[tuple[str, float], ...]
    n_a: int
    n_b: int


Evidence: TypeAlias = Differences | Outcomes | WholeSet | OverTasks
