"""Every metric under random weights against scikit-learn; what it lacks against brute force and by hand."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from ropewalk.metrics import (
    METRICS,
    metric_for,
)
from tests.metrics.made import N, data


def sklearn_metric(name: str) -> Callable[[np.ndarray, np.ndarray, np.ndarray], float]:
    m = pytest.importorskip("sklearn.metrics")
    named: dict[str, Callable[[np.ndarray, np.ndarray, np.ndarray], float]] = {
        "auroc": lambda y, p, w: m.roc_auc_score(y, p, sample_weight=w),
        "average_precision": lambda y, p, w: m.average_precision_score(y, p, sample_weight=w),
        "accuracy": lambda y, p, w: m.accuracy_score(y, p, sample_weight=w),
        "balanced_accuracy": lambda y, p, w: m.balanced_accuracy_score(y, p, sample_weight=w),
        "f1": lambda y, p, w: m.f1_score(y, p, sample_weight=w),
        "f1_macro": lambda y, p, w: m.f1_score(y, p, average="macro", sample_weight=w),
        "f1_micro": lambda y, p, w: m.f1_score(y, p, average="micro", sample_weight=w),
        "mcc": lambda y, p, w: m.matthews_corrcoef(y, p, sample_weight=w),
        "log_loss": lambda y, p, w: m.log_loss(y, p, sample_weight=w),
        # The one-column form; ours adds up over both classes.
        "brier": lambda y, p, w: 2 * m.brier_score_loss(y, p, sample_weight=w),
        "rmse": lambda y, p, w: math.sqrt(m.mean_squared_error(y, p, sample_weight=w)),
        "mae": lambda y, p, w: m.mean_absolute_error(y, p, sample_weight=w),
        "r2": lambda y, p, w: m.r2_score(y, p, sample_weight=w),
        "precision": lambda y, p, w: m.precision_score(y, p, sample_weight=w),
        "recall": lambda y, p, w: m.recall_score(y, p, sample_weight=w),
        "specificity": lambda y, p, w: m.recall_score(y, p, pos_label=0, sample_weight=w),
        "f2": lambda y, p, w: m.fbeta_score(y, p, beta=2, sample_weight=w),
        "f0.5": lambda y, p, w: m.fbeta_score(y, p, beta=0.5, sample_weight=w),
        "dice": lambda y, p, w: m.f1_score(y, p, sample_weight=w),
        "iou": lambda y, p, w: m.jaccard_score(y, p, sample_weight=w),
        "iou_macro": lambda y, p, w: m.jaccard_score(y, p, average="macro", sample_weight=w),
        "precision_macro": lambda y, p, w: m.precision_score(y, p, average="macro", sample_weight=w),
        "recall_macro": lambda y, p, w: m.recall_score(y, p, average="macro", sample_weight=w),
        "kappa": lambda y, p, w: m.cohen_kappa_score(y, p, sample_weight=w),
        "kappa_linear": lambda y, p, w: m.cohen_kappa_score(y, p, weights="linear", sample_weight=w),
        "kappa_quadratic": lambda y, p, w: m.cohen_kappa_score(y, p, weights="quadratic", sample_weight=w),
        "mape": lambda y, p, w: m.mean_absolute_percentage_error(y, p, sample_weight=w),
        "pinball": lambda y, p, w: m.mean_pinball_loss(y, p, sample_weight=w),
        "pinball@0.9": lambda y, p, w: m.mean_pinball_loss(y, p, alpha=0.9, sample_weight=w),
        "pearson": lambda y, p, w: (
            np.cov(y, p, aweights=w)[0, 1] / math.sqrt(np.prod(np.diag(np.cov(y, p, aweights=w))))
        ),
    }
    return named[name]


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("auroc", "scores"),
        ("average_precision", "scores"),
        ("log_loss", "scores"),
        ("brier", "scores"),
        ("rmse", "numbers"),
        ("mae", "numbers"),
        ("r2", "numbers"),
        ("f1", "labels"),
        *[(name, "numbers") for name in ("mape", "pinball", "pinball@0.9", "pearson")],
        *[(name, "labels") for name in ("precision", "recall", "specificity", "f2", "f0.5", "dice", "iou")],
        *[
            (name, kind)
            for name in (
                "accuracy",
                "balanced_accuracy",
                "f1_macro",
                "f1_micro",
                "mcc",
                "precision_macro",
                "recall_macro",
                "iou_macro",
                "kappa",
                "kappa_linear",
                "kappa_quadratic",
            )
            for kind in ("labels", "three labels")
        ],
    ],
)
@pytest.mark.few(20)
def test_as_scikit_learn(name: str, kind: str, weights: np.ndarray) -> None:
    y, prediction = data(kind)
    oracle = sklearn_metric(name)
    ours = metric_for(name).prepare(y, prediction)(weights)
    np.testing.assert_allclose(ours, [oracle(y, prediction, w) for w in weights], rtol=0, atol=1e-12)
    assert metric_for(name).value(y, prediction) == pytest.approx(
        oracle(y, prediction, np.ones(N)), abs=1e-12
    )


@pytest.mark.parametrize("name", ["auroc", "average_precision"])
def test_scores_without_ties_as_scikit_learn(name: str, weights: np.ndarray) -> None:
    y, _ = data("scores")
    score = np.random.default_rng(3).normal(size=N) + y
    ours = METRICS[name].prepare(y, score)(weights)
    oracle = sklearn_metric(name)
    np.testing.assert_allclose(ours, [oracle(y, score, w) for w in weights], rtol=0, atol=1e-12)
