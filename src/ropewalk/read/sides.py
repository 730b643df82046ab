"""Two sources, one model each -> paired data of the models "baseline" and "candidate"."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ropewalk.data import Predictions, Scores
from ropewalk.data.arrays import strings
from ropewalk.data.coverage import Missing, check_missing
from ropewalk.data.dependence import repeated
from ropewalk.data.metrics import direction
from ropewalk.data.vetting import vetted_for_gate
from ropewalk.errors import ColumnError, DataError, OptionError, did_you_mean, listed, short
from ropewalk.read.files import from_paths, is_paths
from ropewalk.read.frame import frames
from ropewalk.read.in_memory import read_tables
from ropewalk.read.odd_columns import likely_truth, read_as_scores, refuse_odd, refuse_row_per_model
from ropewalk.read.pairing import RepeatedUnitsError
from ropewalk.read.query import query_note, rows_of_query
from ropewalk.read.roles import Options, Roles
from ropewalk.read.sources import read_from
from ropewalk.read.table import Table, as_text, has_numbers, text

Side = Literal["baseline", "candidate"]
_OLD = frozenset(("baseline", "before", "main", "master", "old", "prev", "previous", "prod", "production"))
_NEW = frozenset(("after", "candidate", "challenger", "new", "pr", "proposed"))
SIDES: tuple[Side, Side] = ("baseline", "candidate")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sides:
    """The paired data, and the SHA-256 of each side's files or rows.

    `same` says that both sides name the same files and the same model in them, or are one object. Copies do
    not count, because two models that give the same few answers write the same bytes. `how` is the treatment
    of units that one side lacks.
    """

    data: Scores | Predictions
    digests: tuple[str, str] | None
    same: bool = False
    how: Missing | None = None

    @property
    def not_run(self) -> tuple[str, ...]:
        """Tasks of the baseline that the candidate was not run on."""
        return self.data.audit.not_run.get("candidate", ())


def read_sides(
    baseline: Any,
    candidate: Any,
    *,
    query: str | None = None,
    models: Sequence[str | None] = (None, None),
    missing: Missing | None = None,
    rho: float | None = None,
    runs: int | None = None,
    specialists: bool = False,
    **columns: Any,
) -> Sides:
    """Read both sides: paths, frames, arrays of scores in the same order, or dicts {task: such an array}.

    With `query`, each side is a database in which the query runs, or None where the query names files.

    Anything that could reverse the decision is refused: scores of unknown direction; one side in percent and
    the other in fractions; units that one side lacks, unless `missing` states how to treat them; and scores
    that may be those of folds, unless `rho` gives their correlation or `runs` the number of cross-validation
    runs; and a model that is good exactly where the other is bad, unless both are `specialists`.
    """
    check_missing(missing)
    columns = {**columns, "missing": missing}
    options = Options(**columns, complete="baseline")
    if query is None:
        sides = _read(baseline, candidate, models, options)
    else:
        sides = _from_query((baseline, candidate), query, models, options)
    data = vetted_for_gate(repeated(sides.data, runs, rho), missing, rho, specialists=specialists)
    return replace(sides, data=data, how=missing)


def _read(baseline: Any, candidate: Any, models: Sequence[str | None], options: Options) -> Sides:
    if is_paths(baseline) != is_paths(candidate):
        raise OptionError(
            "one side is a file and the other is not", hint="Give two files or folders, or two objects."
        )
    if is_paths(baseline):
        _refuse_swapped(baseline, candidate)
        return _from_files((baseline, candidate), models, options)
    if any(m is not None for m in models):
        raise OptionError(
            "a model can be picked from files only", hint="Give one model's scores for each side."
        )
    if isinstance(baseline, Mapping) and isinstance(candidate, Mapping):
        by_task = [frames(baseline), frames(candidate)]
        if all(by_task):
            paired = _of_tables(by_task, models, options, tasks=True)
            return Sides(data=paired, digests=None, same=baseline is candidate)
        options = replace(options, model=SIDES)
    both = {"baseline": baseline, "candidate": candidate}
    data = read_from(both, None, options, None, in_place=False, dask=None)
    return Sides(data=_unit_by_unit(data), digests=None, same=baseline is candidate)


def _refuse_swapped(baseline: Any, candidate: Any) -> None:
    """Raise an error if the files' own names say that the sides were swapped."""
    first, second = (
        {w for path in ([s] if isinstance(s, (str, os.PathLike)) else s) for w in _name_words(path)}
        for s in (baseline, candidate)
    )
    new_first = bool(first & _NEW) and not second & _NEW
    old_second = bool(second & _OLD) and not first & _OLD
    if (new_first and old_second) or ("candidate" in first - second) or ("baseline" in second - first):
        raise OptionError(
            "the baseline comes first, but the files' names say the opposite",
            where=[f"baseline: {short(baseline)}", f"candidate: {short(candidate)}"],
            hint="Give the baseline first and the candidate second; if they are, rename the files.",
        )


def _name_words(path: Any) -> list[str]:
    return re.split(r"[^a-z0-9]+", Path(path).stem.lower())


def _unit_by_unit(data: object) -> Scores | Predictions:
    """Return the score or prediction of every unit, which a gate needs."""
    if isinstance(data, (Scores, Predictions)):
        return data
    raise DataError(
        "a gate takes two files, and a table of counts holds both models",
        hint="Give each model's scores or predictions in a file of its own.",
    )


# --- files and queries ---------------------------------------------------------------------------------


def _from_files(sources: Sequence[Any], models: Sequence[str | None], options: Options) -> Sides:
    read_in = [from_paths(source, options) for source in sources]
    picked = models[1]
    baseline, candidate = map(_digest, read_in)
    return Sides(
        data=_of_tables(read_in, models, options),
        digests=(baseline, candidate if picked is None else f"{candidate} {picked}"),
        same=_same_paths(*sources) and models[0] == picked,
    )


def _from_query(sources: Sequence[Any], query: str, models: Sequence[str | None], options: Options) -> Sides:
    """Read both sides from the rows of a query; one database is asked once."""
    one = sources[0] is sources[1]
    if all(map(is_paths, sources)):
        one = _same_paths(*sources)
        _refuse_swapped(*sources)
    first = rows_of_query(sources[0], query)
    rows = (first, first if one else rows_of_query(sources[1], query))
    both = [_one_model(side, [t], m, options) for side, t, m in zip(SIDES, rows, models, strict=True)]
    data = _of_tables(both, (None, None), replace(options, model=None))
    baseline, candidate = ("\n".join(map(_hash_of_rows, found)) for found in both)
    return Sides(
        data=replace(data, audit=data.audit.noted(query_note(query))),
        digests=(baseline, candidate if models[1] is None else f"{candidate} {models[1]}"),
        same=one and models[0] == models[1],
    )


def _hash_of_rows(table: Table) -> str:
    """Return a hash of the rows of a query, which may come in any order."""
    names = sorted(table.columns)
    rows = zip(*(as_text(table.columns[name]).tolist() for name in names), strict=True)
    return hashlib.sha256(repr((names, sorted(rows))).encode("utf-8", "surrogatepass")).hexdigest()


def _of_tables(
    read_in: Sequence[list[Table]], models: Sequence[str | None], options: Options, *, tasks: bool = False
) -> Scores | Predictions:
    """Pair the tables of both sides; with `tasks`, each table is a task."""
    both = [
        _one_model(side, tables, model, options)
        for side, tables, model in zip(SIDES, read_in, models, strict=True)
    ]
    options = replace(options, model=None)
    if max(map(len, both)) == 1 and not tasks:
        # With one file each, a model is named after its file, and the truth may be in one of them.
        tables = [replace(found[0], stem=side) for side, found in zip(SIDES, both, strict=True)]
    else:
        both = _with_tasks(both, options)
        tables = [
            replace(t, columns={"model": strings([side] * t.height), **t.columns})
            for side, found in zip(SIDES, both, strict=True)
            for t in found
        ]
    try:
        return _unit_by_unit(read_tables(_called(tables, both), options))
    except RepeatedUnitsError as error:
        raise _several_models(both, error) from None


def _several_models(both: list[list[Table]], error: RepeatedUnitsError) -> DataError:
    """Return the error for files of one side with the same units: models, and not parts of one table."""
    for side, found in zip(SIDES, both, strict=True):
        if len(found) > 1 and error.model == side:
            return DataError(
                f"the {side} holds {len(found)} files with the same units: {listed([t.stem for t in found])}",
                hint="If each is a model, pick one: --model NAME, or --model twice, the baseline's first.",
            )
    return error


def _called(tables: list[Table], both: list[list[Table]]) -> list[Table]:
    """Name tables by their side in messages if the two sides' files have the same name."""
    names = [t.name for t in tables]
    if len(set(names)) == len(names):
        return tables
    sides = [side for side, found in zip(SIDES, both, strict=True) for _ in found]
    return [replace(t, name=f"{side} {t.name}") for t, side in zip(tables, sides, strict=True)]


def _digest(tables: list[Table]) -> str:
    """Return the SHA-256 of the file; for several files, the hash of their sorted hashes."""
    hashes = sorted(t.input.sha256 for t in tables if t.input is not None)
    return hashes[0] if len(hashes) == 1 else hashlib.sha256("\n".join(hashes).encode()).hexdigest()


def _same_paths(baseline: Any, candidate: Any) -> bool:
    one, other = (
        [source] if isinstance(source, (str, os.PathLike)) else source for source in (baseline, candidate)
    )
    return [Path(p).resolve() for p in one] == [Path(p).resolve() for p in other]


def _one_model(side: Side, tables: list[Table], wanted: str | None, options: Options) -> list[Table]:
    """Select the rows of one model, without the column that names it."""
    columns = [_model_column(t, options) for t in tables]
    for table, column in zip(tables, columns, strict=True):
        _refuse_on_its_side(table, column, options)
    if all(c is not None for c in columns):
        names = [
            text(t, c or "", hint="Every row needs its model.") for t, c in zip(tables, columns, strict=True)
        ]
        chosen = _pick(side, list(dict.fromkeys(n for column in names for n in column)), wanted)
        kept = [t.filtered(np.flatnonzero(n == chosen)) for t, n in zip(tables, names, strict=True)]
        return [_without(t, c or "", options) for t, c in zip(kept, columns, strict=True) if t.height]
    if any(c is not None for c in columns):
        without = tables[columns.index(None)]
        raise ColumnError(
            f"{side}: some files have a column of models, {short(without.name)} has none",
            hint="Give files of one kind.",
        )
    if len(tables) == 1:
        return [_one_column(side, tables[0], wanted, options)]
    if wanted is None:
        return tables
    return [t for t in tables if t.stem == _pick(side, [t.stem for t in tables], wanted)]


def _pick(side: Side, names: list[str], wanted: str | None) -> str:
    if wanted is None and len(names) > 1:
        raise DataError(
            f"the {side} holds {len(names)} models: {listed(names)}",
            hint=f"Which one? --model {short(names[0])}; or --model twice, the baseline's first.",
        )
    if wanted is not None and wanted not in names:
        raise OptionError(f'the {side} has no model "{short(wanted)}"', hint=did_you_mean(wanted, names))
    return names[0] if wanted is None else wanted


def _model_column(table: Table, options: Options) -> str | None:
    found = Roles(table, options).found["model"]
    if len(found) > 1:
        raise ColumnError(
            f"{short(table.name)} has several columns that could be the model: {listed(found)}",
            hint=f"Say which: --model-column {short(found[0])}.",
        )
    return found[0] if found else None


def _refuse_on_its_side(table: Table, model: str | None, options: Options) -> None:
    """Check for a transposed table before a model is picked, because a single row would no longer show it."""
    roles = Roles(table, options)
    rest = [c for c in roles.rest(without=("truth",)) if c != model and has_numbers(table.columns[c])]
    if len(rest) > 1 and not (roles.found["score"] or roles.found["truth"]):
        refuse_row_per_model(table, model, rest, keyed=bool(roles.keys()))


def _without(table: Table, column: str, options: Options) -> Table:
    """Remove the model column, and columns that would then be mistaken for it."""
    gone = {column, *Roles(table, replace(options, model=None)).found["model"]}
    return replace(table, columns={c: cells for c, cells in table.columns.items() if c not in gone})


def _one_column(side: Side, table: Table, wanted: str | None, options: Options) -> Table:
    """Read a file without a model column as one model; if its columns are models, pick one."""
    roles = Roles(table, options)
    has_truth = bool(roles.found["truth"])
    named = [c for role in ("score", "prediction", "probability") for c in roles.found[role]]
    rest = [c for c in roles.rest(without=("truth",)) if has_truth or has_numbers(table.columns[c])]
    if wanted is None:
        if not named and not has_truth and len(rest) > 1:
            refuse_odd(table, rest)
            _pick(side, rest, wanted)
        return table
    if wanted == table.stem:
        return table
    _pick(side, [*rest, table.stem], wanted)
    truth = None if has_truth else likely_truth(table, [wanted])
    if truth is not None:
        raise DataError(read_as_scores(truth, [wanted]), hint="A gate does not guess.")
    kept = {c: cells for c, cells in table.columns.items() if c not in rest and c not in named}
    # Model columns do not tell the direction, unless all names do so: svm_loss, forest_loss.
    called = rest[0] if rest and direction(rest[0]) is not None else wanted
    return replace(table, columns={**kept, "prediction" if has_truth else called: table.columns[wanted]})


def _with_tasks(both: list[list[Table]], options: Options) -> list[list[Table]]:
    """Treat each file as a task if both folders have the same files and no column of tasks."""
    if any(Roles(t, options).found["task"] for found in both for t in found):
        return both
    stems = [{t.stem for t in found} for found in both]
    if not stems[0] & stems[1]:
        where = [f"{side}: {listed(sorted(s))}" for side, s in zip(SIDES, stems, strict=True)]
        raise DataError(
            "the files have no column of models and none of tasks, and their names differ between the sides",
            where=where,
            hint="If a file is a model, pick one: --model NAME. If it is a task, give it the same "
            "name on both sides.",
        )
    return [
        [replace(t, columns={"task": strings([t.stem] * t.height), **t.columns}) for t in found]
        for found in both
    ]
