"""Texts of a plot: names, numbers, the finding, the small print."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from unicodedata import bidirectional

from ropewalk.errors import short
from ropewalk.plot.fonts import shown
from ropewalk.questions import ASKS
from ropewalk.results.formatting import amount, counted, shares

if TYPE_CHECKING:
    from ropewalk.results.comparison import Comparison

_LEFT_TO_RIGHT = "\u200e"  # no width
NUMBERS = {asks: f"probabilities of {wording.of}" for asks, wording in ASKS.items()}


def name(text: object) -> str:
    """Return a name from a user's file in a form that is safe to show.

    Marks around a name from right to left keep the direction of the text that it is put in.
    """
    safe = shown(short(text))
    turned = any(bidirectional(c) in ("R", "AL") for c in safe)
    return f"{_LEFT_TO_RIGHT}{safe}{_LEFT_TO_RIGHT}" if turned else safe


def finding(comparison: Comparison, called: Callable[[object], str] = name) -> str:
    """Return the verdict with its probability."""
    v, a, b = comparison.verdict, called(comparison.a), called(comparison.b)
    better, equivalent, worse = shares(v)
    asked = about(comparison)
    if comparison.is_identical:
        return f"{a} and {b} do not differ on any {comparison.unit}"
    if v.name == "better":
        return f"{a} better than {b} with probability {better}{asked}"
    if v.name == "worse":
        return f"{b} better than {a} with probability {worse}{asked}"
    if v.name == "equivalent":
        return f"{a} and {b} practically equivalent with probability {equivalent}{asked}"
    three = [
        (v.better, f"{a} better {better}"),
        (v.equivalent, f"equivalent {equivalent}"),
        (v.worse, f"{b} better {worse}"),
    ]
    first, second = (said for _, said in sorted(three, key=lambda k: -k[0])[:2])
    return f"Undecided: {first}, {second}{asked}"


def about(comparison: Comparison) -> str:
    """Return the question over tasks in brackets; empty if there is only one question."""
    return "" if comparison.asks is None else f" ({ASKS[comparison.asks].short})"


def caption(comparison: Comparison, kind: str = "posterior") -> str:
    """Return the caption of a figure: what it shows, the finding, and what it was found from.

    Parameters
    ----------
    comparison : Comparison
        What is drawn.
    kind : str, default "posterior"
        Name of the plot.

    Returns
    -------
    str
        Sentences for the figure of a paper.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}, rope=0.1)
    >>> caption(report.comparisons[0]).split(". ")[0]
    'Posterior of the advantage of forest over svm (score, ROPE ±0.1)'
    """
    from ropewalk.methods import method_of
    from ropewalk.plot import SHOWS

    c = comparison
    shows = SHOWS[kind].format(a=short(c.a), b=short(c.b), unit=c.unit)  # a caption is not limited by fonts
    about = ", ".join(text for text in (short(c.metric), rope(c)) if text)
    answer = finding(c, short)
    task = f" Task: {short(c.task)}." if c.task else ""
    method = method_of(c).describe(c).name
    return f"{shows} ({about}). {answer}. {counted(c.n, c.unit)}; method: {method}.{task}"


def small_print(comparison: Comparison) -> str:
    """Return the number of units, the metric, the method and the task."""
    from ropewalk.methods import title_of

    parts = [
        counted(comparison.n, comparison.unit),
        name(comparison.metric),
        f"method: {title_of(comparison.method)}",
    ]
    if comparison.task:
        parts.append(f"task {name(comparison.task)}")
    return " · ".join(parts)


def rope(comparison: Comparison) -> str:
    """Return the ROPE in the units of its axis."""
    r, signed = comparison.rope, comparison.rope.scale == "score"
    if r.is_point:
        return "no ROPE"
    if signed and r.low == -r.high:
        return f"ROPE ±{amount(r.high, signed=False)}"
    return f"ROPE {amount(r.low, signed=signed)} to {amount(r.high, signed=signed)}"


def advantage(comparison: Comparison) -> str:
    """Return the label of an axis of differences."""
    return f"advantage in {name(comparison.metric)}"


def measured(comparison: Comparison, *, task_by_task: bool = False) -> str:
    """Return the label of the axis of the posterior."""
    if comparison.rope.scale == "share":
        return f"share of {comparison.unit}s on which {name(comparison.a)} is better"
    asks = None if task_by_task else comparison.asks
    ahead = "" if asks is None else f" {ASKS['next' if asks == 'likeliest' else asks].short}"
    if comparison.rope.scale == "phi":
        return f"phi{ahead}: share of {name(comparison.a)}’s mistakes among disagreements"
    return advantage(comparison) + ahead
