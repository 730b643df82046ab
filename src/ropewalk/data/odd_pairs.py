"""Scores of one model that may differ in kind from those of another: reversed, shifted, logarithms, flags."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.arrays import zeros_and_ones
from ropewalk.data.metrics import (
    bounded,
    direction,
    is_agreement,
    is_auc,
    is_perplexity,
    is_resource,
    is_share,
    is_turned,
    may_be_negative,
)
from ropewalk.errors import short

if TYPE_CHECKING:
    from ropewalk.data.arrays import Floats
    from ropewalk.data.scores import Scores

_ENOUGH = 30  # units: fewer show nothing
_SAMPLE = 5_000  # units of a task, evenly spread, that are compared
_OPPOSITE = -0.6  # opposite models correlate less than this; usually models share most mistakes
_CHANCE = 5.0  # standard errors of the correlation between unrelated examples
_FOLDS, _OPPOSITE_FOLDS = 10, -0.8  # the same for folds that do not overlap: an accuracy and an error rate
_RATED = 3  # fewest steps of a scale of ratings
_OFTEN = 0.05  # share of the ratings at either end of their scale
_BETWEEN = 0.2  # share of the scores that are between 0 and 1, or below 0
_NEAR = 0.35  # largest relative distance from the mean of the logarithms
_SIGNS, _ONE_SIGN, _AS_FAR = 10, 0.9, 0.25  # first scores; share of one sign; difference of means
_BELOW_CHANCE = 5  # units that must all be worse than chance


def doubts_on_pairs(scores: Scores) -> tuple[str, ...]:
    """Return what may reverse the answer: a comparison states it first, and a gate refuses."""
    return (
        *_logarithms(scores),
        *_below_chance(scores),
        *_opposite_signs(scores),
        *_shares_and_logits(scores),
    )


def _columns(scores: Scores) -> list[Floats]:
    found = [np.concatenate([t.values[:, j] for t in scores.tasks]) for j in range(len(scores.models))]
    return [v[np.isfinite(v)] for v in found]


def good_where_bad(scores: Scores) -> tuple[str, ...]:
    """Return a doubt if one model is good exactly where the other is bad: one of them is reversed."""
    if scores.design.unit not in ("example", "fold"):
        return ()
    folds = scores.design.unit == "fold"
    if sum(len(t.values) for t in scores.tasks) < (_FOLDS if folds else _ENOUGH):
        return ()
    sample = np.concatenate([_within(t.values[:: 1 + len(t.values) // _SAMPLE]) for t in scores.tasks])
    size = np.sqrt(np.einsum("ij,ij->j", sample, sample))
    size[size == 0] = np.inf
    r = (sample / size).T @ (sample / size)
    i, j = np.unravel_index(np.argmin(r), r.shape)
    least = _OPPOSITE_FOLDS if folds else opposite(len(sample))
    if r[i, j] > least or (folds and _overlap(scores, int(i), int(j))):
        return ()
    a, b = (scores.models[k] for k in sorted((int(i), int(j))))
    return (reversed_text(a, b, float(r[i, j])),)


def reversed_text(a: str, b: str, r: float) -> str:
    """Return the doubt about two models whose correlation r is strongly negative."""
    a, b = short(a), short(b)
    return (
        f"{a} is good where {b} is bad, and bad where it is good (correlation {r:.2f}): is lower better for "
        "one of them, or are right and wrong swapped in one file?"
    )


def opposite(n: int) -> float:
    """Return the largest correlation of two models on n examples that chance does not explain.

    >>> round(opposite(30), 2), opposite(1_000)
    (-0.91, -0.6)
    """
    return min(_OPPOSITE, -_CHANCE / float(np.sqrt(n)))


def _overlap(scores: Scores, i: int, j: int) -> bool:
    x, y = (np.concatenate([t.values[:, k] for t in scores.tasks]) for k in (i, j))
    return bool(np.nanmax(x) >= np.nanmin(y) and np.nanmax(y) >= np.nanmin(x))


def _within(values: Floats) -> Floats:
    """Center the scores of each model on its task; 0 if a model was not run."""
    ran = np.isfinite(values)
    mean = np.where(ran, values, 0.0).sum(axis=0) / np.maximum(ran.sum(axis=0), 1)
    return np.where(ran, values - mean, 0.0)


def _logarithms(scores: Scores) -> tuple[str, ...]:
    """Return a doubt if one model's perplexities are about the logarithms of another's."""
    if not is_perplexity(scores.metric):
        return ()
    columns = _columns(scores)
    for i, j in combinations(range(len(columns)), 2):
        low, high = (i, j) if columns[i].mean() < columns[j].mean() else (j, i)
        x, y = columns[low], columns[high]
        if y.min() <= x.max() or x.min() < 0 or x.mean() == 0:
            continue
        if abs(float(np.log(y).mean() / x.mean()) - 1) < _NEAR:
            return (
                f"the perplexities of {short(scores.models[low])} are about the logarithms of those of "
                f"{short(scores.models[high])}: are they on the same scale?",
            )
    return ()


def _below_chance(scores: Scores) -> tuple[str, ...]:
    """Return a doubt about a model worse than chance in every fold or task: its classes are swapped."""
    auc = is_auc(scores.metric)
    if scores.design.unit == "example" or not (auc or is_agreement(scores.metric)):
        return ()
    columns = _columns(scores)
    chance = 0.5 * (100.0 if max(v.max() for v in columns) > 1 else 1.0) if auc else 0.0
    below = [v.size >= _BELOW_CHANCE and bool(v.max() < chance) for v in columns]
    if not any(below) or all(below):
        return ()
    j = below.index(True)
    return (
        f"`{short(scores.metric)}` of {short(scores.models[j])} is below {chance:g}, worse than chance, in "
        f"all {columns[j].size:,} {scores.design.unit}s: are its classes swapped?",
    )


def _opposite_signs(scores: Scores) -> tuple[str, ...]:
    """Return a doubt if one model's scores would resemble another's with the opposite sign."""
    loss = scores.metric.lower().endswith(("loss", "nll"))  # for these another doubt is raised anyway
    if (
        loss
        or is_agreement(scores.metric)
        or scores.is_binary
        or sum(len(t.values) for t in scores.tasks) < _SIGNS
    ):
        return ()
    if all(np.all(t.values[:_SIGNS] >= 0) for t in scores.tasks):  # most scores need no further check
        return ()
    columns = _columns(scores)
    means = [float(v.mean()) for v in columns]
    up = [float(np.mean(v > 0)) >= _ONE_SIGN for v in columns]
    down = [float(np.mean(v < 0)) >= _ONE_SIGN for v in columns]
    for i, j in combinations(range(len(columns)), 2):
        opposite = (up[i] and down[j]) or (down[i] and up[j])
        if opposite and abs(means[i] + means[j]) <= _AS_FAR * abs(means[i]):
            return (
                f"the scores of {short(scores.models[i])} are about those of {short(scores.models[j])} with "
                f"the other sign (means {means[i]:.3g} and {means[j]:.3g}): was the sign flipped in one of "
                "them?",
            )
    return ()


def _shares_and_logits(scores: Scores) -> tuple[str, ...]:
    """Return a doubt if one model's scores are shares, and many of another's are negative, like logits."""
    name = scores.metric
    if not bounded(name) or may_be_negative(name) or is_turned(name) or direction(name) is False:
        return ()
    if all(np.all(t.values[:_ENOUGH] >= 0) for t in scores.tasks):
        return ()
    columns = _columns(scores)
    if min(v.size for v in columns) < _ENOUGH:
        return ()
    shares = [bool(0 <= v.min() < v.max() <= 1) for v in columns]
    below = [float(np.mean(v < 0)) >= _BETWEEN for v in columns]
    if not (any(shares) and any(below)):
        return ()
    i, j = shares.index(True), below.index(True)
    return (
        f"the scores of {short(scores.models[i])} are all between 0 and 1, and those of "
        f"{short(scores.models[j])} go from {columns[j].min():.3g} to {columns[j].max():.3g}: are they on "
        "the same scale?",
    )


def shifted_ratings(scores: Scores) -> tuple[str, ...]:
    """Return a caution if one model was rated from 0 and the other from 1, with equally many steps."""
    if is_resource(scores.metric) or is_share(scores.metric) or direction(scores.metric) is False:
        return ()
    if scores.is_binary or any(np.any(t.values[:_ENOUGH] % 1 > 0) for t in scores.tasks):
        return ()
    ends = [_ends(v) for v in _columns(scores)]
    for i, j in combinations(range(len(ends)), 2):
        one, other = ends[i], ends[j]
        if one and other and {one[0], other[0]} == {0.0, 1.0} and one[1] - one[0] == other[1] - other[0]:
            return (
                f"the ratings of {short(scores.models[i])} go from {one[0]:g} to {one[1]:g} and those of "
                f"{short(scores.models[j])} from {other[0]:g} to {other[1]:g}: are they on the same scale?",
            )
    return ()


def _ends(v: Floats) -> tuple[float, float] | None:
    """Return the ends of a scale of ratings; None if the values do not look like ratings.

    >>> _ends(np.arange(60) % 5), _ends(np.linspace(0, 4, 60))
    ((0.0, 4.0), None)
    """
    if v.size < _ENOUGH or np.any(v != np.round(v)):
        return None
    low, high = float(v.min()), float(v.max())
    ends = min(float(np.mean(v == low)), float(np.mean(v == high)))
    return (low, high) if high - low >= _RATED and ends >= _OFTEN else None


def flags_and_grades(values: Floats, models: tuple[str, ...]) -> tuple[str, ...]:
    """Return a doubt if one model has only 0 and 1 and others many values between: exact match next to F1."""
    if len(values) < _ENOUGH:
        return ()
    if not any(zeros_and_ones(v[np.isfinite(v)]) for v in values[:_ENOUGH].T):
        return ()
    columns = [v[np.isfinite(v)] for v in values.T]
    flags = [bool(v.size) and zeros_and_ones(v) for v in columns]
    between = [bool(v.size) and float(np.mean((v > 0) & (v < 1))) >= _BETWEEN for v in columns]
    shares = all(v.size == 0 or (v.min() >= 0 and v.max() <= 1) for v in columns)
    if not (shares and any(flags) and any(between)):
        return ()
    first, second = models[flags.index(True)], models[between.index(True)]
    return (
        f"every score of {short(first)} is 0 or 1, and many of {short(second)} lie between: were both scored "
        "in the same way? If the latter are means of several attempts, give the attempts, numbered in a "
        "column `attempt`.",
    )
