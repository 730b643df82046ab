"""Models by mean rank over tasks -> a table, and the text alongside the Friedman test."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropewalk.errors import short
from ropewalk.report.document import ReportTable
from ropewalk.results.formatting import MANY, share

if TYPE_CHECKING:
    from ropewalk.results.mean_ranks import RankedModels


def rank_table(ranked: RankedModels) -> ReportTable:
    """Return one row per model, best mean rank first."""
    rows = [
        (
            short(m.name, 40),
            f"{m.mean_rank:.2f}",
            f"{m.low:.2f} to {m.high:.2f}",
            share(m.p_best),
            share(m.p_within_rope),
        )
        for m in ranked.models[:MANY]
    ]
    if len(ranked.models) > MANY:
        rows.append((f"… {len(ranked.models) - MANY:,} more", "", "", "", ""))
    columns = (
        f"over {ranked.tasks:,} tasks",
        "posterior mean rank",
        "95% interval",
        "P(best)",
        "P(tied with best)",
    )
    caption = (
        f"Posterior mean ranks of the models over {ranked.tasks:,} tasks by the Bayesian Friedman test, with "
        "95% intervals and the probabilities that a model has the best mean rank and that it is practically "
        "tied with it. The prior pulls them toward the middle, so they differ from the observed mean ranks."
    )
    return ReportTable(
        columns=columns, numeric=(False, True, True, True, True), rows=tuple(rows), caption=caption
    )


def rank_text(ranked: RankedModels) -> str:
    """Return which model has the best mean rank, and the ROPE."""
    best = max(ranked.models, key=lambda m: m.p_best)
    rope = (
        f"ROPE ±{ranked.rope:.3g} ranks (five percentage points in the probability of beating a random "
        "other model)"
    )
    return (
        f"Bayesian Friedman test: {short(best.name, 40)} has the best mean rank with probability "
        f"{share(best.p_best)}; {rope}; Monte Carlo error of P(best) {ranked.posterior.error:.4f}"
    )
