"""The whole answer in one sentence."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ropewalk.errors import short
from ropewalk.results.formatting import listing

if TYPE_CHECKING:
    from ropewalk.results.all_models import Board
    from ropewalk.results.report import Report


def headline(report: Report) -> str:
    """The whole answer in one sentence."""
    answers = report.overall or report.comparisons
    if len(answers) == 1:
        return answers[0].verdict.sentence
    if report.board is not None and report.reference is None and len(report.models) > 2:
        return _best_of_all(report.board)
    names = [m.name for m in report.models]
    won: Counter[str] = Counter()
    lost: Counter[str] = Counter()
    for c in answers:
        if c.verdict.name in ("better", "worse"):
            winner, loser = (c.a, c.b) if c.verdict.name == "better" else (c.b, c.a)
            won[winner] += 1
            lost[loser] += 1
    decided = sum(c.verdict.name != "undecided" for c in answers)
    settled = f"{decided} of {len(answers)} comparisons settled"
    b = report.reference
    if b is not None and len(names) > 2:
        return f"{lost[b]} of {len(answers)} models are better than {short(b)}, {won[b]} worse; {settled}."
    best = [m for m in names if won[m] == len(names) - 1]
    if best:
        return f"{short(best[0])} is better than every other model."
    if all(c.verdict.name == "equivalent" for c in answers):
        return "All models are practically equivalent."
    if not won:
        return f"No model is better than another; {settled}."
    unbeaten = [m for m in names if not lost[m]]
    if unbeaten and len(unbeaten) < len(names):
        return f"No model is better than {listing(unbeaten, 'or')}; {settled}."
    return f"No model comes out on top throughout; {settled}."


def _best_of_all(board: Board) -> str:
    """Who is the best of all models, or as good as the best."""
    k = len(board.names)
    or_close = "" if board.rope.is_point else ", or within the ROPE of it"
    members = [board.names[i] for i in board.order if i in board.practically_best]
    sure = all(board.p_within[i] >= board.threshold for i in board.practically_best)
    if len(members) == 1:
        return f"{short(members[0])} is the best of the {k:,} models{or_close}."
    if len(members) == k and sure:
        return f"All {k:,} models are practically equivalent."
    if sure:
        return f"{listing(members, 'and')} are each the best of the {k:,} models{or_close}."
    if len(members) == k:
        return f"The data cannot tell yet which of the {k:,} models is best."
    return f"The best of the {k:,} models is {listing(members, 'or')}; the data cannot tell yet which."
