"""Whether the means of the tasks look like those of the fitted model: posterior predictive checks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc

from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.posterior.base import Floats
from ropewalk.posterior.joint import FitCheck
from ropewalk.sums import ROUNDING

_WORLDS = 400
_FEWEST = 5  # with fewer tasks, one always dominates


def task_checks(
    sums: Sequence[CrossSums], rho: Floats, models: NDArray[np.intp], random: np.random.Generator
) -> tuple[FitCheck, ...]:
    """Check the tasks that all models were run on; no checks if these are too few."""
    whole = [i for i, s in enumerate(sums) if s.present[models].all()]
    if len(whole) < _FEWEST or models.size < 2:
        return ()
    apart = [sums[i].only(models) for i in whole]
    means = np.array([s.mean for s in apart])
    rest = _centred(means)
    if np.abs(rest).max() <= ROUNDING * np.abs(means).max():
        return ()
    every = "" if len(whole) == len(sums) else " that every model was run on"
    found = [_one_task(rest, whole, every, random)]
    if all(s.n > 1 for s in apart):
        found.append(_noise(rest, apart, rho[whole]))
    return tuple(found)


def _centred(means: Floats) -> Floats:
    """The residuals of the models' means on each task after removing task and model effects."""
    rest = means - means.mean(axis=1, keepdims=True)
    return np.asarray(rest - rest.mean(axis=0))


def _one_task(rest: Floats, numbers: Sequence[int], which: str, random: np.random.Generator) -> FitCheck:
    """Check the largest share of one task in all variation against that of normal task effects."""
    tasks, _ = rest.shape
    square = np.sum(rest**2, axis=1)
    share = float(square.max() / square.sum())
    value = np.maximum(np.linalg.eigvalsh(rest.T @ rest), 0.0)
    value = value[value > 1e-12 * value.max()]
    as_odd = 0
    for _ in range(_WORLDS):
        x = random.standard_normal((tasks, value.size))
        x -= x.mean(axis=0)
        y = (x**2) @ value
        as_odd += y.max() >= share * y.sum()
    number = numbers[int(square.argmax())] + 1
    return FitCheck(
        name="no task outweighs the others",
        p=float(as_odd + 1) / (_WORLDS + 1),
        text=f"one of {tasks} tasks{which} (number {number}) has {share:.0%} of the variation between "
        "models. The model assumes similar tasks; check that task and compare without it",
    )


def _noise(rest: Floats, sums: Sequence[CrossSums], rho: Floats) -> FitCheck:
    """Check whether the task means vary less than expected from the noise within the tasks alone."""
    tasks = len(sums)
    mean = square = 0.0
    for s, r in zip(sums, rho, strict=True):
        error = s.m2 - s.m2.mean(axis=0)
        error = error - error.mean(axis=1, keepdims=True)
        error = error / (s.n - 1) * (1 / s.n + r / (1 - r))
        mean += (1 - 1 / tasks) * float(np.trace(error))
        square += 2 * float(np.sum(error**2))
    seen = float(np.sum(rest**2))
    # A sum of squares with this mean and variance is approximately a scaled chi².
    p = float(gammainc(mean**2 / square, seen * mean / square)) if square > 0 else 1.0
    return FitCheck(
        name="task means vary at least as much as their noise",
        p=p,
        text=f"the task means vary {np.sqrt(seen / mean):.2g} times as much as expected from the noise "
        "within tasks. Are units dependent, or shared between tasks?"
        if mean > 0
        else "nothing varies within the tasks",
    )
