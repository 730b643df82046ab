"""The metrics by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from ropewalk.errors import OptionError, did_you_mean, short
from ropewalk.metrics import labels, numbers, probabilities, ranking
from ropewalk.metrics.additive import additive, bleu, rouge
from ropewalk.metrics.metric import Kind, Metric, Weighted, custom
from ropewalk.metrics.ndcg import ndcg_at

_UNIT, _OPEN = (0.0, 1.0), (0.0, np.inf)


def _higher(name: str, takes: Kind, prepare: Callable[..., Weighted], low: float = 0.0) -> Metric:
    return Metric(name=name, takes=takes, higher_is_better=True, range=(low, 1.0), prepare=prepare)


def _lower(name: str, takes: Kind, prepare: Callable[..., Weighted], high: float = np.inf) -> Metric:
    return Metric(name=name, takes=takes, higher_is_better=False, range=(0.0, high), prepare=prepare)


METRICS: dict[str, Metric] = {
    "accuracy": _higher("accuracy", "labels", labels.accuracy),
    "balanced_accuracy": _higher("balanced accuracy", "labels", labels.balanced_accuracy),
    "f1": _higher("F1", "labels", labels.f1),
    "f1_macro": _higher("macro F1", "labels", labels.f1_macro),
    "f1_micro": _higher("micro F1", "labels", labels.accuracy),  # the same number with one label a row
    "mcc": _higher("MCC", "labels", labels.mcc, low=-1.0),
    "auroc": replace(_higher("AUROC", "scores", ranking.auroc), bounds=ranking.auroc_bounds),
    "average_precision": replace(
        _higher("average precision", "scores", ranking.average_precision),
        bounds=ranking.average_precision_bounds,
    ),
    "ndcg": ndcg_at(None),
    "log_loss": _lower("log loss", "probabilities", probabilities.log_loss),
    "brier": _lower("Brier score", "probabilities", probabilities.brier, high=2.0),
    "ece": replace(_lower("ECE", "probabilities", probabilities.ece, high=1.0), biased=True),
    "rmse": _lower("RMSE", "numbers", numbers.rmse),
    "mae": _lower("MAE", "numbers", numbers.mae),
    "r2": _higher("R²", "numbers", numbers.r2, low=-np.inf),
    "bleu": additive("BLEU", 10, bleu),
    "rouge": additive("ROUGE", 3, rouge),
}
ALIASES: dict[str, str] = {
    "acc": "accuracy",
    "bacc": "balanced_accuracy",
    "binary_f1": "f1",
    "f1_binary": "f1",
    "macro_f1": "f1_macro",
    "micro_f1": "f1_micro",
    "matthews": "mcc",
    "matthews_corrcoef": "mcc",
    "auc": "auroc",
    "roc_auc": "auroc",
    "rocauc": "auroc",
    "ap": "average_precision",
    "aucpr": "average_precision",
    "auprc": "average_precision",
    "pr_auc": "average_precision",
    "logloss": "log_loss",
    "cross_entropy": "log_loss",
    "brier_score": "brier",
    "expected_calibration_error": "ece",
    "root_mean_squared_error": "rmse",
    "mean_absolute_error": "mae",
    "r_squared": "r2",
    "r2_score": "r2",
}


def metric_for(metric: str | Metric | Callable[[Any, Any, Any], float]) -> Metric:
    """A metric by its name, or from a function (y, prediction, weights) -> float, of which more is better.

    >>> metric_for("roc-auc").name, metric_for("NDCG@10").name
    ('AUROC', 'NDCG@10')
    """
    if isinstance(metric, Metric):
        return metric
    if not isinstance(metric, str):
        if not callable(metric):
            raise OptionError(
                f"the metric is {short(metric)}",
                hint="Give a name, or a function (y, prediction, weights) -> float.",
            )
        return custom(metric)
    name = re.sub(r"[\s-]+", "_", metric.strip().lower())
    places = re.fullmatch(r"ndcg@(\d+)", name)
    if places:
        return ndcg_at(int(places[1]))
    name = ALIASES.get(name, name)
    if name not in METRICS:
        raise OptionError(
            f'there is no metric "{short(metric)}"', hint=did_you_mean(name, [*METRICS, *ALIASES])
        )
    return METRICS[name]
