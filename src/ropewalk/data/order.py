"""Rows paired by position in two files: signs that the files are in different orders."""

from __future__ import annotations

import numpy as np

from ropewalk.data.arrays import Floats, Strings, coded
from ropewalk.data.prediction_checks import absent
from ropewalk.data.predictions import Predictions
from ropewalk.data.scores import Scores
from ropewalk.errors import PairingError, short

_FEWEST = 20  # fewer rows show nothing
_TURNED = -0.3  # an agreement with the truth below this is not due to chance
_LITTLE = 0.2  # a correlation or agreement below this and below two standard errors is weak


def doubts(data: Scores | Predictions) -> tuple[str, ...]:
    """Return why rows paired by position may not match: a model no better than chance, or no correlation.

    Models make many of their mistakes on the same examples, and a trained model agrees with the truth more
    often than chance. Rows in a different order show neither.
    """
    if data.audit.pairing != "position" or data.audit.paired < _FEWEST:
        return ()
    little = min(_LITTLE, 2 / np.sqrt(data.audit.paired))
    found = []
    if isinstance(data, Predictions):
        if data.kind != "labels" or data.counts is not None:
            return ()
        for model in data.models:
            k = kappa(data.truth, data.outputs[model])
            if k < little:
                found.append(f"{short(model)} agrees with the truth hardly better than chance ({k:.2f})")
        data = data.scores()
    first, *others = data.models
    for other in others:
        r = correlation(data, first, other)
        if r is not None and r < little:
            found.append(f"the scores of {short(first)} and {short(other)} hardly correlate ({r:.2f})")
    return tuple(found)


def order_cautions(data: Scores | Predictions) -> tuple[str, ...]:
    """Return the doubts as cautions before a comparison's result."""
    return tuple(
        f"the rows were paired by position, and {text}. Are the files in the same order?"
        for text in doubts(data)
    )


def refuse_order(data: Scores | Predictions) -> None:
    """Raise the doubts as an error for a gate."""
    found = doubts(data)
    if found:
        raise PairingError(
            "the rows were paired by position, but they do not seem to match",
            where=found,
            hint="Give a column that identifies the examples: --unit COLUMN (unit=COLUMN).",
        )


def turned_round(data: Predictions) -> tuple[str, ...]:
    """Return doubts about two-class models that are wrong far more often than by chance.

    Their labels, or the class of their probabilities, are probably swapped.
    """
    if data.kind == "numbers" or len(data.classes) != 2 or data.counts is not None:
        return ()
    found = []
    for model in data.models:
        agreement = _agreement(data, model)
        if agreement is not None and agreement < _TURNED:
            found.append(
                f"{short(model)} disagrees with the truth far more often than chance would (agreement "
                f"{agreement:.2f}): are its classes swapped?"
            )
    return tuple(found)


def _agreement(data: Predictions, model: str) -> float | None:
    """Return kappa of labels, or the correlation of probabilities with the truth; None without variation."""
    said = data.outputs[model]
    if data.kind == "labels":
        ran = ~absent(said)
        return kappa(data.truth[ran], said[ran]) if ran.sum() >= _FEWEST else None
    p = np.asarray(said, dtype=np.float64)
    p = p if p.ndim == 1 else p[:, -1]
    right = np.asarray(data.truth == data.classes[-1], dtype=np.float64)
    ran = np.isfinite(p)
    if ran.sum() < _FEWEST or np.ptp(p[ran]) == 0 or np.ptp(right[ran]) == 0:
        return None
    return float(np.corrcoef(p[ran], right[ran])[0, 1])


def correlation(scores: Scores, a: str, b: str) -> float | None:
    """Return the correlation of two models' scores within tasks; None if one of them never varies."""
    i, j = scores.models.index(a), scores.models.index(b)
    x, y = (
        np.concatenate([t.values[:, k] - np.nanmean(t.values[:, k]) for t in scores.tasks]) for k in (i, j)
    )
    both = np.isfinite(x) & np.isfinite(y)
    size = float(np.sqrt((x[both] @ x[both]) * (y[both] @ y[both])))
    return float(x[both] @ y[both]) / size if size > 0 else None


def kappa(truth: Strings | Floats, said: Strings | Floats) -> float:
    """Return Cohen's kappa: how much two labelings agree beyond the agreement expected by chance.

    >>> kappa(np.array(list("aabb"), dtype=object), np.array(list("aabb"), dtype=object))
    1.0
    """
    codes, names = coded(np.concatenate([truth, said]))
    x, y = np.split(codes, 2)
    p, q = (np.bincount(c, minlength=len(names)) / len(c) for c in (x, y))
    by_chance = float(p @ q)
    return 1.0 if by_chance == 1 else (float(np.mean(x == y)) - by_chance) / (1 - by_chance)
