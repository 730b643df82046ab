"""Plan -> document: the answer, the current state, the chances, and the notes."""

from __future__ import annotations

import numpy as np

from ropewalk.errors import short
from ropewalk.plan.result import HARDLY, Direction, PairPlan, Plan, counted_more
from ropewalk.questions import ASKS
from ropewalk.report.document import Block, Document, Facts, Headline, Lines, ReportTable, cautions
from ropewalk.results.formatting import decimals, rope_source, shares, winner_named

_CLOSE = 0.08  # only one of two rows is shown if their chances differ by less
_IN_FULL = 2  # number of pairs shown with their tables


def document(plan: Plan) -> Document:
    """Return every pair in turn; beyond the first few, only the sentence."""
    blocks: list[Block] = []
    if len(plan.pairs) > _IN_FULL:
        blocks += [Lines(lines=tuple(p.sentence for p in plan.pairs))]
        blocks += [Lines(lines=("For the full curve of one pair: --pair A B",))]
    else:
        blocks += [block for p in plan.pairs for block in _pair(p, plan)]
    if plan.left_out:
        text = f"{plan.left_out} more undecided pairs; only the first ten are planned."
        blocks.append(Lines(lines=(text,)))
    draws = sorted({d.curve.draws for p in plan.pairs for d in p.directions})
    if draws:
        how_many = " or ".join(f"{n:,}" for n in draws)
        text = f"Each chance comes from {how_many} simulated futures (± one standard error), seed {plan.seed}"
        blocks.append(Lines(lines=(text,)))
    return Document(blocks=(*cautions(plan.cautions), *blocks))


def _pair(p: PairPlan, plan: Plan) -> list[Block]:
    facts: list[tuple[str, str]] = []
    if p.asks is not None:
        facts.append(("question", f"{p.asks}: {ASKS[p.asks].of}"))
    a, b = (short(name, 24) for name in (p.a, p.b))
    if p.now is not None:
        better, equivalent, worse = shares(p.now)
        three = f"{a} better {better}, equivalent {equivalent}, {b} better {worse}"
        facts.append(("now", f"{three}: {winner_named(a, b, p.now.name)} ({p.now.rule})"))
    facts.append(("ROPE", f"{p.rope.in_scores} ({rope_source(p.rope)})"))
    if p.conditions:
        facts.append(("expects", p.conditions))
    facts += [fact for d in p.directions for fact in _facts(d, a, b)]
    facts += [("note", note) for note in p.notes]
    tables = [_table(d, plan.chance, a, b) for d in p.directions]
    ways = [_ways(p)] if p.ways else []
    return [Headline(text=p.sentence), Facts(rows=tuple(facts)), *tables, *ways]


def _facts(d: Direction, a: str, b: str) -> list[tuple[str, str]]:
    facts = []
    if d.earliest is not None:
        facts.append(
            (
                "at least",
                f"{counted_more(d.earliest, d.unit, 'more ' if d.n else '')}: with fewer, the chance is "
                f"below {HARDLY:g}",
            )
        )
    limit = decimals(d.curve.limit, d.chance, 2)
    if d.needed is None and d.curve.limit < d.chance and d.curve.settles is not None:
        better, equivalent, worse = (f"{q:.2f}" for q in d.curve.settles)
        facts.append(
            (
                "never",
                f"with any number of {d.unit}s the chance is at most {limit}, because on average the "
                f"probabilities converge to {a} better {better}, equivalent {equivalent}, {b} better {worse}",
            )
        )
    elif d.needed is None and d.curve.decided.size:
        reached = decimals(float(d.curve.decided[-1]), d.chance, 2)
        last = counted_more(int(d.curve.more[-1]), d.unit, "more " if d.n else "")
        facts.append(
            (
                "out of reach",
                f"with {last}, the largest number considered, the chance is {reached}: the difference is "
                "too close to the edge of the ROPE. Consider another ROPE",
            )
        )
    if d.stays is not None:
        facts.append(
            (
                "if nothing changes",
                f"{counted_more(d.stays, d.unit)} would decide it if mean and spread stayed exactly the same",
            )
        )
    if d.price is not None and d.needed is not None:
        facts.append(("price", f"{counted_more(d.needed, d.unit)} cost {d.price:,.4g}"))
    return facts


def _table(d: Direction, chance: float, a: str, b: str) -> ReportTable:
    """Return the curve in a few rows; the first that reaches the chance is marked."""
    c = d.curve
    rows = []
    for i in shown(d):
        reached = " *" if c.decided[i] >= chance and not np.any(c.decided[:i] >= chance) else ""
        decided = f"{decimals(float(c.decided[i]), chance)} ± {max(c.error[i], 0.001):.3f}{reached}"
        regions = (f"{p[i]:.3f}" for p in (c.better, c.equivalent, c.worse))
        rows.append((f"{c.more[i]:,}", decided, *regions))
    head = f"more {d.unit}s" if d.n else f"{d.unit}s"
    return ReportTable(
        columns=(head, "decided", f"{a} better", "equivalent", f"{b} better"),
        numeric=(True, False, True, True, True),
        rows=tuple(rows),
    )


def shown(d: Direction) -> list[int]:
    """Return the points of the curve worth a row, including the one at which the chance is reached."""
    p, found = d.curve.decided, [0]
    if d.asked:
        return list(range(p.size))
    first = int(np.argmax(p >= d.chance)) if np.any(p >= d.chance) else -1
    for i in range(1, p.size):
        if p[i] - p[found[-1]] >= _CLOSE or i == first or i == p.size - 1:
            found.append(i)
    if len(found) > 1 and p[found[1]] < _CLOSE:
        found = found[1:]
    return found


def _ways(p: PairPlan) -> Facts:
    """Return the combinations of units that can be added."""
    title = "options" + (", cheapest first" if p.ways[0].price is not None else "")
    prices = ("" if w.price is None else f", price {w.price:,.4g}" for w in p.ways)
    texts = (f"{w.text}: {w.chance:.2f}{price}" for w, price in zip(p.ways, prices, strict=True))
    return Facts(rows=tuple((title if i == 0 else "", text) for i, text in enumerate(texts)))
