"""A few lines on what was read and paired, for the start of every report and for `ropewalk check`."""

from __future__ import annotations

from ropewalk.data import Audit


def audit_lines(audit: Audit, *, unit: str, tasks: int, design: str) -> tuple[str, ...]:
    """Number of units paired and left out, and how the data were interpreted."""
    paired = f"{audit.paired:,} {unit}s paired"
    if tasks > 1 and unit != "task":
        paired += f" on {tasks:,} tasks"
    if unit == "fold":
        paired += f" ({design})"
    dropped = "".join(f"; {d.units:,} left out ({d.reason})" for d in audit.dropped)
    return (paired + dropped, *audit.notes)
