"""Fits of an experiment -> scores, paired by split."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data import Audit, Scores
from ropewalk.data.arrays import Floats, strings
from ropewalk.data.audit import Dropped
from ropewalk.data.task_scores import TaskScores
from ropewalk.errors import DataError, PairingError, short
from ropewalk.experiment.missing import absent_from, gap_warnings, warned
from ropewalk.experiment.splits import SOURCES, SplitPlan
from ropewalk.experiment.work import Fit
from ropewalk.metrics import Metric
from ropewalk.variation import Variation, variation

if TYPE_CHECKING:
    from ropewalk.experiment.experiment import Experiment


def paired_scores(experiment: Experiment, name: str, chosen: Metric) -> Scores:
    """Return one metric of every fit; a split on which an algorithm has no score is left out for all."""
    table = {
        task: _independent(values, experiment.plan) for task, values in score_table(experiment, name).items()
    }
    ran = [
        j for j in range(len(experiment.models)) if any(np.isfinite(v[:, j]).any() for v in table.values())
    ]
    table = {task: values[:, ran] for task, values in table.items()}
    _same_splits(experiment.fits)
    sizes = _sizes(experiment)
    tasks, dropped, paired = [], [], 0
    design = None
    for task in experiment.tasks:
        values = table[task]
        absent = absent_from(values)
        if (~absent).sum() < 2:
            dropped.append(Dropped(reason=f"fewer than two algorithms ran on {short(task)}", units=1))
            continue
        kept = np.isfinite(values[:, ~absent]).all(axis=1)
        if not kept.all():
            reason = f"splits of {short(task)} on which an algorithm has no score"
            dropped.append(Dropped(reason=reason, units=int((~kept).sum())))
        rows = np.flatnonzero(kept)
        paired += len(rows)
        found = experiment.plan.design(*sizes[task])
        design = design or found
        tasks.append(
            TaskScores(
                name=task if len(experiment.tasks) > 1 else None,
                units=strings(_unit(int(i), experiment.plan) for i in rows),
                values=np.where(absent, np.nan, values)[rows],
                design=found if found != design else None,
            )
        )
    if design is None:
        gaps = experiment.missing(name)
        raise DataError(
            f"there is nothing to compare: no data set has {chosen.name} for two algorithms",
            where=[str(m) for m in gaps[:5]],
            hint="See the messages: the fits failed, or have not been run.",
        )
    return Scores(
        models=tuple(experiment.models[j] for j in ran),
        tasks=tuple(tasks),
        metric=chosen.name,
        higher_is_better=chosen.higher_is_better,
        design=design,
        audit=_audit(experiment, name, paired, dropped),
    )


def score_table(experiment: Experiment, metric: str) -> dict[str, Floats]:
    """Return splits x algorithms for each task, NaN without a score."""
    place = {m: j for j, m in enumerate(experiment.models)}
    table = {t: np.full((experiment.plan.count, len(experiment.models)), np.nan) for t in experiment.tasks}
    folds = experiment.plan.folds or 1
    for f in experiment.fits:
        table[f.task][f.repeat * folds + f.fold, place[f.model]] = f.values[metric]
    return table


def seed_scores(experiment: Experiment, metric: str) -> dict[str, Floats]:
    """Return the score of every seed of each algorithm: a mean over the tasks that all of them ran on."""
    table = score_table(experiment, metric)
    complete = [v for v in table.values() if not absent_from(v).any()]
    if not complete:
        return {}
    mean = np.mean(complete, axis=0)
    return {m: mean[np.isfinite(mean[:, j]), j] for j, m in enumerate(experiment.models)}


def variations(experiment: Experiment, name: str, chosen: Metric) -> dict[tuple[str, str], Variation]:
    """Return where the variance of each task and algorithm comes from; higher scores are better."""
    levels = experiment.plan.levels
    varied = [k for k, n in enumerate(levels) if n > 1]
    sign = 1.0 if chosen.higher_is_better else -1.0
    return {
        (task, model): variation(
            sign * values[:, j].reshape([levels[k] for k in varied]), [SOURCES[k] for k in varied]
        )
        for task, values in score_table(experiment, name).items()
        for j, model in enumerate(experiment.models)
    }


def _independent(values: Floats, plan: SplitPlan) -> Floats:
    """Convert runs x algorithms to the units of a comparison; several sources become each split's mean."""
    if plan.kind != "sources":
        return values
    return np.asarray(values.reshape(plan.independent, -1, values.shape[1]).mean(axis=1))


def _unit(i: int, plan: SplitPlan) -> str:
    if plan.kind == "sources":
        return f"split {i}"
    repeat, fold = divmod(i, plan.folds or 1)
    return f"repeat {repeat} fold {fold}" if plan.folds else f"{plan.one} {repeat}"


def _sizes(experiment: Experiment) -> dict[str, tuple[int, int]]:
    """Return the mean sizes of the training and the test sets of each task."""
    sums: dict[str, list[int]] = {t: [0, 0, 0] for t in experiment.tasks}
    for f in experiment.fits:
        own = sums[f.task]
        own[0] += f.n_train
        own[1] += f.n_test
        own[2] += 1
    return {t: (round(train / max(k, 1)), round(test / max(k, 1))) for t, (train, test, k) in sums.items()}


def _same_splits(fits: Sequence[Fit]) -> None:
    """Check by the hashes that every algorithm saw the same rows."""
    seen: dict[tuple[str, int, int], Fit] = {}
    for f in fits:
        other = seen.setdefault((f.task, f.repeat, f.fold), f)
        if other.split_hash != f.split_hash or other.data_hash != f.data_hash:
            raise PairingError(
                f'"{short(f.model)}" and "{short(other.model)}" were not trained on the same rows of '
                f'"{short(f.task)}"',
                where=[f"repeat {f.repeat}, fold {f.fold}: split {f.split_hash} and {other.split_hash}"],
                hint="Results of two experiments are mixed up.",
            )


def _audit(experiment: Experiment, metric: str, paired: int, dropped: list[Dropped]) -> Audit:
    notes = [
        f"the same splits for every algorithm ({len({f.split_hash for f in experiment.fits}):,} split hashes)"
    ]
    notes += experiment.notes
    notes += warned(experiment.fits)
    gaps = experiment.missing(metric)
    return Audit(paired=paired, dropped=tuple(dropped), notes=tuple(notes), warnings=gap_warnings(gaps))
