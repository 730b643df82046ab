"""Metrics of retrieval against ranx, and by hand."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from ropewalk.metrics import metric_for
from tests.metrics.references import FIGURES, MADE


@pytest.mark.parametrize("name", [n for n in FIGURES if "@" in n or n in ("mrr", "map")])
def test_as_ranx(name: str) -> None:
    query, relevant, score = MADE.ranked_lists()
    assert metric_for(name).value(relevant, score, groups=query) == pytest.approx(FIGURES[name], abs=1e-12)


@pytest.mark.parametrize("name", ["hit@2", "recall@2", "precision@2", "mrr@3", "map@3", "mrr", "map"])
def test_tied_documents_share_their_places(name: str) -> None:
    """The mean over every order of the tied documents."""
    relevant, score = np.array([0, 1, 0, 1, 0, 0]), np.array([3, 2, 2, 2, 2, 1.0])
    queries = np.zeros(6, dtype=int)
    orders = [
        metric_for(name).value(relevant, [3, *(2 + np.array(p) / 10), 1.0], groups=queries)
        for p in permutations(range(4))
    ]
    assert metric_for(name).value(relevant, score, groups=queries) == pytest.approx(np.mean(orders))


def test_queries_are_weighted_and_those_without_relevant_documents_count_0() -> None:
    y, score, query = [1, 0, 0, 0, 0, 1], [2, 1, 2, 1, 2, 1], ["a", "a", "b", "b", "c", "c"]
    assert metric_for("mrr").value(y, score, groups=query) == pytest.approx((1 + 0 + 0.5) / 3)
    weighted = metric_for("mrr").value(y, score, groups=query, weights=[1, 1, 1, 1, 4, 4])
    assert weighted == pytest.approx((1 + 0 + 4 * 0.5) / 6)
