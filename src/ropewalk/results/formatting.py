"""How numbers and names are written, in reports and on plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ropewalk.errors import short
from ropewalk.questions import ASKS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from ropewalk.decide import Verdict
    from ropewalk.decide.rope import Rope
    from ropewalk.posterior import Probabilities
    from ropewalk.results.comparison import Comparison

MANY = 60  # in text reports, more pairs or tasks than this are counted instead of listed
VERDICTS = ("better", "equivalent", "worse", "undecided")
BETTER = " better"  # follows the name of the winner
_FOUR = 4
_SMALLEST = 1e-300  # smaller p-values are not distinguished


class Named(str):
    """Names and a suffix as one text; if it is too long, only the names are cut.

    >>> cell = Named("llama", "gpt", after=" *")
    >>> cell, cell.names, cell.after
    ('llama - gpt *', ('llama', 'gpt'), ' *')
    """

    __slots__ = ("after", "names")
    names: tuple[str, ...]
    after: str

    def __new__(cls, *names: str, after: str = "") -> Named:
        cell = super().__new__(cls, " - ".join(names) + after)
        cell.names, cell.after = names, after
        return cell


def listing(names: Sequence[str], word: str) -> str:
    """Join names into a list; of more than four, only the number of the rest is given.

    >>> listing(["a", "b", "c"], "and")
    'a, b and c'
    """
    shown = [short(n, 24) for n in names[:_FOUR]]
    if len(names) > _FOUR:
        return f"{', '.join(shown)} {word} {len(names) - _FOUR:,} more"
    return series(shown, word)


def series(texts: Sequence[str], word: str = "and") -> str:
    """Join all of the texts into a list.

    >>> series(["a", "b", "c"]), series(["a"])
    ('a, b and c', 'a')
    """
    return f"{', '.join(texts[:-1])} {word} {texts[-1]}" if len(texts) > 1 else texts[0]


def counted(n: int, unit: str) -> str:
    """
    >>> counted(1, "fold"), counted(1200, "example")
    ('1 fold', '1,200 examples')
    """
    return f"{n:,} {unit}" + ("" if n == 1 else "s")


def over_what(comparisons: Iterable[Comparison]) -> str:
    """Over tasks, a short name of what the probabilities are about; "" on one task."""
    asked = list(dict.fromkeys(c.asks for c in comparisons if c.asks is not None))
    return ", ".join(ASKS[asks].short for asks in asked)


def three(a: str, b: str, p: Probabilities | Verdict, least: float | None = None) -> str:
    """The three probabilities of a pair with model names; `least` is the probability that a verdict needs.

    >>> from ropewalk.posterior import Probabilities
    >>> three("svm", "forest", Probabilities(better=0.002, equivalent=0.192, worse=0.806))
    'svm better 0.002, equivalent 0.192, forest better 0.806'
    """
    better, equivalent, worse = (decimals(x, least) for x in (p.better, p.equivalent, p.worse))
    return f"{short(a, 24)} better {better}, equivalent {equivalent}, {short(b, 24)} better {worse}"


def slashed(p: Probabilities | Verdict, least: float | None = None) -> str:
    """The three probabilities with three decimals."""
    return " / ".join(decimals(x, least) for x in (p.better, p.equivalent, p.worse))


def shares(verdict: Verdict) -> tuple[str, str, str]:
    """The three probabilities with two decimals; 0.00 and 1.00 are reserved for certainty."""
    return three_shares((verdict.better, verdict.equivalent, verdict.worse), verdict.decided_by.least)


def three_shares(found: Sequence[float], least: float | None = None) -> tuple[str, str, str]:
    """The same for any three probabilities that add up to one.

    >>> three_shares([0.0, 0.16, 0.84]), three_shares([0.0, 1.0, 0.0])
    (('<0.01', '0.16', '0.84'), ('0.00', '1.00', '0.00'))
    """
    write = probability if sorted(found) == [0.0, 0.0, 1.0] else share
    better, equivalent, worse = (write(p, least) for p in found)
    return better, equivalent, worse


def share(x: float, least: float | None = None) -> str:
    """A sampled probability, for which even 0 and 1 are not certain.

    >>> share(0.0), share(0.946), share(0.946, 0.95)
    ('<0.01', '0.95', '0.946')
    """
    return _two_decimals(x, least, certain=False)


def at_most(x: float, least: float | None = None) -> str:
    """A sampled probability as an upper bound.

    >>> at_most(0.3), at_most(0.001)
    ('at most 0.30', 'below 0.01')
    """
    text = share(x, least)
    return f"below {text[1:]}" if text[0] == "<" else f"at most {text}"


def decimals(p: float, least: float | None = None, digits: int = 3) -> str:
    """A probability with this number of decimals, rounded like any number.

    >>> decimals(0.94996), decimals(0.94996, 0.95), decimals(0.9999999, 1.0)
    ('0.950', '0.94996', '<1.0')
    """
    return on_its_side(p, least, lambda d: f"{p:.{d}f}", digits)


def on_its_side(p: float, least: float | None, written: Callable[[int], str], digits: int) -> str:
    """`written(digits)`, with more digits if rounding would move it to the other side of `least`.

    Only this function rounds a probability relative to the one that a verdict needs: 0.946 is
    not written 0.95 if a verdict needs 0.95. If three more digits do not help, it says on which side it is.
    """
    if least is None:
        return written(digits)
    for d in range(digits, digits + 3):
        if _reaches(written(d), least) is bool(p >= least):
            return written(d)
    return f"{'<' if p < least else '>='}{float(least)!r}"


def _reaches(text: str, least: float) -> bool | None:
    """Whether the written probability seems to reach `least`; None if that is ambiguous."""
    sign, x = text[0], float(text.lstrip("<>"))
    if sign == ">":
        return True if x >= least else False if least == 1 else None
    return x > least if sign == "<" else x >= least


def amount(x: float, *, signed: bool = True) -> str:
    """A number with three significant digits and a true minus sign.

    >>> amount(0.019), amount(-1234.5), amount(0.45, signed=False), amount(0.0)
    ('+0.019', '−1,234', '0.45', '0')
    """
    if x == 0:
        return "0"
    form = ",.0f" if 1e3 <= abs(x) < 1e9 else ".3g"
    return f"{x:{'+' if signed else ''}{form}}".replace("-", "−")


def span(low: float, high: float, *, signed: bool = True) -> str:
    """The ends of an interval in a plot, with the decimals that they have in the text.

    >>> span(-0.00373, 0.0297), span(0.36, 0.507, signed=False)
    ('−0.004 to +0.030', '0.360 to 0.507')
    """
    places = _decimals_of(low, high)
    if places is None:
        return f"{amount(low, signed=signed)} to {amount(high, signed=signed)}"
    form = f"{'+' if signed else ''}z,.{places}f"
    return f"{low:{form}} to {high:{form}}".replace("-", "−")


def probability(p: float, least: float | None = None) -> str:
    """A probability with two decimals; 1.00 and 0.00 only if certain; `least` is what a verdict needs.

    >>> probability(0.9999), probability(0.5), probability(0.0), probability(0.946, 0.95)
    ('>0.99', '0.50', '0.00', '0.946')
    """
    return _two_decimals(p, least, certain=p in (0, 1))


def _two_decimals(p: float, least: float | None, *, certain: bool) -> str:
    def written(digits: int) -> str:
        one = 10.0**-digits
        if not certain and p >= 1 - one / 2:
            return f">{1 - one:.{digits}f}"
        return f"<{one:.{digits}f}" if not certain and p < one / 2 else f"{p:.{digits}f}"

    return on_its_side(p, least, written, 2)


def percent(share: float, digits: int = 0) -> str:
    """
    >>> percent(0.512), percent(0.0004, 1), percent(0.0, 1)
    ('51%', '<0.1%', '0.0%')
    """
    least = 10.0**-digits
    text = f"<{least:g}" if 0 < 100 * share < least else f"{100 * share:.{digits}f}"
    return f"{text}%"


def a_percent(p: float) -> str:
    """A probability in percent with its article.

    >>> a_percent(0.8), a_percent(0.9)
    ('an 80%', 'a 90%')
    """
    text = f"{p:.0%}"
    return f"{'an' if text.startswith('8') or text in ('11%', '18%') else 'a'} {text}"


def p_text(p: float) -> str:
    """
    >>> p_text(0.0441), p_text(3e-9), p_text(0.0)
    ('0.044', '3.0e-09', '<1e-300')
    """
    if p < _SMALLEST:
        return f"<{_SMALLEST:g}"
    return f"{p:.3f}" if p >= 0.001 else f"{p:.1e}"


def interval(low: float, high: float) -> str:
    return f"{score(low)} to {score(high)}" if low == low else "-"


def score(x: float) -> str:
    """A mean score; a tiny one, such as a cost per request, keeps three digits.

    >>> score(0.8137), score(1155.68), score(0.000204)
    ('0.814', '1155.68', '0.000204')
    """
    if 0 < abs(x) < 0.001:
        return f"{x:.3g}"
    return f"{x:.3f}" if abs(x) < 10 else f"{x:.2f}"


def rope_text(c: Comparison) -> str:
    """The ROPE on its own scale and in scores, and its source."""
    if not c.rope.is_used:
        return c.rope.source
    source = rope_source(c.rope)
    if c.rope.scale == "phi":
        return f"phi {c.rope.low:.3f} to {c.rope.high:.3f} ({source}): {c.rope.in_scores}"
    if c.rope.scale == "share":
        return f"{c.rope.in_scores} ({source})"
    return f"{c.rope.in_scores} in {c.metric} ({source})"


def rope_source(rope: Rope, by: str = "set by you", default: str = "default: {}") -> str:
    """The source of the ROPE: who set it, or which default it is; a share of a standard deviation in words.

    >>> from ropewalk.decide import share_of_sd
    >>> rope_source(share_of_sd(0.2, -0.1, 0.1))
    '0.1 standard deviations, set by you'
    """
    if rope.origin == "given":
        return by
    if rope.origin in ("none", "unused"):
        return rope.source
    said = rope.source.replace(" sd", " standard deviations") if rope.origin == "sd" else rope.source
    return default.format(said) if rope.is_default else f"{said}, {by}"


def estimate_name(c: Comparison) -> str:
    """Name of the estimate; phi with its definition, because it is not a common term."""
    if c.estimate.kind != "phi":
        return c.estimate.name
    return f"{c.estimate.name} (share of {short(c.a, 24)}'s mistakes among disagreements)"


def estimate_text(c: Comparison) -> str:
    """The estimate with its interval; a difference is given in favor of the model that is ahead."""
    mean, ahead, low, high = in_favor(c)
    middle, ends = with_interval(mean, low, high)
    return f"{estimate_name(c)}: {middle}{ahead}, {c.estimate.level:.0%} interval {ends}"


def with_interval(mean: float, low: float, high: float) -> tuple[str, str]:
    """An estimate and its interval, with the same number of decimals.

    Two digits of the width of the interval are shown, and at least the three decimals that scores from 0 to 1
    have elsewhere.

    >>> with_interval(0.0282, 0.00992, 0.0466)
    ('0.028', '0.010 to 0.047')
    >>> with_interval(0.000267, -0.00332, 0.00385), with_interval(12.345, -3.2, 27.9)
    (('0.0003', '-0.0033 to 0.0039'), ('12', '-3 to 28'))
    """
    places = _decimals_of(low, high)
    if places is None:
        return f"{mean:.3g}", f"{low:.3g} to {high:.3g}"
    return f"{mean:z,.{places}f}", f"{low:z,.{places}f} to {high:z,.{places}f}"


def _decimals_of(low: float, high: float) -> int | None:
    """The decimals of an interval; None if it is too narrow or too wide for a fixed number of them."""
    wide = high - low
    if not 1e-5 < wide < 1e7:
        return None
    places = max(int(np.ceil(-np.log10(wide))) + 1, 0)
    return max(places, 3) if max(abs(low), abs(high)) < 1 else places


def in_favor(c: Comparison) -> tuple[float, str, float, float]:
    """Mean of the estimate, " in favor of" the model ahead, and the interval, signed to match.

    Only an advantage has a direction; phi and other shares are returned unchanged.
    """
    e = c.estimate
    if e.kind != "advantage" or e.mean == 0:
        return e.mean, "", e.low, e.high
    if e.mean < 0:
        return -e.mean, f" in favor of {short(c.b)}", -e.high, -e.low
    return e.mean, f" in favor of {short(c.a)}", e.low, e.high


def effect_text(c: Comparison) -> str:
    """The effect size with the model that it favors and Cohen's label."""
    leads = c.effect.favors_a
    side = "" if leads is None else f" in favor of {short(c.a if leads else c.b)}"
    return f"{c.effect.name} = {abs(c.effect.value):.3g}{side} ({c.effect.label})"


def verdict_text(c: Comparison, name: str | None = None) -> str:
    """The verdict with the name of the winner, or another verdict on the same pair (`name`)."""
    return winner_named(short(c.a, 24), short(c.b, 24), name or c.verdict.name)


def winner_named(a: str, b: str, name: str) -> str:
    """A verdict with the name of the model that it calls better.

    >>> winner_named("gpt-3.5", "gpt-4", "worse"), winner_named("gpt-3.5", "gpt-4", "undecided")
    ('gpt-4 better', 'undecided')
    """
    winner = {"better": a, "worse": b}.get(name)
    return name if winner is None else Named(winner, after=BETTER)


def by_more_than(c: Comparison) -> str:
    """Return the meaning of "better" with this ROPE."""
    if c.rope.is_point:
        return ""
    if c.rope.scale == "score" and c.rope.low == -c.rope.high:
        return f" by more than {c.rope.high:.3g}"
    return " by more than the ROPE"


def advantages(comparisons: Sequence[Comparison]) -> tuple[str, list[float]]:
    """Column of the advantages of A over B next to their probabilities, with its name.

    They are posterior means, like the probabilities; an observed mean can even have
    the other sign. If the posterior is not about an advantage, they are observed means and named so.
    """
    if all(c.estimate.kind == "advantage" for c in comparisons):
        return "advantage", [c.estimate.mean for c in comparisons]
    return "observed", [c.advantage for c in comparisons]


def leading(comparisons: Sequence[Comparison], most: int = MANY) -> list[Comparison]:
    """At most `most` comparisons in order; if there are more, those among the leading models."""
    places = [sorted(c.places or (0, 0), reverse=True) for c in comparisons]
    first = sorted(range(len(comparisons)), key=lambda i: places[i])[:most]
    return [comparisons[i] for i in sorted(first)]


def pair(c: Comparison) -> Named:
    return Named(short(c.a, 24), short(c.b, 24))
