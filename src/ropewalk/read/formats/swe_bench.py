"""SWE-bench: which issues a submission resolved, as the harness's report or as a folder of submissions."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File, as_dict, as_list
from ropewalk.read.formats.rows import log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "SWE-bench results"

_REPORT = (b'"resolved_instances"', b'"completed_ids"')
_SUBMISSION = re.compile(rb'"(no_generation|no_logs)"\s*:\s*\[')
_RESOLVED = re.compile(rb'"resolved"\s*:\s*\[')
_NOT_RUN = ("incomplete_ids", "no_generation")


@dataclass(frozen=True, slots=True, kw_only=True)
class _Results:
    """`total` is the number of instances of the data set, if the file has it."""

    file: File
    source: Input
    model: str
    resolved: frozenset[str]
    known: frozenset[str]
    not_run: frozenset[str]
    total: int | None


def recognises(file: File) -> bool:
    """Recognize the harness report by its counts, and results.json of a submission by its lists."""
    if not file.head.lstrip().startswith(b"{"):
        return False
    if all(key in file.head for key in _REPORT):
        return True
    ends = file.head + file.tail
    return _SUBMISSION.search(ends) is not None and _RESOLVED.search(ends) is not None


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per submission. An instance that only other files name counts as not resolved."""
    found = [_results(file) for file in files]
    totals = {r.total for r in found}
    everything = frozenset().union(*(r.known for r in found))
    same_data = len(totals) == 1
    notes = _notes(found, everything) if same_data else []
    return [
        _table(r, sorted(everything if same_data else r.known), notes if r is found[0] else []) for r in found
    ]


def _results(file: File) -> _Results:
    document, source = file.json()
    lists = {key: _ids(value, key, file) for key, value in as_dict(document).items() if _is_list(value)}
    resolved = lists.get("resolved_ids", lists.get("resolved"))
    if resolved is None:
        raise ReadError(f"{short(file.name)} has no list of resolved instances")
    total = as_dict(document).get("total_instances")
    instances = [ids for key, ids in lists.items() if not key.startswith(("unstopped", "unremoved"))]
    return _Results(
        file=file,
        source=source,
        model=_model(file),
        resolved=resolved,
        known=frozenset().union(*instances),
        not_run=frozenset().union(*(lists.get(key, frozenset()) for key in _NOT_RUN)),
        total=total if isinstance(total, int) else None,
    )


def _is_list(value: Any) -> bool:
    return isinstance(value, list)


def _ids(value: Any, key: str, file: File) -> frozenset[str]:
    ids = as_list(value)
    if not all(isinstance(i, str) and i for i in ids):
        raise ReadError(f"{short(file.name)}: `{short(key)}` is not a list of instance ids")
    return frozenset(ids)


def _model(file: File) -> str:
    """Name a submission after its folder, which has results/results.json, and a report after its file."""
    path = Path(file.path).absolute()
    return path.parent.parent.name if path.parent.name == "results" and path.stem == "results" else file.stem


def _notes(found: Sequence[_Results], everything: frozenset[str]) -> list[str]:
    notes = []
    for r in found:
        lacking = len((everything - r.known) | (r.not_run - r.resolved))
        if lacking:
            notes.append(
                f"{short(r.model)}: {lacking:,} instances were not run or not listed, counted as not resolved"
            )
    return notes


def _table(results: _Results, instances: Sequence[str], notes: Sequence[str]) -> Table:
    columns: Mapping[str, Sequence[Any]] = {
        "model": [results.model] * len(instances),
        "instance_id": instances,
        "metric": ["resolved"] * len(instances),
        "score": [float(i in results.resolved) for i in instances],
    }
    warnings = []
    if results.total is None:
        warnings.append(
            f"{short(results.model)}: the file lists only the resolved instances; instances that no model "
            "resolved are left out, so all shares are too high (the harness's report lists them all)"
        )
    log = Log(format=NAME, notes=tuple(notes), warnings=tuple(warnings), higher_is_better={"resolved": True})
    return log_table(results.file, columns, source=results.source, log=log)
