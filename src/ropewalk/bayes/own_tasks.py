"""The own likelihood of each task of a hierarchical t-test, and assumptions about its spread."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.bayes.student_hierarchy import Tasks
from ropewalk.errors import MethodError, RopewalkError
from ropewalk.posterior.base import Floats
from ropewalk.sums import ROUNDING, Sums, as_sums


def sums_of(task: ArrayLike | Sums, name: str) -> Sums:
    """The sums of a task; an error names the task."""
    try:
        return as_sums(task, at_least=1)
    except RopewalkError as problem:
        raise type(problem)(f"task {name}: {problem.what}", where=problem.where, hint=problem.hint) from None


def own_tasks(
    sums: Sequence[Sums], rho: Floats, half: float, names: Sequence[str]
) -> tuple[Tasks, Floats, tuple[str, ...]]:
    """The likelihood of each task's mean, each task's standard deviation, and the assumptions made."""
    n = np.array([s.n for s in sums], dtype=np.float64)
    mean = np.array([s.mean for s in sums])
    m2 = np.array([s.m2 for s in sums])
    notes = []
    if np.all(n == 1):
        raise MethodError(
            "every task has a single unit, so the spread within tasks is unknown",
            hint="With one number per task use signed_rank or robust_t.",
        )
    largest = max(np.max(np.abs(mean)), np.sqrt(np.max(m2 / n)))
    constant = (n > 1) & (m2 <= n * (ROUNDING * largest) ** 2)
    never = _named(constant, names)
    if np.any(constant) and half > 0:
        m2 = np.where(constant, n * half**2 / 3, m2)  # the expected S of scores spread evenly over the ROPE
        constant = np.zeros(n.size, dtype=np.bool_)
        notes.append(
            f"The scores of {never} never vary; they are treated as spread over the ROPE's width around "
            "their mean."
        )
    # E S = (n - 1)(1 - rho) sigma², and the mean has variance sigma² (1 + (n-1) rho)/n.
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = m2 / ((n - 1) * (1 - rho))
    few = n < 3
    varied = (n > 1) & ~constant
    # If no task varies, the only spread to borrow is that of the task means around zero.
    typical = float(np.median(variance[varied]) if np.any(varied) else np.mean(mean**2))
    if np.any(constant):
        if typical == 0:
            raise MethodError(
                f"the scores of {never} never vary, and the models never differ",
                hint="There is nothing to test.",
            )
        notes.append(
            f"The scores of {never} never vary; their spread is estimated from the other tasks."
            if np.any(varied)
            else "The scores do not vary on any task; their spread is estimated from the task means."
        )
    if np.any(few & ~constant):
        notes.append(
            f"The spread of {_named(few & ~constant, names)}, with one or two units, is estimated from the "
            "other tasks."
        )
    # A prior flat in sigma is an inverse chi-square with -1 degrees of freedom; one more unit makes it +1.
    lean = few | constant
    df = np.where(lean, n, n - 2)
    sigma2 = (np.where(constant, 0.0, m2) / (1 - rho) + np.where(lean, typical, 0.0)) / df
    own = Tasks(loc=mean, scale=np.sqrt(sigma2 * (1 + (n - 1) * rho) / n), df=df)
    return own, np.sqrt(np.where(n > 1, variance, typical)), tuple(notes)


def _named(which: NDArray[np.bool_], names: Sequence[str]) -> str:
    """ "task 3", "tasks 3, 5", or the first few of many."""
    index = np.flatnonzero(which)
    first = ", ".join(names[i] for i in index[:5])
    return f"task{'s' if index.size > 1 else ''} {first}" + (
        f", … ({index.size} in all)" if index.size > 5 else ""
    )
