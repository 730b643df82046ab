"""The whole answer in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ropewalk.errors import short
from ropewalk.results.formatting import listing, share
from ropewalk.results.sentences import AGAINST, MODELS, PAIRS, REFERENCE, pair_sentence

if TYPE_CHECKING:
    from ropewalk.results.all_models import Leaderboard
    from ropewalk.results.comparison import Comparison
    from ropewalk.results.report import Report


def headline(report: Report) -> str:
    """The whole answer in one sentence."""
    answers = report.overall or report.comparisons
    if len(answers) == 1:
        return _of_one(answers[0], report.reference)
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
    settled = PAIRS["settled"].format(decided=decided, count=len(answers))
    b = report.reference
    if b is not None and len(names) > 2:
        return _against(b, answers)
    best = [m for m in names if won[m] == len(names) - 1]
    if best:
        return PAIRS["best"].format(first=short(best[0]))
    if all(c.verdict.name == "equivalent" for c in answers):
        return PAIRS["all equivalent"]
    if not won:
        return PAIRS["none better"].format(settled=settled)
    unbeaten = [m for m in names if not lost[m]]
    if unbeaten and len(unbeaten) < len(names):
        return PAIRS["unbeaten"].format(members=listing(unbeaten, "or"), settled=settled)
    return PAIRS["mixed"].format(settled=settled)


def _of_one(c: Comparison, reference: str | None) -> str:
    """The sentence about the only pair; it says if one of the two is the reference."""
    a, b = short(c.a), short(c.b)
    p, name, least = c.verdict.probabilities, c.verdict.name, c.verdict.decided_by.least
    plain = pair_sentence(a, b, p, name, least)
    if reference != c.b or c.verdict.sentence != plain:
        return c.verdict.sentence
    return pair_sentence(a, REFERENCE.format(name=b), p, name, least)


def _against(b: str, answers: Sequence[Comparison]) -> str:
    """The models that are better than the reference, worse, equivalent and undecided."""
    found: dict[str, list[str]] = {"better": [], "worse": [], "equivalent": [], "undecided": []}
    for c in answers:
        found[c.verdict.name].append(c.a)
    none = AGAINST["none"].format(count=f"{len(answers):,}", b=short(b))
    parts = [] if found["better"] else [none]
    for name, models in found.items():
        if models:
            are = "is" if len(models) == 1 else "are"
            text = AGAINST[name]
            parts.append(text.format(names=listing(models, "and"), are=are, b=short(b)))
    return f"{'; '.join(parts)}."


def _best_of_all(board: Leaderboard) -> str:
    """The sentence about the best of all models."""
    k = len(board.names)
    roped = not board.rope.is_point
    members = [board.names[i] for i in board.order if i in board.practically_best]
    sure = all(board.p_within[i] >= board.threshold for i in board.practically_best)
    p = min(board.p_within[i] for i in board.practically_best)
    key, word = "each best", "and"
    if len(members) == 1:
        key = "best"
    elif len(members) == k:
        key = "all equivalent" if sure else "unknown"
    elif not sure:
        key, word = "one of", "or"
        _, _, held = board.posterior.held((board.rope.low, board.rope.high))
        p = held[len(members) - 1]
    return MODELS[key].format(
        first=short(members[0]),
        members=listing(members, word),
        count=f"{k:,}",
        or_close=MODELS["or close"] if roped else "",
        close_to=MODELS["close to"] if roped else "",
        p=share(p, board.threshold),
    )
