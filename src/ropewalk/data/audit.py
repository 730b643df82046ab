"""The record of what happened to the data between the file and the comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, TypeAlias

Pairing: TypeAlias = Literal["id", "row", "position"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """Units that were left out, and why.

    Parameters
    ----------
    reason : str
        Why they were left out.
    units : int
        How many there are.
    unpaired : bool, default True
        Whether some model lacks them, rather than that they were left out by design.

    Examples
    --------
    >>> from ropewalk.data import Dropped
    >>> Dropped(reason="only in forest.csv", units=3).units
    3
    """

    reason: str
    units: int
    unpaired: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Input:
    """File as the user named it, and the SHA-256 of its bytes.

    Parameters
    ----------
    path : str
        The path as it was given.
    sha256 : str
        Digest of the content, in hexadecimal digits.

    Examples
    --------
    >>> from ropewalk.data import Input
    >>> Input(path="a.csv", sha256="e3b0c442").path
    'a.csv'
    """

    path: str
    sha256: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Record of how the data were read: units paired, units left out, and how columns were understood.

    Parameters
    ----------
    paired : int
        Number of units that were paired.
    dropped : tuple of Dropped, default ()
        Units that were left out, by reason.
    notes : tuple of str, default ()
        Facts about the reading.
    warnings : tuple of str, default ()
        What to look at before believing the answer.
    inputs : tuple of Input, default ()
        Files that were read.
    cautions : tuple of str, default ()
        Warnings about what could reverse the answer; every output shows them before the result.
    doubts : tuple of str, default ()
        Doubts that a comparison shows before its result, and because of which a gate refuses.
    pairing : {"id", "row", "position"}, default "id"
        How units were matched: by an id (or a fold, a task), by the rows of one table, or by the rows of
        several files.
    not_run : dict, default {}
        Tasks that a model was not run on, by model.

    Examples
    --------
    >>> from ropewalk.data import Audit, Dropped
    >>> Audit(paired=1200, dropped=(Dropped(reason="only in forest.csv", units=3),)).left_out
    3
    """

    paired: int
    dropped: tuple[Dropped, ...] = ()
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    inputs: tuple[Input, ...] = ()
    cautions: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    pairing: Pairing = "id"
    not_run: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def noted(self, *texts: str) -> Audit:
        """The same audit with more notes after its own.

        Parameters
        ----------
        *texts : str
            The notes.

        Returns
        -------
        Audit
            A new audit.
        """
        return replace(self, notes=(*self.notes, *texts))

    def warned(self, *texts: str) -> Audit:
        """The same audit with more warnings after its own.

        Parameters
        ----------
        *texts : str
            The warnings.

        Returns
        -------
        Audit
            A new audit.
        """
        return replace(self, warnings=(*self.warnings, *texts))

    def cautioned(self, *texts: str) -> Audit:
        """The same audit with more cautions after its own, each of them once.

        Parameters
        ----------
        *texts : str
            The cautions.

        Returns
        -------
        Audit
            A new audit.
        """
        return replace(self, cautions=tuple(dict.fromkeys((*self.cautions, *texts))))

    @property
    def left_out(self) -> int:
        """Number of units that were left out."""
        return sum(d.units for d in self.dropped)

    @property
    def unpaired(self) -> int:
        """Number of units that were left out because some model lacks them."""
        return sum(d.units for d in self.dropped if d.unpaired)
