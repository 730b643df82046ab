"""The method by which two models would be compared, without comparing them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ropewalk.analysis.across_tasks import choose_for_tasks
from ropewalk.analysis.model_pairs import count_pairs, score_pairs
from ropewalk.analysis.one_task import choose
from ropewalk.analysis.summed_pairs import summed_pairs
from ropewalk.data import Counts, Scores, Summed
from ropewalk.decide import RopeRequest, Rule
from ropewalk.methods.pair import Ask, Pair, TaskPairs


def default_method(
    source: Scores | Counts | Summed, models: Sequence[str], rho: float | None
) -> tuple[str, str]:
    """Name of the method that would compare the first two of these models, and the reason."""
    if not isinstance(source, Counts) and source.design.unit == "example" and source.is_binary:
        source = source.as_accuracy()
    ask = Ask(method="auto", rope=RopeRequest.parse("auto"), rule=Rule(threshold=0.95), rng=0)
    work = list(_pairs(source, (models[0], models[1]), rho))
    method, why = choose_for_tasks(TaskPairs(pairs=work), ask) if len(work) > 1 else choose(work[0], ask)
    return method.name, why


def _pairs(source: Scores | Counts | Summed, pair: tuple[str, str], rho: float | None) -> Iterable[Pair]:
    if isinstance(source, Scores):
        return score_pairs(source, [pair], rho)
    return summed_pairs(source, [pair]) if isinstance(source, Summed) else count_pairs(source, [pair])
