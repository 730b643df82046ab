"""RAGAS: `to_pandas()` of a result, saved as CSV or JSON."""

from __future__ import annotations

from collections.abc import Sequence

from ropewalk.read.formats.exports import header_of, log_of, metric_columns, read_export
from ropewalk.read.formats.file import File
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "RAGAS"

# Fields of a sample, as named by version 0.2 and by earlier ones.
_NEW = {"user_input", "response"}
_OLD = {"question", "answer", "contexts"}
_ASKED = ("user_input", "question")
_EXPECTED = ("reference", "ground_truth", "ground_truths")
_SAMPLE = (
    *_ASKED,
    *_EXPECTED,
    *("response", "answer", "contexts", "retrieved_contexts", "reference_contexts", "retrieved_context_ids"),
    *(
        "reference_context_ids",
        "multi_responses",
        "rubrics",
        "rubric",
        "reference_tool_calls",
        "synthesizer_name",
    ),
    *("reference_topics", "persona_name", "query_style", "query_length", "", "Unnamed: 0", "index"),
)


def recognises(file: File) -> bool:
    """Check for the columns of a sample and at least one other column."""
    header = header_of(file)
    return (header >= _NEW or header >= _OLD) and bool(header - set(_SAMPLE))


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per file, named after the model."""
    return [_table(file) for file in files]


def _table(file: File) -> Table:
    table = read_export(file)
    asked = [c for c in _ASKED if c in table.columns]
    expected = [c for c in _EXPECTED if c in table.columns]
    return log_of(
        file,
        table,
        log=Log(format=NAME, notes=("samples are paired by their question",)),
        units=asked,
        metrics=metric_columns(table, without=_SAMPLE),
        same={"reference": expected[:1]},
    )
