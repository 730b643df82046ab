"""A metric that was asked for: known or not, and with what it needs or without."""

from __future__ import annotations

import pytest

from ropewalk.analysis.asked_metric import cannot_compute, is_known
from ropewalk.errors import OptionError


@pytest.mark.parametrize(("metric", "known"), [("auroc", True), ("ndcg@7", True), ("zork", False)])
def test_a_metric_is_known_by_its_name(metric: str, known: bool) -> None:
    assert is_known(metric) is known
    problem = cannot_compute(None, metric, {})
    assert (problem is None) is known


def test_bleu_needs_its_columns() -> None:
    problem = cannot_compute(None, "bleu", {})
    assert isinstance(problem, OptionError)
    assert "their columns were not named" in str(problem)
    assert "ropewalk.metrics.bleu_statistics" in str(problem)
    assert cannot_compute(None, "bleu", {"statistics": ["a", "b"]}) is None
    assert cannot_compute(None, None, {}) is None
