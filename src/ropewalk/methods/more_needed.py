"""Number of further units that would decide an undecided comparison."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ropewalk.assurance import assurance, rounded
from ropewalk.assurance.prior import FLAT
from ropewalk.methods.method import method_of
from ropewalk.methods.plausible import plausible
from ropewalk.results.comparison import Comparison

CHANCE = 0.8
_QUICK = 1_000  # futures: the standard error of the chance is 0.013, and a report stays fast


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreNeeded:
    """Number of further `units`, each a `unit`, that decide with probability `chance`; None if there is none.

    `limit` is the probability that any number of them decides. If computing it takes seconds, it is left
    out, and `grows_by` names what a plan would add. `expects` is the spread of the differences that are
    plausible before the data.
    """

    units: int | None = None
    unit: str = ""
    chance: float = CHANCE
    limit: float = 1.0
    grows_by: str = ""
    expects: float = FLAT


@lru_cache(maxsize=256)  # text, Markdown, LaTeX and page all need it
def more_needed(c: Comparison) -> MoreNeeded | None:
    """Number of further units that would decide it; None if it is decided or unknown."""
    if c.verdict.name != "undecided" or c.verdict.decided_by.least is None:
        return None
    method = method_of(c)
    ways = method.directions(c)
    if ways.quick is None:
        return MoreNeeded(grows_by=method.grows_by) if method.grows_by and ways.designs else None
    expects = plausible(c).sd
    design = ways.under_prior(expects).quick
    assert design is not None
    found = assurance(design, c.verdict.decided_by, draws=_QUICK, step=2.0)
    units = found.needed(CHANCE)
    units = None if units is None else rounded(units)
    return MoreNeeded(units=units, unit=design.unit, limit=found.limit, expects=expects)
