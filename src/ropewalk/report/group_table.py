"""Groups of tasks -> a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ropewalk.errors import short
from ropewalk.report.document import ReportTable
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import advantages, over_what, p_text, pair, shares, verdict_text


def groups_table(groups: Mapping[str, Sequence[Comparison]], *, most: int) -> ReportTable:
    """Return one row per group and pair, at most `most` rows; `n` is the number of tasks."""
    every = [(name, c) for name, found in groups.items() for c in found]
    one_pair = len({(c.a, c.b) for _, c in every}) == 1
    rows: list[tuple[str, ...]] = []
    called, sizes = advantages([c for _, c in every])
    for (name, c), size in zip(every[:most], sizes, strict=False):
        models = () if one_pair else (pair(c),)
        p = p_text(c.classical[0].p_value) if c.classical else "-"
        rows.append(
            (
                short(name, 24),
                *models,
                f"{c.n:,}",
                f"{size:+.3g}",
                *shares(c.verdict),
                verdict_text(c),
                p,
            )
        )
    who = () if one_pair else ("pair",)
    about = over_what(c for _, c in every)
    first = f"group, {about}" if about else "group of tasks"
    columns = (first, *who, "n", called, "better", "equiv.", "worse", "verdict", "p")
    if len(every) > most:
        rows.append((f"… {len(every) - most:,} more", *[""] * (len(columns) - 1)))
    numeric = (False, *[False] * len(who), *[True] * 5, False, True)
    caption = (
        "Groups of tasks, each compared on its own (n: number of tasks). Better and worse refer to the first "
        "model of a pair."
    )
    return ReportTable(columns=columns, numeric=numeric, rows=tuple(rows), caption=caption)
