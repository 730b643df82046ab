"""One line of the page: what a document prints, what comes out here, and why they differ where they do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ropewalk.posterior import Probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    where: str
    what: str
    printed: str
    ours: str
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A document, cited by authors and year, with a sentence about it and its rows."""

    title: str
    about: str
    rows: Sequence[Row]

    def text(self) -> str:
        lines = [f"## {self.title}", "", self.about, "", "| where | what | printed | ours | difference |"]
        lines.append("| --- | --- | --- | --- | --- |")
        lines += [f"| {r.where} | {r.what} | {r.printed} | {r.ours} | {r.note} |" for r in self.rows]
        return "\n".join(lines) + "\n"


def three(p: Probabilities | Sequence[float], digits: int = 3) -> str:
    """better / equivalent / worse."""
    values = (p.better, p.equivalent, p.worse) if isinstance(p, Probabilities) else p
    return " / ".join(f"{v:.{digits}f}" for v in values)


def several(values: Sequence[float], digits: int = 3) -> str:
    return ", ".join(f"{v:.{digits}f}" for v in values)
