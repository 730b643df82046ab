"""Any frame that narwhals accepts, or a DuckDB relation -> Table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ropewalk.errors import ReadError
from ropewalk.read.database import failures, first_line
from ropewalk.read.table import Table, check_names, table_of

# Types that NumPy has too; all others (decimals, 128-bit integers) are converted through Python.
_NUMBERS = {"Float32", "Float64", *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))}


def is_relation(source: object) -> bool:
    """Whether it is a DuckDB relation, judged by the name of its type, so that nothing is imported."""
    return type(source).__name__ == "DuckDBPyRelation"


def is_lazy(source: object) -> bool:
    """Whether its rows are fetched on demand only, also judged by the name of its type."""
    kind = type(source)
    elsewhere = kind.__module__.partition(".")[0] in ("dask", "dask_expr", "pyspark")
    return is_relation(source) or kind.__name__ == "LazyFrame" or elsewhere


def from_relation(relation: Any) -> Table:
    """Fetch the rows of a DuckDB relation."""
    try:
        arrays = relation.fetchnumpy()
    except failures() as problem:
        raise lost_relation(problem) from None
    return table_of({n: arrays[n] for n in relation.columns}, name="the relation", stem="relation")


def lost_relation(problem: Exception) -> ReadError:
    """Return the error for a relation that DuckDB cannot compute."""
    return ReadError(
        "the relation cannot be fetched",
        where=[first_line(problem)],
        hint="Is its connection still open? DuckDB before 2.0 closes a connection that no variable holds.",
    )


def frames(source: Mapping[Any, Any] | Sequence[Any]) -> list[Table]:
    """Read {model: frame} or a list of frames like files of these names; [] for anything else."""
    named = source.items() if isinstance(source, Mapping) else ((i + 1, f) for i, f in enumerate(source))
    tables = []
    for name, frame in named:
        # An array or a list of numbers is not a frame, and having narwhals check every row would be slow.
        # Check the type only: accessing a lazy frame's columns would resolve its schema.
        table = from_frame(frame) if hasattr(type(frame), "columns") else None
        if table is None:
            return []
        label = str(name) if isinstance(source, Mapping) else f"frame {name}"
        tables.append(replace(table, name=label, stem=label))
    return tables


def as_frame(source: Any) -> Any:
    """Wrap an eager or lazy frame that narwhals accepts, with unique column names; None if it is no frame."""
    import narwhals as nw

    try:
        frame = nw.from_native(_named_index_as_columns(source))
    except TypeError:
        return None
    except nw.exceptions.DuplicateError:
        check_names([str(c) for c in source.columns], "the frame")
        raise
    names = list(frame.collect_schema())
    texts = [str(c) for c in names]
    check_names(texts, "the frame")
    return frame if texts == names else frame.rename(dict(zip(names, texts, strict=True)))


def from_frame(source: Any) -> Table | None:
    """Convert a frame to a table; None if it is not a frame."""
    import narwhals as nw

    frame = as_frame(source)
    if frame is None:
        return None
    if isinstance(frame, nw.LazyFrame):
        frame = frame.collect()
    columns: dict[str, Any] = {}
    for series in frame.iter_columns():
        numeric = str(series.dtype) in _NUMBERS and not series.is_null().any()
        columns[str(series.name)] = series.to_numpy() if numeric else series.to_list()
    return table_of(columns, name="the frame", stem="frame")


def _named_index_as_columns(source: Any) -> Any:
    """Keep a named index, to which set_index and groupby of pandas move ids; narwhals would drop it."""
    index = getattr(source, "index", None)
    if type(source).__module__.partition(".")[0] != "pandas" or index is None or source.ndim != 2:
        return source
    words = index.nlevels > 1 or any(n is not None for n in index.names) or index.dtype.kind not in "iu"
    free = (
        not any(n in source.columns for n in index.names if n is not None) and "index" not in source.columns
    )
    return source.reset_index() if words and free else source
