"""Files, frames, dicts and arrays -> Scores, Predictions or Counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ropewalk.data import Counts, Predictions, Scores, Summed
from ropewalk.data.coverage import Missing, check_missing
from ropewalk.errors import DataError, OptionError, short
from ropewalk.metrics import Metric, metric_for
from ropewalk.read.content import room
from ropewalk.read.files import MANY, expanded, from_paths, is_paths, size_of
from ropewalk.read.formats.sklearn import cv_results_table, from_objects
from ropewalk.read.frame import frames, from_frame, from_relation, is_lazy, is_relation
from ropewalk.read.in_memory import read_tables
from ropewalk.read.memory import from_mapping, from_matrix
from ropewalk.read.nested import from_nested, is_nested
from ropewalk.read.roles import Options
from ropewalk.read.table import Table

_LOOK_AGAIN = 8  # as Python values a file may take so many times its bytes


def read(
    source: Any,
    query: str | None = None,
    *,
    model: str | Sequence[str] | None = None,
    task: str | None = None,
    unit: str | None = None,
    score: str | None = None,
    truth: str | None = None,
    cluster: str | None = None,
    repeat: str | None = None,
    fold: str | None = None,
    seed: str | None = None,
    split: str | None = None,
    statistics: Sequence[str] | None = None,
    higher_is_better: bool | None = None,
    by_position: bool = False,
    labels: Sequence[object] | None = None,
    positive: object | None = None,
    sheet: str | None = None,
    missing: Missing | None = None,
    pick: str | None = None,
    in_place: bool | None = None,
    dask: str | None = None,
    metric: Any = None,
) -> Scores | Predictions | Counts | Summed:
    """Read the results of models and pair them unit by unit.

    Columns are recognized by their names, and `audit.notes` lists what was recognized. Use an option where
    the name of a column does not say enough.

    Parameters
    ----------
    source : path, list of paths, frame, dict, array or connection
        A path, a list of paths, a folder or a pattern; a pandas, polars or pyarrow frame or anything else
        that narwhals accepts, or a dict {model: frame}; a DuckDB relation; a dict {model: scores}, or over
        data sets {data set: {model: scores}} or {model: {data set: scores}}; a matrix, units x models;
        scikit-learn's `cv_results_`, or a dict {model: what cross_validate returned}. With `query` a
        connection to a database (DuckDB, SQLite, ADBC), the path of a DuckDB or SQLite file, or None where
        the query names files.
    query : str, optional
        SQL query whose rows are the data, such as "select * from 'a.parquet'"; given with a connection, the
        path of a database, or None.
    model : str or list of str, optional
        Column with the names of the models, or, for a table with one column per model, the list of these
        columns. For a dict of dicts, the list of names that are models.
    task, unit : str, optional
        Columns with the task and with the id of the example.
    score : str, optional
        Column with the score; or which metric, where a column names metrics.
    truth : str, optional
        Column with the truth, which makes the rest predictions.
    cluster : str, optional
        Column with the cluster of each example, such as the patient, the document or the query.
    repeat, fold, seed : str, optional
        Columns with the repeat and the fold of a cross-validation, and with the seed of a training run.
    split : str, optional
        Column that says what a row is for, such as calibration or test.
    statistics : list of str, optional
        Columns of sufficient statistics, which add up over segments, for metrics such as BLEU.
    higher_is_better : bool, optional
        Whether a higher score is better. By default the metric's name decides; where it says nothing, higher
        is assumed to be better, and the report says so.
    by_position : bool, default False
        Pair row k of every model with row k of the others, whatever the ids.
    labels : list, optional
        Additional classes that do not occur in the truth.
    positive : object, optional
        Positive class, where there is a single column of probabilities.
    sheet : str, optional
        Sheet of an Excel workbook, by default the first.
    missing : {"drop", "worst"}, optional
        "drop" leaves out units that a model lacks or whose cell is empty; "worst" counts them as wrong, or as
        the worst score that there is.
    pick : str, optional
        Metric to compare by, where a log or table holds it already; of predictions it is computed.
    in_place : bool, optional
        Aggregate the rows where they are instead of loading them. By default only for large files.
    dask : str, optional
        Address of a Dask cluster whose workers read the files.
    metric : str, Metric or callable, optional
        Metric of the whole test set that the predictions will be compared by: in place, examples with the
        same truth and predictions are counted for it.

    Returns
    -------
    Scores, Predictions, Counts or Summed
        Scores of units, predictions with the truth, counts of right and wrong answers, or sums that were
        fetched in place.

    Raises
    ------
    DataError
        If something cannot be read or paired. Nothing is repaired: empty cells (without `missing`),
        duplicates and unknown labels are errors that name the rows.

    Notes
    -----
    Files are CSV (also with tabs or semicolons), Parquet, JSON lines or Excel sheets, text also
    packed by gzip; or logs of a known evaluation tool, in a folder or a zip archive of it, which say enough
    by themselves. Units are matched by identity; those that some model lacks are left out and counted in
    `audit.dropped`.

    Examples
    --------
    >>> scores = read({"svm": [0.81, 0.79, 0.84], "forest": [0.85, 0.80, 0.86]})
    >>> scores.models, scores.sums("forest", "svm").n
    (('svm', 'forest'), 3)
    """
    check_missing(missing)
    if isinstance(source, (Scores, Predictions, Counts, Summed)):
        return source
    options = Options(
        model=model,
        task=task,
        unit=unit,
        score=score,
        truth=truth,
        cluster=cluster,
        repeat=repeat,
        fold=fold,
        seed=seed,
        split=split,
        statistics=statistics,
        higher_is_better=higher_is_better,
        by_position=by_position,
        labels=(labels,) if isinstance(labels, str) else labels,
        positive=positive,
        sheet=sheet,
        missing=missing,
        pick=pick,
    )
    whole = None if metric is None else metric_for(metric)
    if query is not None:
        return _of_query(source, query, options, whole, in_place=in_place, dask=dask)
    if isinstance(source, (list, tuple)) and not source:
        raise DataError("there is nothing to read: the list is empty", hint="Give at least one file.")
    if dask is not None:
        return _on_dask(source, options, whole, dask)
    if in_place is not False and (found := _in_place(source, options, whole, always=bool(in_place))):
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
    """The rows of a query: summed by DuckDB where they are many, else fetched."""
    from ropewalk.read.query import queried

    if dask is not None:
        raise OptionError("a query runs in its database, not on Dask", hint="Leave out one of them.")
    with queried(source, query) as rows:
        found = None
        if is_relation(rows) and in_place is not False:
            found = _in_place(rows, options, metric, always=bool(in_place))
        elif in_place:
            found = _needed(None)
        if found is None:
            found = read_tables([rows], options) if isinstance(rows, Table) else _of_objects(rows, options)
    return replace(found, audit=found.audit.noted(f"rows of the query: {short(query, 200)}"))


def _of_objects(source: Any, options: Options) -> Scores | Predictions | Counts:
    """Frames, relations, dicts and arrays in memory."""
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
            hint="Leave it out, or give predictions together with the truth.",
        )
    if isinstance(source, Mapping):
        return from_nested(source, options) if is_nested(source) else from_mapping(source, options)
    if isinstance(source, (np.ndarray, list, tuple)):
        return from_matrix(source, options)
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
    """The sums of large files and lazy frames; None where every row is to be read."""
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
    from ropewalk.read.engines import sum_files, sum_frames  # most calls do without

    if paths is not None:
        too_large = _LOOK_AGAIN * sum(map(size_of, paths)) > room()
        try:
            found = sum_files(paths, options, metric, always=always, names_rows=too_large)
        except DataError:
            # A second look: the reader of small files names rows and lines, or knows what is meant.
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
