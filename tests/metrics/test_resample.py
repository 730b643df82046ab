"""Weights of units: their sums, their moments, and the metric under them."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import DataError, MethodError, OptionError
from ropewalk.metrics.resample import PairedMetric

Y = np.array([0, 0, 1, 1, 1])
A = np.array([0, 1, 1, 1, 1])
B = np.array([0, 0, 1, 0, 0])


def pair(clusters: object = None, counts: object = None, metric: str = "accuracy") -> PairedMetric:
    return PairedMetric.of(metric, Y, {"A": A, "B": B}, clusters, counts)


def test_units_are_rows_clusters_or_rows_that_are_alike() -> None:
    assert (pair().units, pair().value_a, pair().value_b) == (5, 0.8, 0.6)
    assert pair(clusters=["x", "x", "y", "z", "z"]).units == 3
    counted = pair(counts=[1, 2, 3, 4, 5])
    assert counted.units == 15
    assert counted.value_a == pytest.approx(13 / 15)


def test_a_clusters_weight_goes_to_its_rows() -> None:
    found = pair(clusters=["x", "x", "y", "z", "z"])
    assert found.by_row(np.array([[1.0, 2.0, 3.0]])).tolist() == [[1, 1, 2, 3, 3]]
    # Weights 1 1 2 3 3: A is right on 1 + 0 + 2 + 3 + 3, B on 1 + 1 + 2.
    assert found.under(np.array([[1.0, 2.0, 3.0]])) == pytest.approx(np.array([[0.9, 0.4]]))
    assert found.advantage(np.array([[1.0, 2.0, 3.0]])) == pytest.approx([0.5])


def test_where_lower_is_better_the_advantage_turns() -> None:
    found = PairedMetric.of("mae", [0.0, 0.0], {"A": [1.0, 1.0], "B": [3.0, 3.0]}, None)
    assert found.advantage(found.once()) == pytest.approx([2.0])


@pytest.mark.parametrize("counts", [None, [1, 2, 3, 4, 5]])
def test_weights_have_mean_one_a_unit_and_the_variance_of_their_law(counts: object) -> None:
    """Of c units that are alike: n Dirichlet has c (n - c)/(n + 1), a multinomial c (1 - c/n)."""
    found = pair(counts=counts)
    n, c = found.units, np.ones(5) if counts is None else np.array(counts, dtype=float)
    rng = np.random.default_rng(0)
    for weights, variance in (
        (found.dirichlet(rng, 20_000), c * (n - c) / (n + 1)),
        (found.multinomial(rng, 20_000), c * (1 - c / n)),
    ):
        assert weights.sum(axis=1) == pytest.approx(np.full(20_000, n))
        assert weights.mean(axis=0) == pytest.approx(c, abs=5 * np.sqrt(variance.max() / 20_000))
        assert weights.var(axis=0) == pytest.approx(variance, rel=0.1)


def test_batches_have_the_length_asked_for_and_their_own_seeds() -> None:
    found = pair()
    draws = found.in_batches(lambda g, k: found.dirichlet(g, k), draws=50_001, rng=3)
    assert draws.shape == (50_001, 5)
    assert len(np.unique(draws[:, 0])) == 50_001
    again = found.in_batches(lambda g, k: found.dirichlet(g, k), draws=50_001, rng=3)
    assert np.array_equal(draws, again)
    with pytest.raises(OptionError, match="draws is 0"):
        found.in_batches(lambda g, k: found.dirichlet(g, k), draws=0, rng=3)


def test_one_unit_and_an_undefined_metric_are_refused() -> None:
    with pytest.raises(DataError, match="there is 1 cluster"):
        pair(clusters=["x"] * 5)
    with pytest.raises(MethodError, match="not defined on these data: A has nan"):
        PairedMetric.of(lambda y, p, w: np.nan, Y, {"A": A, "B": B}, None)
