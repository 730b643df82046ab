"""The McNemar test as a method: on accuracies by default, on phi where that is asked for."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.decide import in_scores, probabilities
from ropewalk.methods import method_of
from ropewalk.outcomes import Outcomes


def answers() -> dict[str, np.ndarray]:
    k = np.repeat([0, 1, 2, 3], [60, 30, 52, 258])  # both wrong, only B right, only A right, both right
    return {"A": k // 2, "B": k % 2}


@pytest.mark.parametrize("asked", [{"scale": "phi"}, {"rope": "0.1sd"}, {"rope": "0.1sd", "scale": "phi"}])
def test_on_phi(asked: dict[str, Any]) -> None:
    """Williams 2026: phi ~ Beta(1 + n01, 1 + n10), and a ROPE of a tenth of sqrt(phi (1 - phi)) each way."""
    (c,) = rw.compare(answers(), **asked).comparisons
    phi = rw.bayes.mcnemar(30, 52)
    half = 0.1 * np.sqrt(phi.mean * (1 - phi.mean))
    assert (c.method, c.rope.scale, c.estimate.kind) == ("mcnemar", "phi", "phi")
    assert (c.rope.low, c.rope.high) == pytest.approx((0.5 - half, 0.5 + half))
    assert c.verdict.better == pytest.approx(float(phi.cdf(0.5 - half)))


@pytest.mark.parametrize(("rope", "half"), [("auto", 0.01), (0.02, 0.02)])
def test_on_accuracies(rope: str | float, half: float) -> None:
    (c,) = rw.compare(answers(), rope=rope).comparisons
    exact = rw.bayes.accuracy_difference(60, 30, 52, 258)
    assert c.verdict.probabilities == probabilities(exact, in_scores(-half, half, "given"))
    assert c.evidence == Outcomes(n00=60, n01=30, n10=52, n11=258)
    assert method_of(c).describe(c).sources == ("lacoste2012",)
