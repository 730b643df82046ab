"""Predictions that may not be what they seem: on another scale, labels among others, classes or amounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.errors import listed, short

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ropewalk.data.arrays import Floats
    from ropewalk.data.predictions import Predictions

_FEWEST = 20  # fewer rows show nothing
_WIDER = 20.0  # if predictions vary this many times more or less than the truth, their unit differs
_ALL_RIGHT = 50  # a model right on at least this many examples is suspicious if others make mistakes
_HITS, _SOME_HITS = 0.5, 0.05  # shares of the rows: a regression rarely hits whole numbers exactly
_OTHER = 0.1  # with at least this share of the other class, some probabilities should be low
_MANY_CLASSES = 20  # more different whole numbers than this may be amounts
_SAME_ORDER = 0.9  # a rank correlation of at least this size means nearly the same order
_RISE = 0.5  # a rank correlation of at least this size shows that the model learned the truth


def other_scale(data: Predictions) -> tuple[str, ...]:
    """Return doubts about numbers that rise with the truth but are far from it: logarithms, z-scores."""
    if data.kind != "numbers" or data.counts is not None:
        return ()
    found = []
    for model in data.models:
        said = np.asarray(data.outputs[model], dtype=np.float64)
        ran = np.isfinite(said)
        x, y = said[ran], np.asarray(data.truth, dtype=np.float64)[ran]
        if x.size < _FEWEST:
            continue
        rise = _rises(x, y)
        if rise <= -_RISE:
            found.append(
                f"the predictions of {short(model)} fall where the truth rises (rank correlation "
                f"{rise:.2f}): was their sign flipped, or were they sorted?"
            )
        elif rise >= _RISE and _far_off(x, y, alike=rise >= _SAME_ORDER):
            found.append(
                f"the predictions of {short(model)} go from {x.min():.3g} to {x.max():.3g}, the truth from "
                f"{y.min():.3g} to {y.max():.3g}, and they increase together: are they on the same scale?"
            )
    return tuple(found)


def _far_off(x: Floats, truth: Floats, *, alike: bool = False) -> bool:
    """Whether predictions and truth do not overlap, or vary on other scales.

    If `alike` says that they have nearly the same order, errors larger than the truth's spread show it.

    >>> truth = np.linspace(80, 320, 30)
    >>> _far_off(np.log(truth), truth), _far_off(truth / 1000, truth), _far_off(200 + truth / 99, truth)
    (True, True, False)
    """
    spread = float(truth.std())
    if spread == 0 or x.std() == 0:
        return False
    if x.max() < truth.min() or x.min() > truth.max() or x.std() >= _WIDER * spread:
        return True
    if alike and float(np.mean((x - truth) ** 2)) > spread**2:
        return True
    return x.std() <= spread / _WIDER and abs(float(x.mean() - truth.mean())) > spread / 2


def _rises(x: Floats, truth: Floats) -> float:
    """Return the rank correlation of predictions and truth; 0 if one of them does not vary."""
    if np.ptp(x) == 0 or np.ptp(truth) == 0:
        return 0.0
    first, second = (np.argsort(np.argsort(v)) for v in (x, truth))
    return float(np.corrcoef(first, second)[0, 1])


def are_class_ids(truth: Floats, said: Iterable[Floats]) -> bool:
    """Whether whole numbers are class labels: some model is exactly right in at least half of the rows.

    The misses of a regression are close to the truth, so they rise with it; those of a classifier do not.

    >>> truth = np.arange(100) * 7 % 90
    >>> wrong = np.where(np.arange(100) % 4, truth, 11 * truth % 97)
    >>> are_class_ids(truth, [wrong]), are_class_ids(truth, [truth + (np.arange(100) % 3 > 1)])
    (True, False)
    """
    columns = [np.asarray(x, dtype=np.float64) for x in said]
    if any(np.any(x[np.isfinite(x)] % 1) for x in (truth, *columns)):
        return False
    hits = [float(np.mean(x[ran] == truth[ran])) for x in columns if (ran := np.isfinite(x)).any()]
    return max(hits, default=0.0) >= _HITS and not any(_nears(truth, x) for x in columns)


def near_misses(data: Predictions) -> tuple[str, ...]:
    """Return doubts about numeric labels if wrong labels are close to the truth: ages, counts."""
    if data.kind != "labels" or data.counts is not None or len(data.classes) <= _MANY_CLASSES:
        return ()
    try:
        truth = np.array([float(t) for t in data.truth])
        said = {
            m: np.array([np.nan if x is None else float(x) for x in data.outputs[m]]) for m in data.models
        }
    except ValueError:
        return ()
    near = [m for m, x in said.items() if _nears(truth, x)]
    if not near:
        return ()
    return (
        f"the truth has {len(data.classes):,} whole numbers, which are read as classes, and the wrong "
        f"predictions of {listed(near)} are close to it: if they are amounts, a near miss should not count "
        "as much as a wide one. Give the absolute errors as scores, in a column `absolute_error`.",
    )


def hits_among_numbers(data: Predictions) -> tuple[str, ...]:
    """Return doubts about whole numbers that are often exactly right and otherwise far off, like classes."""
    if data.kind != "numbers" or data.counts is not None:
        return ()
    truth = np.asarray(data.truth, dtype=np.float64)
    if np.any(truth % 1) or len(np.unique(truth)) <= _MANY_CLASSES:
        return ()
    for model in data.models:
        x = np.asarray(data.outputs[model], dtype=np.float64)
        x, y = x[np.isfinite(x)], truth[np.isfinite(x)]
        share = float(np.mean(x == y)) if x.size >= _FEWEST else 0.0
        if share >= _SOME_HITS and np.sum(x != y) >= _FEWEST and not _nears(y, x):
            return (
                f"the predictions of {short(model)} are exactly the truth in {share:.0%} of the rows, and "
                "elsewhere they are unrelated to it: if the numbers are names of classes, write them "
                "as words, such as c12.",
            )
    return ()


def _nears(truth: Floats, said: Floats) -> bool:
    """Whether predictions that miss the truth are close to it."""
    miss = np.isfinite(said) & (said != truth)
    x, y = said[miss], truth[miss]
    return bool(x.size >= _FEWEST and x.std() > 0 and y.std() > 0 and _rises(x, y) >= _RISE)


def doubts_on_scoring(data: Predictions) -> tuple[str, ...]:
    """Return reasons against the default loss, if the user did not choose one."""
    return (
        *labels_among_probabilities(data),
        *near_misses(data),
        *hits_among_numbers(data),
    )


def labels_among_probabilities(data: Predictions) -> tuple[str, ...]:
    """Return doubts about models whose probabilities are all 0 or 1, if those of others are not."""
    if data.kind != "probabilities" or data.counts is not None:
        return ()
    hard = [m for m in data.models if _is_hard(np.asarray(data.outputs[m], dtype=np.float64))]
    if not hard or len(hard) == len(data.models):
        return ()
    soft = [m for m in data.models if m not in hard]
    return (
        f"the probabilities of {listed(hard)} are all 0 or 1, like labels, and those of {listed(soft)} are "
        "not; a loss for probabilities puts labels at a disadvantage. Give the same kind for all models, or "
        "choose another loss, such as --loss zero_one (loss=).",
    )


def of_the_predicted_class(data: Predictions) -> tuple[str, ...]:
    """Return doubts about two-class probabilities that are never below 1/2, although the truth varies."""
    if data.kind != "probabilities" or data.counts is not None or len(data.classes) != 2:
        return ()
    positive = data.classes[-1]
    if np.mean(data.truth != positive) < _OTHER or len(data.truth) < _FEWEST:
        return ()
    sure = []
    for model in data.models:
        p = np.asarray(data.outputs[model], dtype=np.float64)
        p = p if p.ndim == 1 else p[:, -1]
        p = p[np.isfinite(p)]
        if p.size and p.max() > p.min() >= 0.5 and not _is_hard(p):
            sure.append(model)
    if not sure:
        return ()
    name = short(str(positive))
    return (
        f"the probabilities of {listed(sure)} are never below 0.5: are they of the predicted class, and not "
        f'of "{name}"? Give the probability of "{name}" in every row. A gate accepts them only '
        "if a loss is chosen, such as --loss brier (loss=).",
    )


def _is_hard(p: Floats) -> bool:
    p = p[np.isfinite(p)]
    return bool(np.all((p == 0) | (p == 1)))


def copied_truth(data: Predictions) -> tuple[str, ...]:
    """Return doubts about a model without mistakes on many examples, if another model makes some."""
    if data.kind != "labels" or data.counts is not None or len(data.truth) < _ALL_RIGHT:
        return ()
    right = [m for m in data.models if np.array_equal(data.outputs[m], data.truth)]
    if not right or len(right) == len(data.models):
        return ()
    return tuple(
        f"{short(m)} is right on all {len(data.truth):,} examples: is the truth among its predictions, "
        "or among its features?"
        for m in right
    )


def one_answer(data: Predictions) -> tuple[str, ...]:
    """Return cautions about a model with one label for many examples, if another model has several."""
    if data.kind != "labels" or data.counts is not None or len(data.truth) < _ALL_RIGHT:
        return ()
    if np.all(data.truth == data.truth[0]):
        return ()
    constant = [m for m in data.models if np.all(data.outputs[m] == data.outputs[m][0])]
    if not constant or len(constant) == len(data.models):
        return ()
    return tuple(
        f'{short(m)} answers "{short(data.outputs[m][0])}" to all {len(data.truth):,} examples, and other '
        "models do not: was it trained and run correctly? If one class is frequent, a metric such as "
        "--metric balanced_accuracy (metric=) shows it."
        for m in constant
    )
