"""MTEB: MODEL/REVISION/TASK.json, one main score per task and subset."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File, as_dict, as_list, plain_number
from ropewalk.read.formats.rows import log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "MTEB"

_REVISION = re.compile(r"[0-9a-f]{7,40}|no_revision_available|external|\d+")
_SPLITS = ("test", "validation", "dev")


def recognises(file: File) -> bool:
    """Check for a document with scores and the version of MTEB."""
    head = file.head.lstrip()
    return head.startswith(b"{") and b'"mteb_version"' in head and b'"scores"' in head


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per file, with tasks as units."""
    revisions = defaultdict(set)
    for file in files:
        model, revision = _folders(file)
        revisions[model].add(revision)
    return [_table(f, *_folders(f), several=len(revisions[_folders(f)[0]]) > 1) for f in files]


def _folders(file: File) -> tuple[str, str]:
    parent = Path(file.path).absolute().parent
    return (parent.parent.name, parent.name) if _REVISION.fullmatch(parent.name) else (parent.name, "")


def _table(file: File, model: str, revision: str, *, several: bool) -> Table:
    document, source = file.json()
    found = as_dict(document)
    task = str(found.get("task_name") or Path(file.path).stem)
    split, rows = _split(as_dict(found.get("scores")))
    scores = [(r.get("hf_subset"), plain_number(r.get("main_score"))) for r in map(as_dict, rows)]
    kept = [(str(subset), value) for subset, value in scores if value is not None]
    if not kept:
        raise ReadError(f"{short(file.name)} has no main score", hint="Was the task finished?")
    height = len(kept)
    columns: dict[str, list[Any]] = {
        "model": [f"{model} ({revision[:8]})" if several and revision else model] * height,
        "task": [task if subset == "default" else f"{task} ({subset})" for subset, _ in kept],
        "metric": ["main_score"] * height,
        "score": [value for _, value in kept],
        "split_name": [split] * height,
        "data_revision": [str(found.get("dataset_revision", ""))] * height,
    }
    return log_table(
        file,
        columns,
        source=source,
        log=Log(
            format=NAME,
            higher_is_better={"main_score": True},
            same={"split": "split_name"},
            alike={"revision of the data": "data_revision"},
        ),
    )


def _split(scores: Mapping[str, Any]) -> tuple[str, list[Any]]:
    """Return the test split, if there is one."""
    name = next((s for s in _SPLITS if s in scores), next(iter(scores), ""))
    return name, as_list(scores.get(name))
