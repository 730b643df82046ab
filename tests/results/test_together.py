"""What can be claimed of all pairs together."""

from __future__ import annotations

import numpy as np

import ropewalk as rw
from ropewalk.results import Together


def test_what_holds_for_all_pairs_together() -> None:
    """Holm 1979: of m p-values in order, the k-th is held while (m - k + 1) p <= rate."""
    rng = np.random.default_rng(0)
    base = rng.normal(size=200)
    report = rw.compare({f"m{i}": base + 0.1 * i + 0.5 * rng.normal(size=200) for i in range(4)}, rope=0.05)
    p = sorted(c.classical[0].p_value for c in report.answers)
    held = next((k for k, q in enumerate(p) if (len(p) - k) * q > 0.05), len(p))
    found = report.together
    assert (found.tests, found.held) == (6, held)
    assert 0 < found.settled <= 6
    assert found.rate == 0.05


def test_without_a_leaderboard_the_errors_are_those_of_the_verdicts() -> None:
    """By hand: of one verdict with an error below 5% one can be claimed, and of no verdict none."""
    sure = rw.compare({"A": [1] * 60 + [0] * 40, "B": [0] * 60 + [0] * 40}).answers
    assert Together.of(sure, None) == Together(settled=1, pooled=False, tests=1, held=1)
    assert Together.of([], None) == Together(settled=0, pooled=False, tests=0, held=0)
