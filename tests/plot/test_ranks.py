"""Probabilities of the ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from ropewalk import plot
from tests.plot.boards import NAN


def test_the_title_of_ranks(texts: Any) -> None:
    p = [[0.4, 0.6, 0], [0.6, 0, 0.4], [0, 0.4, 0.6]]
    found = texts(plot.ranks(["even", "often first", "last"], p))
    assert "often first ranks first with probability 0.60" in found
    rows = [text for text in found if text in ("even", "often first", "last")]
    assert rows == ["even", "often first", "last"]  # mean ranks 1.6, 1.8, 2.6
    assert "No model has ranks" in texts(plot.ranks(["a", "b"], np.full((2, 2), NAN)))
