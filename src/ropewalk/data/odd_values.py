"""Values that may not be what they seem: rows that sum up the others, scales and units that differ."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.arrays import zeros_and_ones
from ropewalk.data.impossible_values import named, sign_doubts
from ropewalk.data.metrics import direction, is_error, is_money, is_resource, is_share
from ropewalk.data.scale import same_scale
from ropewalk.data.scores import Scores
from ropewalk.data.task_scores import are_numbers, units_of
from ropewalk.errors import DataError, listed, short

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ropewalk.data.arrays import Floats


def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())


# A row whose name has only these words is probably a summary and not a unit.
_SUMMARIES = _split(
    """
    mean avg average averages std stdev sd sem standard deviation median macro micro weighted overall
    total totals sum all grand score scores result results max min maximum minimum count summary aggregate
    σ ø ∑ durchschnitt mittelwert gesamt summe moyenne media promedio
    """
)
_VAGUE = _split("score scores result results count standard weighted")  # not a summary if they stand alone
_LONG = 30  # characters
_MOST = 3  # more rows than this are not summaries
_APART = (8.0, 12.5)  # range of the ratio, or ten times it: scales differ by a factor of 10 or 100
_UNITS = 300.0  # such a factor separates milliseconds from seconds, and not two models
_RATINGS = (5.0, 7.0, 10.0, 100.0)  # maximum values of rating scales
_ENOUGH = 30  # ratings: the highest of fewer may not be the end of the scale
_ALIKE = 50  # this many equal scores are suspicious
_EASY = 0.1  # share of the examples: if others are wrong on no more, a model may be right on all
_SLOW = 0.85  # smallest suspicious correlation of neighboring differences
_STRETCHES, _ROWS = 100, 1_000  # so many rows determine the correlation to within 0.003
_INSTANT = 0.1  # share of the median: if nothing else is that short, 0 is not a time


def doubts_on_values(scores: Scores) -> tuple[str, ...]:
    """Return doubts that could reverse the answer: a comparison states them first, and a gate refuses."""
    columns = [np.concatenate([t.values[:, j] for t in scores.tasks]) for j in range(len(scores.models))]
    columns = [v[np.isfinite(v)] for v in columns]
    return (
        *sign_doubts(scores),
        *_above_one(scores, columns),
        *_apart(scores, columns),
        *_other_ratings(scores, columns),
        *_no_time(scores, columns),
        *_running(scores),
    )


def _running(scores: Scores) -> tuple[str, ...]:
    """Return a doubt if differences hardly change from row to row, like those of running averages."""
    if scores.design.unit != "example" or scores.is_clustered or scores.is_binary or len(scores.tasks) > 1:
        return ()
    values = scores.tasks[0].values
    if scores.tasks[0].runs is not None or len(values) < _ENOUGH or not np.all(np.isfinite(values)):
        return ()
    in_order = [_is_sorted(v) for v in values.T]
    for j, v in enumerate(values.T[1:], 1):
        d = values[:, 0] - v
        first, other = (short(scores.models[k]) for k in (0, j))
        if in_order[0] and in_order[j] and np.ptp(v) > 0 and np.ptp(values[:, 0]) > 0:
            return (
                f"the scores of {first} and of {other} never change direction from row to row: are they "
                "running totals, or was each column sorted? Give scores of single examples, in the same "
                "order.",
            )
        if in_order[0] or in_order[j] or _is_sorted(d) or _next_to_each_other(d) < _SLOW or not _drifts(d):
            continue
        return (
            f"the differences of {first} and {other} hardly change from one row to the next (correlation "
            f"{_next_to_each_other(d):.2f}), as those of running averages or of a time series do: a method "
            "for independent rows is far too certain. Give the scores before averaging; for a time "
            "series use --method ess (method=), or name a column of independent parts: --cluster COLUMN "
            "(cluster=).",
        )
    return ()


def _is_sorted(v: Floats) -> bool:
    steps = np.diff(v)
    return bool(np.all(steps >= 0) or np.all(steps <= 0))


def _drifts(v: Floats) -> bool:
    """Whether values drift away instead of staying near a few levels, such as easy and hard parts.

    >>> walk = np.cumsum(np.random.default_rng(0).normal(size=200))
    >>> _drifts(walk), _drifts(np.repeat([0.0, 9.0], 100) + np.diff(walk, prepend=0))
    (True, False)
    """
    near, far = (float(np.median(np.abs(v[k:] - v[:-k]))) for k in (1, 8))
    return far > 0 and far >= 1.5 * near


def _next_to_each_other(v: Floats) -> float:
    """Return the rank correlation of neighboring values; ranks, as a running average jumps in its first rows.

    >>> round(_next_to_each_other(np.array([0.0, 1.0, 2.0, 2.5, 1.5, 0.5])), 2)
    0.27
    """
    part = v[None]
    if v.size > _STRETCHES * _ROWS:
        part = v[np.linspace(0, v.size - _ROWS, _STRETCHES).astype(np.intp)[:, None] + np.arange(_ROWS)]
    _, which, counts = np.unique(part, return_inverse=True, return_counts=True)
    ranks = ((np.cumsum(counts) - counts / 2)[which] - part.size / 2).reshape(part.shape)
    size = float(np.sum(ranks**2))
    return float(np.sum(ranks[:, 1:] * ranks[:, :-1])) / size if size > 0 else 0.0


def all_the_same(scores: Scores) -> tuple[str, ...]:
    """Return a caution if all scores of a model are equal and those of others are not."""
    if scores.design.unit != "example" or len(scores.models) < 2:
        return ()
    values = np.concatenate([t.values for t in scores.tasks])
    alike = [bool(np.isfinite(v).any() and np.ptp(v[np.isfinite(v)]) == 0) for v in values.T]
    if len(values) < _ALIKE or not any(alike) or all(alike):
        return ()
    j = alike.index(True)
    score = float(values[np.isfinite(values[:, j]), j][0])
    others = np.nanmean(np.delete(values, j, axis=1), axis=0)
    if zeros_and_ones(values) and np.all(np.abs(others - score) < _EASY):
        return ()  # a nearly solved test set
    return (
        f"every score of {short(scores.models[j])} is {score:g}, in {len(values):,} units, and those of "
        "other models vary: were they computed?",
    )


def refuse_doubts(found: Sequence[str], hint: str = "A gate does not guess.") -> None:
    """Raise the doubts of a comparison as errors, for a gate."""
    if found:
        raise DataError(found[0], where=found[1:], hint=hint)


def other_ways(scores: Scores) -> tuple[str, ...]:
    """Return a doubt if tasks are named after errors and the direction was not given."""
    if scores.way is None or scores.way.source not in ("score", "unknown"):
        return ()
    tasks = scores.tasks[0].units if scores.design.unit == "task" else [t.name for t in scores.tasks]
    found = [str(name) for name in tasks if name is not None and is_error(str(name))]
    if not found:
        return ()
    return (
        f"lower seems to be better on {listed(found)}, but higher is assumed to be better on every task. "
        "Name the metric of every row in a column `metric`; or set --higher-is-better or --lower-is-better "
        "(higher_is_better=), if one is right for all tasks.",
    )


def odd_names(scores: Scores) -> tuple[str, ...]:
    """Return cautions about rows that summarize others, and about names that differ only in spelling."""
    tasks = [t.name or "" for t in scores.tasks] if len(scores.tasks) > 1 else []
    # Of numeric names, two are enough to show units other than a summary.
    every = [units_of(t, slice(2 if are_numbers(t) else None)).tolist() for t in scores.tasks]
    return (
        *_spelled_alike("models", scores.models),
        *_spelled_alike("tasks", tasks),
        *_parts(every[0] if scores.design.unit == "task" else tasks),
        *_summaries([*every, tasks]),
    )


def _spelled_alike(what: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return a caution if two names differ only in capitals, spaces and hyphens.

    >>> _spelled_alike("models", ["GPT-4", "gpt-4 ", "llama"])[0]
    'the models "GPT-4" and "gpt-4 " differ in spelling only, and are counted as two. If they ...
    """
    seen: dict[str, str] = {}
    for name in names:
        before = seen.setdefault(re.sub(r"[\s_-]", "", name).casefold(), name)
        if before != name:
            return (
                f'the {what} "{short(before)}" and "{short(name)}" differ in spelling only, and are counted '
                "as two. If they are the same, spell them the same way.",
            )
    return ()


def _parts(tasks: Sequence[str]) -> tuple[str, ...]:
    """Return a caution about a task after which others are named: it may be their mean.

    >>> _parts(["mmlu", "arc", "mmlu_law", "mmlu_stem"])[0]
    '"mmlu" may be made of "mmlu_law", "mmlu_stem", which would then count twice. Remove ...
    """
    groups: dict[str, list[str]] = {}
    for name in tasks:
        for end in re.finditer(r"[_\-/:. ]", name):
            groups.setdefault(name[: end.start()], []).append(name)
    found = next((t for t in tasks if len(groups.get(t, ())) > 1), None)
    if found is None:
        return ()
    return (
        f'"{short(found)}" may be made of {listed(groups[found], most=3)}, which would then count twice. '
        "Remove either it or its parts.",
    )


def _summaries(every: list[list[str]]) -> tuple[str, ...]:
    # There may be millions of ids; most are numbers, end in a digit, or are long.
    words = (names for names in every if not "".join(names).isdigit())
    short_ones = (n for names in words for n in names if not n[-1:].isdigit() and len(n) < _LONG)
    found = sorted({n for n in short_ones if _sums_up(n)})
    if not found or len(found) > _MOST or len(set().union(*every)) < len(found) + 2:
        return ()
    return (
        f"{listed(found)} looks like a summary of the other rows, but is counted as one of them. Remove "
        "such rows.",
    )


def _sums_up(name: str) -> bool:
    """Whether a name has no words except those of a summary.

    >>> [name for name in ("Grand Total", "macro_avg", "mean ± sd", "average joe", "score") if _sums_up(name)]
    ['Grand Total', 'macro_avg', 'mean ± sd']
    """
    words = set(re.findall(r"[^\W\d_]+|∑", name.lower()))
    return bool(words) and words <= _SUMMARIES and not words <= _VAGUE


def _above_one(scores: Scores, columns: list[Floats]) -> tuple[str, ...]:
    """Return cautions about shares that are above 1 for a few, or mix fractions and percent."""
    name = named(scores)
    if not is_share(name):
        return ()
    values = np.concatenate(columns)
    high = float(values.max())
    too_high = 1 + 1e-9 < high <= 2 or high > 100 + 1e-9
    if too_high and np.median(values) <= 1:
        return (
            f"`{short(name)}` goes up to {high:g}, but most of its values are at most 1, so it is neither a "
            "fraction nor a percentage. Check the rows above 1.",
        )
    fractions, percent = ((values > 0) & (values < 1)).mean(), (values > 10).mean()
    between = bool(((values >= 1.5) & (values <= 10)).any())
    if high > 10 and min(fractions, percent) >= 0.05 and not between and not same_scale(scores):
        return (
            f"`{short(name)}` is between 0 and 1 in some rows and up to {high:g} in others: some of them "
            "seem to be in percent. Use one scale.",
        )
    return ()


def _apart(scores: Scores, columns: list[Floats]) -> tuple[str, ...]:
    """Return a caution about models a factor of 10 or 100 apart; times and costs need a larger factor."""
    uses_up = is_resource(scores.metric)
    if direction(scores.metric) is False and not uses_up:
        return ()
    for i, j in combinations(range(len(columns)), 2):
        low, high = (i, j) if columns[i].mean() < columns[j].mean() else (j, i)
        sixty = uses_up and not is_money(scores.metric) and _about(60, columns[low], columns[high])
        if sixty or (_units_apart if uses_up else _tenfold)(columns[low], columns[high]):
            times = "several hundred times" if uses_up else "about ten or a hundred times"
            times = "about sixty times" if sixty else times
            what = "in the same unit" if uses_up else "on the same scale"
            return (
                f"the scores of {short(scores.models[high])} are {times} those of "
                f"{short(scores.models[low])}, and none of them overlap: are they {what}?",
            )
    return ()


def cents_and_dollars(scores: Scores) -> tuple[str, ...]:
    """Return a caution, also at a gate, if one model costs about 100 times as much: cents and dollars."""
    if not is_money(scores.metric):
        return ()
    columns = [np.concatenate([t.values[:, j] for t in scores.tasks]) for j in range(len(scores.models))]
    columns = [v[np.isfinite(v)] for v in columns]
    for i, j in combinations(range(len(columns)), 2):
        low, high = (i, j) if columns[i].mean() < columns[j].mean() else (j, i)
        if _about(100, columns[low], columns[high]):
            return (
                f"the scores of {short(scores.models[high])} are about a hundred times those of "
                f"{short(scores.models[low])}, and none of them overlap: are some in cents?",
            )
    return ()


def _about(times: float, low: Floats, high: Floats) -> bool:
    """Whether two sets of times or costs differ like two units of measurement, without overlap.

    >>> _about(60, np.array([0.9, 1.6]), np.array([61.0, 85.0]))
    True
    """
    return 0.8 * times <= _times(low, high) <= 1.25 * times


def _tenfold(low: Floats, high: Floats) -> bool:
    """Whether two sets of scores differ by a factor of ten or a hundred, without overlap.

    >>> _tenfold(np.array([6.0, 8.0]), np.array([61.0, 85.0]))
    True
    >>> _tenfold(np.array([6.0, 7.0]), np.array([8.0, 9.0]))
    False
    """
    times = _times(low, high) if high.max() > 1 else 0.0  # fractions all have the same scale
    return any(_APART[0] <= times / power <= _APART[1] for power in (1, 10))


def _units_apart(low: Floats, high: Floats) -> bool:
    """Whether two sets of times or costs differ as much as milliseconds and seconds.

    >>> _units_apart(np.array([0.9, 1.6]), np.array([800.0, 1500.0]))
    True
    """
    return _times(low, high) >= _UNITS


def _times(low: Floats, high: Floats) -> float:
    """Return the ratio of the higher mean to the lower; 0 if the scores overlap or are negative."""
    if low.size < 2 or high.size < 2 or low.min() < 0 or low.mean() == 0 or high.min() <= low.max():
        return 0.0
    return float(high.mean() / low.mean())


def _other_ratings(scores: Scores, columns: list[Floats]) -> tuple[str, ...]:
    """Return a caution if one model is rated up to 5 and the other up to 10 or 1: the scales differ."""
    if is_resource(scores.metric) or is_share(scores.metric) or direction(scores.metric) is False:
        return ()
    ends = [_end_of_scale(v) for v in columns]
    known = sorted({end for end in ends if end})
    if len(known) < 2 or 0.0 in ends:
        return ()
    first, second = (short(scores.models[ends.index(end)]) for end in known[:2])
    return (
        f"the ratings of {first} end at {known[0]:g} and those of {second} at {known[1]:g}: "
        "are they on the same scale?",
    )


def _end_of_scale(v: Floats) -> float:
    """Return the end of a scale of ratings: 1 for fractions, 0 if it cannot be determined.

    >>> _end_of_scale(np.arange(60) % 5 + 1.0), _end_of_scale(np.linspace(0.1, 0.9, 60))
    (5.0, 1.0)
    >>> _end_of_scale(np.ones(9))
    0.0
    """
    if v.size < _ENOUGH or v.min() < 0:
        return 0.0
    high = float(v.max())
    if np.any(v != np.round(v)):
        return 1.0 if high <= 1 else 0.0
    return high if high in _RATINGS and np.mean(v == high) >= 0.02 else 0.0


def _no_time(scores: Scores, columns: list[Floats]) -> tuple[str, ...]:
    """Return a caution about units with zero time, if all others took long: failed requests."""
    if not is_resource(scores.metric):
        return ()
    for model, v in zip(scores.models, columns, strict=True):
        some = v[v > 0]
        varied = 0 < some.size < v.size and v.min() == 0 and np.unique(some).size > _ENOUGH
        if varied and some.min() > _INSTANT * np.median(some):
            return (
                f"`{short(scores.metric)}` of {short(model)} is 0 in {v.size - some.size:,} of {v.size:,} "
                f"units, and at least {some.min():.3g} in all others: if it failed on them, leave these "
                "cells empty and set --missing drop (missing=).",
            )
    return ()
