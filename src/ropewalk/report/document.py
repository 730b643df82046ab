"""A report as a sequence of blocks, which each renderer lays out in its own way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True, kw_only=True)
class Headline:
    """The answer, in one sentence."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Plain lines that form one block; renderers may treat the subclasses below differently."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Warnings(Lines):
    """Warnings to read before trusting the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cautions(Warnings):
    """Cautions that could reverse the answer: shown before it, one line each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Warnings):
    """The question over tasks that the headline answers, then any test that disagrees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DataNotes(Lines):
    """Notes on what was read and paired; a terminal shows them as one paragraph."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Details(Lines):
    """End of the first screen: everything after this line is detail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading(Lines):
    """Heading of the blocks that follow: one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose(Lines):
    """A paragraph to paste: its title, and its sentences without full stops, each with its sources."""

    name: str
    sentences: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code(Lines):
    """Lines to copy verbatim."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Probabilities as bars, each with its number, and the verdict below."""

    rows: tuple[tuple[str, float, str], ...]
    verdict: str
    about: str = ""  # over tasks: a short name of what the probabilities refer to
    caption: str = ""  # for a paper


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Short labels, each with a text."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportTable:
    """Rows of cells; `numeric` says which columns hold numbers and are right-aligned."""

    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""  # for a paper


Block: TypeAlias = Headline | Lines | Bars | Facts | ReportTable


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The blocks in reading order: the answer, the reasons, the caveats."""

    blocks: tuple[Block, ...]


def cautions(texts: Sequence[str]) -> list[Cautions]:
    """Return a block of these cautions; empty if there are none."""
    return [Cautions(lines=tuple(f"warning: {text}" for text in texts))] if texts else []
