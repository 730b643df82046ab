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
    """One model: its mean rank with a 95% interval, 1 is best.

    `p_best` is the probability that its mean rank is the best one, `p_within_rope` that it is within the ROPE
    of the best.
    """

    name: str
    mean_rank: float
    low: float
    high: float
    p_best: float
    p_within_rope: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RankedModels:
    """The models, best mean rank first, over the `tasks` on which all of them were run.

    `rope` is the half width of the ROPE in ranks, `classical` the Friedman test of the same ranks.
    `posterior` has the joint draws in the order of `names`, higher is better: `posterior.pair(i, j)`,
    `posterior.p_within(0.5)`.
    """

    names: tuple[str, ...]
    posterior: MeanRanks
    models: tuple[RankedModel, ...]
    tasks: int
    rope: float
    classical: TestResult
    checks: tuple[Check, ...] = ()
