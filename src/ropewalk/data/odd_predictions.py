"""Predictions that may not be what they seem: on another scale, labels among others, copies of the truth."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.errors import listed, short

if TYPE_CHECKING:
    from ropewalk.data.arrays import Floats
    from ropewalk.data.predictions import Predictions

_FEWEST = 20  # with fewer rows nothing can be seen
_WIDER = 20.0  # times: predictions that vary so much more, or less, than the truth are in another unit
_ALL_RIGHT = 50  # examples without a mistake, from here on, are worth a question where other models make some
_RISE = 0.5  # a rank correlation from here on says that the model did learn the truth


def other_scale(data: Predictions) -> tuple[str, ...]:
    """Doubts about models of numbers that rise with the truth, and are far from it: logarithms, z-scores."""
    if data.kind != "numbers" or data.counts is not None:
        return ()
    found = []
    for model in data.models:
        said = np.asarray(data.outputs[model], dtype=np.float64)
        ran = np.isfinite(said)
        x, y = said[ran], np.asarray(data.truth, dtype=np.float64)[ran]
        if x.size >= _FEWEST and _far_off(x, y) and _rises(x, y):
            found.append(
                f"the predictions of {short(model)} go from {x.min():.3g} to {x.max():.3g}, the truth from "
                f"{y.min():.3g} to {y.max():.3g}, and they rise together: are they on the same scale?"
            )
    return tuple(found)


def _far_off(x: Floats, truth: Floats) -> bool:
    """Whether predictions and truth do not overlap, or vary on other scales.

    >>> truth = np.linspace(80, 320, 30)
    >>> _far_off(np.log(truth), truth), _far_off(truth / 1000, truth), _far_off(200 + truth / 99, truth)
    (True, True, False)
    """
    spread = float(truth.std())
    if spread == 0 or x.std() == 0:
        return False
    if x.max() < truth.min() or x.min() > truth.max() or x.std() >= _WIDER * spread:
        return True
    return x.std() <= spread / _WIDER and abs(float(x.mean() - truth.mean())) > spread / 2


def _rises(x: Floats, truth: Floats) -> bool:
    first, second = (np.argsort(np.argsort(v)) for v in (x, truth))
    return float(np.corrcoef(first, second)[0, 1]) >= _RISE


def labels_among_probabilities(data: Predictions) -> tuple[str, ...]:
    """Doubts about models whose probabilities are all 0 or 1, next to others whose are not."""
    if data.kind != "probabilities" or data.counts is not None:
        return ()
    hard = [m for m in data.models if _is_hard(np.asarray(data.outputs[m], dtype=np.float64))]
    if not hard or len(hard) == len(data.models):
        return ()
    soft = [m for m in data.models if m not in hard]
    return (
        f"the probabilities of {listed(hard)} are all 0 or 1, as labels are, and those of {listed(soft)} are "
        "not: labels lose by a loss of probabilities. Give the same kind for all models, or say how to score "
        "them, such as --loss zero_one (loss=).",
    )


def _is_hard(p: Floats) -> bool:
    p = p[np.isfinite(p)]
    return bool(np.all((p == 0) | (p == 1)))


def copied_truth(data: Predictions) -> tuple[str, ...]:
    """Doubts about a model without a mistake on many examples, where another model makes some."""
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
