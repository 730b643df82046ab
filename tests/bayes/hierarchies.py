"""What the tests of hierarchical models share."""

from __future__ import annotations

from ropewalk.posterior import Probabilities


def three(p: Probabilities) -> tuple[float, float, float]:
    return p.better, p.equivalent, p.worse
