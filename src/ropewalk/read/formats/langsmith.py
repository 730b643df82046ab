"""LangSmith: an experiment as CSV, from the download button or from `to_pandas()` of its results."""

from __future__ import annotations

from collections.abc import Sequence

from ropewalk.read.formats.exports import header_of, log_of, metric_columns, read_export
from ropewalk.read.formats.file import File
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "LangSmith"

_FEEDBACK = "feedback."
_PLAIN = {"inputs", "outputs"}
_MEASURED = ("latency", "execution_time", "tokens", "total_tokens", "total_cost", "cost")
_OTHER = (
    *("id", "example_id", "run_id", "inputs", "outputs", "reference_outputs", "error", "status", "name"),
    *("start_time", "end_time", "created_at", "prompt_tokens", "completion_tokens", "", "Unnamed: 0"),
)


def recognises(file: File) -> bool:
    """Check for inputs and outputs with references or feedback, each as one column or one per field."""
    header = header_of(file)
    if header >= {*_PLAIN, "reference_outputs"}:
        return True
    starts = {name.partition(".")[0] for name in header if "." in name}
    return starts >= _PLAIN and ("example_id" in header or "feedback" in starts)


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per experiment, named after its file."""
    return [_table(file) for file in files]


def _table(file: File) -> Table:
    table = read_export(file)
    asked = [c for c in table.columns if c == "inputs" or c.startswith("inputs.")]
    expected = [c for c in table.columns if c == "reference_outputs" or c.startswith("reference.")]
    units = ["example_id"] if "example_id" in table.columns else asked
    data = {c for c in table.columns if c.startswith(("inputs.", "outputs.", "reference."))}
    found = metric_columns(table, without=(*_OTHER, *data))
    judged = {c.removeprefix(_FEEDBACK): c for c in found if c not in _MEASURED}
    by = "example_id" if units == ["example_id"] else "their inputs"
    return log_of(
        file,
        table,
        log=Log(
            format=NAME,
            notes=(f"examples are paired by {by}",),
            higher_is_better=dict.fromkeys(_MEASURED, False),
        ),
        units=units,
        metrics=judged | {c: c for c in found if c in _MEASURED},
        same={"input": asked, "reference": expected},
    )
