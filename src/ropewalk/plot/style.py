"""The shared style: sizes for a screen and for a column of a paper, and muted colors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

from ropewalk.errors import OptionError, did_you_mean, short
from ropewalk.plot.fonts import families, set_by_user


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Sizes: `width` of the figure and `height` of the axes in inches, everything else in points."""

    width: float
    height: float
    dpi: int
    title: float  # 0: no title
    number: float
    text: float
    small: float
    line: float
    side: float  # the margin around everything
    gap: float  # the distance between two unrelated parts


LOOKS = {
    "screen": Look(
        width=7.2, height=2.7, dpi=150, title=13, number=14, text=10, small=8.5, line=1.4, side=20, gap=14
    ),
    # A column of a two-column paper; its caption replaces the title.
    "paper": Look(
        width=3.3, height=1.35, dpi=300, title=0, number=9.5, text=8, small=7, line=1.0, side=5, gap=7
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Tint:
    """A muted color for areas, and a dark one of the same hue for text."""

    fill: str
    ink: str


# The colors of models, by their place on the leaderboard. The first four are from Okabe & Ito (2008), half
# white: distinguishable with any kind of color blindness. The inks are dark enough for small letters.
MODELS = (
    Tint(fill="#80b9d9", ink="#005a8c"),
    Tint(fill="#eaaf80", ink="#9a4300"),
    Tint(fill="#80cfb9", ink="#00664a"),
    Tint(fill="#e6bcd3", ink="#8a3a68"),
    Tint(fill="#e8dc7d", ink="#665a00"),
    Tint(fill="#bab3e6", ink="#4b3fa0"),
    Tint(fill="#efa3a5", ink="#9c1f2e"),
    Tint(fill="#c3d982", ink="#4d6400"),
)
BETTER, WORSE = MODELS[:2]
EQUIVALENT = Tint(fill="#cccccc", ink="#595959")


def tints(colours: tuple[int, int]) -> tuple[Tint, Tint]:
    """Return the colors of A and B (`Comparison.colours`)."""
    return MODELS[colours[0]], MODELS[colours[1]]


DATA = Tint(fill="#a9bccb", ink="#4a6072")  # for measured data, separate from the model colors
INK, QUIET, HAIR, BAND, PAPER = "#262626", "#666666", "#8c8c8c", "#f0f0f0", "#ffffff"


def look(style: str) -> Look:
    """Return the sizes of a style by name; "screen" follows the user's matplotlib settings."""
    if style not in LOOKS:
        raise OptionError(f'there is no style "{short(style)}"', hint=did_you_mean(style, LOOKS))
    sizes = LOOKS[style]
    if style != "screen":  # the other styles have fixed sizes
        return sizes
    times = (_changed("font.size") or sizes.text) / sizes.text
    return replace(
        sizes,
        width=(_changed("figure.figsize") or [sizes.width])[0],
        dpi=_changed("figure.dpi") or sizes.dpi,
        title=times * sizes.title,
        number=times * sizes.number,
        text=times * sizes.text,
        small=times * sizes.small,
        gap=times * sizes.gap,
        line=_changed("lines.linewidth") or sizes.line,
    )


def _changed(name: str) -> Any:
    """Return a matplotlib setting if the user has changed it, otherwise None."""
    now, usual = set_by_user()
    return now[name] if now[name] != usual[name] else None


# Prefixes of the settings that follow the user. All others are matplotlib's defaults.
_FOLLOWED = ("font.", "figure.figsize", "figure.dpi", "lines.linewidth", "axes.grid", "grid.", "savefig.")
_OURS = {"font.family", "savefig.facecolor", "savefig.edgecolor", "savefig.directory"}

_set: ContextVar[bool] = ContextVar("set", default=False)


@contextmanager
def settings() -> Iterator[None]:
    """Apply the matplotlib settings of these plots, and restore the previous ones at the end.

    The user's fonts, sizes, grid and file settings are kept. Colors are fixed, because they mean
    something, and names are data, so `$`, `_` and `\\` are letters and not formulas. Letters go into a PDF as
    a font, so that they can be searched and edited, and into an SVG as text, for the same reason. Nested
    calls do nothing: each would take a tenth of the time of a plot.
    """
    if _set.get():
        yield
        return
    from matplotlib import style

    now, usual = set_by_user()
    own = {
        "axes.axisbelow": True,
        "text.parse_math": False,
        "text.color": INK,
        "text.hinting": "no_hinting",  # keeps the width of letters as measured
        "pdf.fonttype": 42,
        "svg.fonttype": "none",
        "svg.hashsalt": "ropewalk",  # otherwise the ids inside an SVG are random
    }
    names = (name for name in now if name.startswith(_FOLLOWED) and name not in _OURS)
    theirs = {name: now[name] for name in names if now[name] != usual[name]}
    with style.context(["default", own | theirs | {"font.family": list(families())}]):
        token = _set.set(True)
        try:
            yield
        finally:
            _set.reset(token)
