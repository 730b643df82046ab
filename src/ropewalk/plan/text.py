"""Plan -> text for a terminal: the answer, the table, what to read beside it."""

from __future__ import annotations

import textwrap

import numpy as np

from ropewalk.plan.result import HARDLY, Direction, PairPlan, Plan, counted_more
from ropewalk.results.formatting import shares

_CLOSE = 0.08  # rows whose chance differs by less are not both shown
_LABEL = 16
_IN_FULL = 2  # pairs with their tables


def text(plan: Plan, width: int) -> str:
    """Every pair in turn; of more than a few only the sentence."""
    brief = len(plan.pairs) > _IN_FULL
    blocks = [_wrapped(p.sentence, width) if brief else _pair(p, plan, width) for p in plan.pairs]
    if brief:
        blocks = [[line for block in blocks for line in block], ["  the whole curve of one: --pair A B"]]
    lines = [line for block in blocks for line in [*block, ""]]
    if plan.left_out:
        lines += [
            *_wrapped(f"{plan.left_out} more undecided pairs: only the first ten are planned.", width),
            "",
        ]
    draws = sorted({d.curve.draws for p in plan.pairs for d in p.directions})
    if draws:
        how_many = " or ".join(f"{n:,}" for n in draws)
        lines += _wrapped(
            f"each chance from {how_many} simulated futures (± one standard error), seed {plan.seed}", width
        )
    return "\n".join(["", *lines]).rstrip("\n") + "\n"


def _pair(p: PairPlan, plan: Plan, width: int) -> list[str]:
    lines = [*_wrapped(p.sentence, width), ""]
    facts: list[tuple[str, str]] = []
    if p.now is not None:
        v = p.now
        better, equivalent, worse = shares(v)
        three = f"better {better}, equivalent {equivalent}, worse {worse}"
        facts.append(("now", f"{three}: {v.name} at {v.rule}"))
    source = "as given" if p.rope.origin == "given" else p.rope.source
    facts.append(("ROPE", f"{p.rope.in_scores} ({source})"))
    for d in p.directions:
        facts += _facts(d)
    facts += [("note", note) for note in p.notes]
    for label, said in facts:
        lines += _labelled(label, said, width)
    for d in p.directions:
        lines += ["", *_table(d, plan.chance)]
    if p.ways:
        lines += ["", *_ways(p)]
    return lines


def _facts(d: Direction) -> list[tuple[str, str]]:
    facts = []
    if d.earliest is not None:
        facts.append(
            (
                "not before",
                f"{counted_more(d.earliest, d.unit, 'more ' if d.n else '')}: "
                f"with fewer the chance is below {HARDLY:g}",
            )
        )
    if d.needed is None and d.curve.limit < d.chance and d.curve.settles is not None:
        three = " / ".join(f"{q:.2f}" for q in d.curve.settles)
        facts.append(
            (
                "never",
                f"with any number of {d.unit}s the chance is at most {d.curve.limit:.2f}: better / "
                f"equivalent / worse settle at {three}, on average",
            )
        )
    elif d.needed is None and d.curve.decided.size:
        last = counted_more(int(d.curve.more[-1]), d.unit, "more " if d.n else "")
        facts.append(
            (
                "out of reach",
                f"with {last}, the most looked at, the chance is {d.curve.decided[-1]:.2f}: so close to the "
                "edge of the ROPE hardly any amount decides often; would another ROPE do?",
            )
        )
    if d.stays is not None:
        facts.append(
            (
                "if nothing moves",
                f"{counted_more(d.stays, d.unit)} would decide if mean and spread stayed exactly as they are",
            )
        )
    if d.price is not None and d.needed is not None:
        facts.append(("price", f"{counted_more(d.needed, d.unit)} cost {d.price:,.4g}"))
    return facts


def _table(d: Direction, chance: float) -> list[str]:
    """The curve in a few rows; the first that reaches the chance is marked."""
    c = d.curve
    head = f"more {d.unit}s" if d.n else f"{d.unit}s"
    wide = max(len(head), 12)
    lines = [f"  {head:>{wide}}   decided           better  equivalent   worse"]
    for i in shown(d):
        reached = "*" if c.decided[i] >= chance and not np.any(c.decided[:i] >= chance) else " "
        chance_of = f"{c.decided[i]:.3f} ± {max(c.error[i], 0.001):.3f} {reached}"
        lines.append(
            f"  {c.more[i]:>{wide},}   {chance_of}    {c.better[i]:.3f}       {c.equivalent[i]:.3f}   "
            f"{c.worse[i]:.3f}"
        )
    return lines


def shown(d: Direction) -> list[int]:
    """The points of the curve that are worth a row, among them where the chance is reached."""
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


def _ways(p: PairPlan) -> list[str]:
    lines = ["  ways to get there" + (", the cheapest first" if p.ways[0].price is not None else "")]
    for w in p.ways:
        price = "" if w.price is None else f"   price {w.price:,.4g}"
        lines.append(f"    {w.text}: {w.chance:.2f}{price}")
    return lines


def _labelled(label: str, said: str, width: int) -> list[str]:
    return textwrap.wrap(
        said,
        width,
        initial_indent=f"  {label:<{_LABEL}}  ",
        subsequent_indent=" " * (_LABEL + 4),
        break_on_hyphens=False,
    )


def _wrapped(said: str, width: int) -> list[str]:
    return textwrap.wrap(said, width, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)
