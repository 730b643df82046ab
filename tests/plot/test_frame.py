"""The numbers on an axis."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.plot.frame import round_numbers, tick_labels


@pytest.mark.parametrize(("low", "high"), [(-0.013, 0.031), (0.3, 0.57), (-3e-8, 9e-8), (-2e8, 9e8), (0, 1)])
@pytest.mark.parametrize("most", [2, 4, 7])
def test_round_numbers_lie_inside_and_their_labels_say_them(low, high, most):
    at = round_numbers(low, high, most)
    assert 1 <= at.size <= most + 1
    assert at.min() >= low
    assert at.max() <= high
    labels = tick_labels(at, signed=True)
    assert len(set(labels)) == at.size
    said = [float(label.replace("−", "-").replace(",", "")) for label in labels]
    assert said == pytest.approx(list(at), rel=1e-9)


def test_labels_have_the_same_decimals():
    assert tick_labels(np.array([-5.0, -2.5, 0.0, 2.5]), signed=True) == ["−5.0", "−2.5", "0", "+2.5"]
    assert tick_labels(np.array([0.0, 10_000.0, 20_000.0]), signed=False) == ["0", "10,000", "20,000"]
    assert tick_labels(np.array([0.5]), signed=False) == ["0.5"]
