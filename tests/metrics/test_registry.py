"""Metrics by their names, and functions of scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import OptionError
from ropewalk.metrics import (
    ALIASES,
    METRICS,
    custom,
    metric_for,
    registry,
)
from tests.metrics.made import N, data


def test_names() -> None:
    assert metric_for("ROC AUC") is metric_for("auc") is METRICS["auroc"]
    assert metric_for(METRICS["f1"]) is METRICS["f1"]
    assert set(ALIASES.values()) <= set(METRICS)
    assert not set(ALIASES) & set(METRICS)
    with pytest.raises(OptionError, match='no metric "aurok"') as caught:
        metric_for("aurok")
    assert 'Did you mean "auroc"?' in str(caught.value)
    with pytest.raises(OptionError, match="the metric is 3"):
        metric_for(3)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="the cutoff of the metric is 0"):
        metric_for("ndcg@0")


def test_what_is_known_of_a_metric() -> None:
    bounded = {name for name, metric in METRICS.items() if metric.bounded}
    signed = {"kappa", "kappa_linear", "kappa_quadratic", "kendall", "mcc", "pearson", "r2", "spearman"}
    open_ended = {"brier", "cer", "log_loss", "mae", "mape", "perplexity", "pinball", "rmse", "wer"}
    assert set(METRICS) - bounded == signed | open_ended
    lower = {name for name, metric in METRICS.items() if not metric.higher_is_better}
    assert lower == open_ended | {"ece"}


def test_functions_of_scikit_learn_are_metrics_as_they_are() -> None:
    m = pytest.importorskip("sklearn.metrics")
    assert metric_for(m.roc_auc_score) is METRICS["auroc"]
    y, said = data("labels")
    w = np.random.default_rng(4).standard_exponential(N)
    text = np.array(["0", "1"])
    ours = metric_for(m.hamming_loss)  # not one of ours: called with sample_weight
    assert ours.value(y, said, weights=w) == pytest.approx(m.hamming_loss(y, said, sample_weight=w))
    by_text = custom(m.f1_score).value(text[y], text[said], weights=w)  # pos_label=1 is a number
    assert by_text == pytest.approx(m.f1_score(y, said, sample_weight=w))
    names = np.array(["no", "yes"])
    assert custom(m.accuracy_score).value(names[y], names[said]) == np.mean(y == said)


@pytest.mark.parametrize("name", registry._FUNCTIONS)
def test_the_functions_that_are_replaced_give_the_same_number(name: str) -> None:
    m = pytest.importorskip("sklearn.metrics")
    if not hasattr(m, name):
        pytest.skip("this scikit-learn does not have it yet")
    ours = registry.metric_for(getattr(m, name))
    kind = {"scores": "scores", "probabilities": "scores", "labels": "labels", "numbers": "numbers"}[
        ours.takes
    ]
    y, said = data(kind)
    w = np.random.default_rng(4).standard_exponential(N)
    theirs = getattr(m, name)(y, said, sample_weight=w)
    assert ours.value(y, said, weights=w) == pytest.approx(theirs, abs=1e-12)


def test_a_function_without_weights_is_told_how_to_get_them() -> None:
    def agreement(y: np.ndarray, p: np.ndarray) -> float:
        return float(np.mean(y == p))

    with pytest.raises(OptionError, match="the metric agreement does not accept row weights") as caught:
        metric_for(agreement)  # type: ignore[arg-type]
    assert "def agreement(y, prediction, weights): ..." in str(caught.value)


@pytest.mark.parametrize("name", ["fbeta", "f-beta", "fbeta_score"])
def test_f_beta_asks_for_its_beta(name: str) -> None:
    """scikit-learn has no default for beta either."""
    with pytest.raises(OptionError, match=f'"{name}" needs its beta') as caught:
        metric_for(name)
    assert caught.value.hint == 'Put it into the name: "f2" or "f0.5".'
    assert metric_for("f0.5").name == "F0.5"
