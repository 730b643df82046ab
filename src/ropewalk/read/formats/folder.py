"""The logs of evaluation tools in a folder and the folders below it."""

from __future__ import annotations

import os
from pathlib import Path

from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File
from ropewalk.read.formats.registry import format_of

_DEEPEST = 6
_MOST_FILES = 100_000
_PLAIN = (".csv", ".tsv", ".tab", ".parquet", ".pq", ".jsonl", ".ndjson", ".json")


def logs_of(folder: Path) -> list[str]:
    """Return the files of known formats, sorted; none if the folder itself has plain tables and no log."""
    found: list[str] = []
    seen = 0
    for where, folders, names in os.walk(folder):  # does not follow links to folders
        depth = len(Path(where).relative_to(folder).parts)
        folders[:] = sorted(f for f in folders if not f.startswith(".")) if depth < _DEEPEST else []
        seen += len(names)
        if seen > _MOST_FILES:
            raise ReadError(
                f"the folder {short(folder)} has more than {_MOST_FILES:,} files",
                hint="Name the folders or files to read.",
            )
        paths = [str(Path(where) / n) for n in sorted(names) if not n.startswith(".")]
        here = [p for p in paths if format_of(File(path=p, name=p, stem="")) is not None]
        if depth == 0 and not here and any(Path(n).suffix.lower() in _PLAIN for n in names):
            return []
        found += here
    return found
