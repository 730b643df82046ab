"""lighteval: details/MODEL/DATE/details_TASK_DATE.parquet, one row per example."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ropewalk.read.formats.file import File, as_dict, canonical, digest
from ropewalk.read.formats.rows import (
    by_metric,
    log_table,
    newest,
    older_note,
    repeats,
    skipped_notes,
    whole_metrics,
)
from ropewalk.read.log import Log
from ropewalk.read.parquet import parquet_rows
from ropewalk.read.table import Table

NAME = "lighteval"

_DETAILS = re.compile(r"details_(?P<task>.+)_(?P<date>[^_]+)\.parquet")
_DATE = re.compile(r"\d{4}-\d\d-\d\dT.*")
# Newer versions have three structs, older ones have a column for each part.
_NEW, _OLD = (b"doc", b"metric", b"model_response"), (b"example", b"full_prompt", b"metrics")
_COLUMNS = ("doc", "metric", "example", "full_prompt", "metrics", "gold", "gold_index", "choices")


@dataclass(frozen=True, slots=True, kw_only=True)
class _DetailsFile:
    file: File
    model: str
    task: str
    date: str


def recognises(file: File) -> bool:
    """Check for a Parquet file with the columns of either version."""
    if not file.head.startswith(b"PAR1"):
        return False
    return any(all(c in file.tail for c in columns) for columns in (_NEW, _OLD))


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per model and task: the latest of each."""
    every = [_described(f) for f in files]
    latest, older = newest(every, key=lambda d: (d.model, d.task), date=lambda d: d.date)
    notes = older_note([d.file.name for d in older])
    return [_table(d, notes if d is latest[0] else []) for d in latest]


def _described(file: File) -> _DetailsFile:
    """Return model and date from the folders details/ORG/MODEL/DATE or details/MODEL/DATE."""
    path = Path(file.path).absolute()
    named = _DETAILS.fullmatch(path.name)
    task, date = (named["task"], named["date"]) if named else (path.stem, "")
    parts = path.parent.parts
    if parts and _DATE.fullmatch(parts[-1]):
        parts = parts[:-1]
    org = len(parts) > 2 and parts[-3] == "details"
    model = "/".join(parts[-2:] if org else parts[-1:]) if named else file.stem
    return _DetailsFile(file=file, model=model, task=task, date=date)


def _table(details: _DetailsFile, notes: Sequence[str]) -> Table:
    file = details.file
    hashes: dict[str, list[str]] = {c: [] for c in ("id", "gold_hash", "prompt_hash")}
    values: list[dict[str, Any]] = []
    for row in parquet_rows(Path(file.path), name=file.name, columns=_COLUMNS):
        doc = as_dict(row.get("doc")) or {**row, "query": row.get("example")}
        hashes["id"].append(_hash(file, doc, "query"))
        hashes["gold_hash"].append(_hash(file, doc, "gold", "gold_index", "choices"))
        hashes["prompt_hash"].append(_hash(file, row, "full_prompt"))
        values.append(as_dict(row.get("metric")) or as_dict(row.get("metrics")))
    names = dict.fromkeys(m for v in values for m in v)
    metrics, skipped = whole_metrics({m: [v.get(m) for v in values] for m in names}, file)
    shared: dict[str, list[Any]] = {
        "model": [details.model] * len(values),
        "task": [details.task] * len(values),
        "repeat": repeats(hashes["id"]),
        **hashes,
    }
    return log_table(
        file,
        by_metric(shared, metrics),
        source=file.source(),
        log=Log(
            format=NAME,
            notes=(*notes, *skipped_notes(skipped, details.task)),
            same={"gold answer": "gold_hash"},
            alike={"prompt": "prompt_hash"},
        ),
    )


def _hash(file: File, row: Mapping[str, Any], *parts: str) -> str:
    return digest(canonical([row.get(p) for p in parts], file.name))
