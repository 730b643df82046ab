"""Looking after every batch: against the classical table of repeated significance tests."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.assurance import Edges, Normal, Rule
from ropewalk.assurance.looks import SequentialLooks, looks


def runs(edges: Edges, batches: int, draws: int, times: float = 0.0, size: int = 200) -> SequentialLooks:
    design = Normal(unit="example", sums=None, edges=edges, sd=1.0)
    truth = design.at_edge(times, draws)
    return looks(
        design, truth, design.region(truth), batches=batches, size=size, rng=np.random.default_rng(1)
    )


def test_repeated_looks_without_a_rope_are_repeated_significance_tests() -> None:
    # Oracle: Armitage, McPherson & Rowe 1969, table 2: with a two-sided level of 5 % at every look a true
    # null is rejected with the probabilities below. A flat prior and a ROPE of next to no width say better or
    # worse exactly there; the means of batches of 200 are normal.
    draws = 20_000
    tiny = Edges(low=-1e-9, high=1e-9)
    found = runs(tiny, 20, draws).stopped(Rule(threshold=0.975))
    printed = {1: 0.050, 2: 0.083, 3: 0.107, 4: 0.126, 5: 0.142, 10: 0.193, 20: 0.248}
    for k, p in printed.items():
        assert found.wrong_by_look[k - 1] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / draws))


def test_one_look_is_a_fixed_number_and_each_run_stops_once() -> None:
    found = runs(Edges(low=-0.05, high=0.05), 8, 4_000, times=1.0)
    rule = Rule()
    stopped = found.stopped(rule)
    assert stopped.verdicts.sum() == pytest.approx(1.0)
    names = np.stack([rule(p) for p in found.p])
    np.testing.assert_allclose(stopped.once, [np.mean(names[-1] == k) for k in range(4)])
    # Oracle: run by run, in plain Python.
    units = wrong = 0
    for run in names.T:
        first = next((i for i, name in enumerate(run) if name < 3), len(run) - 1)
        units += 200 * (first + 1)
        wrong += run[first] in (0, 2)
    assert stopped.units == pytest.approx(units / 4_000)
    assert stopped.wrong == pytest.approx(wrong / 4_000)
    assert stopped.wrong_by_look[-1] == pytest.approx(stopped.wrong)


def test_the_stricter_threshold_keeps_the_wrong_better_at_five_percent() -> None:
    found = runs(Edges(low=-0.05, high=0.05), 10, 4_000, times=1.0)
    keeping = found.keeping(0.05)
    assert 0.97 < keeping < 1
    at, below = (found.stopped(Rule(threshold=t)).verdicts[0] for t in (keeping, keeping - 0.002))
    assert at <= 0.05 < below
    # Oracle: Jennison & Turnbull 2000, table 2.1 (Pocock 1977): ten looks at a two-sided 10 % need
    # |z| > 2.270 at each, that is 0.9884 on one side; the other side hardly ever comes first.
    assert keeping == pytest.approx(0.9884, abs=0.0025)


def test_runs_that_never_decide_spend_everything() -> None:
    found = runs(Edges(low=-1e-6, high=1e-6), 3, 200, size=10).stopped(Rule(threshold=1.0))
    assert found.verdicts[3] == 1.0
    assert found.units == 30
    assert found.wrong == 0.0
