"""How many more units decide: nothing where it is decided, and the plan's own number where it is not."""

from __future__ import annotations

import numpy as np

import ropewalk as rw
from ropewalk.methods.more_needed import CHANCE, more_needed


def comparison(shift: float, **options: object):
    rng = np.random.default_rng(2)
    a = rng.normal(5.0, 1.0, 50)
    b = a - shift - rng.normal(0, 0.3, 50)
    return rw.compare({"a": a, "b": b}, higher_is_better=True, rho=0, rope=0.05, **options).comparisons[0]


def test_a_decided_comparison_needs_nothing() -> None:
    assert more_needed(comparison(3.0)) is None


def test_a_loss_matrix_has_no_threshold_to_reach() -> None:
    assert more_needed(comparison(0.1, loss_matrix=[[0, 1, 2], [1, 0, 1], [2, 1, 0], [1, 1, 1]])) is None


def test_an_undecided_one_needs_more_of_its_units() -> None:
    c = comparison(0.1)
    assert c.verdict.name == "undecided"
    found = more_needed(c)
    assert (found.unit, found.chance) == ("example", CHANCE)
    assert found.units > 0
    assert 0.8 <= found.limit <= 1
    assert more_needed(c) is found  # text, page and JSON ask for the same
