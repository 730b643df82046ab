"""A layout applied to tables in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ropewalk.data import Counts, Predictions, Scores
from ropewalk.data.arrays import rows_by_name, strings
from ropewalk.errors import CellError, short
from ropewalk.read.attempts import right_or_wrong
from ropewalk.read.block import Block, Place
from ropewalk.read.counts import read_counts
from ropewalk.read.layout import Layout, decide
from ropewalk.read.predictions import read_predictions, read_statistics
from ropewalk.read.roles import Options, Roles, written
from ropewalk.read.scores import read_scores
from ropewalk.read.table import Table, numbers, text


def read_tables(tables: Sequence[Table], options: Options) -> Scores | Predictions | Counts:
    """Detect the layout of the tables, and read them."""
    layout = decide([t.sample() for t in tables], options)
    if layout.content == "counts":
        return read_counts(tables, layout.places[0].keys.get("task"))
    blocks = [
        block
        for sample, place in zip(layout.samples, layout.places, strict=True)
        for block in _blocks(_turned(sample.whole, place, layout), place)
    ]
    if layout.content == "statistics":
        return read_statistics(blocks, layout.options, tuple(map(str, options.statistics or ())))
    metric, notes = layout.metric, tuple(layout.notes)
    if layout.content == "predictions":
        attempts = right_or_wrong(blocks, layout.options)
        if attempts is None:
            return _predictions(blocks, layout)
        truth = next(p.truth for p in layout.places if p.truth is not None)
        notes = (f"truth: `{short(truth)}`; each attempt is right or wrong", *notes)
        blocks, metric = attempts, "accuracy"
    return read_scores(
        blocks,
        layout.options,
        metric=metric,
        notes=notes,
        warnings=layout.warnings,
        told=layout.told,
        groups=layout.groups,
    )


def _predictions(blocks: list[Block], layout: Layout) -> Predictions:
    try:
        return read_predictions(blocks, layout.options, notes=layout.notes)
    except CellError as error:
        scores = layout.instead
        if scores is None:
            raise
        instead = f"\nIf the scores in `{short(scores)}` are to be compared: {written('score', scores)}."
        raise CellError(error.what, where=error.where, hint=error.hint + instead) from None


def _turned(table: Table, place: Place, layout: Layout) -> Table:
    """Negate the scores of metrics where lower is better, if the metric differs by task."""
    if not layout.signs:
        return table
    metric = Roles(table, replace(layout.options, score=None)).one("metric") or ""
    sign = np.array([layout.signs[m] for m in text(table, metric)])
    ((column,), *_) = place.columns.values()
    return replace(table, columns={**table.columns, column: sign * numbers(table, column)})


def _blocks(table: Table, place: Place) -> list[Block]:
    """Return all rows of a table, or the rows of each model."""
    models = None if place.model is None else text(table, place.model, hint="Every row needs its model.")
    if place.task is not None:  # the models may be named in a column of that name
        table = replace(table, columns={**table.columns, "task": strings([place.task] * table.height)})
    if models is None:
        return [place.block(table, np.arange(table.height), table.name, place.columns)]
    return [
        place.block(table, rows, name, {name: place.columns[name]}) for name, rows in rows_by_name(models)
    ]
