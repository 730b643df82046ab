"""A report as a row of blocks, which every renderer sets in its own way."""

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
    """Plain lines that belong together; a renderer may set the kinds of them below in ways of their own."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Warnings(Lines):
    """Lines to read before the answer is believed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cautions(Warnings):
    """What could turn the answer round: it stands before the answer, one line each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Warnings):
    """The question over tasks that the headline answers; after it a test that disagrees, if one does."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading(Lines):
    """What the blocks after it are about: one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prose(Lines):
    """A paragraph to paste: one line, and its sentences without the full stop, each with its sources."""

    name: str
    sentences: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Code(Lines):
    """Lines to copy as they stand."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bars:
    """Probabilities as bars, each with its number, and the verdict under them."""

    rows: tuple[tuple[str, float, str], ...]
    verdict: str
    about: str = ""  # over tasks: what the probabilities are of, in short


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """Short labels, each with a text."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows of cells; `numeric` says which columns are numbers, set to the right."""

    columns: tuple[str, ...]
    numeric: tuple[bool, ...]
    rows: tuple[tuple[str, ...], ...]


Block: TypeAlias = Headline | Lines | Bars | Facts | Table


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """The blocks in the order of reading: the answer, then why, then what could be wrong with it."""

    blocks: tuple[Block, ...]


def cautions(texts: Sequence[str]) -> list[Cautions]:
    """The block of these cautions; none where there are none."""
    return [Cautions(lines=tuple(f"warning: {text}" for text in texts))] if texts else []
