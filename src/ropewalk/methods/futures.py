"""Units that can be added to the data of a comparison, and their effect on the answer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ropewalk.assurance import Answers, Edges, Growth, Normal
from ropewalk.assurance.curve import MOST, STEP
from ropewalk.methods.unvaried import needed_alike
from ropewalk.posterior import HardlyVaried, Posterior, Student, Unvaried
from ropewalk.sums import Sums

if TYPE_CHECKING:
    from ropewalk.results.comparison import Comparison


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Directions:
    """The directions in which a comparison can grow.

    `quick` is the direction along which further units are simulated quickly. A slow simulation has
    at most `draws` draws, stops at `times` the current size, and takes longer steps. `together`
    gives the design along the second direction for a number of units of the first.
    """

    designs: tuple[Growth, ...]
    quick: Normal | Answers | None = None
    draws: int = 100_000
    times: int = MOST
    step: float = STEP
    notes: tuple[str, ...] = ()
    together: Callable[[int], Growth] | None = None

    def under_prior(self, sd: float) -> Directions:
        """Return the same directions with the futures drawn under the prior N(0, sd²) of the advantage."""
        together = self.together
        return replace(
            self,
            designs=tuple(_under_prior(d, sd) for d in self.designs),
            quick=None if self.quick is None else replace(self.quick, prior_sd=sd),
            together=None if together is None else lambda k: _under_prior(together(k), sd),
        )


def _under_prior(design: Growth, sd: float) -> Growth:
    return cast("Growth", replace(cast("Any", design), prior_sd=sd))  # every design class has this field


def one_direction(c: Comparison, design: Normal | Answers | None, *notes: str) -> Directions:
    """Return the single direction: more units like those in the data."""
    if design is None:
        return Directions(designs=(), notes=(_no_plan(c),))
    if design.limited:
        notes = (
            f"repeats share their data, so more {c.unit}s cannot remove the uncertainty that all of them "
            "share; more data sets, or a larger one, would help more",
        )
    if c.unit == "cluster":
        notes = (*notes, "further clusters are assumed to be as large as those at hand")
    return Directions(designs=(design,), quick=design, notes=notes)


def _no_plan(c: Comparison) -> str:
    if not isinstance(c.posterior, Unvaried):
        return f"planning is not supported for {c.method}"
    needed = needed_alike(c.posterior, c.rope, c.verdict.decided_by.least)
    enough = (
        ""
        if needed is None
        else f"; {needed:,} independent {c.unit}s with the same difference would decide it"
    )
    what = "hardly anything" if isinstance(c.posterior, HardlyVaried) else "nothing"
    return f"{what} varies, so these data do not show how further {c.unit}s would turn out{enough}"


def equal_answers(c: Comparison) -> Answers | None:
    """Further examples after n equal scores between 0 and 1, planned as n equal right or wrong answers.

    Both have the same posterior (`Unvaried`): an unseen difference may be as large as 1. None
    for other ranges, constant differences, and units other than examples.
    """
    p = c.posterior
    known = isinstance(p, Unvaried) and p.at == 0 and p.high == 1 and p.n == c.n and c.unit == "example"
    return Answers(same=c.n, edges=Edges.of(c.rope, 0.0)) if known else None


def as_t(c: Comparison) -> Normal | None:
    """Design of independent units whose mean has the posterior's mean and standard deviation."""
    if isinstance(c.posterior, Unvaried) or c.rope.scale == "share":
        return None
    p = cast("Posterior", c.posterior)
    spread = p.scale if isinstance(p, Student) else p.sd
    if c.n < 2 or not np.isfinite(spread) or spread <= 0:
        return None
    sums = Sums(n=c.n, mean=p.mean, m2=spread**2 * c.n * (c.n - 1))
    return Normal(unit=c.unit, sums=sums, edges=Edges.of(c.rope, sums.sd))
