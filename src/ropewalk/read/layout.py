"""Tables -> blocks -> data: long, wide, or one file per model; counts, predictions or scores."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NoReturn

import numpy as np

from ropewalk.data import Counts, Predictions, Scores
from ropewalk.data.arrays import coded, strings
from ropewalk.data.scores import distinct_models
from ropewalk.errors import CellError, ColumnError, DataError, OptionError, listed, short
from ropewalk.read.block import Block
from ropewalk.read.counts import has_counts, read_counts
from ropewalk.read.labels import truth_labels
from ropewalk.read.metric_choice import choose_metrics
from ropewalk.read.outputs import prediction_columns
from ropewalk.read.pick import picked
from ropewalk.read.predictions import read_predictions, read_statistics, wide_predictions
from ropewalk.read.roles import Options, Roles, check_given, compact, no_column, written
from ropewalk.read.scores import one_metric, read_scores, score_columns, wide_scores
from ropewalk.read.table import Table, text

_VOTES = ("modela", "modelb", "winner")
Columns = Callable[[Roles], tuple[str, ...]]


def read_tables(tables: list[Table], options: Options) -> Scores | Predictions | Counts:
    """Find out how the tables are laid out, and read them."""
    if any(t.log is not None for t in tables):
        return _logs(tables, options)
    check_given(tables, options)
    no_votes(tables)
    roles = [Roles(t, options) for t in tables]
    if all(has_counts(t) for t in tables):
        return read_counts(roles)
    if options.statistics is not None:
        return _statistics(roles, options)
    if are_predictions(roles, options):
        return _predictions(roles, options)
    options = picked(tables, options, predictions=False)
    tables, options, metric = one_metric(tables, options)
    roles = [Roles(t, options) for t in tables]
    if _is_wide(roles, options):
        block, notes = wide_scores(roles[0])
        return read_scores([block], roles, options, metric=metric, notes=notes)
    blocks = _blocks(roles, score_columns, truth=False)
    return read_scores(blocks, roles, options, metric=metric, notes=[])


def no_votes(tables: Sequence[Table]) -> None:
    """Votes between two models are recognised, and named: there is no score of either to pair."""
    for table in tables:
        known = {compact(c): c for c in table.columns}
        if set(_VOTES) <= set(known):
            shown = ", ".join(f"`{short(known[c])}`" for c in _VOTES)
            raise DataError(
                f"{short(table.name)} holds votes between two models ({shown}), which are not compared yet",
                hint="Give each model's own score on every prompt; or its share of the votes on each,\n"
                "in the columns `model`, `id` and `score`.",
            )


def _logs(tables: list[Table], options: Options) -> Scores:
    """Long tables of an evaluation tool, with one metric for each task."""
    choice = choose_metrics(tables, picked(tables, options, predictions=False))
    check_given(choice.tables, choice.options)
    roles = [Roles(t, choice.options) for t in choice.tables]
    return read_scores(
        _blocks(roles, score_columns, truth=False),
        roles,
        choice.options,
        metric=choice.metric,
        notes=choice.notes,
        warnings=choice.warnings,
        told=choice.higher_is_better,
        groups=choice.groups,
    )


def are_predictions(roles: list[Roles], options: Options) -> bool:
    """There is a truth, and something to hold against it rather than scores."""
    if options.score is not None and options.truth is None:
        return False
    truth, predicted, score = (
        any(r.found[role] for r in roles for role in group)
        for group in (("truth",), ("prediction", "probability"), ("score",))
    )
    if predicted and not truth and not score:
        no_column([r.table for r in roles], "the truth", "truth")
    return truth and (predicted or not score or options.truth is not None)


def _statistics(roles: list[Roles], options: Options) -> Predictions:
    if _is_wide(roles, options):
        raise ColumnError(
            f"{short(roles[0].table.name)} has no column of models beside the statistics of each segment",
            hint="Give one row per model and segment, or one file per model.",
        )
    columns = tuple(map(str, options.statistics or ()))
    return read_statistics(_blocks(roles, lambda _: columns, truth=False), options, columns)


def _predictions(roles: list[Roles], options: Options) -> Predictions:
    if _is_wide(roles, options):
        block, notes = wide_predictions(roles[0])
        return read_predictions([block], options, notes=notes)
    classes = truth_labels([(r.table, c) for r in roles if (c := r.one("truth")) is not None], options)
    blocks = _blocks(roles, lambda r: prediction_columns(r, classes), truth=True)
    try:
        return read_predictions(blocks, options, notes=[])
    except CellError as error:
        scores = roles[0].found["score"]
        if not scores:
            raise
        instead = (
            f"\nIf the scores in `{short(scores[0])}` are to be compared: {written('score', scores[0])}."
        )
        raise CellError(error.what, where=error.where, hint=error.hint + instead) from None


def _is_wide(roles: list[Roles], options: Options) -> bool:
    """One table without a column of models: its columns are the models."""
    if options.model_columns is not None:
        if len(roles) > 1:
            raise OptionError(
                f"columns were listed as models, but there are {len(roles)} files",
                hint="Columns are models in one wide file. Name the one column that holds the models' names.",
            )
        return True
    return len(roles) == 1 and not roles[0].found["model"]


def _blocks(roles: list[Roles], columns: Columns, *, truth: bool) -> list[Block]:
    having = [r for r in roles if r.found["model"]]
    if not having:
        return file_blocks(roles, columns, truth=truth)
    if len(having) < len(roles):
        without = next(r for r in roles if not r.found["model"])
        raise ColumnError(
            f"{short(having[0].table.name)} has a column of models, {short(without.table.name)} has none",
            hint="Give files of one kind.",
        )
    return _long_blocks(roles, columns, truth=truth)


def file_blocks(roles: list[Roles], columns: Columns, *, truth: bool) -> list[Block]:
    """One model per file, called like the file; a file with the truth and nothing else is no model."""
    blocks = []
    for r in roles:
        outputs = columns(r)
        label = r.one("truth") if truth else None
        if not outputs and label is None:
            no_prediction(r.table)
        blocks.append(
            Block(
                table=r.table,
                rows=np.arange(r.table.height),
                label=r.table.name,
                columns={r.table.stem: outputs} if outputs else {},
                keys=r.keys(),
                cluster=r.one("cluster"),
                truth=label,
                split=r.one("split"),
            )
        )
    _different_names(blocks)
    return blocks


def _different_names(blocks: list[Block]) -> None:
    """The files' names are the models' names."""
    names = [m for b in blocks for m in b.columns]
    if not names:
        raise DataError(
            "the files have a truth and no predictions",
            where=[short(b.label) for b in blocks[:5]],
            hint="Give each model's predictions in a file of its own, in a column `prediction`.",
        )
    twice = next((m for m in names if names.count(m) > 1), None)
    if twice is not None:
        raise DataError(
            f'two models are called "{short(twice)}"',
            where=[short(b.label) for b in blocks if twice in b.columns],
            hint="A model is called like its file: rename one of the files.",
        )
    distinct_models(tuple(names))


def no_prediction(table: Table) -> NoReturn:
    raise ColumnError(
        f"{short(table.name)} has no column that is known as the prediction",
        where=[f"columns: {listed(table.columns, most=12)}"],
        hint="Call the column `prediction`, or say which it is beside the truth: "
        f"{written('truth')} with {written('score')}.",
    )


def _long_blocks(roles: list[Roles], columns: Columns, *, truth: bool) -> list[Block]:
    """One block per model and table; the model's name stands in a column."""
    roles = _files_as_tasks(roles)
    blocks = []
    for r in roles:
        outputs = columns(r)
        model, label = r.one("model"), r.one("truth") if truth else None
        assert model is not None
        if not outputs:
            no_prediction(r.table)
        if truth and label is None:
            no_column([r.table], "the truth", "truth")
        codes, names = coded(text(r.table, model, hint="Every row needs its model."))
        keys = _without_row_counter(r, len(names))
        order = np.argsort(codes, kind="stable")
        parts = np.split(order, np.cumsum(np.bincount(codes))[:-1])
        blocks += [
            Block(
                table=r.table,
                rows=rows,
                label=name,
                columns={name: outputs},
                keys=keys,
                cluster=r.one("cluster"),
                truth=label,
                split=r.one("split"),
            )
            for name, rows in zip(names, parts, strict=True)
        ]
    models = list(dict.fromkeys(m for b in blocks for m in b.columns))
    if len(models) > 1:
        distinct_models(tuple(models))  # very many are refused before they are paired
    else:
        raise DataError(
            f"{short(roles[0].table.name)} has one model only: {listed(models)}",
            hint="A comparison needs at least two models: give the other model's file too.",
        )
    return blocks


def _files_as_tasks(roles: list[Roles]) -> list[Roles]:
    """Several long files with the same models and no task column: each file is a task."""
    if len(roles) == 1 or any(r.found["task"] for r in roles):
        return roles
    models = [set(text(r.table, r.one("model") or "").tolist()) for r in roles]
    if sum(map(len, models)) == len(set().union(*models)):
        return roles  # no model in two files: the files are parts of one table
    if are_shards([r.table.stem for r in roles]) and _share_no_unit(roles):
        return roles
    out = []
    for r in roles:
        task = strings([r.table.stem] * r.table.height)
        table = replace(r.table, columns={**r.table.columns, "task": task})
        out.append(Roles(table, r.options))
    return out


def are_shards(stems: Sequence[str]) -> bool:
    """Whether the files' names differ in their numbers only: part-0, part-1, ..."""
    return len(stems) > 1 and len({re.sub(r"\d+", "#", s) for s in stems}) == 1


def _share_no_unit(roles: list[Roles]) -> bool:
    """Whether every unit is in one of the files only."""
    if not all(r.found["unit"] for r in roles):
        return False
    units = [set(text(r.table, r.one("unit") or "").tolist()) for r in roles]
    return sum(map(len, units)) == len(set().union(*units))


def _without_row_counter(roles: Roles, models: int) -> dict[str, str]:
    """A saved row number (0, 1, 2, ... down a whole long table) is no id: it never occurs for two models."""
    keys = roles.keys()
    unit = keys.get("unit")
    if unit is None or unit in roles.options.given.values() or models < 2:
        return keys
    others = any(role in keys for role in ("repeat", "fold", "seed")) or "task" in keys
    cells = roles.table.columns[unit].tolist()
    if (unit in roles.weak or others) and len(set(cells)) == len(cells):
        del keys["unit"]
    return keys
