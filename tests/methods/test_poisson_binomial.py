"""The Poisson-binomial test as a method: how tasks enter it, without a ROPE and without a plan."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.methods import method_of


def test_tasks_enter_by_how_probably_a_is_better() -> None:
    """Oracle: `bayes.poisson_binomial` on the probabilities of the t posteriors of the tasks."""
    rng = np.random.default_rng(0)
    rows, each = [], []
    for t in range(6):
        d = rng.normal(0.3, 1, 20)
        each.append(float(rw.bayes.t(d).sf(0.0)))
        rows += [(m, f"t{t}", i, x) for m, xs in (("A", d), ("B", np.zeros(20))) for i, x in enumerate(xs)]
    frame = pd.DataFrame(rows, columns=["model", "task", "id", "score"])
    (c,) = rw.compare(frame, method="poisson_binomial").overall
    assert c.verdict.better == pytest.approx(rw.bayes.poisson_binomial(each), abs=1e-9)
    assert not c.rope.is_used
    assert method_of(c).directions(c).designs == ()
    assert "hdi" not in rw.plot.kinds(c)
