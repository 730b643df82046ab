"""Which formats there are, and which one a file is of."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from typing import Protocol, cast

from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File
from ropewalk.read.table import Table

# Formats are tried in this order; each is imported when the first file is inspected.
FORMATS = (
    "lm_eval",
    "inspect_ai",
    "lighteval",
    "helm",
    "openai_evals",
    "mlflow",
    "sklearn",
    "openml",
    "weka",
    "autogluon",
    "mteb",
    "every_eval_ever",
    "promptfoo",
    "deepeval",
    "swe_bench",
    "ragas",
    "langsmith",
)
_GROUP = "ropewalk.readers"


class Format(Protocol):
    """Interface of a format's module."""

    NAME: str

    def recognises(self, file: File) -> bool:
        """Whether the file is of this format."""

    def tables(self, files: Sequence[File]) -> list[Table]:
        """Return the tables of all files of this format that are read together."""


@cache
def known_formats() -> tuple[Format, ...]:
    """Return our formats, and those that other packages added."""
    from importlib.metadata import entry_points

    ours = [cast(Format, import_module(f"ropewalk.read.formats.{name}")) for name in FORMATS]
    theirs = []
    for point in entry_points(group=_GROUP):
        try:
            found = point.load()
        except (ImportError, AttributeError) as problem:
            raise ReadError(
                f'the reader "{short(point.name)}" of another package cannot be imported: {short(problem)}',
                hint="Repair or remove that package.",
            ) from None
        lacking = [n for n in ("NAME", "recognises", "tables") if not hasattr(found, n)]
        if lacking:
            raise ReadError(
                f'the reader "{short(point.name)}" of another package has no `{lacking[0]}`',
                hint=f"{short(point.value)} must have NAME, recognises(file) and tables(files).",
            )
        theirs.append(cast(Format, found))
    return (*ours, *theirs)


def format_of(file: File) -> Format | None:
    """Return the format of a file; None for a plain table."""
    if not file.head:
        return None
    return next((f for f in known_formats() if f.recognises(file)), None)
