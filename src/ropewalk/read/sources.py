"""Where data come from: a query, files, a cluster, frames, dicts or arrays, each with its own reader."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ropewalk.data import Counts, Predictions, Scores, Summed
from ropewalk.errors import DataError, OptionError, short
from ropewalk.metrics import Metric
from ropewalk.read.content import room
from ropewalk.read.files import MANY, expanded, from_paths, is_paths, size_of
from ropewalk.read.formats.sklearn import cv_results_table, from_objects
from ropewalk.read.frame import frames, from_frame, from_relation, is_lazy, is_relation
from ropewalk.read.in_memory import read_tables
from ropewalk.read.memory import from_mapping, from_matrix
from ropewalk.read.nested import from_nested, is_nested
from ropewalk.read.roles import Options
from ropewalk.read.table import Table

_LOOK_AGAIN = 8  # Python values may take this many times the bytes of a file


def read_from(
    source: Any,
    query: str | None,
    options: Options,
    metric: Metric | None,
    *,
    in_place: bool | None,
    dask: str | None,
) -> Scores | Predictions | Counts | Summed:
    """Read a source with the reader for its kind."""
    if query is not None:
        return _of_query(source, query, options, metric, in_place=in_place, dask=dask)
    if isinstance(source, (list, tuple)) and not source:
        raise DataError("there is nothing to read: the list is empty", hint="Give at least one file.")
    if dask is not None:
        return _on_dask(source, options, metric, dask)
    if in_place is not False and (found := _in_place(source, options, metric, always=bool(in_place))):
        return found
    if is_paths(source):
        return read_tables(from_paths(source, options), options)
    return _of_objects(source, options)


def _of_query(
    source: Any,
    query: str,
    options: Options,
    metric: Metric | None,
    *,
    in_place: bool | None,
    dask: str | None,
) -> Scores | Predictions | Counts | Summed:
    """Read the rows of a query: aggregated by DuckDB if they are many, otherwise fetched."""
    from ropewalk.read.query import fetched, queried, query_note

    if dask is not None:
        raise OptionError("a query runs in its database, not on Dask", hint="Leave out one of them.")
    with queried(source, query) as rows:
        found = None
        if is_relation(rows) and in_place is not False:
            found = _in_place(rows, options, metric, always=bool(in_place))
        elif in_place:
            found = _needed(None)
        if found is None:
            found = _of_objects(fetched(rows), options)
    return replace(found, audit=found.audit.noted(query_note(query)))


def _of_objects(source: Any, options: Options) -> Scores | Predictions | Counts:
    """Read frames, relations, dicts and arrays in memory."""
    if options.sheet is not None:
        raise OptionError(
            f'the sheet "{short(options.sheet)}" was given, but the data are not files', hint="Leave it out."
        )
    if isinstance(source, Mapping) and (tables := from_objects(source)):
        return read_tables(tables, options)
    if isinstance(source, (Mapping, list, tuple)) and (tables := frames(source)):
        return read_tables(tables, options)
    if options.pick is not None and isinstance(source, (Mapping, np.ndarray, list, tuple)):
        raise OptionError(
            "a metric was given, but the data are already scores",
            hint="Leave it out, or give predictions together with the truth, such as "
            'pandas.DataFrame({"truth": y, "a": predictions_a, "b": predictions_b}). To name the metric of '
            "the scores, give a frame with a column of that name.",
        )
    if isinstance(source, Mapping):
        return from_nested(source, options) if is_nested(source) else from_mapping(source, options)
    if isinstance(source, (np.ndarray, list, tuple)):
        return from_matrix(source, options)
    table = source if isinstance(source, Table) else None
    if table is None:
        table = from_relation(source) if is_relation(source) else from_frame(source)
    if table is None:
        raise DataError(
            f"an object of the type {type(source).__name__} cannot be read",
            hint="Give a path, a list of paths, a frame, a dict {model: scores} or a matrix, units x models.",
        )
    return read_tables(cv_results_table(table) or [table], options)


def _in_place(
    source: Any, options: Options, metric: Metric | None, *, always: bool
) -> Scores | Predictions | Counts | Summed | None:
    """Aggregate large files and lazy frames; None if every row has to be read."""
    if options.missing == "worst" and metric is not None:
        if always:
            raise OptionError(
                f"counting missing units as wrong in {metric.name} needs every row",
                hint="Read the rows into memory: in_place=False (--in-memory); or leave these units out: "
                'missing="drop" (--missing drop).',
            )
        return None
    paths = expanded(source) if is_paths(source) else None
    if paths is not None and not always and sum(map(size_of, paths)) < MANY:
        return None
    from ropewalk.read.engines import sum_files, sum_frames  # most calls do not need it

    if paths is not None:
        too_large = _LOOK_AGAIN * sum(map(size_of, paths)) > room()
        try:
            found = sum_files(paths, options, metric, always=always, names_rows=too_large)
        except DataError:
            # On failure, try the reader of small files: it names rows and lines, or can read the file.
            if too_large:
                raise
            return read_tables(from_paths(paths, options), options)
        return _needed(found) if always else found
    lazy = is_lazy(source) or (isinstance(source, Mapping) and source and all(map(is_lazy, source.values())))
    found = sum_frames(source, options, metric, always=always) if lazy or always else None
    return _needed(found) if always else found


def _on_dask(source: Any, options: Options, metric: Metric | None, address: str) -> Summed | Predictions:
    from ropewalk.read.engines import sum_files

    if not is_paths(source):
        raise OptionError(
            "a Dask cluster reads files, but this is an object in memory",
            hint="Give the paths of files that its workers can see; a Dask frame needs no address.",
        )
    return _needed(sum_files(expanded(source), options, metric, always=True, dask=address))


def _needed(found: Summed | Predictions | None) -> Summed | Predictions:
    if found is None:
        raise DataError(
            "these data cannot be aggregated in place",
            hint="That needs scores or labels with an id: one row per model and unit, or one file, frame or\n"
            "column per model. Every design is read without in_place and dask.",
        )
    return found
