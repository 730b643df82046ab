"""The models by their mean rank over tasks: the Bayesian answer next to the classical Friedman test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ropewalk.bayes import MeanRanks
    from ropewalk.nhst import TestResult
    from ropewalk.results.comparison import Check


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedModel:
    """One model: its mean rank over tasks, 1 is best.

    Parameters
    ----------
    name : str
        The model.
    mean_rank, low, high : float
        Mean rank and its 95% interval.
    p_best : float
        Probability that its mean rank is the best one.
    p_within_rope : float
        Probability that it is within the ROPE of the best.

    Examples
    --------
    >>> from ropewalk.results import RankedModel
    >>> RankedModel(name="svm", mean_rank=1.4, low=1.1, high=1.9, p_best=0.9, p_within_rope=0.95).name
    'svm'
    """

    name: str
    mean_rank: float
    low: float
    high: float
    p_best: float
    p_within_rope: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankedModels:
    """Bayesian Friedman test of a report: the models by their mean ranks.

    Parameters
    ----------
    names : tuple of str
        Names of the models, in the order of the draws.
    posterior : MeanRanks
        Joint draws, higher is better: `posterior.pair(i, j)`, `posterior.p_within(0.5)`.
    models : tuple of RankedModel
        The models, the best mean rank first.
    tasks : int
        Number of tasks on which all of them were run.
    rope : float
        Half width of the ROPE in ranks.
    classical : TestResult
        Friedman test of the same ranks.
    checks : tuple of Check, default ()
        What was checked of the assumptions.

    Examples
    --------
    >>> import ropewalk as rw
    >>> scores = {"a": {f"t{i}": 0.9 for i in range(5)}, "b": {f"t{i}": 0.8 for i in range(5)},
    ...           "c": {f"t{i}": 0.1 * i for i in range(5)}}
    >>> rw.compare(scores, model=["a", "b", "c"], rope=0.01).mean_ranks.tasks
    5
    """

    names: tuple[str, ...]
    posterior: MeanRanks
    models: tuple[RankedModel, ...]
    tasks: int
    rope: float
    classical: TestResult
    checks: tuple[Check, ...] = ()
