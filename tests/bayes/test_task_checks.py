"""Predictive checks of many models over tasks, through `joint_tasks`: each p-value against a simulation."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.posterior.joint import FitCheck

OUTWEIGHS, NOISE = "no task outweighs the others", "task means vary at least as much as their noise"


def checks(tasks: list[np.ndarray], rho: float = 0.0) -> dict[str, FitCheck]:
    return {c.name: c for c in bayes.joint_tasks(tasks, rho=rho, draws=50).checks}


def centred(means: np.ndarray) -> np.ndarray:
    """Without a level for each task and each model; the last two dimensions are tasks x models."""
    rest = means - means.mean(axis=-1, keepdims=True)
    return np.asarray(rest - rest.mean(axis=-2, keepdims=True))


def share(means: np.ndarray) -> np.ndarray:
    square = np.sum(centred(means) ** 2, axis=-1)
    return np.asarray(square.max(axis=-1) / square.sum(axis=-1))


@pytest.mark.parametrize("spread", [(1.0, 1.0), (1.0, 1.0, 3.0), (1.0, 0.5, 3.0, 1.5)])
def test_how_odd_the_largest_task_is(spread: tuple[float, ...]) -> None:
    # Oracle: 20,000 tables of normal effects with the covariance that was observed; the check has 400 of
    # them, so that its p-value is good to four standard errors.
    rng = np.random.default_rng(len(spread))
    z = rng.normal(0, spread, (12, len(spread)))
    rest = centred(z)
    effects = rng.multivariate_normal(np.zeros(len(spread)), rest.T @ rest, (20_000, 12), method="eigh")
    p = float(np.mean(share(effects) >= share(z)))
    assert 0.03 < p < 0.97
    found = checks([row[None] for row in z])
    assert set(found) == {OUTWEIGHS}  # one number on each task says nothing about noise
    assert found[OUTWEIGHS].p == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 400))


def test_a_task_that_none_of_the_simulated_ones_reaches() -> None:
    z = np.random.default_rng(1).normal(0, [1.0, 1.0, 0.2], (20, 3))
    z[11] += [5000, 0, -5000]  # 1 - 1/n of the variation
    tasks = [row[None].copy() for row in z]
    found = checks(tasks)[OUTWEIGHS]
    assert found.p == pytest.approx(1 / 401)  # of 400 simulated and the one observed, the observed
    assert not found.ok
    assert found.text.startswith("one of 20 tasks (number 12) has 95% of the variation between models. ")
    tasks[4][0, 1] = np.nan  # left out; the numbers of the others stay
    found = checks(tasks)[OUTWEIGHS]
    assert found.text.startswith("one of 19 tasks that every model was run on (number 12) has 95% of ")


@pytest.mark.parametrize(("rho", "times"), [(0.0, 1.0), (0.0, 0.8), (0.1, 1.2)])
def test_task_means_beside_the_noise_within_tasks(rho: float, times: float) -> None:
    # Oracle: 40,000 tables of task means with nothing but the noise of their units. The check goes by the
    # mean and the variance of their sum of squares, and is good to a few hundredths.
    rng = np.random.default_rng(3)
    sizes = rng.integers(8, 30, 15)
    units = [rng.normal(0, [0.5, 1.0, 3.0], (n, 3)) for n in sizes]
    covariances = [np.cov(x.T) * (1 / len(x) + rho / (1 - rho)) for x in units]
    means = np.stack([rng.multivariate_normal(np.zeros(3), c, 40_000) for c in covariances], axis=1)
    squares = np.sum(centred(means) ** 2, axis=(1, 2))
    seen = centred(times * means[7])  # a table of noise, as much as it is or more or less
    tasks = [x - x.mean(axis=0) + m for x, m in zip(units, seen, strict=True)]
    p = float(np.mean(squares <= np.sum(seen**2)))
    assert 0.02 < p < 0.98
    found = checks(tasks, rho)[NOISE]
    assert found.p == pytest.approx(p, abs=0.03)
    ratio = np.sqrt(np.sum(seen**2) / squares.mean())
    said = float(found.text.removeprefix("the task means vary ").split()[0])
    assert said == pytest.approx(ratio, rel=0.08)  # two digits are printed


def test_task_means_that_vary_less_than_their_noise() -> None:
    rng = np.random.default_rng(5)
    units = [rng.normal(0, 1.0, (10, 3)) for _ in range(20)]
    found = checks([x - x.mean(axis=0) + 0.02 * rng.normal(size=3) for x in units])
    assert found[NOISE].p < 0.001
    assert not found[NOISE].ok
    assert found[NOISE].text.endswith("Are units dependent, or shared between tasks?")


def test_scores_that_never_vary_within_a_task() -> None:
    rng = np.random.default_rng(6)
    found = checks([np.tile(rng.normal(size=3), (4, 1)) for _ in range(8)])[NOISE]
    assert (found.p, found.text) == (1.0, "nothing varies within the tasks")


def test_nothing_to_check() -> None:
    rng = np.random.default_rng(7)
    assert not checks([rng.normal(size=(5, 3)) for _ in range(4)])  # too few tasks
    tasks = [rng.normal(size=(5, 3)) for _ in range(6)]
    for task in tasks[:2]:
        task[:, 1] = np.nan
    assert not checks(tasks)  # too few that all models were run on
    alike = rng.normal(size=(6, 1, 1)) + np.array([0.0, 0.5, 1.0])
    assert not checks(list(alike))  # the same differences on every task
