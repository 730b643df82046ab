"""How numbers are written: what is not certain never looks certain."""

from __future__ import annotations

import pytest

from ropewalk.results import formatting


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.0, "0.00"), (0.004, "<0.01"), (0.005, "0.01"), (0.994, "0.99"), (0.9999, ">0.99"), (1.0, "1.00")],
)
def test_a_probability(p: float, said: str) -> None:
    assert formatting.probability(p) == said


def test_names_in_a_row_are_counted_from_the_fifth_on() -> None:
    assert formatting.listing(list("abcd"), "or") == "a, b, c or d"
    assert formatting.listing(list("abcdef"), "or") == "a, b, c, d or 2 more"


@pytest.mark.parametrize(("n", "said"), [(0, "0 folds"), (1, "1 fold"), (1200, "1,200 folds")])
def test_things_are_counted(n: int, said: str) -> None:
    assert formatting.counted(n, "fold") == said
