"""Several pairs -> blocks: leaderboard and matrix first, then every pair and the joint model."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

from ropewalk.errors import short
from ropewalk.methods import method_of, title_of
from ropewalk.methods.joint_models import JOINT_MODELS
from ropewalk.questions import ASKS
from ropewalk.report.document import Block, Facts, Lines, ReportTable
from ropewalk.report.group_table import groups_table
from ropewalk.report.method_names import why_text
from ropewalk.report.planned import first_plans
from ropewalk.report.rank_table import rank_table, rank_text
from ropewalk.report.sensitivity_tables import many_text
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import (
    MANY,
    VERDICTS,
    Named,
    advantages,
    interval,
    leading,
    listing,
    over_what,
    p_text,
    pair,
    rope_source,
    rope_text,
    score,
    share,
    shares,
    verdict_text,
)
from ropewalk.results.sentences import claim

if TYPE_CHECKING:
    from ropewalk.results.model import Model
    from ropewalk.results.report import Report

_FEW = 15  # with more pairs or models than this there are no sentences and no matrix
_LISTED = 8  # number of decided pairs named on the first screen


def first(report: Report, answers: list[Comparison]) -> list[Block]:
    """Return leaderboard, matrix, decided pairs, ROPE, method, and what would decide the others."""
    blocks: list[Block] = [_models_table(report)]
    legend = []
    if report.board is not None:
        starred = "one of these is " if len(report.board.practically_best) > 1 else ""
        legend.append(f"* {starred}tied with the best with probability {report.board.threshold:.15g} or more")
        legend.append("P: probability; tied with best: within the ROPE of the best model")
    k = len(report.models)
    is_whole = report.board is not None or len(answers) == k * (k - 1) // 2
    if 3 <= k <= _FEW and report.reference is None and is_whole:
        blocks.append(_matrix(report, answers))
        legend.append("> row better, < row worse, = equivalent, ? undecided")
    blocks += [Lines(lines=tuple(legend))] if legend else []
    facts = [_decided(answers), ("ROPE", _rope_summary(answers)), ("Method", why_text(answers[0]))]
    return [*blocks, Facts(rows=(*facts, *first_plans(answers)))]


def _decided(answers: list[Comparison]) -> tuple[str, str]:
    """Return the number of decided pairs and their verdicts, in one line."""
    decided = [c for c in answers if c.verdict.name != "undecided"]
    count = f"{len(decided):,} of {len(answers):,} pairs"
    if not decided:
        return "Decided", count
    named = leading(decided, _LISTED)
    listed = "; ".join(claim(short(c.a, 24), short(c.b, 24), c.verdict.name) for c in named)
    more = f"; {len(decided) - _LISTED:,} more" if len(decided) > _LISTED else ""
    return "Decided", f"{count}: {listed}{more}"


def details(report: Report, answers: list[Comparison]) -> list[Block]:
    """Return every pair with its probabilities, counts over tasks, groups, mean ranks and joint model."""
    facts = _board_facts(report)
    facts.append(
        ("Verdict", f"{answers[0].verdict.rule}; better and worse refer to the first model of a pair")
    )
    tests = dict.fromkeys(c.classical[0].name for c in answers if c.classical)
    facts.append(("p", ", ".join(tests) or "no classical test"))
    facts += _together(report)
    changing = many_text(answers)
    facts += [("Sensitivity", changing)] if changing else []
    if report.mean_ranks is not None:
        facts.append(("Mean ranks", rank_text(report.mean_ranks)))
    for test in report.classical:
        more = _critical_difference(test) + _confidence_set(test, report)
        name = "Confidence set" if hasattr(test, "included") else test.name
        facts.append((name, f"p = {p_text(test.p_value)}" + more))
    listed = leading(answers)
    facts += _advantage_text(listed)
    if len(answers) > MANY:
        rest = f"{len(answers) - MANY:,} pairs with models further down; the JSON document has them all"
        facts.append(("Not listed", rest))
    about = over_what(listed)
    blocks: list[Block] = [pairs_table(listed, first=f"pair, {about}" if about else "pair")]
    blocks += _second_table(listed)
    if report.overall and report.comparisons:
        blocks.append(_tally_table(report, listed))
    if report.groups:
        blocks.append(groups_table(report.groups, most=MANY))
    if report.mean_ranks is not None:
        blocks.append(rank_table(report.mean_ranks))
    if len(answers) <= _FEW:  # more sentences would only repeat the table
        blocks.append(Lines(lines=tuple(c.verdict.sentence for c in answers)))
    return [*blocks, Facts(rows=tuple(facts))]


def _models_table(report: Report) -> ReportTable:
    """The models, best first, with their probabilities if there is a joint posterior."""
    columns: tuple[str, ...] = ("model", f"mean {report.metric}", "95% interval")
    if report.board is not None:
        columns = (*columns, "P(best)", "P(tied with best)", "rank")
    rows: list[tuple[str, ...]] = []
    for m in report.models[:MANY]:
        name = Named(short(m.name, 40), after=" *" if m.practically_best else "")
        chances = _chances(m) if report.board is not None else ()
        rows.append((name, score(m.mean), interval(m.low, m.high), *chances))
    if len(report.models) > MANY:
        rows.append((f"… {len(report.models) - MANY:,} more", *[""] * (len(columns) - 1)))
    caption = f"Mean {short(report.metric)} of each model with its 95% interval"
    if report.board is not None:
        caption += (
            ", the probabilities that it is the best and that it is practically tied with the best, and the "
            "95% interval of its rank"
        )
    return ReportTable(
        columns=columns,
        numeric=(False, *[True] * (len(columns) - 1)),
        rows=tuple(rows),
        caption=f"{caption}.",
    )


def _chances(m: Model) -> tuple[str, str, str]:
    if m.p_best is None or m.p_within_rope is None or m.rank is None:
        return "", "", ""
    first, last = m.rank
    rank = str(first) if first == last else f"{first} to {last}"
    return share(m.p_best), share(m.p_within_rope), rank


def _matrix(report: Report, answers: list[Comparison]) -> ReportTable:
    """Every model against every other: the row is better (>), worse (<), equivalent (=) or undecided (?)."""
    signs = {"better": "><", "worse": "<>", "equivalent": "==", "undecided": "??"}
    names, board = [m.name for m in report.models], report.board
    found: list[tuple[str, str, str]] = []
    if board is not None:  # it also covers pairs that were not requested or share too few tasks
        places = {name: i for i, name in enumerate(board.names)}
        found = [(a, b, board.verdict(places[a], places[b])) for a, b in combinations(names, 2)]
    cells = {}
    for a, b, verdict in (*found, *((c.a, c.b, c.verdict.name) for c in answers)):
        cells[a, b], cells[b, a] = signs[verdict][0], signs[verdict][1]
    rows = tuple(
        (f"{r + 1} {short(a, 24)}", *("" if a == b else cells[a, b] for b in names))
        for r, a in enumerate(names)
    )
    heads = tuple(str(r + 1) for r in range(len(names)))
    corner = "row > column: better" + (f" {ASKS[report.asks].short}" if report.asks else "")
    rule = answers[0].verdict.decided_by
    needs = (
        f"decided by the {rule}"
        if rule.least is None
        else f"a verdict needs a probability of {rule.least:.15g}"
    )
    caption = (
        "Verdicts: the model of the row is better (>) or worse (<) than that of the column, equivalent (=) "
        f"or undecided (?); {needs}."
    )
    return ReportTable(
        columns=(corner, *heads), numeric=(False, *[True] * len(heads)), rows=rows, caption=caption
    )


def _board_facts(report: Report) -> list[tuple[str, str]]:
    board = report.board
    if board is None:
        return []
    p = board.posterior
    half = f"{board.rope.in_scores} ({rope_source(board.rope)})"
    odd = [("Poor fit", check.text) for check in p.checks if not check.ok]
    return [
        *odd,
        ("Joint model", f"{JOINT_MODELS[p.model].name}: {p.why}"),
        ("Tied with best", f"within {half} of the best model; Monte Carlo error of P(best) {p.error:.4f}"),
    ]


def _together(report: Report) -> list[tuple[str, str]]:
    """Return the facts on all pairs together: Bayesian false discovery rate, and Holm-corrected p-values."""
    found = report.together
    shrunk = ", shrunken estimates" if found.pooled else ""
    decided = sum(c.verdict.name != "undecided" for c in report.answers)
    settled = (
        f"{found.settled} of {decided} verdicts can be claimed together with at most {found.rate:.0%} "
        f"expected to be false (Bayesian false discovery rate{shrunk})"
    )
    facts = [("Multiplicity", settled)]
    if found.tests > 1:
        facts.append(("Holm", f"{found.held} of {found.tests} corrected p-values are at most {found.rate:g}"))
    return facts


def _confidence_set(test: object, report: Report) -> str:
    included = getattr(test, "included", None)
    if included is None or report.board is None:
        return ""
    names = [report.board.names[i] for i in included]
    return f", set at level {getattr(test, 'alpha', 0.1):.0%}: {listing(names, 'and')}"


def _critical_difference(test: object) -> str:
    cd = getattr(test, "critical_difference", None)
    return "" if cd is None else f", critical difference of mean ranks {cd:.3g}"


def pairs_table(comparisons: list[Comparison], first: str = "pair") -> ReportTable:
    """One row per pair: the advantage of the first model, the three probabilities, the verdict, p."""
    name, sizes = advantages(comparisons)
    return ReportTable(
        columns=(first, name, "better", "equiv.", "worse", "verdict", "p"),
        numeric=(False, True, True, True, True, False, True),
        rows=tuple(
            (
                pair(c),
                f"{size:+.3f}" if abs(size) < 100 else f"{size:+.3g}",
                *shares(c.verdict),
                verdict_text(c),
                p_text(c.classical[0].p_value) if c.classical else "-",
            )
            for c, size in zip(comparisons, sizes, strict=True)
        ),
        caption="Every pair: advantage of the first model, and the posterior probabilities that it is "
        "better, practically equivalent or worse.",
    )


def _second_table(comparisons: list[Comparison]) -> list[Block]:
    """One row per pair: the answer of another method to another question, under its own column names."""
    read = [c for c in comparisons if method_of(c).read_by_another]  # only this other method is shown here
    found = [(c, asks, r) for c in read for asks, r in c.readings.items() if r.by != c.method]
    if not found:
        return []
    _, asks, first = found[0]
    told = f"{ASKS[asks].short}, by the {title_of(first.by)}"
    rows = []
    for c, _, reading in found:
        rule = c.verdict.decided_by
        p = (share(x, rule.least) for x in (reading.p.better, reading.p.equivalent, reading.p.worse))
        rows.append((pair(c), *p, verdict_text(c, rule.verdict(reading.p))))
    columns = (told, "P(better)", "P(equiv.)", "P(worse)", "verdict there")
    caption = f"Every pair, {told}: probabilities that the first model is better, equivalent or worse."
    numeric = (False, True, True, True, False)
    return [ReportTable(columns=columns, numeric=numeric, rows=tuple(rows), caption=caption)]


def _advantage_text(listed: list[Comparison]) -> list[tuple[str, str]]:
    """Return a note on the advantage column if it is not the difference of the mean scores."""
    name, sizes = advantages(listed)
    differ = any(f"{size:.2g}" != f"{c.advantage:.2g}" for c, size in zip(listed, sizes, strict=True))
    if name != "advantage" or not differ:
        return []
    return [("Advantage", "posterior mean, which can differ from the difference of the observed mean scores")]


def _tally_table(report: Report, listed: list[Comparison]) -> ReportTable:
    """One row per pair: the number of tasks with each verdict, counting single tasks."""
    rows = []
    for c in listed:
        own = [k for k in report.comparisons if (k.a, k.b) == (c.a, c.b)]
        count = Counter(str(k.verdict.name) for k in own)
        rows.append((pair(c), *(str(count[name]) for name in VERDICTS)))
    tasks = len({c.task for c in report.comparisons})
    return ReportTable(
        columns=(f"on each of {tasks} tasks", *VERDICTS),
        numeric=(False, *[True] * 4),
        rows=tuple(rows),
        caption="Number of tasks with each verdict, every task on its own. Better and worse refer to the "
        "first model of a pair.",
    )


def _rope_summary(answers: list[Comparison]) -> str:
    texts = list(dict.fromkeys(rope_text(c) for c in answers))
    if not texts:
        return "not needed"
    return texts[0] if len(texts) == 1 else f"{texts[0]} for the first pair; it differs from pair to pair"
