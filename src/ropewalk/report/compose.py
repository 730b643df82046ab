"""Report -> document: the answer, then why, then what could be wrong with it."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ropewalk.errors import short
from ropewalk.report.comparison import Comparison, Hierarchy, Outcomes, OverTasks
from ropewalk.report.document import Bars, Block, Document, Facts, Headline, Lines, Table
from ropewalk.report.sensitivity import sensitivity
from ropewalk.report.words import by_more_than, interval, listing, p_text, rope_text, score, share, shares

if TYPE_CHECKING:
    from ropewalk.report.board import Board
    from ropewalk.report.report import Model, Report

_MANY = 60  # more pairs or tasks than this are counted, not listed, in a report for reading
_FEW = 15
_FALSE = 0.05  # the share of false claims, or the p-value, that is held
_VERDICTS = ("better", "equivalent", "worse", "undecided")


def document(report: Report, *, full: bool = False) -> Document:
    """The document of a report; in full also what a paper needs: prose, checklist, references, provenance."""
    answers = report.overall or report.comparisons
    blocks: list[Block] = [Headline(text=headline(report)), _audit(report)]
    if len(answers) == 1:
        blocks += _one(report, answers[0])
    else:
        blocks += _many(report, answers)
    if report.seeds:
        blocks.append(_seeds_table(report, with_tests=full))
    warnings = [*report.audit.warnings, *_warnings(report)]
    if warnings:
        blocks.append(Lines(lines=tuple(f"warning: {w}" for w in warnings)))
    if full:
        from ropewalk.report.appendix import appendix

        blocks += appendix(report)
    else:
        paper = "for the paper (methods, checklist, BibTeX): --markdown FILE, to_markdown()"
        blocks.append(Lines(lines=(paper,)))
    return Document(blocks=tuple(blocks))


# --- the first line ------------------------------------------------------------------------------------


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
    """Who is practically the best of all models."""
    k = len(board.names)
    members = [board.names[i] for i in board.order if i in board.practically_best]
    sure = all(board.p_within[i] >= board.threshold for i in board.practically_best)
    if len(members) == 1:
        return f"{short(members[0])} is practically the best of the {k:,} models."
    if len(members) == k and sure:
        return f"All {k:,} models are practically equivalent."
    if sure:
        return f"{listing(members, 'and')} are practically the best of the {k:,} models."
    if len(members) == k:
        return f"The data cannot tell yet which of the {k:,} models is best."
    return f"The best of the {k:,} models is {listing(members, 'or')}; the data cannot tell yet which."


def _audit(report: Report) -> Lines:
    audit = report.audit
    paired = f"{audit.paired:,} {report.unit}s paired"
    tasks = len({c.task for c in report.comparisons})
    if tasks > 1:
        paired += f" on {tasks:,} tasks"
    if report.unit == "fold":
        paired += f" ({report.design})"
    dropped = "".join(f"   {d.units:,} {d.reason}: dropped" for d in audit.dropped)
    return Lines(lines=(paired + dropped, *audit.notes))


# --- one pair ------------------------------------------------------------------------------------------


def _one(report: Report, c: Comparison) -> list[Block]:
    """One pair in full; over many tasks with a line for each of them."""
    a, b = short(c.a), short(c.b)
    e = c.evidence
    mean = "mean " if isinstance(e, OverTasks) else ""
    lines = (
        f"{mean}{report.metric}   {a} {score(e.mean_a)}   {b} {score(e.mean_b)}   "
        f"advantage of {a} {c.advantage:+.4g}",
        f"{c.estimate.name} {c.estimate.mean:.4g}   "
        f"{c.estimate.level:.0%} HDI [{c.estimate.low:.4g}, {c.estimate.high:.4g}]",
    )
    by = by_more_than(c)
    rows = (
        (f"{a} better{by}", c.verdict.better),
        ("practically equivalent", c.verdict.equivalent),
        (f"{b} better{by}", c.verdict.worse),
    )
    verdict = f"verdict at {c.verdict.rule}: {c.verdict.name.upper()}"
    blocks: list[Block] = [Lines(lines=(*lines, *_meaning(c))), Bars(rows=rows, verdict=verdict)]
    if isinstance(e, OverTasks) and report.comparisons:
        blocks.append(_tasks_table(e, report.comparisons))
    return [*blocks, Facts(rows=tuple(_facts(report, c)))]


def _facts(report: Report, c: Comparison) -> list[tuple[str, str]]:
    a, b, e = short(c.a), short(c.b), c.evidence
    facts = [("why this method", c.why if c.why != "asked for" else f"{c.method}: asked for")]
    if isinstance(e, Outcomes):
        text = f"{a} right, {b} wrong: {e.n10:,}    {b} right, {a} wrong: {e.n01:,}"
        facts.append(("they disagree on", text))
    if isinstance(e, Hierarchy):
        facts += _readings(e)
    if isinstance(e, OverTasks) and report.comparisons:
        facts.append(("tasks by themselves", _tally_text(report.comparisons, c)))
    facts.append(("ROPE", rope_text(c)))
    facts.append(("effect", f"{c.effect.name} {c.effect.value:.3g} ({c.effect.label})"))
    tests = [*c.classical, *report.classical[:1]]
    if tests:
        text = "   ".join(f"{t.name} p = {p_text(t.p_value)}" for t in tests)
        facts.append(("classical tests", text))
    passed = [k for k in c.checks if k.ok]  # the others are warnings, further down
    facts += [("checked" if i == 0 else "", f"{k.name}: {k.text}") for i, k in enumerate(passed)]
    flip = sensitivity(c, report.threshold)
    if flip:
        facts.append(("flips if", flip))
    facts.append(("read more", f"ropewalk methods {c.method}"))
    return facts


def _meaning(c: Comparison) -> tuple[str, ...]:
    """Over tasks the bars have a meaning that has to be said."""
    if not isinstance(c.evidence, OverTasks) or c.rope.scale == "share":
        return ()
    if isinstance(c.evidence, Hierarchy) and c.verdict.probabilities == c.evidence.next_task.mean:
        return ("the chance of each on a new task:",)
    return ("the chance that this is the likeliest outcome on a new task:",)


def _readings(e: Hierarchy) -> list[tuple[str, str]]:
    """Both readings of the next task's posterior (P1 footnote 10)."""
    mean, most = e.next_task.mean, e.next_task.most_probable

    def three(p: object) -> str:
        return " / ".join(f"{getattr(p, name):.3f}" for name in ("better", "equivalent", "worse"))

    return [
        ("on a new task", f"better / equivalent / worse {three(mean)}: the chance of each"),
        ("", f"better / equivalent / worse {three(most)}: the chance that it is the likeliest"),
        ("pulled", "how far the other tasks pull a task's advantage towards the mean over tasks"),
    ]


def _tasks_table(e: OverTasks, comparisons: list[Comparison]) -> Table:
    """A line for each task: its own advantage, what the other tasks make of it, its own verdict."""
    own = {c.task: c for c in comparisons}
    pulled = list(e.shrinkage) if isinstance(e, Hierarchy) else []
    rows = []
    for i, (name, n, d) in enumerate(zip(e.names[:_MANY], e.n, e.d, strict=False)):
        pull = (f"{pulled[i]:.0%}",) if pulled else ()
        by_itself = (*shares(own[name].verdict), own[name].verdict.name) if name in own else ("", "", "", "-")
        rows.append((short(name, 24), f"{n:,}", f"{d:+.4g}", *pull, *by_itself))
    if len(e.names) > _MANY:
        rows.append((f"… {len(e.names) - _MANY:,} more", *[""] * (len(rows[0]) - 1)))
    middle = ("pulled",) if pulled else ()
    columns = ("task", "n", "advantage", *middle, "better", "equiv.", "worse", "verdict")
    return Table(columns=columns, numeric=(False, *[True] * (len(columns) - 2), False), rows=tuple(rows))


def _tally_text(comparisons: list[Comparison], c: Comparison) -> str:
    """On how many tasks each verdict was reached, and on which the two models differ most clearly."""
    own = [k for k in comparisons if (k.a, k.b) == (c.a, c.b)]
    count = Counter(str(k.verdict.name) for k in own)
    text = ", ".join(f"{name} on {count[name]}" for name in _VERDICTS)
    decided = sorted(
        (k for k in own if k.verdict.name in ("better", "worse")), key=lambda k: -abs(k.advantage)
    )
    if decided:
        names = ", ".join(short(k.task, 24) for k in decided[:3])
        text += f"; the largest decided differences: {names}"
    return text


def _seeds_table(report: Report, *, with_tests: bool) -> Table:
    """The training runs of each model: never only the best one; with the tests against a common baseline."""
    answers = report.overall or report.comparisons
    tested = {c.a: c for c in answers if c.classical} if len({c.b for c in answers}) == 1 else {}
    with_tests = with_tests and bool(tested)
    rows = []
    for name, s in report.seeds.items():
        low, high = s.interval(0.95)
        tests: tuple[str, ...] = ()
        if with_tests:
            test = tested[name].classical[0] if name in tested else None
            base = "baseline" if name == answers[0].b else "-"
            tests = (base, "-") if test is None else (test.name, p_text(test.p_value))
        rows.append(
            (
                short(name, 24),
                str(s.seeds),
                score(s.mean),
                f"{s.sd:.3g}",
                f"{score(low)} to {score(high)}",
                score(s.worst),
                score(s.best),
                *tests,
            )
        )
    columns = ("training runs", "seeds", f"mean {report.metric}", "sd", "95 % interval", "worst", "best")
    against = (f"test against {short(answers[0].b, 24)}", "p") if with_tests else ()
    return Table(
        columns=(*columns, *against),
        numeric=(False, *[True] * 6, *((False, True) if with_tests else ())),
        rows=tuple(rows),
    )


# --- many pairs ----------------------------------------------------------------------------------------


def _many(report: Report, answers: list[Comparison]) -> list[Block]:
    """Several pairs: the models, the pairs, a sentence for each."""
    facts = [("why this method", answers[0].why), ("ROPE", _rope_summary(answers))]
    facts += _board_facts(report)
    facts.append(
        ("verdict", f"{answers[0].verdict.rule}; better and worse are for the first model of a pair")
    )
    tests = dict.fromkeys(c.classical[0].name for c in answers if c.classical)
    facts.append(("p", ", ".join(tests) or "no classical test"))
    facts += _together(report, answers)
    for test in report.classical:
        more = _critical_difference(test) + _confidence_set(test, report)
        name = "confidence set" if hasattr(test, "included") else test.name
        facts.append((name, f"p = {p_text(test.p_value)}" + more))
    listed = answers[:_MANY]
    if len(answers) > _MANY:
        facts.append(("left out", f"{len(answers) - _MANY} more pairs: see the JSON document"))
    blocks: list[Block] = [_models_table(report)]
    if report.board is not None and 3 <= len(report.board.names) <= _FEW and report.reference is None:
        blocks.append(_matrix(report.board, bool(report.overall)))
    next_task = any(isinstance(c.evidence, Hierarchy) for c in listed)
    blocks.append(pairs_table(listed, first="pair, on a new task" if next_task else "pair"))
    if report.overall and report.comparisons:
        blocks.append(_tally_table(report))
    if len(answers) <= _FEW:  # more sentences than that only repeat the table
        blocks.append(Lines(lines=tuple(c.verdict.sentence for c in answers)))
    return [*blocks, Facts(rows=tuple(facts))]


def _models_table(report: Report) -> Table:
    """The models, best first; with a joint posterior also their chances."""
    columns: tuple[str, ...] = ("model", f"mean {report.metric}", "95 % interval")
    if report.board is not None:
        columns = (*columns, "P(best)", "P(in ROPE)", "rank")
    rows: list[tuple[str, ...]] = []
    for m in report.models[:_MANY]:
        name = short(m.name, 40) + (" *" if m.practically_best else "")
        chances = _chances(m) if report.board is not None else ()
        rows.append((name, score(m.mean), interval(m.low, m.high), *chances))
    if len(report.models) > _MANY:
        rows.append((f"… {len(report.models) - _MANY:,} more", *[""] * (len(columns) - 1)))
    return Table(columns=columns, numeric=(False, *[True] * (len(columns) - 1)), rows=tuple(rows))


def _chances(m: Model) -> tuple[str, str, str]:
    if m.p_best is None or m.p_within_rope is None or m.rank is None:
        return "", "", ""
    first, last = m.rank
    rank = str(first) if first == last else f"{first} to {last}"
    return share(m.p_best), share(m.p_within_rope), rank


def _matrix(board: Board, over_tasks: bool) -> Table:
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
    corner = "row > column: better on average" if over_tasks else "row > column: better"
    return Table(columns=(corner, *heads), numeric=(False, *[True] * len(heads)), rows=rows)


def _board_facts(report: Report) -> list[tuple[str, str]]:
    board = report.board
    if board is None:
        return []
    p = board.posterior
    half = f"{board.rope.in_scores} ({'as given' if board.rope.source == 'given' else board.rope.source})"
    return [
        ("all at once", f"{p.model}: {p.why}; ROPE around the best {half}; ±{p.error:.4f} on P(best)"),
        (
            "marked *",
            f"they hold a model within the ROPE of the best with probability {board.threshold:g}",
        ),
        *(
            [("two questions", "the leaderboard is about the mean over tasks, the pairs about a new task")]
            if any(isinstance(c.evidence, Hierarchy) for c in report.overall)
            else []
        ),
    ]


def _together(report: Report, answers: list[Comparison]) -> list[tuple[str, str]]:
    """What holds for all pairs together: Bayesian false discovery rate, and p-values after Holm."""
    from ropewalk.decide import false_discovery
    from ropewalk.nhst import adjust

    facts = []
    errors = [1 - max(c.verdict.better, c.verdict.equivalent, c.verdict.worse) for c in answers]
    found = false_discovery(errors, q=_FALSE)
    facts.append(
        (
            "all claims",
            f"{len(found.claims)} of {len(answers)} pairs can be settled with at most {_FALSE:.0%} false "
            "claims expected (Bayesian false discovery rate)",
        )
    )
    p = [c.classical[0].p_value for c in answers if c.classical]
    if len(p) > 1:
        held = int(sum(q <= _FALSE for q in adjust(p, method="holm")))
        facts.append(("after Holm", f"{held} of {len(p)} p-values are at most {_FALSE:g}"))
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
                _pair(c),
                f"{c.advantage:+.3f}" if abs(c.advantage) < 100 else f"{c.advantage:+.3g}",
                *shares(c.verdict),
                c.verdict.name,
                p_text(c.classical[0].p_value) if c.classical else "-",
            )
            for c in comparisons
        ),
    )


def _tally_table(report: Report) -> Table:
    """One row a pair: on how many tasks, each by itself, A is better, equivalent, worse, undecided."""
    rows = []
    for c in report.overall[:_MANY]:
        own = [k for k in report.comparisons if (k.a, k.b) == (c.a, c.b)]
        count = Counter(str(k.verdict.name) for k in own)
        rows.append((_pair(c), *(str(count[name]) for name in _VERDICTS)))
    tasks = len({c.task for c in report.comparisons})
    return Table(
        columns=(f"on each of {tasks} tasks", *_VERDICTS), numeric=(False, *[True] * 4), rows=tuple(rows)
    )


def _pair(c: Comparison) -> str:
    return f"{short(c.a, 24)} - {short(c.b, 24)}"


def _warnings(report: Report) -> list[str]:
    """Each warning once, with how many comparisons it concerns and one example."""
    everything = [*report.overall, *report.comparisons]
    failed: dict[str, list[tuple[Comparison, str]]] = {}
    for c in everything:
        for check in c.checks:
            if not check.ok:
                failed.setdefault(check.name, []).append((c, check.text))
    lines = []
    for name, cases in failed.items():
        c, text = cases[0]
        if len(everything) == 1:
            lines.append(f"{name}: {text}")
            continue
        on = f" on {short(c.task, 24)}" if c.task else ""
        count = "" if len(cases) == 1 else f"{len(cases)} of {len(everything)} comparisons, such as "
        lines.append(f"{name}: {count}{_pair(c)}{on}: {text}")
    return lines


# --- words and numbers ---------------------------------------------------------------------------------


def _rope_summary(answers: list[Comparison]) -> str:
    texts = list(dict.fromkeys(rope_text(c) for c in answers if c.rope.source != "not needed"))
    if not texts:
        return "not needed"
    return texts[0] if len(texts) == 1 else f"{texts[0]} for the first pair; each pair has its own"
