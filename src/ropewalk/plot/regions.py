"""The three regions of an axis: svm better, practically equivalent, forest better."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ropewalk.plot import captions, fonts
from ropewalk.plot.style import BAND, EQUIVALENT, HAIR, Tint, tints
from ropewalk.results import formatting

if TYPE_CHECKING:
    from ropewalk.plot.frame import Frame
    from ropewalk.results.comparison import Comparison

_STRIP = 3.0  # the height of the strip in the colors of the regions, in lines
_WHITE = 0.08  # margin on each side as a share of the axis


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """A region of the axis: its verdict, the better model, by how much, and its probability."""

    name: Literal["better", "equivalent", "worse"]
    model: str  # the better model; "" if none is
    who: str
    by: str
    probability: float
    number: str  # the probability as text
    tint: Tint
    low: float
    high: float


def regions(comparison: Comparison) -> tuple[Region, Region, Region]:
    """Return better, equivalent, worse; on phi, the share of A's mistakes, better is below the ROPE."""
    v, r = comparison.verdict, comparison.rope
    above, below = (r.high, float("inf")), (float("-inf"), r.low)
    by_a = by_b = ""
    numbers = formatting.shares(v)
    if r.scale == "phi":
        above, below = below, above
    elif r.scale == "score" and r.low < 0 < r.high:
        by_a, by_b = (
            f"by more than\N{NO-BREAK SPACE}{formatting.amount(x, signed=False)}" for x in (r.high, -r.low)
        )
    of_a, of_b = tints(comparison.colours)
    one, two = captions.name(comparison.a), captions.name(comparison.b)
    a, b = f"{one} better", f"{two} better"
    same, by = "exactly equal" if r.is_point else "practically equivalent", captions.rope(comparison)
    return (
        Region(
            name="better",
            model=one,
            who=a,
            by=by_a,
            probability=v.better,
            number=numbers[0],
            tint=of_a,
            low=above[0],
            high=above[1],
        ),
        Region(
            name="equivalent",
            model="",
            who=same,
            by=by,
            probability=v.equivalent,
            number=numbers[1],
            tint=EQUIVALENT,
            low=r.low,
            high=r.high,
        ),
        Region(
            name="worse",
            model=two,
            who=b,
            by=by_b,
            probability=v.worse,
            number=numbers[2],
            tint=of_b,
            low=below[0],
            high=below[1],
        ),
    )


def left_to_right(comparison: Comparison) -> list[Region]:
    """Return the regions in the order of the axis."""
    return sorted(regions(comparison), key=lambda region: (region.low, region.high))


def axis(page: Frame, comparison: Comparison, low: float, high: float, measures: str) -> None:
    """Draw a horizontal axis that holds low, high, the ROPE and "no difference", labeled at both ends."""
    share = comparison.rope.scale != "score"  # phi, or a share of tasks
    none = 0.5 if share else 0.0
    low, high = min(low, comparison.rope.low, none), max(high, comparison.rope.high, none)
    if low == high:  # nothing varies, so there is no natural width
        low, high = -1.0, 1.0
    white = _WHITE * (high - low)
    low, high = low - white, high + white
    if share:
        low, high = max(low, 0.0), min(high, 1.0)
    page.ax.set_xlim(low, high)
    left, _, right = left_to_right(comparison)
    page.ticks(signed=not share)
    page.ends(f"←\N{NO-BREAK SPACE}{left.who}", measures, f"{right.who}\N{NO-BREAK SPACE}→")


def header(page: Frame, three: Sequence[Region], numbers: Sequence[str]) -> None:
    """Draw a strip in the colors of the regions, with the probability and name above each."""
    low, high = page.ax.get_xlim()
    small, large, gap = page.look.small, page.look.number, page.look.gap
    for region in three:
        ends = max(region.low, low), min(region.high, high)
        page.ax.axvspan(*ends, ymin=1 - _STRIP * page.look.line / page.height, color=region.tint.fill, lw=0)

    def wide(number: str, lines: Sequence[str]) -> float:
        return max(fonts.width(number, large, "bold"), *(fonts.width(line, small) for line in lines))

    labels = [[part for part in (region.who, region.by) if part] for region in three]
    room = share_out([wide(*k) for k in zip(numbers, labels, strict=True)], page.width - 2 * gap)
    labels = [
        [line for part in parts for line in fonts.wrap(part, most, small)]
        for parts, most in zip(labels, room, strict=True)
    ]
    middles = [page.x(0.5 * (max(region.low, low) + min(region.high, high))) for region in three]
    places = spread(middles, [wide(*k) for k in zip(numbers, labels, strict=True)], page.width, gap)
    top = page.above + 6 + max(map(len, labels)) * 1.25 * small
    for region, number, caption, x in zip(three, numbers, labels, places, strict=True):
        ink = region.tint.ink
        page.write("\n".join(caption), x, top, size=small, start="top", ha="center", color=ink)
        note = page.write(
            number, x, top + 2, size=large, start="top", ha="center", va="bottom", color=ink, weight="bold"
        )
    page.above = top + 2 + page.tall(note)


def rope(page: Frame, comparison: Comparison, bottom: float = 0.0) -> None:
    """Draw the ROPE as a pale band with thin edges, from `bottom` points above the axis up to the strip."""
    r, low = comparison.rope, bottom / page.height
    page.ax.axvspan(r.low, r.high, ymin=low, color=BAND, lw=0, zorder=0)
    for edge in (r.low, r.high):
        page.ax.axvline(edge, ymin=low, color=HAIR, lw=0.8, zorder=3)


def share_out(wanted: Sequence[float], room: float) -> list[float]:
    """Divide the room equally; what one item does not need goes to the others.

    >>> share_out([10, 80, 70], room=100)
    [10, 45.0, 45.0]
    """
    given = list(wanted)
    for k, i in enumerate(sorted(range(len(given)), key=given.__getitem__)):
        given[i] = min(given[i], room / (len(given) - k))
        room -= given[i]
    return given


def spread(ideal: Sequence[float], wide: Sequence[float], room: float, gap: float) -> list[float]:
    """Return centers of labels as near to the ideal ones as possible, without overlap and within the room.

    >>> spread([10, 12, 90], [20, 20, 20], room=100, gap=5)
    [10.0, 35.0, 90.0]
    """
    at = [float(x) for x in ideal]
    edge = 0.0
    for i, w in enumerate(wide):
        at[i] = max(at[i], edge + w / 2)
        edge = at[i] + w / 2 + gap
    edge = room
    for i in reversed(range(len(at))):
        at[i] = min(at[i], edge - wide[i] / 2)
        edge = at[i] - wide[i] / 2 - gap
    return at
