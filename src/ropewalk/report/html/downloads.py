"""Files that a page offers: tables as CSV, and the references as BibTeX."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropewalk.report import frames, prose
from ropewalk.report.references import bibtex

if TYPE_CHECKING:
    from ropewalk.results.report import Report

_MOST = 1_000  # with more comparisons, only those over all tasks are offered


def files(report: Report) -> dict[str, str]:
    """Return the content of each file by its name."""
    rows = frames.comparisons(report)
    if has_left_out(report):
        kept = [i for i, level in enumerate(rows["level"]) if level == "overall"][:_MOST]
        rows = {name: [column[i] for i in kept] for name, column in rows.items()}
    out = {"comparisons.csv": frames.to_csv(rows), "models.csv": frames.to_csv(frames.models(report))}
    if report.by_task is not None:
        out["scores.csv"] = frames.to_csv(frames.scores(report))
    return out | {"references.bib": bibtex(prose.sources(report))}


def has_left_out(report: Report) -> bool:
    """Whether there are too many comparisons for a page."""
    return len(report.comparisons) + len(report.overall) > _MOST
