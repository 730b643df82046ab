"""How much more of the same would decide an undecided comparison: one line."""

from __future__ import annotations

from typing import cast

import numpy as np

from ropewalk.assurance import Answers, Edges, Normal, Rule, assurance, rounded
from ropewalk.posterior import Point, Posterior, Student
from ropewalk.results.comparison import Comparison, Differences, Outcomes, OverTasks
from ropewalk.results.formatting import pair
from ropewalk.sums import Sums

CHANCE = 0.8
_QUICK = 1_000  # futures: the chance is good to 0.013, and a report is not kept waiting
_FIRST = 3  # undecided pairs that get a line
_LONGER = {  # what takes seconds to find out
    "crossed": "seeds or examples",
    "hierarchical_t": "tasks",
    "hierarchical_mcnemar": "tasks",
    "signed_rank": "tasks",
    "sign": "tasks",
}
_T = ("t", "correlated_t")
_AS_T = ("robust_t", "ess", "bootstrap", "joint_tasks")


def more_needed(c: Comparison, threshold: float) -> str:
    """About how many more units would decide it, or where to look that up; "" where it is decided."""
    if c.verdict.name != "undecided" or c.verdict.decided_by.least != threshold:
        return ""
    design = design_of(c)
    if design is None:
        kinds = _LONGER.get(c.method)
        return f"'ropewalk plan' says how many more {kinds} would" if kinds else ""
    found = assurance(design, Rule(threshold=threshold), draws=_QUICK, step=2.0)
    more = found.needed(CHANCE)
    if more is not None:
        return f"about {rounded(more):,} more {c.unit}s (chance {CHANCE:g})"
    if found.limit < CHANCE:
        return f"more {c.unit}s alone hardly will (chance at most {found.limit:.2f}): see 'ropewalk plan'"
    return f"no number of further {c.unit}s that makes sense will: it lies too close to the edge of the ROPE"


def first_plans(answers: list[Comparison], threshold: float) -> list[tuple[str, str]]:
    """Of several pairs the first few that are undecided, each with what would decide it."""
    undecided = [c for c in answers if c.verdict.name == "undecided"]
    found = [(c, text) for c in undecided[:_FIRST] if (text := more_needed(c, threshold))]
    rows = [("to decide it" if i == 0 else "", f"{pair(c)}: {text}") for i, (c, text) in enumerate(found)]
    if rows and len(undecided) > _FIRST:
        rows.append(("", f"the other {len(undecided) - _FIRST} undecided pairs: ropewalk plan"))
    return rows


def design_of(c: Comparison) -> Normal | Answers | None:
    """What further units would do to a test on one task; None where the test is of another kind."""
    e, p = c.evidence, c.posterior
    if isinstance(p, Point) or c.rope.scale == "share":
        return None
    if isinstance(e, Outcomes) and c.method == "mcnemar":
        phi = (1 + e.n01) / (2 + e.n01 + e.n10)
        sd = float(np.sqrt(phi * (1 - phi)))
        return Answers(n01=e.n01, n10=e.n10, same=e.n00 + e.n11, edges=Edges.of(c.rope, sd))
    if c.method in _T and isinstance(p, Student) and isinstance(e, Differences | OverTasks):
        if e.d.size != c.n:  # counted, or known by their sums only: examples, which do not overlap
            return _as_t(c, p)
        sums = Sums.of(e.d)
        extra = c.correlation.inflation if c.correlation is not None else 0.0
        return Normal(unit=c.unit, sums=sums, edges=Edges.of(c.rope, sums.sd), extra=extra)
    if c.method in _AS_T:
        return _as_t(c, cast("Posterior", p))
    return None


def _as_t(c: Comparison, p: Posterior) -> Normal | None:
    """So many independent units whose mean has the posterior's mean and standard deviation."""
    spread = p.scale if isinstance(p, Student) else p.sd
    if c.n < 2 or not np.isfinite(spread) or spread <= 0:
        return None
    sums = Sums(n=c.n, mean=p.mean, m2=spread**2 * c.n * (c.n - 1))
    return Normal(unit=c.unit, sums=sums, edges=Edges.of(c.rope, sums.sd))
