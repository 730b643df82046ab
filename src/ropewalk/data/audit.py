"""What happened to the data between the file and the comparison."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

Pairing: TypeAlias = Literal["id", "row", "position"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """So many units were left out, for this reason.

    `unpaired` says that it is because some model lacks them, rather than by design; `with_task` that nothing
    is left of their tasks.
    """

    reason: str
    units: int
    unpaired: bool = True
    with_task: bool = field(default=False, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """A file as the user wrote it, and the SHA-256 of its bytes."""

    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """How many units were paired, which were dropped and why, and how the data were read.

    `notes` are facts about the reading; `warnings` are things to look at before believing the answer.
    `cautions` are warnings about what could turn the answer round: every output shows them before the result.
    `pairing` says how units were matched: by an id (or a fold, a task), by the rows of one table ("row"), or
    by the rows of several files ("position").

    >>> Audit(paired=1200, dropped=(Dropped(reason="only in forest.csv", units=3),)).left_out
    3
    """

    paired: int
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()
    cautions: tuple[str, ...] = ()
    pairing: Pairing = "id"

    def noted(self, text: str) -> Audit:
        """The same with one more note."""
        return replace(self, notes=(*self.notes, text))

    def warned(self, *texts: str) -> Audit:
        """The same with these warnings after its own."""
        return replace(self, warnings=(*self.warnings, *texts))

    def cautioned(self, *texts: str) -> Audit:
        """The same with these cautions after its own, each of them once."""
        return replace(self, cautions=tuple(dict.fromkeys((*self.cautions, *texts))))

    @property
    def left_out(self) -> int:
        """How many units were dropped in all."""
        return sum(d.units for d in self.dropped)

    @property
    def unpaired(self) -> int:
        """How many units were dropped because some model lacks them."""
        return sum(d.units for d in self.dropped if d.unpaired)
