"""Methods in sentences: which one was used, and which one answers the other questions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropewalk.methods import title_of
from ropewalk.questions import ASKS
from ropewalk.results.formatting import three

if TYPE_CHECKING:
    from ropewalk.results.comparison import Comparison


def why_text(c: Comparison) -> str:
    """Return the method, and why it was chosen."""
    return f"{title_of(c.method)} ({c.why})" if c.was_asked else c.why


def other_questions(c: Comparison) -> list[tuple[str, str]]:
    """Return the name of each other question over tasks, and its probabilities."""
    rows = []
    for asks, reading in c.readings.items():
        by = "" if reading.by == c.method else f", by the {title_of(reading.by)}"
        error = f" (Monte Carlo error {reading.error:.3f})" if reading.error >= 5e-4 else ""
        said = three(c.a, c.b, reading.p, c.verdict.decided_by.least)
        rows.append((str(asks), f"{said}{error}: {ASKS[asks].of}{by}"))
    return rows
