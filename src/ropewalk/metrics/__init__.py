"""Metrics of a set of predictions, prepared once and computed under many weightings of the rows."""

from ropewalk.metrics.additive import additive, bleu_statistics, edit_statistics
from ropewalk.metrics.chrf import chrf_statistics
from ropewalk.metrics.metric import Kind, Metric, custom
from ropewalk.metrics.ndcg import ndcg_at
from ropewalk.metrics.registry import ALIASES, METRICS, all_metrics, metric_for

__all__ = [
    "ALIASES",
    "METRICS",
    "Kind",
    "Metric",
    "additive",
    "all_metrics",
    "bleu_statistics",
    "chrf_statistics",
    "custom",
    "edit_statistics",
    "metric_for",
    "ndcg_at",
]


def __dir__() -> list[str]:
    return sorted(__all__)
