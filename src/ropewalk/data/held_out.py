"""Rows to fit on and rows to apply the fit to, which never overlap."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Ints, Strings, coded
from ropewalk.data.audit import Dropped
from ropewalk.errors import DataError, OptionError, did_you_mean, listed, short

if TYPE_CHECKING:
    from ropewalk.data.predictions import Predictions

Bools: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = "Bools | str | Predictions | None"


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TaskRows:
    """Rows of one task: those to fit on, and those to apply the fit to."""

    task: str | None
    learn: Ints
    use: Ints


def cross_fit(
    tasks: Strings | None, groups: Strings, codes: Ints, folds: int, rng: int | np.random.Generator
) -> list[TaskRows]:
    """Split each task into `folds` parts, keeping groups whole; each part uses a fit on the others."""
    if isinstance(folds, bool) or not isinstance(folds, int) or folds < 2:
        raise OptionError(f"folds is {folds}", hint="Give 2 or more.")
    random = np.random.default_rng(rng)
    parts = []
    for task, rows in rows_by_task(tasks, len(groups)).items():
        fold = dealt(groups[rows], codes[rows], folds, random)
        if fold.max() + 1 < folds:
            inside = "" if task is None else f' in task "{short(task)}"'
            raise OptionError(
                f"folds is {folds}, but there are only {fold.max() + 1} units to split{inside}",
                hint="Give fewer folds; rows of one cluster count as one unit.",
            )
        parts += [TaskRows(task=task, learn=rows[fold != k], use=rows[fold == k]) for k in range(folds)]
    return parts


def dealt(groups: Strings, codes: Ints, folds: int, random: np.random.Generator) -> Ints:
    """Return the fold of each row: groups are shuffled, sorted by class, and dealt out like cards.

    So every fold gets its share of every class. The order of the rows makes no difference.

    >>> from ropewalk.data.arrays import strings
    >>> dealt(strings("aabbccdd"), np.array([0, 0, 0, 0, 1, 1, 1, 1]), 2, np.random.default_rng(0))
    array([0, 0, 1, 1, 0, 0, 1, 1])
    """
    place, names = coded(groups)
    share = np.bincount(place, weights=codes) / np.bincount(place)
    order = random.permutation(np.argsort(names))
    order = order[np.argsort(share[order], kind="stable")]
    fold = np.empty(len(names), dtype=np.intp)
    fold[order] = np.arange(len(names)) % folds
    return np.asarray(fold[place])


def rows_by_task(tasks: Strings | None, n: int) -> dict[str | None, Ints]:
    """Return the rows of each task, in order of first appearance; None stands for one nameless task."""
    if tasks is None:
        return {None: np.arange(n)}
    place, names = coded(tasks)
    return {name: np.flatnonzero(place == k) for k, name in enumerate(names)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldOut:
    """Predictions to fit on and predictions to apply the fit to, with rows by part; `how` in words."""

    learn: Predictions
    use: Predictions
    parts: list[TaskRows]
    how: str

    def parts_of(self, model: str) -> list[TaskRows]:
        """Return the parts of the tasks that a model was run on."""
        from ropewalk.data.prediction_checks import absent

        to_use, to_learn = absent(self.use.outputs[model]), absent(self.learn.outputs[model])
        parts = [part for part in self.parts if not to_use[part.use].all()]
        for part in parts:
            if to_learn[part.learn].any():
                raise DataError(
                    f'the fitting rows have no predictions of {short(model)} on task "{short(part.task)}"',
                    hint="Use fitting rows from every task on which the model is tested.",
                )
        return parts


def held_out(
    predictions: Predictions, rows: Rows, folds: int, rng: int | np.random.Generator, *, purpose: str
) -> HeldOut:
    """Split the rows: by cross-fitting, or into `rows` to fit on and the rest to apply the fit to.

    `rows` is a mask, a value of the split column, or other Predictions of the same models.
    """
    from ropewalk.data.predictions import Predictions  # that module imports this one

    if rows is None:
        p = predictions
        groups = p.units if p.clusters is None else p.clusters
        parts = cross_fit(p.tasks, groups, p.truth_codes, folds, rng)
        _every_class(p, parts, "Cross-fitting needs every class in at least two units or clusters.")
        how = f"{folds}-fold cross-fitted" + ("" if p.clusters is None else ", clusters kept whole")
        return HeldOut(learn=p, use=p, parts=parts, how=how)
    if isinstance(rows, Predictions):
        learn, use = rows, predictions
        _same_things(learn, use)
    else:
        mask = _mask(predictions, rows)
        left, used = int((~mask).sum()), int(mask.sum())
        before = predictions.audit
        audit = replace(
            before,
            paired=left,
            dropped=(*before.dropped, Dropped(reason=purpose, units=used, unpaired=False)),
        )
        learn, use = predictions.subset(mask), replace(predictions.subset(~mask), audit=audit)
    _no_unit_in_both(learn, use)
    theirs = rows_by_task(learn.tasks, len(learn.units))
    parts = [
        TaskRows(task=task, learn=theirs.get(task, np.empty(0, dtype=np.intp)), use=own)
        for task, own in rows_by_task(use.tasks, len(use.units)).items()
    ]
    _every_class(learn, parts, "Use fitting rows that contain every class.")
    how = f"fitted on {len(learn.units):,} other rows"
    return HeldOut(learn=learn, use=_with_torn_clusters(learn, use), parts=parts, how=how)


def _mask(predictions: Predictions, rows: Bools | str) -> Bools:
    """Return a mask of the rows to fit on; it must select some rows but not all."""
    if isinstance(rows, str):
        split = predictions.split
        if split is None:
            raise OptionError(
                f'the rows for fitting are "{short(rows)}", but no column identifies them',
                hint="Give a mask: one true or false value for each row.",
            )
        mask = np.asarray(split == rows, dtype=np.bool_)
        if not mask.any():
            raise OptionError(f'no row is "{short(rows)}"', hint=did_you_mean(rows, sorted(set(split))))
    else:
        mask = np.asarray(rows)
        if mask.dtype != np.bool_ or mask.shape != predictions.units.shape:
            raise OptionError(
                f"the fitting rows are not a mask of {len(predictions.units):,} true and false values",
                hint="Give a boolean array, a value of the split column, or other predictions.",
            )
    if mask.all() or not mask.any():
        raise DataError(
            f"{'all' if mask.all() else 'no'} rows are used for fitting",
            hint="Use some of the rows for fitting; the others are compared.",
        )
    return mask


def _same_things(learn: Predictions, use: Predictions) -> None:
    missing = [m for m in use.models if m not in learn.models]
    if missing:
        raise DataError(f"the fitting rows have no predictions of {listed(missing)}")
    for called, theirs, own in (
        ("classes", learn.classes, use.classes),
        ("kind of prediction", learn.kind, use.kind),
        ("tasks", learn.tasks is None, use.tasks is None),
    ):
        if theirs != own:
            raise DataError(
                f"the fitting rows and the test rows do not have the same {called}",
                hint="Both need the same models, classes and kind of prediction, and tasks if one has them.",
            )


def _no_unit_in_both(learn: Predictions, use: Predictions) -> None:
    both = sorted(_keys(learn) & _keys(use))
    if both:
        raise DataError(
            f"units to be compared are among the rows used for fitting: {len(both):,}",
            where=[f'unit "{short(u)}"' + (f', task "{short(t)}"' if t else "") for t, u in both[:5]],
            hint="Fit on rows that are not compared.",
        )


def _keys(predictions: Predictions) -> set[tuple[str, str]]:
    """Return task and unit of each row."""
    tasks = predictions.tasks
    return {("" if tasks is None else tasks[i], unit) for i, unit in enumerate(predictions.units)}


def _with_torn_clusters(learn: Predictions, use: Predictions) -> Predictions:
    """Warn if the split chosen by the user separates rows of a cluster."""
    if learn.clusters is None or use.clusters is None:
        return use
    torn = sorted(set(learn.clusters) & set(use.clusters))
    if not torn:
        return use
    text = f"clusters with both fitting rows and test rows: {listed(torn)}"
    return replace(use, audit=replace(use.audit, warnings=(*use.audit.warnings, text)))


def _every_class(learn: Predictions, parts: list[TaskRows], hint: str) -> None:
    codes = learn.truth_codes
    for part in parts:
        times = np.bincount(codes[part.learn], minlength=len(learn.classes))
        if not times.all():
            missing = [c for c, n in zip(learn.classes, times, strict=True) if n == 0]
            inside = "" if part.task is None else f' of task "{short(part.task)}"'
            raise DataError(f"the fitting rows{inside} have no {listed(missing)}", hint=hint)
