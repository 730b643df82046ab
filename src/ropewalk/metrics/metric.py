"""The class of metrics of a whole set of predictions."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import MethodError, OptionError, RopewalkError, short
from ropewalk.metrics import check
from ropewalk.metrics.check import Floats

# labels: the predicted class. scores: one real number, higher for the positive class. probabilities: of the
# positive class, or a matrix examples x classes. numbers: a predicted number. statistics: columns that add
# up over the segments. anything: whatever a user's function accepts.
Kind: TypeAlias = Literal["labels", "scores", "probabilities", "numbers", "statistics", "anything"]

# Weights of the rows, one draw per line (draws, n) -> metric of each draw (draws,), NaN if undefined.
Weighted: TypeAlias = Callable[[Floats], Floats]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """Metric of a set of predictions, ready to be computed under many weightings of its rows.

    Parameters
    ----------
    name : str
        Its name.
    takes : {"labels", "scores", "probabilities", "numbers", "statistics", "any"}
        What it takes as predictions.
    higher_is_better : bool
        Whether a higher value is better.
    range : (float, float)
        Lowest and highest value that it can have.
    prepare : callable
        Called with (y, prediction), and the group of each row where it is `grouped`; checks, sorts and codes
        once, and returns a function from weights (draws, n) to values (draws,).
    direction_known : bool, default True
        Whether the direction is known rather than assumed.
    grouped : bool, default False
        Whether rows belong to groups, such as the documents of a query.
    ordered : bool, default False
        Whether labels that are numbers are handed on as numbers, because their distances count.
    columns : tuple of str, default ()
        Of a metric of statistics: what each column counts.
    counted_by : str, default ""
        Of a metric of statistics: the function of `ropewalk.metrics` that counts them.
    loss : str, default ""
        The loss that it is the mean of, by its name: for means there are exact methods.
    about : str, default ""
        Its definition, for `ropewalk metrics NAME`.
    biased : bool, default False
        Whether its mean over draws is not its value on the data; draws are then moved onto that value.
    bounds : callable, optional
        Lowest and highest value on given data.

    Notes
    -----
    A weight is a number of copies: with whole numbers the value is that of the rows repeated so often, and
    NaN where the metric is not defined on them.

    Examples
    --------
    >>> from ropewalk.metrics import METRICS
    >>> METRICS["auroc"].value([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    0.75
    """

    name: str
    takes: Kind
    higher_is_better: bool
    range: tuple[float, float]
    prepare: Callable[..., Weighted]
    direction_known: bool = True
    grouped: bool = False
    ordered: bool = False
    columns: tuple[str, ...] = ()
    counted_by: str = ""
    loss: str = ""
    about: str = ""
    biased: bool = False
    # (y, scores, counts, which are bins of different scores) -> lowest and highest value
    bounds: Callable[[Any, Floats, Floats, Any], tuple[float, float]] | None = None

    @property
    def bounded(self) -> bool:
        """Whether it runs from 0 to 1."""
        return self.range == (0.0, 1.0)

    @property
    def one_point(self) -> float:
        """One percentage point for a metric with maximum 1; 0 for others."""
        return 0.01 if self.range[1] == 1 else 0.0

    def prepared(self, y: Any, prediction: Any, groups: ArrayLike | None = None) -> Weighted:
        """Prepare the data once, for many weightings.

        Parameters
        ----------
        y : array_like
            Truth.
        prediction : array_like
            What a model predicted.
        groups : array_like, optional
            Group of each row, for a metric that is `grouped`.

        Returns
        -------
        callable
            From weights (draws, n) to values (draws,).
        """
        return self.prepare(y, prediction, groups) if self.grouped else self.prepare(y, prediction)

    def value(
        self, y: Any, prediction: Any, *, weights: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> float:
        """Compute the metric of one model.

        Parameters
        ----------
        y : array_like
            Truth.
        prediction : array_like
            What the model predicted.
        weights : array_like, optional
            Weight of each row. By default all weigh 1.
        groups : array_like, optional
            Group of each row, for a metric that is `grouped`.

        Returns
        -------
        float
            The value.

        Raises
        ------
        MethodError
            If the metric is not defined on these data, such as the AUROC of one class.

        Examples
        --------
        >>> from ropewalk.metrics import METRICS
        >>> METRICS["auroc"].value([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
        0.75
        """
        of = self.prepared(y, prediction, groups)
        n = len(prediction)
        w = np.ones(n) if weights is None else check.weights(weights, n)
        found = float(of(w[None, :])[0])
        if not np.isfinite(found):
            raise MethodError(
                f"{self.name} is not defined on these data: the result is {found}",
                hint="With weights, every class of the truth needs rows of positive weight.",
            )
        return found


def mean_of(per_row: Floats) -> Weighted:
    """Return a metric that is the mean of one number per row: Σ w_i v_i / Σ w_i."""
    return ratio_of(per_row, np.ones(per_row.size))


def ratio_of(above: Floats, below: Floats) -> Weighted:
    """Return Σ w_i above_i / Σ w_i below_i; NaN if no row has weight."""
    return lambda w: over(w @ above, w @ below)


def over(above: Floats, below: Floats) -> Floats:
    """Return above / below, NaN where below is 0."""
    return np.asarray(np.divide(above, below, out=np.full(below.shape, np.nan), where=below != 0))


def custom(
    function: Callable[[Any, Any, Floats], float],
    *,
    name: str | None = None,
    higher_is_better: bool | None = None,
) -> Metric:
    """Make a metric of a function of your own.

    Parameters
    ----------
    function : callable
        A function (y, prediction, weights) -> float, or one that takes `sample_weight`, as those of
        scikit-learn do. Weights are numbers of copies of the rows, 1 on average; some may be 0. It returns
        NaN if the metric is not defined.
    name : str, optional
        What reports call it, by default the function's name.
    higher_is_better : bool, optional
        Whether a higher value is better. By default the name decides; where it says nothing, a comparison
        warns that higher is assumed to be better, and a gate refuses.

    Returns
    -------
    Metric
        The metric, for `ropewalk.compare(..., metric=...)`.

    Raises
    ------
    OptionError
        If the function takes no weights, or is a scorer of scikit-learn, which needs an estimator.

    Notes
    -----
    A function that takes `sample_weight` gets labels that are all numbers as numbers, not as text. A function
    whose value changes when rows of weight 0 are added is refused when it is first used.

    Examples
    --------
    >>> bias = custom(lambda y, p, w: np.average(p - y, weights=w), name="bias", higher_is_better=False)
    >>> bias.value([1.0, 2.0], [1.5, 3.0])
    0.75
    """
    if hasattr(function, "_score_func"):
        raise OptionError(
            f"the metric {short(function)} is a scorer of scikit-learn, which needs an estimator",
            hint="Give the function of truth and predictions itself, such as metric=f1_score.",
        )
    inner = getattr(function, "func", function)  # unwraps functools.partial
    called = name or str(getattr(inner, "__name__", type(function).__name__))
    function = _with_weights(function, called)

    def prepare(y: Any, prediction: Any) -> Weighted:
        truth, said = None if y is None else np.asarray(y), np.asarray(prediction)
        n = check.same_length(prediction=said, y=truth)
        try:
            value = function(truth, said, np.ones(n))
        except (ValueError, TypeError) as error:
            if isinstance(error, RopewalkError):
                raise
            raise MethodError(
                f"the metric {called} cannot be computed on these data: {short(error, 200)}",
                hint="It was called with the truth, one model's predictions and a weight of 1 for each row.",
            ) from error
        plain = _number(called, value)
        again = None if truth is None else np.concatenate([truth, truth[::-1]])
        longer = _number(called, function(again, np.concatenate([said, said]), np.repeat([1.0, 0.0], n)))
        both = np.isfinite(plain) and np.isfinite(longer)  # undefined values are counted later
        if both and not np.isclose(longer, plain, rtol=1e-9, atol=1e-12):
            raise MethodError(
                f"the metric {called} ignores its weights: rows of weight 0 change it",
                hint="Use the weights in every sum, mean and quantile: np.average(x, weights=w).",
            )

        def values(w: Floats) -> Floats:
            return np.array([_number(called, function(truth, said, row)) for row in w])

        return values

    return Metric(
        name=called,
        takes="anything",
        higher_is_better=higher_is_better is not False,
        direction_known=higher_is_better is not None,
        range=(-np.inf, np.inf),
        prepare=prepare,
    )


def _with_weights(function: Callable[..., float], called: str) -> Callable[[Any, Any, Floats], float]:
    """Wrap the function as (y, prediction, weights) -> float; an error if it takes no weights."""
    try:
        parameters = inspect.signature(function).parameters
    except (TypeError, ValueError):  # a function written in C
        return function
    if "sample_weight" in parameters:
        return lambda y, p, w: function(_as_numbers(y), _as_numbers(p), sample_weight=w)
    named = (inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD)
    kinds = [p.kind for p in parameters.values() if p.kind not in named]
    if len(kinds) < 3 and inspect.Parameter.VAR_POSITIONAL not in kinds:
        raise OptionError(
            f"the metric {called} does not accept row weights",
            hint=f"Give a function of three arguments, in which a row of weight 2 counts as two rows:\n"
            f"def {called if called.isidentifier() else 'metric'}(y, prediction, weights): ...\n"
            "Or use a metric by its name: `ropewalk metrics` lists them.",
        )
    return function


def _as_numbers(labels: Any) -> Any:
    """Convert text labels to numbers if all of them are numbers."""
    if labels is None or labels.dtype.kind != "U":
        return labels
    try:
        found = labels.astype(np.float64)
    except ValueError:
        return labels
    return found.astype(np.int64) if np.all(found == np.floor(found)) else found


def _number(name: str, value: object) -> float:
    try:
        return float(value)  # type: ignore[arg-type]  # whatever the user's function answers
    except (TypeError, ValueError):
        raise MethodError(
            f"the metric {name} returns {type(value).__name__}, but a number was expected",
            hint="Give a function (y, prediction, weights) -> float.",
        ) from None
