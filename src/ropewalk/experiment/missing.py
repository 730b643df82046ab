"""Cells without a score: which, why, and what is left to compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data.arrays import Floats
from ropewalk.data.held_out import Bools
from ropewalk.errors import short
from ropewalk.experiment.work import Fit

if TYPE_CHECKING:
    from ropewalk.experiment.experiment import Experiment


@dataclass(frozen=True, slots=True, kw_only=True)
class Missing:
    """Cell of an experiment that has no score, and the reason.

    Parameters
    ----------
    model : str
        The algorithm.
    task : str
        The data set.
    repeat, fold : int
        The split.
    why : str
        Message of the fit that failed, or "not run".

    Examples
    --------
    >>> from ropewalk.experiment import Missing
    >>> Missing(model="svm", task="wine", repeat=0, fold=3, why="not run").why
    'not run'
    """

    model: str
    task: str
    repeat: int
    fold: int
    why: str

    def __str__(self) -> str:
        place = f"{short(self.model)} on {short(self.task)}, repeat {self.repeat}, fold {self.fold}"
        return f"{place}: {self.why}"


def without_score(experiment: Experiment, metric: str) -> list[Missing]:
    """Return the cells without a score, because the fit failed or was not made."""
    found = {(f.model, f.task, f.repeat, f.fold): f for f in experiment.fits}
    out = []
    for task, model, i in product(experiment.tasks, experiment.models, range(experiment.plan.count)):
        repeat, fold = divmod(i, experiment.plan.folds or 1)
        fit = found.get((model, task, repeat, fold))
        if fit is None or not np.isfinite(fit.values[metric]):
            why = "not run" if fit is None else fit.error or "no value"
            out.append(Missing(model=model, task=task, repeat=repeat, fold=fold, why=why))
    return out


def absent_from(values: Floats) -> Bools:
    """Return the algorithms not run: without any score, or with none where the others have one."""
    absent: Bools = np.asarray(np.isnan(values).all(axis=0))
    while not absent.all() and not np.isfinite(values[:, ~absent]).all(axis=1).any():
        gaps = np.where(absent, -1, np.isnan(values).sum(axis=0))
        absent[int(np.argmax(gaps))] = True
    return absent


def gap_warnings(gaps: Sequence[Missing]) -> tuple[str, ...]:
    """Return one warning for each algorithm and data set with missing cells."""
    cells: dict[tuple[str, str], list[Missing]] = {}
    for gap in gaps:
        cells.setdefault((gap.model, gap.task), []).append(gap)
    out = []
    for (model, task), found in cells.items():
        which = ", ".join(f"{g.repeat}.{g.fold}" for g in found[:4]) + (", …" if len(found) > 4 else "")
        why = Counter(g.why for g in found).most_common(1)[0][0]
        splits = "split" if len(found) == 1 else "splits"
        out.append(
            f"missing: {short(model)} on {short(task)}, {len(found):,} {splits} "
            f"(repeat.fold {which}): {short(why, 160)}"
        )
    return tuple(out)


def warned(fits: Iterable[Fit]) -> list[str]:
    """Return a note on each algorithm whose fits raised warnings, with their number."""
    said: dict[str, list[str]] = {}
    for f in fits:
        said.setdefault(f.model, []).append(f.warning)
    out = []
    for model, texts in said.items():
        some = [t for t in texts if t]
        if some:
            common = Counter(some).most_common(1)[0][0]
            out.append(f"{short(model)}: {len(some):,} of {len(texts):,} fits warned: {short(common, 120)}")
    return out
