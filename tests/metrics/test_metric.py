"""Metrics that users write, and draws on which a metric is not defined."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from ropewalk.errors import MethodError, OptionError
from ropewalk.metrics import (
    METRICS,
    additive,
    custom,
    metric_for,
)

# What is undefined in a draw: weights of 0 where it hurts. (y, prediction, weights)
UNDEFINED = {
    "auroc": ([0, 1, 1], [0.1, 0.2, 0.3], [0, 1, 1]),
    "average_precision": ([0, 1, 0], [0.1, 0.2, 0.3], [1, 0, 1]),
    "f1": ([0, 1, 0], [0, 0, 0], [1, 0, 1]),
    "balanced_accuracy": ([0, 1, 0], [0, 0, 1], [1, 0, 1]),
    "mcc": ([0, 1, 0], [0, 1, 1], [0.3, 0, 0.1]),
    "r2": ([1.1, 1.1, 3.0], [1.0, 2.0, 3.0], [0.3, 0.1, 0]),
    "ndcg": ([0, 1, 0], [0.1, 0.2, 0.3], [1, 0, 1]),
    "recall": ([0, 1, 0], [0, 1, 1], [1, 0, 1]),
    "specificity": ([0, 1, 1], [0, 1, 1], [0, 1, 1]),
    "iou": ([0, 1, 0], [0, 0, 0], [1, 0, 1]),
    "kappa": ([0, 1, 0], [0, 1, 1], [0.3, 0, 0]),
    "pearson": ([1.1, 1.1, 3.0], [1.0, 2.0, 3.0], [0.3, 0.1, 0]),
    "spearman": ([1.1, 1.1, 3.0], [1.0, 2.0, 3.0], [0.3, 0.1, 0]),
    "kendall": ([1.1, 1.1, 3.0], [1.0, 2.0, 3.0], [0.3, 0.1, 0]),
    "concordance": ([1.0, 2.0, -3.0], [1.0, 2.0, 3.0], [0, 0, 1]),
}


@pytest.mark.parametrize("name", UNDEFINED)
def test_undefined_in_a_draw_is_nan_and_an_error_for_the_user(name: str) -> None:
    y, prediction, w = UNDEFINED[name]
    both = METRICS[name].prepare(y, prediction)(np.array([np.ones(3), w]))
    assert np.isfinite(both[0])
    assert np.isnan(both[1])
    with pytest.raises(MethodError, match="is not defined on these data"):
        METRICS[name].value(y, prediction, weights=w)


def test_a_metric_of_the_users() -> None:
    def bias(y: np.ndarray, p: np.ndarray, w: np.ndarray) -> float:
        return float(np.average(p - y, weights=w))

    metric = custom(bias, higher_is_better=False)
    assert metric.name == "bias"
    assert metric.value([1.0, 2.0], [1.5, 3.0], weights=[3, 1]) == 0.625
    with pytest.raises(MethodError, match="the metric bias returns str"):
        custom(lambda y, p, w: "good", name="bias").value([1.0], [1.0])
    with pytest.raises(MethodError, match="the result is nan"):
        custom(lambda y, p, w: float("nan"), name="bias").value([1.0], [1.0])


def test_an_additive_metric_of_the_users() -> None:
    rate = additive("error rate", 2, lambda s: s[:, 0] / s[:, 1], higher_is_better=False)
    assert rate.value(None, [[1, 4], [2, 6]], weights=[1, 2]) == 5 / 16


def test_a_scorer_of_scikit_learn_says_what_to_give_instead() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    for scorer in (metrics.get_scorer("f1"), metrics.make_scorer(metrics.f1_score)):
        with pytest.raises(OptionError, match=r"(?s)is a scorer of scikit-learn.*metric=f1_score"):
            metric_for(scorer)


def test_a_partial_function_has_the_name_of_its_function() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    y, said = ["a", "b", "c", "a"], ["a", "b", "a", "a"]
    macro = metric_for(partial(metrics.f1_score, average="macro"))
    assert macro.name == "f1_score"
    assert macro.value(y, said) == metrics.f1_score(y, said, average="macro")


def test_a_function_that_fails_says_on_what() -> None:
    """Squared errors of words: the message is one of ours, and the function's own error is its cause."""
    metrics = pytest.importorskip("sklearn.metrics")
    with pytest.raises(MethodError, match="mean_squared_error cannot be computed on these data: ") as e:
        metric_for(metrics.mean_squared_error).value(["cat", "dog"], ["cat", "cat"])
    assert isinstance(e.value.__cause__, ValueError)


def test_a_function_that_forgets_its_weights_is_refused() -> None:
    def top(y: np.ndarray, p: np.ndarray, w: np.ndarray) -> float:
        return float(np.average(y[p >= np.quantile(p, 0.95)]))

    with pytest.raises(MethodError, match="the metric top ignores its weights"):
        custom(top).value([0, 1, 0, 1, 1, 0], [0.1, 0.2, 0.9, 0.4, 0.5, 0.3])
