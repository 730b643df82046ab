from __future__ import annotations

import numpy as np
import pytest

from ropewalk.data import LOSSES, direction, losses
from ropewalk.data.arrays import strings
from ropewalk.errors import CellError


def test_the_registry_agrees_with_the_names_of_its_metrics() -> None:
    assert list(LOSSES) == ["zero_one", "cost", "log", "brier", "squared", "absolute"]
    for loss in LOSSES.values():
        assert direction(loss.metric) is loss.higher_is_better


def test_each_loss_by_hand() -> None:
    x, y = strings("xxy"), strings("xyy")
    assert losses.zero_one(x, y).tolist() == [1, 0, 1]
    assert losses.cost(x, y, {("x", "y"): 3.0}).tolist() == [0, 3, 0]
    truth, p = np.array([0, 1]), np.array([[0.5, 0.5], [0.75, 0.25]])
    np.testing.assert_allclose(losses.log(truth, p), [np.log(2), np.log(4)])
    np.testing.assert_allclose(losses.brier(truth, p), [0.5, 1.125])
    assert losses.squared(np.array([1.0, 2.0]), np.array([3.0, 2.0])).tolist() == [4, 0]
    assert losses.absolute(np.array([1.0, 2.0]), np.array([3.0, 2.0])).tolist() == [2, 0]


def test_infinite_log_loss_without_names() -> None:
    with pytest.raises(CellError, match=r'(?s)the model gives the true class .* on 1 of 2 .*unit "2"'):
        losses.log(np.array([0, 1]), np.array([[0.5, 0.5], [1.0, 0.0]]))
