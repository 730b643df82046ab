"""Metrics of numbers against their formulas, and what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import CellError, MethodError
from ropewalk.metrics.numbers import mae, mape, pinball, r2, rmse

Y = np.array([1.0, 2.0, 4.0, 8.0])
P = np.array([1.5, 1.0, 4.0, 9.0])
W = np.array([[1.0, 2.0, 0.5, 0.0], [1.0, 1.0, 1.0, 1.0]])


def test_weighted_formulas() -> None:
    total = W.sum(axis=1)
    error = Y - P
    mean = (W @ Y) / total
    assert rmse(Y, P)(W) == pytest.approx(np.sqrt(W @ error**2 / total))
    assert mae(Y, P)(W) == pytest.approx(W @ np.abs(error) / total)
    assert mape(Y, P)(W) == pytest.approx(W @ np.abs(error / Y) / total)
    about = np.array([np.sum(w * (Y - m) ** 2) for w, m in zip(W, mean, strict=True)])
    assert r2(Y, P)(W) == pytest.approx(1 - W @ error**2 / about)
    loss = np.where(error >= 0, 0.9 * error, -0.1 * error)
    assert pinball(Y, P, 0.9)(W) == pytest.approx(W @ loss / total)
    assert pinball(Y, P)(W) == pytest.approx(mae(Y, P)(W) / 2)


def test_r2_is_not_defined_where_the_weighted_truth_does_not_vary() -> None:
    assert np.isnan(r2(Y, P)(np.array([[0.0, 3.0, 0.0, 0.0]]))).all()
    with pytest.raises(MethodError, match="the same number on every row"):
        r2(np.ones(4), P)


def test_what_cannot_be_divided_or_squared_is_named() -> None:
    with pytest.raises(CellError, match="the truth is 0 on 1 of 4 rows") as problem:
        mape([1, 0, 2, 3], P)
    assert "row 1" in str(problem.value)
    with pytest.raises(CellError, match="its square overflows"):
        rmse([1e200, 1], [1, 1])
