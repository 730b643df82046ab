"""What a picture says: names, numbers, the finding, the small print."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.errors import short
from ropewalk.plot.fonts import shown

if TYPE_CHECKING:
    from ropewalk.results.comparison import Comparison


def name(text: object) -> str:
    """A name from a user's file as it may be shown."""
    return shown(short(text))


def amount(x: float, *, signed: bool = True) -> str:
    """A number with three digits that count and a true minus sign.

    >>> amount(0.019), amount(-1234.5), amount(0.45, signed=False), amount(0.0)
    ('+0.019', '−1,234', '0.45', '0')
    """
    if x == 0:
        return "0"
    form = ",.0f" if 1e3 <= abs(x) < 1e9 else ".3g"
    return f"{x:{'+' if signed else ''}{form}}".replace("-", "−")


def span(low: float, high: float, *, signed: bool = True) -> str:
    """Two ends with as many decimals as their distance asks for.

    >>> span(-0.00373, 0.0297), span(0.36, 0.507, signed=False)
    ('−0.004 to +0.030', '0.36 to 0.51')
    """
    wide = high - low
    if not 1e-5 < wide < 1e7:
        return f"{amount(low, signed=signed)} to {amount(high, signed=signed)}"
    form = f"{'+' if signed else ''},.{max(int(np.ceil(-np.log10(wide))) + 1, 0)}f"
    return f"{low:{form}} to {high:{form}}".replace("-", "−")


def probability(p: float) -> str:
    """Two decimals, but never 1.00 or 0.00 for what is not certain.

    >>> probability(0.9999), probability(0.5), probability(0.0)
    ('>0.99', '0.50', '0.00')
    """
    if 0.995 <= p < 1:
        return ">0.99"
    if 0 < p < 0.005:
        return "<0.01"
    return f"{p:.2f}"


def percent(share: float, digits: int = 0) -> str:
    """
    >>> percent(0.512), percent(0.0004, 1), percent(0.0, 1)
    ('51\xa0%', '<0.1\xa0%', '0.0\xa0%')
    """
    least = 10.0**-digits
    text = f"<{least:g}" if 0 < 100 * share < least else f"{100 * share:.{digits}f}"
    return f"{text}\N{NO-BREAK SPACE}%"


def counted(n: int, unit: str) -> str:
    """
    >>> counted(1, "fold"), counted(1200, "example")
    ('1 fold', '1,200 examples')
    """
    return f"{n:,} {unit}" + ("" if n == 1 else "s")


def finding(comparison: Comparison) -> str:
    """The verdict with its probability, for a title."""
    v, a, b = comparison.verdict, name(comparison.a), name(comparison.b)
    if comparison.is_identical:
        return f"{a} and {b} answer alike on every {comparison.unit}"
    if v.name == "better":
        return f"{a} better than {b} with probability {probability(v.better)}"
    if v.name == "worse":
        return f"{b} better than {a} with probability {probability(v.worse)}"
    if v.name == "equivalent":
        return f"{a} and {b} practically equivalent with probability {probability(v.equivalent)}"
    three = [(v.better, f"{a} better"), (v.equivalent, "equivalent"), (v.worse, f"{b} better")]
    first, second, _ = sorted(three, key=lambda pair: -pair[0])
    return f"undecided: {first[1]} {probability(first[0])}, {second[1]} {probability(second[0])}"


def small_print(comparison: Comparison) -> str:
    """On how many units, in which metric, by which method, on which task."""
    parts = [counted(comparison.n, comparison.unit), name(comparison.metric), f"method {comparison.method}"]
    if comparison.task:
        parts.append(f"task {name(comparison.task)}")
    return " · ".join(parts)


def rope(comparison: Comparison) -> str:
    """The ROPE in the units of its axis."""
    r, signed = comparison.rope, comparison.rope.scale == "score"
    if r.is_point:
        return "" if comparison.is_identical else "no ROPE"
    if signed and r.low == -r.high:
        return f"ROPE ±{amount(r.high, signed=False)}"
    return f"ROPE {amount(r.low, signed=signed)} to {amount(r.high, signed=signed)}"


def advantage(comparison: Comparison) -> str:
    """What a difference measures."""
    return f"advantage in {name(comparison.metric)}"


def measured(comparison: Comparison, *, task_by_task: bool = False) -> str:
    """What the axis of the posterior measures."""
    if comparison.rope.scale == "share":
        return f"share of {comparison.unit}s on which {name(comparison.a)} is better"
    next_task = hasattr(comparison.evidence, "next_task") and not task_by_task
    ahead = " on the next task" if next_task else ""
    if comparison.rope.scale == "phi":
        return f"phi{ahead}: share of {name(comparison.a)}’s mistakes among disagreements"
    return advantage(comparison) + ahead
