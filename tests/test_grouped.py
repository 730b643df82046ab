"""Sums of squares by group."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import CellError, DataError, PairingError
from ropewalk.grouped import ClusterSums, CrossedSums, codes, same_examples


def test_crossed_sums_by_least_squares() -> None:
    # Oracle: sums of squares as drops in the residual of regressions on dummy variables.
    d = np.random.default_rng(0).normal(size=(4, 6))
    seed, example = np.repeat(np.eye(4), 6, axis=0), np.tile(np.eye(6), (4, 1))

    def left(*columns: np.ndarray) -> float:
        x = np.column_stack(columns)
        return float(np.sum((d.ravel() - x @ np.linalg.lstsq(x, d.ravel(), rcond=None)[0]) ** 2))

    one = np.ones((24, 1))
    sums = CrossedSums.of(d)
    assert sums.seed == pytest.approx(left(one) - left(one, seed))
    assert sums.example == pytest.approx(left(one, seed) - left(one, seed, example))
    assert sums.residual == pytest.approx(left(one, seed, example))
    assert sums.df == (3, 5, 15)


def test_crossed_sums_keep_their_digits_and_know_rounding() -> None:
    d = np.random.default_rng(1).integers(0, 9, (3, 5)).astype(float)
    near, far = CrossedSums.of(d), CrossedSums.of(d + 1e9)
    assert (far.seed, far.example, far.residual) == pytest.approx((near.seed, near.example, near.residual))
    additive = CrossedSums.of(np.array([[0.1], [0.7]]) + np.array([0.3, 0.4, 0.9]))
    assert additive.residual == 0.0
    assert additive.seed > 0


def test_cluster_sums_by_hand() -> None:
    sums = ClusterSums.of([1.0, 2.0, 6.0, 4.0], [7, 7, 3, 7])
    assert sums.sizes.tolist() == [1, 3]  # in the order of their names
    assert sums.means == pytest.approx([6.0, 7 / 3])
    assert sums.within == pytest.approx(14 / 3)
    assert (sums.n, sums.mean) == (4, pytest.approx(3.25))


def test_cluster_names_of_any_kind() -> None:
    for names in (["a", "b", "a"], [1, 2, 1], [1.5, 2.5, 1.5], np.array(["x", 3, "x"], dtype=object)):
        assert codes(names, 3).tolist() in ([0, 1, 0], [1, 0, 1])


def test_errors() -> None:
    with pytest.raises(PairingError, match="there are 3 differences and 2 clusters"):
        codes([1, 2], 3)
    with pytest.raises(CellError, match="1 of 3 units have no cluster\n\n  position 1"):
        codes(["a", None, "b"], 3)
    with pytest.raises(CellError, match="1 of 3 units have no cluster\n\n  position 2"):
        codes([1.0, 2.0, np.nan], 3)
    with pytest.raises(DataError, match="all 3 units are in one cluster"):
        codes(["a"] * 3, 3)


def test_two_models_whose_seeds_are_not_paired_have_the_same_examples() -> None:
    x, y = same_examples([[1, 0], [0, 1]], [[1, 1]])
    assert (x.shape, y.shape) == ((2, 2), (1, 2))
    with pytest.raises(PairingError, match="A was scored on 2 examples and B on 3"):
        same_examples([[1, 0]], [[1, 1, 0]])
    with pytest.raises(DataError, match="sums of A cannot be combined with scores of B"):
        same_examples(CrossedSums.of([[1, 0], [0, 1]]), [[1, 1]])
