"""Cross-products against NumPy's covariance, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from ropewalk.bayes.cross_sums import CrossSums, as_cross_sums, distinct
from ropewalk.errors import CellError, DataError

tables = arrays(np.float64, st.tuples(st.integers(2, 12), st.just(3)), elements=st.floats(-5, 5))


@given(z=tables, cut=st.integers(1, 11))
@settings(max_examples=50)
def test_parts_add_up_to_the_whole(z: np.ndarray, cut: int) -> None:
    whole = CrossSums.of(z)
    assert whole.mean == pytest.approx(z.mean(axis=0))
    assert whole.m2 == pytest.approx(np.cov(z.T) * (len(z) - 1), abs=1e-9)
    if cut < len(z):
        both = CrossSums.of(z[:cut]) + CrossSums.of(z[cut:])
        assert both.n == len(z)
        assert both.mean == pytest.approx(whole.mean, abs=1e-12)
        assert both.m2 == pytest.approx(whole.m2, abs=1e-9)


def test_a_billion_apart_keeps_its_digits() -> None:
    z = np.random.default_rng(0).normal(size=(1000, 3))
    assert CrossSums.of(z + 1e9).m2 == pytest.approx(CrossSums.of(z).m2, rel=1e-5, abs=1e-3)


def test_rounding_is_no_spread() -> None:
    z = [[0.9 - 0.8, 1.0], [0.8 - 0.7, 2.0], [0.1, 4.0]]
    assert CrossSums.of(z).m2[0].tolist() == [0.0, 0.0]


def test_identical_models_are_found_in_all_tables_together() -> None:
    z = np.random.default_rng(0).normal([0.3, 0.1, 0.2], 0.01, size=(9, 3))[:, [0, 1, 0, 2]]
    order, place = distinct([CrossSums.of(z)])
    assert order.tolist() == [1, 3, 0]  # lowest mean first
    assert place.tolist() == [2, 0, 2, 1]
    other = z.copy()
    other[0, 2] += 0.001
    assert distinct([CrossSums.of(z), CrossSums.of(other)])[0].size == 4
    shifted = CrossSums.of(z + np.array([0.0, 0.0, 0.01, 0.0]))  # the same but for a constant: another model
    assert distinct([shifted])[0].size == 4


def test_a_model_that_was_not_run_has_no_mean() -> None:
    sums = CrossSums.of([[1.0, np.nan, 2.0], [2.0, np.nan, 4.0]], missing=True)
    assert sums.present.tolist() == [True, False, True]
    assert sums.m2[np.ix_([0, 2], [0, 2])] == pytest.approx(np.array([[0.5, 1.0], [1.0, 2.0]]))
    with pytest.raises(CellError, match=r"2 of 6 cells are NaN or infinite"):
        CrossSums.of([[1.0, np.nan, 2.0], [2.0, np.nan, 4.0]])
    with pytest.raises(CellError, match=r"(?s)1 of 6 cells .* is a whole column of NaN"):
        CrossSums.of([[1.0, np.nan, 2.0], [2.0, 3.0, 4.0]], missing=True)


def test_sums_that_cannot_be() -> None:
    good = CrossSums.of([[1.0, 2.0], [2.0, 4.0]])
    with pytest.raises(DataError, match=r"means of shape \(2,\) and cross-products of shape \(1, 2\)"):
        as_cross_sums(CrossSums(n=2, mean=good.mean, m2=good.m2[:1]))
    with pytest.raises(CellError, match="not those of finite numbers"):
        as_cross_sums(CrossSums(n=2, mean=good.mean, m2=-good.m2))
    with pytest.raises(CellError, match="not those of finite numbers"):
        as_cross_sums(CrossSums(n=2, mean=np.array([np.inf, 0.0]), m2=good.m2))
    with pytest.raises(CellError, match="no mean for 1 of 2 models"):
        as_cross_sums(CrossSums(n=2, mean=np.array([np.nan, 0.0]), m2=good.m2))


def test_a_model_without_a_mean() -> None:
    sums = CrossSums(n=3, mean=np.array([0.1, np.nan]), m2=np.eye(2))
    with pytest.raises(CellError, match="the table has no mean for 1 of 2 models"):
        as_cross_sums(sums)


def test_a_huge_score_beside_a_model_that_was_not_run() -> None:
    with pytest.raises(CellError, match=r"a score is 1e\+200, and its square overflows"):
        CrossSums.of([[1e200, np.nan], [0.1, np.nan]], missing=True)


def test_rounding_does_not_order_models_that_tie() -> None:
    """Both means are -0.00625; scaled, their last digits differ, and a seed must give the same draws."""
    z = np.array([[-0.816, 0.0], [-1.042, -0.005], [1.813, 0.0], [0.02, -0.02]])
    orders = {tuple(distinct([CrossSums.of(scale * z)])[0]) for scale in (1.0, 1e-3, 0.25, 3.0, 1e3)}
    assert len(orders) == 1
