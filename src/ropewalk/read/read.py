"""Files, frames, dicts and arrays -> Scores, Predictions or Counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ropewalk.data import Counts, Predictions, Scores
from ropewalk.errors import DataError
from ropewalk.read.files import from_paths, is_paths
from ropewalk.read.formats.sklearn import cv_results_table, from_objects
from ropewalk.read.frame import frames, from_frame, from_relation, is_relation
from ropewalk.read.layout import read_tables
from ropewalk.read.memory import from_mapping, from_matrix
from ropewalk.read.roles import Options


def read(
    source: Any,
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
) -> Scores | Predictions | Counts:
    """Read what the models did, and pair it unit by unit.

    `source` is a path, a list of paths, a folder, a pattern; a pandas, polars or pyarrow frame or anything
    else that narwhals accepts, or a dict {model: frame}; a DuckDB relation; a dict {model: scores}; a matrix,
    units x models; scikit-learn's `cv_results_`, or a dict {model: what cross_validate returned}.
    Files are CSV (also with tabs or semicolons), Parquet or JSON lines; or logs of a known evaluation tool,
    which say enough by themselves. Columns are recognised by their names, and what was recognised is said in
    `audit.notes`; an option names a column where the name does not
    say enough:

    - `model`: the models' names in a long table; or the list of columns that are models in a wide one
    - `task`, `unit` (the example's id), `repeat`, `fold`, `seed`: what tells the rows of a model apart
    - `score`: the score in a long table or a model's file; or which metric, where a column names metrics
    - `truth`: the truth, which makes the rest predictions
    - `cluster`: units that belong together (same document, same patient)
    - `split`: what a row is for, such as calibration or test; `statistics`: the columns that add up over the
      segments, for corpus-level metrics such as BLEU
    - `higher_is_better`: else from the metric's name, else assumed true
    - `by_position`: row k is the same example for every model; ids are not looked at
    - `labels`: further labels that a model may give; `positive`: the class that one probability is about

    Units are matched by identity; those that some model lacks are left out and counted in `audit.dropped`.
    Nothing is repaired: empty cells, duplicates and unknown labels are errors that name the rows.

    >>> scores = read({"svm": [0.81, 0.79, 0.84], "forest": [0.85, 0.80, 0.86]})
    >>> scores.models, scores.sums("forest", "svm").n
    (('svm', 'forest'), 3)
    """
    if isinstance(source, (Scores, Predictions, Counts)):
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
    )
    if isinstance(source, (list, tuple)) and not source:
        raise DataError("there is nothing to read: the list is empty", hint="Give at least one file.")
    if is_paths(source):
        return read_tables(from_paths(source), options)
    if isinstance(source, Mapping) and (tables := from_objects(source)):
        return read_tables(tables, options)
    if isinstance(source, (Mapping, list, tuple)) and (tables := frames(source)):
        return read_tables(tables, options)
    if isinstance(source, Mapping):
        return from_mapping(source, options)
    if isinstance(source, (np.ndarray, list, tuple)):
        return from_matrix(source, options)
    table = from_relation(source) if is_relation(source) else from_frame(source)
    if table is None:
        raise DataError(
            f"an object of the type {type(source).__name__} cannot be read",
            hint="Give a path, a list of paths, a frame, a dict {model: scores} or a matrix, units x models.",
        )
    return read_tables(cv_results_table(table) or [table], options)
