"""Metrics of a set of predictions, prepared once and computed under many weightings of the rows."""

from ropewalk.metrics.additive import additive, bleu_statistics
from ropewalk.metrics.metric import Kind, Metric, custom
from ropewalk.metrics.ndcg import ndcg_at
from ropewalk.metrics.registry import ALIASES, METRICS, metric_for

__all__ = [
    "ALIASES",
    "METRICS",
    "Kind",
    "Metric",
    "additive",
    "bleu_statistics",
    "custom",
    "metric_for",
    "ndcg_at",
]
