"""Counts of right and wrong answers against the answers themselves."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.outcomes import Outcomes
from ropewalk.sums import as_sums


def test_as_the_answers_themselves() -> None:
    found = Outcomes(n00=10, n01=4, n10=6, n11=80)
    a = np.repeat([0, 0, 1, 1], [10, 4, 6, 80])
    b = np.repeat([0, 1, 0, 1], [10, 4, 6, 80])
    assert (found.n, found.mean_a, found.mean_b) == (100, a.mean(), b.mean())
    assert found.advantage == pytest.approx((a - b).mean())
    assert [int(np.sum(a - b == v)) for v in found.values] == found.counts.tolist()
    direct = as_sums((a - b).astype(float))
    assert (found.sums.n, found.sums.mean) == (100, pytest.approx(direct.mean))
    assert found.sums.m2 == pytest.approx(direct.m2)


def test_the_mirror_image_changes_sides() -> None:
    found = Outcomes(n00=10, n01=4, n10=6, n11=80)
    assert found.mirrored.advantage == -found.advantage
    assert found.mirrored.mirrored == found


def test_models_that_always_agree_have_no_spread() -> None:
    assert Outcomes(n00=3, n01=0, n10=0, n11=7).sums.m2 == 0
