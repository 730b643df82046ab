"""How much more of the same would decide an undecided comparison: one line."""

from __future__ import annotations

from math import isfinite

from ropewalk.methods.more_needed import more_needed
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import decimals, pair

_FIRST = 3  # undecided pairs that get a line


def more_text(c: Comparison) -> str:
    """About how many more units would decide it, or where to look that up; "" where it is decided."""
    found = more_needed(c)
    if found is None:
        return ""
    if found.grows_by:
        return f"'ropewalk plan' says how many more {found.grows_by} would"
    if found.units is not None:
        expecting = (
            f", expecting differences of about ±{found.expects:.2g}" if isfinite(found.expects) else ""
        )
        return f"about {found.units:,} more {found.unit}s (chance {found.chance:g}{expecting})"
    if found.limit < found.chance:
        most = decimals(found.limit, found.chance, 2)
        return f"more {found.unit}s alone hardly will (chance at most {most}): see 'ropewalk plan'"
    return (
        f"no number of further {found.unit}s that makes sense will: it lies too close to the edge of the ROPE"
    )


def first_plans(answers: list[Comparison]) -> list[tuple[str, str]]:
    """Of several pairs the first few that are undecided, each with what would decide it."""
    undecided = [c for c in answers if c.verdict.name == "undecided"]
    found = [(c, text) for c in undecided[:_FIRST] if (text := more_text(c))]
    rows = [("to decide it" if i == 0 else "", f"{pair(c)}: {text}") for i, (c, text) in enumerate(found)]
    if rows and len(undecided) > _FIRST:
        rows.append(("", f"the other {len(undecided) - _FIRST} undecided pairs: ropewalk plan"))
    return rows
