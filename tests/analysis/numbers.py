"""The numbers of a report."""

from __future__ import annotations

from ropewalk.report import Report


def numbers_of(report: Report) -> list[tuple[float, ...]]:
    return [
        (c.verdict.better, c.verdict.equivalent, c.verdict.worse, c.estimate.mean, c.effect.value)
        for c in sorted([*report.overall, *report.comparisons], key=lambda c: (c.task or "", c.a, c.b))
    ]
