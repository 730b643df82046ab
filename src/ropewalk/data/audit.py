"""What happened to the data between the file and the comparison."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """So many units were left out, for this reason."""

    reason: str
    units: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A file as the user wrote it, and the SHA-256 of its bytes."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """How many units were paired, which were dropped and why, and how the data were read.

    `notes` are facts about the reading; `warnings` are things to look at before believing the answer.

    >>> Audit(paired=1200, dropped=(Dropped(reason="only in forest.csv", units=3),)).left_out
    3
    """

    paired: int
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()

    def noted(self, text: str) -> Audit:
        """The same with one more note."""
        return replace(self, notes=(*self.notes, text))

    def warned(self, *texts: str) -> Audit:
        """The same with these warnings after its own."""
        return replace(self, warnings=(*self.warnings, *texts))

    @property
    def left_out(self) -> int:
        """How many units were dropped in all."""
        return sum(d.units for d in self.dropped)
