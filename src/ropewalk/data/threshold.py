"""Thresholds: from which score on the answer is the positive class. Above it, not at it, is positive."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.data.arrays import Floats, Strings, strings
from ropewalk.data.calibrate import two_classes
from ropewalk.data.held_out import Bools, Rows, held_out
from ropewalk.errors import OptionError, short

if TYPE_CHECKING:
    from ropewalk.data.predictions import Predictions


def threshold_at_fpr(score: ArrayLike, y: ArrayLike, fpr: float) -> float:
    """The lowest threshold at which at most a share `fpr` of the negative examples lies above it.

    Formula
        k = the most false positives with k/n0 <= fpr; the (k+1)-th largest score of the n0 negatives. Those
        that tie with it are not above it, so the rate is never more than fpr where the threshold is chosen.
    Assumes
        negative examples like those to come: the rate on other rows scatters around fpr.
    Not for
        the rows on which models are compared afterwards (`Predictions.at_threshold` sees to that).
    Reference
        Williams, "A review of and best practices for comparing machine learning models", sec. 6.1 (at 8%).

    >>> threshold_at_fpr([0.1, 0.2, 0.3, 0.4, 0.9], [0, 0, 0, 0, 1], 0.25)
    0.3
    """
    if not 0 < fpr < 1:
        raise OptionError(
            f"the false-positive rate is {fpr}", hint="Give a rate between 0 and 1, such as 0.08."
        )
    s, positive = two_classes(score, y)
    negative = np.sort(s[~positive])[::-1]
    n0 = negative.size
    k = int(fpr * n0)
    if (k + 1) / n0 <= fpr:  # exact, whereas 0.29 · 100 is slightly below 29
        k += 1
    return float(negative[k])


def threshold_for_costs(score: ArrayLike, y: ArrayLike, cost_fp: float, cost_fn: float) -> float:
    """The threshold with the lowest total cost of false positives and false negatives.

    Formula
        minimize cost_fp·#(y = 0, score > t) + cost_fn·#(y = 1, score <= t) over t; t is halfway between the
        two scores that it separates, -inf if it is cheapest to call all examples positive, and inf if none.
        Of several with the same cost, the highest is used.
    Assumes
        both classes as frequent as among the examples to come.
    Not for
        probabilities that are known to be calibrated: cost_fp/(cost_fp + cost_fn) needs no choosing.
    Reference
        Elkan 2001, The foundations of cost-sensitive learning, IJCAI, 973-978.

    >>> threshold_for_costs([0.1, 0.2, 0.3, 0.4], [0, 1, 0, 1], cost_fp=1.0, cost_fn=5.0)
    0.15...
    """
    for name, cost in (("cost_fp", cost_fp), ("cost_fn", cost_fn)):
        if not (np.isfinite(cost) and cost > 0):
            raise OptionError(f"{name} is {cost}", hint="Give the cost of one such error, more than 0.")
    s, positive = two_classes(score, y)
    at, place = np.unique(s, return_inverse=True)
    fn = np.r_[0, np.cumsum(np.bincount(place, weights=positive))]  # for t below at[0], then t at each score
    fp = np.r_[0, np.cumsum(np.bincount(place, weights=~positive)[::-1])][::-1]
    total = cost_fp * fp + cost_fn * fn
    best = total.size - 1 - int(np.argmin(total[::-1]))
    if best in (0, at.size):
        return -np.inf if best == 0 else np.inf
    low, high = at[best - 1], at[best]
    middle = low + (high - low) / 2
    return float(middle if middle < high else low)  # no number lies between two neighboring floats


def at_threshold(
    predictions: Predictions,
    fpr: float | None,
    cost_fp: float | None,
    cost_fn: float | None,
    rows: Rows,
    folds: int,
    rng: int | np.random.Generator,
) -> Predictions:
    """Implement `Predictions.at_threshold`."""
    choose, rule = _rule(fpr, cost_fp, cost_fn)
    if predictions.kind not in ("probabilities", "scores") or len(predictions.classes) != 2:
        of = f"{predictions.kind} of {len(predictions.classes)} classes" if predictions.classes else "numbers"
        raise OptionError(
            f"the predictions are {of}, so there is no threshold to choose",
            hint="Give probabilities or decision scores of two classes.",
        )
    split = held_out(predictions, rows, folds, rng, purpose="used to choose the threshold")
    use, positive = split.use, split.learn.truth_codes == 1
    names = strings(use.classes)
    outputs: dict[str, Strings | Floats] = {}
    chosen = []
    for model in use.models:
        seen, new = split.learn.positive_score(model), use.positive_score(model)
        parts = split.parts_of(model)
        at = [choose(seen[part.learn], positive[part.learn]) for part in parts]
        labels = np.full(len(use.units), None, dtype=object)  # None if the model was not run
        for part, t in zip(parts, at, strict=True):
            labels[part.use] = names[(new[part.use] > t).astype(np.intp)]
        outputs[model] = labels
        low, high = min(at), max(at)
        chosen.append(f"{short(model)} {low:.4g}" + ("" if low == high else f" to {high:.4g}"))
    note = f"labels: threshold for {rule}, {split.how}: {', '.join(chosen)}"
    audit = replace(use.audit, notes=(*use.audit.notes, note))
    return replace(use, outputs=outputs, kind="labels", audit=audit)


def _rule(
    fpr: float | None, cost_fp: float | None, cost_fn: float | None
) -> tuple[Callable[[Floats, Bools], float], str]:
    """Return the rule that chooses a threshold, and its description."""
    if fpr is not None and cost_fp is None and cost_fn is None:
        rate = fpr
        return lambda s, y: threshold_at_fpr(s, y, rate), f"a false-positive rate of {rate:g}"
    if fpr is None and cost_fp is not None and cost_fn is not None:
        fp, fn = cost_fp, cost_fn
        words = f"a false positive costing {fp:g} and a false negative {fn:g}"
        return lambda s, y: threshold_for_costs(s, y, fp, fn), words
    raise OptionError(
        "a threshold needs either a false-positive rate or the costs of both kinds of error",
        hint="Give fpr=0.08, or cost_fp=1 and cost_fn=5.",
    )
