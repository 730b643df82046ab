"""The spread of plausible differences: points of a bounded metric, shares of the spread of others."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.methods.plausible import Plausible, plausible

RNG_SCORES = np.random.default_rng(0).uniform(0.4, 0.9, (60, 2))


def comparison(scale: float, **options: object):
    a, b = (scale * RNG_SCORES).T
    options = {"higher_is_better": True, "rho": 0} | options
    return rw.compare({"a": a, "b": b}, **options).comparisons[0]


def test_right_and_wrong_answers_have_points() -> None:
    a, b = (RNG_SCORES > 0.6).astype(int).T
    assert plausible(rw.compare({"a": a, "b": b}).comparisons[0]) == Plausible.in_points(0.01)
    assert Plausible.in_points(0.01).sd == pytest.approx(0.015)


def test_scores_without_a_name_have_a_twentieth_of_their_spread() -> None:
    c = comparison(7.0)
    d = 7 * (RNG_SCORES[:, 0] - RNG_SCORES[:, 1])
    found = plausible(c)
    assert found.sd == pytest.approx(0.05 * np.std(d, ddof=1))
    assert "a twentieth" in found.source


def test_what_the_user_gave_says_so() -> None:
    assert Plausible.given(0.02) == Plausible(sd=0.02, source="set by you")
