"""Several pairs -> blocks: the models, every model against every other, the pairs, what holds for all."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ropewalk.errors import short
from ropewalk.report.document import Block, Facts, Lines, Table
from ropewalk.report.group_table import groups_table
from ropewalk.report.planned import first_plans
from ropewalk.report.rank_table import rank_table, rank_text
from ropewalk.report.sensitivity_tables import many_text
from ropewalk.results.asks import ASKS
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import (
    MANY,
    VERDICTS,
    interval,
    listing,
    over_what,
    p_text,
    pair,
    rope_text,
    score,
    share,
    shares,
    verdict_text,
)

if TYPE_CHECKING:
    from ropewalk.results.all_models import Leaderboard
    from ropewalk.results.asks import Asks
    from ropewalk.results.report import Model, Report

_FEW = 15


def many(report: Report, answers: list[Comparison]) -> list[Block]:
    """Several pairs: the models, the pairs, a sentence for each."""
    facts = [("why this method", answers[0].why), ("ROPE", _rope_summary(answers))]
    facts += _board_facts(report)
    facts.append(
        ("verdict", f"{answers[0].verdict.rule}; better and worse are for the first model of a pair")
    )
    tests = dict.fromkeys(c.classical[0].name for c in answers if c.classical)
    facts.append(("p", ", ".join(tests) or "no classical test"))
    facts += _together(report)
    facts += first_plans(answers)
    changing = many_text(answers)
    facts += [("sensitivity", changing)] if changing else []
    if report.mean_ranks is not None:
        facts.append(("mean ranks", rank_text(report.mean_ranks)))
    for test in report.classical:
        more = _critical_difference(test) + _confidence_set(test, report)
        name = "confidence set" if hasattr(test, "included") else test.name
        facts.append((name, f"p = {p_text(test.p_value)}" + more))
    listed = answers[:MANY]
    if len(answers) > MANY:
        facts.append(("left out", f"{len(answers) - MANY} more pairs: see the JSON document"))
    blocks: list[Block] = [_models_table(report)]
    if report.board is not None and 3 <= len(report.board.names) <= _FEW and report.reference is None:
        blocks.append(_matrix(report.board, report.asks))
    about = over_what(listed)
    blocks.append(pairs_table(listed, first=f"pair, {about}" if about else "pair"))
    blocks += _second_table(listed)
    if report.overall and report.comparisons:
        blocks.append(_tally_table(report))
    if report.groups:
        blocks.append(groups_table(report.groups, most=MANY))
    if report.mean_ranks is not None:
        blocks.append(rank_table(report.mean_ranks))
    if len(answers) <= _FEW:  # more sentences than that only repeat the table
        blocks.append(Lines(lines=tuple(c.verdict.sentence for c in answers)))
    return [*blocks, Facts(rows=tuple(facts))]


def _models_table(report: Report) -> Table:
    """The models, best first; with a joint posterior also their chances."""
    columns: tuple[str, ...] = ("model", f"mean {report.metric}", "95 % interval")
    if report.board is not None:
        columns = (*columns, "P(best)", "P(in ROPE)", "rank")
    rows: list[tuple[str, ...]] = []
    for m in report.models[:MANY]:
        name = short(m.name, 40) + (" *" if m.practically_best else "")
        chances = _chances(m) if report.board is not None else ()
        rows.append((name, score(m.mean), interval(m.low, m.high), *chances))
    if len(report.models) > MANY:
        rows.append((f"… {len(report.models) - MANY:,} more", *[""] * (len(columns) - 1)))
    return Table(columns=columns, numeric=(False, *[True] * (len(columns) - 1)), rows=tuple(rows))


def _chances(m: Model) -> tuple[str, str, str]:
    if m.p_best is None or m.p_within_rope is None or m.rank is None:
        return "", "", ""
    first, last = m.rank
    rank = str(first) if first == last else f"{first} to {last}"
    return share(m.p_best), share(m.p_within_rope), rank


def _matrix(board: Leaderboard, asks: Asks | None) -> Table:
    """Every model against every other: the row is better (>), worse (<), equivalent (=) or undecided (?)."""
    signs = {"better": ">", "worse": "<", "equivalent": "=", "undecided": "?"}
    order = board.order
    rows = tuple(
        (
            f"{r + 1} {short(board.names[i], 24)}",
            *("" if i == j else signs[board.verdict(i, j)] for j in order),
        )
        for r, i in enumerate(order)
    )
    heads = tuple(str(r + 1) for r in range(len(order)))
    corner = "row > column: better" + (f" {ASKS[asks].short}" if asks else "")
    return Table(columns=(corner, *heads), numeric=(False, *[True] * len(heads)), rows=rows)


def _board_facts(report: Report) -> list[tuple[str, str]]:
    board = report.board
    if board is None:
        return []
    p = board.posterior
    half = f"{board.rope.in_scores} ({'as given' if board.rope.origin == 'given' else board.rope.source})"
    odd = [("does not fit", check.text) for check in p.checks if not check.ok]
    return [
        *odd,
        ("all at once", f"{p.model}: {p.why}; ROPE around the best {half}; ±{p.error:.4f} on P(best)"),
        (
            "marked *",
            f"they hold a model within the ROPE of the best with probability {board.threshold:.15g}",
        ),
    ]


def _together(report: Report) -> list[tuple[str, str]]:
    """What holds for all pairs together: Bayesian false discovery rate, and p-values after Holm."""
    found = report.together
    of_one = ", models of one population" if found.pooled else ""
    decided = sum(c.verdict.name != "undecided" for c in report.answers)
    settled = (
        f"{found.settled} of {decided} verdicts can be claimed together with at most {found.rate:.0%} "
        f"expected to be false (Bayesian false discovery rate{of_one})"
    )
    facts = [("all claims", settled)]
    if found.tests > 1:
        facts.append(("after Holm", f"{found.held} of {found.tests} p-values are at most {found.rate:g}"))
    return facts


def _confidence_set(test: object, report: Report) -> str:
    included = getattr(test, "included", None)
    if included is None or report.board is None:
        return ""
    names = [report.board.names[i] for i in included]
    return f", set at {getattr(test, 'alpha', 0.1):.0%}: {listing(names, 'and')}"


def _critical_difference(test: object) -> str:
    cd = getattr(test, "critical_difference", None)
    return "" if cd is None else f", critical difference of mean ranks {cd:.3g}"


def pairs_table(comparisons: list[Comparison], first: str = "pair") -> Table:
    """One row a pair: the advantage of the first, the three probabilities, the verdict, the classical p."""
    return Table(
        columns=(first, "advantage", "better", "equiv.", "worse", "verdict", "p"),
        numeric=(False, True, True, True, True, False, True),
        rows=tuple(
            (
                pair(c),
                f"{c.advantage:+.3f}" if abs(c.advantage) < 100 else f"{c.advantage:+.3g}",
                *shares(c.verdict),
                verdict_text(c),
                p_text(c.classical[0].p_value) if c.classical else "-",
            )
            for c in comparisons
        ),
    )


def _second_table(comparisons: list[Comparison]) -> list[Block]:
    """One row per pair: what the test of another method says to another question, under heads of its own."""
    found = [(c, asks, r) for c in comparisons for asks, r in c.readings.items() if r.by != c.method]
    if not found:
        return []
    _, asks, first = found[0]
    told = f"{ASKS[asks].short}, by {first.by}"
    rows = []
    for c, _, reading in found:
        rule = c.verdict.decided_by
        p = (share(x, rule.least) for x in (reading.p.better, reading.p.equivalent, reading.p.worse))
        rows.append((pair(c), *p, verdict_text(c, rule.verdict(reading.p))))
    columns = (told, "P(better)", "P(equiv.)", "P(worse)", "its verdict")
    return [Table(columns=columns, numeric=(False, True, True, True, False), rows=tuple(rows))]


def _tally_table(report: Report) -> Table:
    """One row a pair: on how many tasks, each by itself, A is better, equivalent, worse, undecided."""
    rows = []
    for c in report.overall[:MANY]:
        own = [k for k in report.comparisons if (k.a, k.b) == (c.a, c.b)]
        count = Counter(str(k.verdict.name) for k in own)
        rows.append((pair(c), *(str(count[name]) for name in VERDICTS)))
    tasks = len({c.task for c in report.comparisons})
    return Table(
        columns=(f"on each of {tasks} tasks", *VERDICTS), numeric=(False, *[True] * 4), rows=tuple(rows)
    )


def _rope_summary(answers: list[Comparison]) -> str:
    texts = list(dict.fromkeys(rope_text(c) for c in answers))
    if not texts:
        return "not needed"
    return texts[0] if len(texts) == 1 else f"{texts[0]} for the first pair; each pair has its own"
