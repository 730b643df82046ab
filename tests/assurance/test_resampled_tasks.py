"""Further tasks of one number each."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.assurance.resampled_tasks import ResampledTasks
from ropewalk.posterior import Probabilities


def test_further_numbers_are_drawn_by_the_bayesian_bootstrap() -> None:
    # Oracle: the mean of m further values has mean d̄ and, given w, variance: E over w of Σw(d - d̄_w)²/m plus
    # the variance of d̄_w, which is s²/(q + 1) with s² = Σ(d - d̄)²/q (Rubin 1981).
    d = np.array([0.01, 0.03, -0.02, 0.05, 0.0, 0.02])
    seen = []

    def test(x: np.ndarray) -> Probabilities:
        seen.append(x[d.size :].mean())
        return Probabilities(better=1.0, equivalent=0.0, worse=0.0)

    ResampledTasks(values=d, test=test).future(40, 3_000, np.random.default_rng(0))
    s2 = d.var()
    expected = s2 / (d.size + 1) + s2 * (1 - 1 / (d.size + 1)) / 40
    assert np.mean(seen) == pytest.approx(d.mean(), abs=4 * np.sqrt(expected / 3_000))
    assert np.var(seen) == pytest.approx(expected, rel=0.15)
