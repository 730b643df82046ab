"""The verdict at other thresholds follows from the three probabilities alone."""

from __future__ import annotations

import pytest

from ropewalk.decide.sensitivity import THRESHOLDS, at_thresholds, decided_up_to
from ropewalk.posterior import Probabilities


@pytest.mark.parametrize(
    ("p", "verdicts", "highest"),
    [
        ((0.93, 0.07, 0.0), ["better", "better", "undecided", "undecided"], 0.93),
        ((0.0, 0.0, 1.0), ["worse"] * 4, 1.0),
        ((0.05, 0.85, 0.1), ["equivalent", "undecided", "undecided", "undecided"], 0.85),
        ((0.5, 0.5, 0.0), ["undecided"] * 4, None),
    ],
)
def test_at_every_threshold(
    p: tuple[float, float, float], verdicts: list[str], highest: float | None
) -> None:
    found = Probabilities(better=p[0], equivalent=p[1], worse=p[2])
    rows = at_thresholds(found)
    assert [r.threshold for r in rows] == list(THRESHOLDS)
    assert [r.verdict for r in rows] == verdicts
    assert decided_up_to(found) == highest
