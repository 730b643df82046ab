"""NDCG of one list and over queries."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.metrics import (
    ndcg_at,
)


def brute_ndcg(gain: np.ndarray, score: np.ndarray, k: int | None) -> float:
    """DCG place by place, the gains of tied documents replaced by their mean."""
    mean = np.array([gain[score == s].mean() for s in score])
    k = k or gain.size
    discount = 1 / np.log2(np.arange(2, gain.size + 2)) * (np.arange(gain.size) < k)
    return float(mean[np.argsort(-score)] @ discount / (np.sort(gain)[::-1] @ discount))


@pytest.mark.parametrize("k", [None, 1, 5, 40])
def test_ndcg_of_one_list(k: int | None) -> None:
    """Whole-number weights are copies of a document; scikit-learn agrees on the plain list."""
    rng = np.random.default_rng(8)
    gain, score = rng.integers(0, 4, 30).astype(float), np.round(rng.random(30), 1)
    metric = ndcg_at(k)
    assert metric.value(gain, score) == pytest.approx(brute_ndcg(gain, score, k), abs=1e-12)
    m = pytest.importorskip("sklearn.metrics")
    assert metric.value(gain, score) == pytest.approx(m.ndcg_score([gain], [score], k=k), abs=1e-12)
    copies = rng.multinomial(30, np.full(30, 1 / 30), size=5)
    ours = metric.prepare(gain, score)(copies.astype(float))
    again = [brute_ndcg(np.repeat(gain, c), np.repeat(score, c), k) for c in copies]
    np.testing.assert_allclose(ours, again, rtol=0, atol=1e-12)


def test_ndcg_over_queries() -> None:
    """The mean over queries, weighted by query; a query without relevant documents counts 0."""
    rng = np.random.default_rng(9)
    query = rng.integers(0, 6, 60)
    gain, score = np.where(query == 3, 0.0, rng.integers(0, 3, 60)), np.round(rng.random(60), 1)
    each = [brute_ndcg(gain[query == q], score[query == q], 3) if q != 3 else 0.0 for q in range(6)]
    names = np.array(list("abcdef"))[query]
    assert ndcg_at(3).value(gain, score, groups=names) == pytest.approx(np.mean(each), abs=1e-12)
    w = rng.standard_exponential(6)
    weighted = ndcg_at(3).value(gain, score, groups=names, weights=w[query])
    assert weighted == pytest.approx(np.average(each, weights=w), abs=1e-12)
