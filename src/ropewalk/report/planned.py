"""How many more units would decide an undecided comparison, in one line."""

from __future__ import annotations

from math import isfinite

from ropewalk.methods.more_needed import more_needed
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import a_percent, at_most, leading, pair

_FIRST = 2  # number of undecided pairs that get a line


def more_text(c: Comparison, *, brief: bool = False) -> str:
    """Return how many more units would decide it, or how to find out; "" if it is decided."""
    found = more_needed(c)
    if found is None:
        return ""
    if found.grows_by:
        return f"run `ropewalk plan` to see how many more {found.grows_by} would decide it"
    if found.units is not None:
        more = f"about {found.units:,} more {found.unit}s"
        if brief:
            return f"{more} ({found.chance:.0%} chance of a verdict)"
        return f"{more} would give {a_percent(found.chance)} chance of a verdict"
    if found.limit < found.chance:
        chance = at_most(found.limit, found.chance)
        return f"more {found.unit}s alone are unlikely to decide it (chance {chance}); see `ropewalk plan`"
    return (
        f"no realistic number of further {found.unit}s would decide it: "
        "the difference is too close to the edge of the ROPE"
    )


def assumed_text(c: Comparison) -> str:
    """What the number of further units assumes; "" if none is given or nothing is assumed."""
    found = more_needed(c)
    if found is None or found.units is None or not isfinite(found.expects):
        return ""
    return f"assumes that differences of about ±{found.expects:.2g} are typical; see `ropewalk plan`"


def first_plans(answers: list[Comparison]) -> list[tuple[str, str]]:
    """Return what would decide each of the first few undecided pairs."""
    undecided = [c for c in answers if c.verdict.name == "undecided"]
    first = leading(undecided, _FIRST)
    grown = {"" if (needed := more_needed(c)) is None else needed.grows_by for c in first}
    if len(first) > 1 and len(grown) == 1 and (unit := grown.pop()):
        run = f"run `ropewalk plan` to see how many more {unit} would decide"
        return [("Next", f"{run} the {len(undecided):,} undecided pairs")]
    found = [(c, text) for c in first if (text := more_text(c, brief=len(first) > 1))]
    rows = [("Next" if i == 0 else "", f"{pair(c)}: {text}") for i, (c, text) in enumerate(found)]
    if rows and len(undecided) > _FIRST:
        left = len(undecided) - _FIRST
        others = "other undecided pair" if left == 1 else f"other {left:,} undecided pairs"
        rows.append(("", f"for the {others} run `ropewalk plan`"))
    return rows
