"""The scale of the scores: percent or fractions, and whether a ROPE or a margin makes sense on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.arrays import zeros_and_ones
from ropewalk.data.metrics import SEVERAL, bounded, direction, may_be_negative
from ropewalk.data.scores import Scores
from ropewalk.data.summed import Summed, TaskSums
from ropewalk.errors import DataError, OptionError, listed, short

if TYPE_CHECKING:
    from ropewalk.data.arrays import Floats

_ONE = 1 + 1e-9
_ALIKE = 2.5  # means that differ by more than this factor, after division by 100, are on different scales
_RATING = 10.0  # highest score that people and judges usually give
_WIDE = 0.05  # a ROPE or margin below this share of the range is never too wide
_LARGE = 0.15  # at or above this share of the range, a caution states how large the width is
_TINY = 0.001  # a ROPE below this share of the range of percentages was meant for fractions


def same_scale(scores: Scores) -> tuple[str, ...]:
    """Raise an error if one model is in percent and another in fractions; return a caution for tasks.

    Scores without a range, such as times, cannot be checked.
    """
    if scores.metric == SEVERAL or not bounded(scores.metric):
        return ()
    by_model = [np.concatenate([t.values[:, j] for t in scores.tasks]) for j in range(len(scores.models))]
    fractions, percent = _kinds([_known(v) for v in by_model])
    if fractions and percent:
        low, high = scores.models[fractions[0]], scores.models[percent[0]]
        raise DataError(
            f"the scores of {short(high)} are in percent and those of {short(low)} are fractions",
            where=[_span(scores.models[j], by_model[j]) for j in (fractions[0], percent[0])],
            hint=f"Divide the scores of {listed(scores.models[j] for j in percent)} by 100.",
        )
    by_task, names = [t.values for t in scores.tasks], [t.name or "" for t in scores.tasks]
    if scores.design.unit == "task":  # each task is one number
        by_task, names = list(by_task[0]), [str(u) for u in scores.tasks[0].units]
    fractions, percent = _kinds([_known(v) for v in by_task])
    if not fractions or not percent:
        return ()
    return (
        f"the scores are in percent on {listed([names[i] for i in percent], most=3)} and fractions on "
        f"{listed([names[i] for i in fractions], most=3)}; the former would dominate every answer over "
        "tasks. Use one scale for all tasks.",
    )


def _kinds(parts: list[Floats]) -> tuple[list[int], list[int]]:
    """Return which parts are fractions and which percent; none unless there are both, and alike otherwise.

    >>> _kinds([np.array([0.8, 0.9]), np.array([82.0, 93.0])])
    ([0], [1])
    >>> _kinds([np.array([0.8, 0.9]), np.array([3.0, 5.0])])
    ([], [])
    """
    fractions = [
        i for i, v in enumerate(parts) if v.size and v.min() >= 0 and v.max() <= _ONE and v.mean() > 0
    ]
    percent = [i for i, v in enumerate(parts) if v.size and v.min() >= 0 and 2 < v.max() <= 100 * _ONE]
    if not fractions or not percent:
        return [], []
    share = np.mean([parts[i].mean() for i in fractions])
    percent = [i for i in percent if 1 / _ALIKE < parts[i].mean() / 100 / share < _ALIKE]
    return (fractions, percent) if percent else ([], [])


def _span(name: str, values: Floats) -> str:
    v = _known(values)
    return f"{short(name)}: {v.min():g} to {v.max():g}"


def check_width(width: float, called: str, scores: Scores | Summed) -> None:
    """Raise an error if a ROPE or margin is as wide as the scores' range or spread.

    `width` is the larger of the two half widths. With such a width nothing could be decided: a verdict of
    equivalence, or a pass, would say nothing about the models.
    """
    largest = range_of_scores(scores)
    hint = _hint(called, largest)
    if largest and width >= largest / 2:
        wide = "wider than" if width > largest else "all of" if width == largest else "at least half of"
        raise OptionError(
            f"a {called} of {width:g} is {wide} the range of the {_called(scores)}, 0 to {largest:g}, "
            "so it would decide nothing",
            hint=hint,
        )
    if isinstance(scores, Summed):
        return
    values = np.concatenate([t.values[np.isfinite(t.values)] for t in scores.tasks])
    low, high = float(values.min()), float(values.max())
    if 0 < high - low <= width and width > _WIDE * largest:
        raise OptionError(
            f"a {called} of {width:g} is wider than the scores: all of them are between {low:g} and {high:g}",
            hint=hint,
        )


def odd_width(width: float, called: str, scores: Scores | Summed) -> tuple[str, ...]:
    """Return a caution if the width is large, or was meant for fractions while the scores are in percent."""
    largest = range_of_scores(scores)
    if largest and width >= _LARGE * largest:
        return (
            f"a {called} of {width:g} is {100 * width / largest:g} percentage points; smaller differences "
            "will not count.",
        )
    if largest != 100 or not 0 < width <= _TINY * largest:
        return ()
    return (
        f"the scores are in percent, so a {called} of {width:g} is {width:g} of a percentage point; for "
        f"{100 * width:g} point{'' if width == 0.01 else 's'} say {100 * width:g}.",
    )


def range_of_scores(scores: Scores | Summed) -> float:
    """Return 1 for fractions and for right and wrong answers, 100 for percent, 0 for unbounded scores."""
    if scores.is_binary and (scores.design.unit == "example" or bounded(scores.metric)):
        return 1.0
    if scores.metric == "score" and not scores.higher_is_better:
        return 0.0  # it may be a loss
    tasks = [(t.means if isinstance(t, TaskSums) else t.values).ravel(order="K") for t in scores.tasks]
    largest = range_of(scores.metric, tasks[0] if len(tasks) == 1 else np.concatenate(tasks))
    if isinstance(scores, Summed) and largest == 1 and not all(map(may_be_shares, scores.tasks)):
        return 0.0
    highest = [float(_known(v).max()) for v in tasks]
    return 0.0 if largest == 100 and any(0 < high <= _ONE for high in highest) else largest


def range_of_means(scores: Scores | Summed) -> tuple[float, float]:
    """Return the range of a mean score: 0 to 1 or 0 to 100 if the metric's name says so; else unbounded."""
    largest = range_of_scores(scores) if direction(scores.metric) is not None else 0.0
    if not largest:
        return -np.inf, np.inf
    return (-largest if may_be_negative(scores.metric) else 0.0), largest


def one_point(scores: Scores | Summed) -> float:
    """Return one percentage point: 0.01, or 1 for scores in percent; 0 for unbounded scores."""
    return range_of_scores(scores) / 100


def may_be_shares(task: TaskSums) -> bool:
    """Whether scores with these sums can lie between 0 and 1: the variance is then at most p (1 - p)."""
    variance = task.covariance.diagonal() / task.n
    return bool((variance <= task.means * (1 - task.means) + _ONE - 1).all())


def range_of(metric: str, values: Floats) -> float:
    """Return the range (1, 100 or 0) of an array of values; NaN is ignored.

    Scores of up to 10 may be ratings, so only larger ones are assumed to be percent.

    >>> range_of("accuracy", np.array([81.0, 93.0])), range_of("seconds", np.array([0.2, 0.9]))
    (100.0, 0.0)
    >>> range_of("helpfulness", np.array([3.0, 5.0]))
    0.0
    """
    if metric == SEVERAL or not bounded(metric):
        return 0.0
    found = _known(values)
    if zeros_and_ones(found):
        return 1.0
    if direction(metric) is None and metric != "score":
        return 0.0  # nothing suggests a range
    least = -1.0 if may_be_negative(metric) else 0.0
    low, high = found.min(), found.max()
    if high <= _ONE:
        return 1.0 if low >= least else 0.0
    if high > 100 or low < 100 * least:
        return 0.0
    if metric == "score":  # a quantile is slow, so it is computed only if some number is large enough
        return 100.0 if high > 20 and float(np.quantile(found, 0.1)) > 20 else 0.0
    return 100.0 if high > _RATING else 0.0


def _known(values: Floats) -> Floats:
    """Return the values that are not NaN; copies only if there are NaN."""
    finite = np.isfinite(values)
    return values if finite.all() else values[finite]


def _called(scores: Scores | Summed) -> str:
    return "scores" if scores.metric == "score" else short(scores.metric)


def _hint(called: str, largest: float) -> str:
    if largest == 1:
        return f"Give the {called} in score units: one percentage point is 0.01."
    if largest == 100:
        return f"Give the {called} in score units: one percentage point is 1."
    return f"Give the {called} in score units: a difference that is too small to matter."
