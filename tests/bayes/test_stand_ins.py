"""A few that stand for many tasks: the same likelihood, the same shrinkage, and none where that is not so."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ropewalk.bayes import stand_ins, student_surface
from ropewalk.bayes.hierarchical_t import hierarchical_t
from ropewalk.bayes.stand_ins import StandIns, fewer
from ropewalk.bayes.student_hierarchy import Likelihood, Nodes, Tasks
from ropewalk.sums import Sums


def many() -> Tasks:
    rng = np.random.default_rng(3)
    loc, spread = rng.normal(0.1, 0.3, 4000), rng.chisquare(98, 4000) / 98
    return Tasks(loc=loc, scale=0.2 * np.sqrt(spread), df=np.where(np.arange(4000) % 2, 98.0, 28.0))


MANY = many()
ENDS = Nodes(mu=np.array([0.05, 0.15]), x=np.log([0.1, 0.4]), y=np.array([-2.0, 6.0]))


def test_the_likelihood_is_that_of_the_tasks() -> None:
    # Oracle: every task by itself.
    few = fewer(MANY, ENDS)
    assert few.loc.size < 0.3 * MANY.loc.size
    assert few.times is not None
    assert few.times.sum() == pytest.approx(MANY.loc.size)
    nodes = Nodes(mu=np.linspace(0.06, 0.14, 4), x=np.log([0.15, 0.24, 0.38]), y=np.array([-1.0, 2.0, 5.0]))
    found, exact = (Likelihood(tasks, ENDS)(nodes) for tasks in (few, MANY))
    off = found - exact
    off -= off.flat[np.argmax(exact)]
    assert np.all(np.abs(off) < 1e-5 * (1 + exact.max() - exact))


def test_every_task_is_a_sum_over_its_stand_ins() -> None:
    found = StandIns.of(MANY)
    assert found is not None

    def function(t: Tasks) -> np.ndarray:
        return np.stack([np.cos(t.loc) * np.log(t.scale) + t.df, t.loc**2 / t.scale], axis=1)

    # Where the tasks that are looked at must agree to the last bit, all are computed.
    exact = found.each(MANY, function, close=0.0)
    assert np.array_equal(exact, function(MANY))
    close = found.each(MANY, function, close=1e-6)
    assert not np.array_equal(close, exact)
    assert close == pytest.approx(exact, abs=1e-6)


def test_few_tasks_and_unlike_ones_stand_for_themselves() -> None:
    assert StandIns.of(MANY[:900]) is None
    assert StandIns.of(replace(MANY, df=np.arange(4000.0) + 3)) is None
    assert StandIns.of(replace(MANY, loc=1000.0 * MANY.loc)) is None
    # A population that is far narrower than the tasks are apart: no polynomial follows the likelihood.
    apart = replace(MANY, loc=MANY.loc + np.where(np.arange(4000) % 4 < 2, 0.0, 9.0))
    assert fewer(apart, replace(ENDS, x=np.log([1e-4, 1e-3]), y=np.array([-9.0, -1.0]))) is apart


def test_cells_are_as_wide_as_their_tasks_are_vague() -> None:
    # One task is known a hundred times as well as the others, which need no narrower cells for that.
    some = MANY[np.tile(np.arange(MANY.loc.size), 10)]
    scale = np.where(np.arange(some.loc.size) == 7, 0.002, some.scale)
    found = StandIns.of(replace(some, scale=scale))
    assert found is not None
    assert found.tasks.loc.size < 0.15 * some.loc.size


@pytest.mark.parametrize(("deep", "fits"), [(-101.0, True), (-60.0, True), (-39.0, False), (-5.0, False)])
def test_what_is_negligible_must_stay_negligible(
    deep: float, fits: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The log likelihood of all tasks, and that of the stand-ins, which differs 100 below the peak only.
    def likelihood(tasks: Tasks, _: Nodes) -> object:
        return lambda nodes: np.array([0.0, -1.0, -20.0, -100.0 if tasks is MANY else deep])

    monkeypatch.setattr(stand_ins, "Likelihood", likelihood)
    assert (fewer(MANY, ENDS) is not MANY) == fits


def test_the_posterior_of_many_tasks_is_that_of_every_task_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    true = 0.02 + 0.03 * rng.standard_t(4, 3000)
    spread = 0.6 * rng.chisquare(59, 3000) / 59
    tasks = [Sums(n=60, mean=float(m), m2=float(v)) for m, v in zip(true, spread, strict=True)]
    asked: list[int] = []

    def counted(tasks: Tasks, ends: Nodes) -> Tasks:
        found = fewer(tasks, ends)
        asked.append(found.loc.size)
        return found

    monkeypatch.setattr(student_surface, "fewer", counted)
    found = hierarchical_t(tasks, scale=1.0)
    assert asked[-1] < 1500
    pulled, (low, high) = found.shrinkage, found.mean_advantage.hdi(0.95)
    monkeypatch.setattr(student_surface, "fewer", lambda tasks, ends: tasks)
    monkeypatch.setattr(stand_ins.StandIns, "of", classmethod(lambda cls, tasks: None))
    exact = hierarchical_t(tasks, scale=1.0)
    assert pulled == pytest.approx(exact.shrinkage, abs=2e-5)
    assert (low, high) == pytest.approx(exact.mean_advantage.hdi(0.95), abs=1e-4 * (high - low))
    for rope in (0.01, 0.03):
        a, b = (f.next_task(rope).mean for f in (found, exact))
        assert a.better == pytest.approx(b.better, abs=1e-4)
        assert a.equivalent == pytest.approx(b.equivalent, abs=1e-4)
