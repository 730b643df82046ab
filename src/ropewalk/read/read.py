"""Files, frames, dicts and arrays -> Scores, Predictions or Counts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ropewalk.data import Counts, Predictions, Scores, Summed
from ropewalk.data.coverage import Missing, check_missing
from ropewalk.metrics import metric_for
from ropewalk.options import ColumnOptions, shared_keywords


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
        Column with the score, or the metric to compare by if a column names metrics.
    truth : str, optional
        Column with the truth; the models' columns are then predictions.
    cluster : str, optional
        Column with the cluster of each example, such as the patient, the document or the query.
    repeat, fold, seed : str, optional
        Columns with the repeat and the fold of a cross-validation, and with the seed of a training run.
    split : str, optional
        Column with the purpose of each row, such as calibration or test.
    statistics : list of str, optional
        Columns of sufficient statistics, which add up over segments, for metrics such as BLEU.
    higher_is_better : bool, optional
        Whether a higher score is better. By default the name of the metric or of the column of scores
        decides; if it says nothing (as with arrays, which have no name), higher is assumed to be better,
        with a warning.
    by_position : bool, default False
        Pair row k of every model with row k of the others, whatever the ids.
    labels : list, optional
        Additional classes that do not occur in the truth.
    positive : object, optional
        Positive class, if there is a single column of probabilities.
    sheet : str, optional
        Sheet of an Excel workbook, by default the first.
    missing : {"drop", "worst"}, optional
        "drop" leaves out units that a model lacks or whose cell is empty; "worst" counts them as wrong, or as
        the worst score that there is.
    pick : str, optional
        Metric to compare by, if a log or table holds it already; otherwise it is computed from predictions.
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
        computed in place.

    Raises
    ------
    DataError
        If something cannot be read or paired. Nothing is repaired: empty cells (without `missing`),
        duplicates and unknown labels are errors that name the rows.

    Notes
    -----
    Files are CSV (also with tabs or semicolons), Parquet, JSON lines or Excel sheets, text also
    packed by gzip; or logs of a known evaluation tool, in a folder or a zip archive of it, which need no
    options. Units are matched by their ids; those that some model lacks are left out and counted in
    `audit.dropped`.

    Examples
    --------
    >>> scores = read({"svm": [0.81, 0.79, 0.84], "forest": [0.85, 0.80, 0.86]})
    >>> scores.models, scores.sums("forest", "svm").n
    (('svm', 'forest'), 3)
    """
    columns = shared_keywords(locals(), ColumnOptions)
    columns["labels"] = (labels,) if isinstance(labels, str) else labels
    check_missing(missing)
    if isinstance(source, (Scores, Predictions, Counts, Summed)):
        return source
    from ropewalk.read.roles import Options  # `import ropewalk` does not load the readers
    from ropewalk.read.sources import read_from

    options = Options(**columns, split=split, statistics=statistics, missing=missing, pick=pick)
    whole = None if metric is None else metric_for(metric)
    return read_from(source, query, options, whole, in_place=in_place, dask=dask)
