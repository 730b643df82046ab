"""Calibration: maps from a score to a probability, fitted to rows that are not those compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.data.arrays import Floats, Ints, Strings
from ropewalk.data.held_out import Bools, Rows, held_out
from ropewalk.errors import CellError, DataError, OptionError, did_you_mean, short

if TYPE_CHECKING:
    from ropewalk.data.predictions import Predictions

_LARGEST = 1e140  # differences and products of such scores are still finite
_SMALLEST = 1e-280  # over a smaller range of scores, the slope overflows
_ROUNDS = 200  # most iterations: Newton needs about ten, or twenty if a million scores are separable


@dataclass(frozen=True, slots=True, kw_only=True)
class Platt:
    """p = 1/(1 + exp(-z)), z = slope·(score - center) + level; the center keeps digits of close scores."""

    slope: float
    centre: float
    level: float

    @property
    def intercept(self) -> float:
        """Return z at score 0."""
        return self.level - self.slope * self.centre

    def p(self, score: ArrayLike) -> Floats:
        """Return the probability of the positive class."""
        from scipy.special import expit

        return np.asarray(expit(self._z(score)))

    def q(self, score: ArrayLike) -> Floats:
        """Return the probability of the other class, which keeps its digits even where p rounds to 1."""
        from scipy.special import expit

        return np.asarray(expit(-self._z(score)))

    def _z(self, score: ArrayLike) -> Floats:
        return self.slope * (np.asarray(score, dtype=np.float64) - self.centre) + self.level


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Isotonic:
    """A piecewise linear function through (knots, levels), which never falls and is flat beyond its ends."""

    knots: Floats
    levels: Floats

    def p(self, score: ArrayLike) -> Floats:
        """Return the probability of the positive class."""
        return np.asarray(np.interp(np.asarray(score, dtype=np.float64), self.knots, self.levels))

    def q(self, score: ArrayLike) -> Floats:
        """Return the probability of the other class."""
        return 1 - self.p(score)


def platt(score: ArrayLike, y: ArrayLike) -> Platt:
    """Platt scaling: the logistic curve from real-valued scores to the probability of the positive class.

    Formula
        p = 1/(1 + exp(-z)), z a straight line in the score: the one that maximizes
        Σ t log p + (1 - t) log(1 - p), with Platt's targets t = (n1 + 1)/(n1 + 2) for the n1 positive and
        1/(n0 + 2) for the n0 negative examples. By Newton's method with step halving.
    Assumes
        log-odds that are a straight line in the score. The targets keep the line finite where the scores
        separate the classes; scores that are all alike give the mean of the targets.
    Not for
        the rows on which models are compared afterwards (`Predictions.calibrated` sees to that); scores with
        some far beyond all others, which flatten the line, or whose curve is not logistic (use `isotonic`,
        given a thousand rows or more).
    Reference
        Platt 1999, Advances in Large Margin Classifiers, 61-74; Lin, Lin & Weng 2007,
        doi:10.1007/s10994-007-5018-6.

    >>> platt([-2.0, -1.0, 1.0, 2.0], [0, 0, 1, 1]).p([-1.5, 0.0, 1.5])
    array([0.266..., 0.5  , 0.733...])
    """
    s, positive = two_classes(score, y)
    n1 = int(positive.sum())
    n0 = s.size - n1
    t = np.where(positive, (n1 + 1) / (n1 + 2), 1 / (n0 + 2))
    low, high = float(s.min()), float(s.max())
    wide = high - low
    if wide < _SMALLEST:
        mean = float(t.mean())
        return Platt(slope=0.0, centre=low, level=float(np.log(mean / (1 - mean))))
    centre = low + wide / 2
    slope, level = _logistic((s - centre) / wide, t)
    return Platt(slope=slope / wide, centre=centre, level=level)


def _logistic(u: Floats, t: Floats) -> tuple[float, float]:
    """Return a and b of z = a u + b that minimize F = Σ log(1 + e^z) - t z.

    With u centered at its weighted mean the Hessian is diagonal, so a step needs no matrix and loses no
    digits to one.
    """
    from scipy.special import expit

    def loss(z: Floats) -> float:
        return float(np.sum(np.logaddexp(0, z) - t * z))

    mean = float(t.mean())
    a, b = 0.0, float(np.log(mean / (1 - mean)))
    z = np.full_like(u, b)
    for _ in range(_ROUNDS):
        p = expit(z)
        r, w = t - p, p * (1 - p)
        middle = float(w @ u / w.sum())
        v = u - middle
        da, db = float(r @ v / (w @ v**2)), float(r.sum() / w.sum())
        gain = float(r @ (da * v + db))  # the squared Newton decrement: F is about gain/2 above its minimum
        size = 1.0
        # Close to the minimum, rounding hides the gain, and the full step is correct.
        while gain > 1e-6 and loss(z + size * (da * v + db)) > loss(z) - 1e-4 * size * gain:
            size /= 2
        a, b = a + size * da, b + size * (db - da * middle)
        z = a * u + b
        if gain < 1e-20:
            break
    return a, b


def isotonic(score: ArrayLike, y: ArrayLike) -> Isotonic:
    """Isotonic regression: the best map from score to probability that never falls.

    Formula
        minimize Σ (y - p(score))² over all p that do not fall as the score rises, by pooling adjacent
        violators, equal scores pooled first: O(n log n). Linear between the scores seen, flat beyond them.
    Assumes
        that a higher score never means a lower probability; nothing else.
    Not for
        the rows on which models are compared afterwards; fewer than about a thousand rows (use `platt`); the
        log loss, because the ends of the map are often exactly 0 and 1.
    Reference
        Zadrozny & Elkan 2002, doi:10.1145/775047.775151; Ayer et al. 1955, doi:10.1214/aoms/1177728423.

    >>> isotonic([1.0, 2.0, 3.0, 4.0], [0, 1, 0, 1]).p([1.0, 1.5, 2.0, 3.0, 9.0])
    array([0.  , 0.25, 0.5 , 0.5 , 1.  ])
    """
    from scipy.optimize import isotonic_regression

    s, positive = two_classes(score, y)
    knots, place = np.unique(s, return_inverse=True)
    times = np.bincount(place).astype(np.float64)
    rate = np.bincount(place, weights=positive) / times
    levels = np.clip(isotonic_regression(rate, weights=times).x, 0.0, 1.0)
    step = levels[1:] != levels[:-1]
    ends = np.r_[True, step] | np.r_[step, True]  # points inside a flat piece do not change the line
    return Isotonic(knots=knots[ends], levels=levels[ends])


METHODS: dict[str, Callable[[ArrayLike, ArrayLike], Platt | Isotonic]] = {
    "platt": platt,
    "isotonic": isotonic,
}
CALLED = {"platt": "Platt scaling", "isotonic": "isotonic regression"}


def two_classes(score: ArrayLike, y: ArrayLike) -> tuple[Floats, Bools]:
    """Return scores as floats and classes as booleans, with at least one example of each class."""
    s, classes = np.asarray(score, dtype=np.float64), np.asarray(y)
    if s.ndim != 1 or s.shape != classes.shape:
        raise DataError(
            f"the scores have the shape {s.shape}, the classes {classes.shape}",
            hint="Give two lists of the same length.",
        )
    bad = np.flatnonzero(~(np.abs(s) <= _LARGEST))
    if bad.size:
        raise CellError(
            f"{bad.size:,} of {s.size:,} scores are NaN, infinite or beyond {_LARGEST:g}",
            where=[f"position {i}: {s[i]}" for i in bad[:5]],
        )
    if not np.isin(classes, (0, 1)).all():
        raise CellError("the classes are not all 0 and 1", hint="Give 1 (true) for the positive class.")
    positive = classes.astype(np.bool_)
    if not (positive.any() and not positive.all()):
        which = "positive" if s.size and positive[0] else "negative"
        raise DataError(
            f"all {s.size:,} examples are {which}" if s.size else "there are no examples",
            hint="Both classes must occur in the data used for fitting.",
        )
    return s, positive


def log_odds(p: Floats) -> Floats:
    """Return log p_c - log Σ_(k≠c) p_k for each class c, ±inf if p_c is 0 or 1; of two, only the second."""
    with np.errstate(divide="ignore"):
        if p.shape[1] == 2:  # the other column, not 1 - p: a probability of 1e-300 keeps its meaning
            return np.asarray(np.log(p[:, [1]]) - np.log(p[:, [0]]))
        others = np.stack([np.delete(p, c, axis=1).sum(axis=1) for c in range(p.shape[1])], axis=1)
        return np.asarray(np.log(p) - np.log(others))


def within(seen: Floats, new: Floats) -> tuple[Floats, Floats]:
    """Clip log-odds to scores: within half or twice the most extreme finite odds in `seen`.

    Probabilities of 0 and 1 are moved there, below and above all others. So is a new score beyond all seen
    ones, because it is unknown how far the line continues.
    """
    finite = np.where(np.isfinite(seen), seen, 0.0)
    low, high = finite.min(axis=0, initial=0.0) - np.log(2), finite.max(axis=0, initial=0.0) + np.log(2)
    return np.clip(seen, low, high), np.clip(new, low, high)


def probabilities(method: str, seen: Floats, codes: Ints, new: Floats) -> tuple[Floats, int, int]:
    """Return class probabilities for `new` scores, from maps fitted to the scores `seen` of classes `codes`.

    A single column of scores is that of the second of two classes. With more columns, each class is fitted
    against the rest, and the probabilities are divided by their sum; a row whose maps are all 0 gets equal
    probabilities. The number of such rows, and the number of fitted lines that fall, are returned too.
    """
    fit = METHODS[method]
    if seen.shape[1] == 1:
        one = fit(seen[:, 0], codes == 1)
        return np.column_stack([one.q(new[:, 0]), one.p(new[:, 0])]), 0, _falls(one)
    each = [fit(seen[:, c], codes == c) for c in range(seen.shape[1])]
    p = np.column_stack([one.p(new[:, c]) for c, one in enumerate(each)])
    empty = p.sum(axis=1) == 0
    p[empty] = 1.0
    return p / p.sum(axis=1, keepdims=True), int(empty.sum()), sum(map(_falls, each))


def _falls(fitted: Platt | Isotonic) -> int:
    return int(isinstance(fitted, Platt) and fitted.slope < 0)


def calibrated(
    predictions: Predictions, method: str, rows: Rows, folds: int, rng: int | np.random.Generator
) -> Predictions:
    """Implement `Predictions.calibrated`."""
    if method not in METHODS:
        raise OptionError(f'there is no calibration "{short(method)}"', hint=did_you_mean(method, METHODS))
    kind = predictions.kind
    if kind not in ("probabilities", "scores"):
        raise OptionError(
            f"the predictions are {kind}: there is nothing to calibrate",
            hint="Give probabilities, or decision scores of two classes.",
        )
    split = held_out(predictions, rows, folds, rng, purpose="used for calibration")
    codes, use = split.learn.truth_codes, split.use
    outputs: dict[str, Strings | Floats] = {}
    warnings = list(use.audit.warnings)
    for model in use.models:
        seen, new = _scores(split.learn, model), _scores(use, model)
        p = np.full((len(use.units), len(use.classes)), np.nan)
        empty = falling = 0
        parts = split.parts_of(model)
        for part in parts:
            old, now = seen[part.learn], new[part.use]
            if kind == "probabilities":
                old, now = within(old, now)
            p[part.use], none, falls = probabilities(method, old, codes[part.learn], now)
            empty, falling = empty + none, falling + falls
        outputs[model] = p
        if 2 * falling > len(parts) * seen.shape[1]:
            warnings.append(
                f"higher scores of {short(model)} make its class less likely. Is the positive class set "
                "correctly?"
            )
        if empty:
            warnings.append(
                f"{short(model)}: after calibration no class has a positive probability on "
                f"{empty:,} example{'s' * (empty != 1)}; all classes get the same probability there"
            )
    note = f"probabilities: {CALLED[method]}, {split.how}"
    audit = replace(use.audit, notes=(*use.audit.notes, note), warnings=tuple(warnings))
    return replace(use, outputs=outputs, kind="probabilities", audit=audit)


def _scores(predictions: Predictions, model: str) -> Floats:
    """Return one column of scores per class; for two classes, that of the positive one."""
    if predictions.kind == "scores":
        return predictions.positive_score(model)[:, None]
    return log_odds(predictions.outputs[model].astype(np.float64))
