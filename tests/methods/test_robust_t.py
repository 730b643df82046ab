"""The robust t-test as a method: an odd unit moves it little."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.decide import in_scores, probabilities


def test_it_is_the_posterior_of_the_centre() -> None:
    d = np.append(np.random.default_rng(0).normal(0.3, 1, 30), 60.0)
    (c,) = rw.compare({"A": d, "B": np.zeros(31)}, method="robust_t", rope=0.1).comparisons
    alone = probabilities(rw.bayes.robust_t(d), in_scores(-0.1, 0.1, "given"))
    assert c.verdict.better == pytest.approx(alone.better)
    assert abs(c.estimate.mean) < 1 < d.mean()
    assert c.was_asked
