"""How often the whole gate is wrong, in simulation; docs/gate.md has the figures."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from ropewalk.gate import Decision, Policy, judge

N, MARGIN = 400, 0.02


def gates(tasks: int, lost: float, won: float, times: int, sd: float = 0.0) -> list[Decision]:
    """Right and wrong answers of `tasks` tasks, whose share of losses varies with that sd."""
    rng = np.random.default_rng([tasks, round(1000 * lost)])
    found = []
    for _ in range(times):
        baseline, candidate = {}, {}
        for t, more in enumerate(rng.normal(0.0, sd, tasks) if sd else np.zeros(tasks)):
            i, j, _ = rng.multinomial(N, [lost + more, won, 1 - lost - more - won])
            x, y = np.ones(N), np.ones(N)
            y[:i], x[i : i + j] = 0, 0
            baseline[f"t{t}"], candidate[f"t{t}"] = x, y
        found.append(judge(baseline, candidate, Policy(margin=MARGIN)))
    return found


def at_most(rate: float, times: int) -> float:
    """Three and a half Monte Carlo standard errors above a rate."""
    return float(rate + 3.5 * np.sqrt(rate * (1 - rate) / times))


@pytest.mark.parametrize(("tasks", "times"), [(1, 400), (3, 300), (5, 120), (20, 120)])
def test_worse_by_exactly_the_margin(tasks: int, times: int) -> None:
    # Oracle: a pass has at most the chance 0.05; a fail of the mean at most 0.05, of any task at most 0.05.
    found = gates(tasks, 0.06, 0.04, times)
    assert np.mean([d.name == "pass" for d in found]) <= at_most(0.05, times)
    assert np.mean([d.overall is not None and d.overall.name == "worse" for d in found]) <= at_most(
        0.05, times
    )
    assert np.mean([any(r.name == "worse" for r in d.tasks) for d in found]) <= at_most(0.05, times)


def test_the_mean_of_tasks_that_differ_is_worse_by_exactly_the_margin() -> None:
    # Oracle: 0.05. With tasks weighed by their precision it was 0.10: those with more losses weighed less.
    found = gates(20, 0.06, 0.04, 150, sd=0.01)
    for name in ("not worse", "worse"):
        assert np.mean([d.overall is not None and d.overall.name == name for d in found]) <= at_most(
            0.05, 150
        )


@pytest.mark.parametrize(("tasks", "times"), [(1, 200), (20, 60)])
def test_truly_worse_and_not_worse_at_all(tasks: int, times: int) -> None:
    # Oracle: normal power. One task at d = -0.08: sd = sqrt(0.12/400) = 0.017, (0.08 - 0.02)/sd = 3.5, so a
    # fail (1.645) has the chance 0.96. Equal models on twenty tasks: the mean lies 5 sd above -margin.
    assert np.mean([d.name == "fail" for d in gates(tasks, 0.10, 0.02, times)]) > 0.9
    equal = gates(tasks, 0.01, 0.01, times)
    assert not any(d.name == "fail" for d in equal) or tasks == 1
    assert np.mean([d.name == "fail" for d in equal]) <= at_most(0.01, times)
    if tasks == 20:
        assert np.mean([d.name == "pass" for d in equal]) > 0.95


@pytest.mark.parametrize(
    "shape", ["graded, nearly all alike", "five grades", "graded, differences everywhere"]
)
@pytest.mark.parametrize(("tasks", "times"), [(1, 200), (3, 100)])
def test_graded_scores_through_the_whole_gate(shape: str, tasks: int, times: int) -> None:
    # calibration/gate_rates.py has every cell by the claims alone; here the whole gate, with a few of them.
    sys.path.insert(0, str(Path(__file__).parents[2] / "calibration"))
    draw = import_module("gate_rates").BOUNDED[shape]
    for n in (5, 50, 200):
        rng = np.random.default_rng([n, tasks])
        passed = 0
        for _ in range(times):
            each = [draw(rng, n, MARGIN) for _ in range(tasks)]
            sides = [{f"t{i}": pair[k] for i, pair in enumerate(each)} for k in (0, 1)]
            passed += judge(*sides, Policy(margin=MARGIN), higher_is_better=True).name == "pass"
        assert passed / times <= at_most(0.05, times)
