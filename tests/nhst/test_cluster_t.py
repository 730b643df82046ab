"""The cluster-robust t test."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import stdtr

from ropewalk.errors import DataError, MethodError
from ropewalk.nhst import cluster_t, paired_t


def test_sandwich_in_matrices():
    # Oracle: the general CR1 formula of regression, G/(G-1)·(n-1)/(n-k)·(X'X)^-1 (Σ X_g'e_g e_g'X_g)
    # (X'X)^-1, with X a column of ones, written out cluster by cluster.
    rng = np.random.default_rng(0)
    clusters = rng.integers(0, 9, 60)
    d = rng.normal(0.2, 1, 60) + rng.normal(0, 1, 9)[clusters]
    x = np.ones((60, 1))
    bread = np.linalg.inv(x.T @ x)
    e = d - x @ (bread @ x.T @ d)
    names = np.unique(clusters)
    meat = sum(
        x[clusters == g].T @ np.outer(e[clusters == g], e[clusters == g]) @ x[clusters == g] for g in names
    )
    g = names.size
    variance = g / (g - 1) * (60 - 1) / (60 - 1) * (bread @ meat @ bread)[0, 0]
    result = cluster_t(d, clusters)
    assert result.name == "cluster-robust t"
    assert result.standard_error == pytest.approx(np.sqrt(variance))
    assert result.statistic == pytest.approx(d.mean() / np.sqrt(variance))
    assert result.df == g - 1
    assert result.p_value == pytest.approx(2 * stdtr(g - 1, -abs(result.statistic)))


def test_clusters_of_one_and_of_equal_size():
    d = np.random.default_rng(1).normal(0.3, 1, 12)
    one = cluster_t(d, np.arange(12))
    assert one.p_value == pytest.approx(paired_t(d).p_value)
    equal = cluster_t(d, np.repeat(list("pqrs"), 3))
    assert equal.statistic == pytest.approx(paired_t(d.reshape(4, 3).mean(axis=1)).statistic)
    assert equal.confidence_interval()[0] < equal.mean < equal.confidence_interval()[1]


def test_zero_mean_and_no_variation():
    assert cluster_t([0.0, 0.0, 0.0], ["p", "p", "q"]).p_value == 1.0
    with pytest.raises(MethodError, match=r"all 2 clusters have the mean 0\.25: they do not vary"):
        cluster_t([0.2, 0.3, 0.25], ["p", "p", "q"])
    with pytest.raises(DataError, match="all 2 units are in one cluster"):
        cluster_t([0.2, 0.3], ["p", "p"])


def test_from_sums() -> None:
    from ropewalk.grouped import ClusterSums

    d, names = [0.1, 0.2, 0.2, 0.4, 0.0, 0.1], ["p", "p", "q", "q", "r", "r"]
    assert cluster_t(ClusterSums.of(d, names), None) == cluster_t(d, names)
    with pytest.raises(DataError, match="no clusters were given"):
        cluster_t(d, None)
    with pytest.raises(DataError, match="all 2 units are in one cluster"):
        cluster_t(ClusterSums.of([0.1, 0.2], ["p", "p"], at_least=1), None)
