"""The ROPE of the nonparametric tests."""

from __future__ import annotations

from typing import Any

import pytest

from ropewalk.bayes.edges import edges
from ropewalk.errors import OptionError


@pytest.mark.parametrize(
    ("rope", "pair"),
    [(0.01, (-0.01, 0.01)), (0, (0.0, 0.0)), ((-0.02, 0.01), (-0.02, 0.01)), ([0.1, 0.2], (0.1, 0.2))],
)
def test_a_half_width_or_a_pair(rope: Any, pair: tuple[float, float]) -> None:
    assert edges(rope) == pair


@pytest.mark.parametrize("rope", [-0.01, float("nan"), (0.2, 0.1), (0.1,), (0.0, float("inf")), (1, 2, 3)])
def test_what_is_no_rope(rope: Any) -> None:
    with pytest.raises(OptionError, match="the ROPE is"):
        edges(rope)
