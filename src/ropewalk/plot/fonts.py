"""Text width, line breaks, and the letters that fonts can show."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, cast

_FONT = "DejaVu Sans"  # ships with matplotlib, so plots are the same on every machine
_FALLBACKS = ("Noto Sans CJK SC", "Noto Sans CJK JP", "PingFang SC", "Microsoft YaHei", "Arial Unicode MS")


def families() -> tuple[str, ...]:
    """Return the user's font or the default one, then installed fonts that have more letters."""
    now, usual = set_by_user()
    asked: list[str] = []
    for name in now["font.family"]:
        group = f"font.{name}"
        if group not in now:
            asked.append(name)
        elif now[group] != usual[group] or name != "sans-serif":
            asked += now[group]
    return _installed(tuple(asked))


def set_by_user() -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Return the current settings of matplotlib, and its defaults."""
    from matplotlib import rcParams, rcParamsDefault

    return cast("Mapping[str, Any]", rcParams), cast("Mapping[str, Any]", rcParamsDefault)


@lru_cache
def _installed(asked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the first of these fonts that is installed, the default font, and the fallbacks."""
    from matplotlib.font_manager import findfont, fontManager

    installed = {font.name for font in fontManager.ttflist}
    first = next((name for name in asked if name in installed), _FONT)
    if asked and first not in asked:
        findfont(asked[0])  # matplotlib itself warns that the font is not installed
    return tuple(dict.fromkeys((first, _FONT, *(name for name in _FALLBACKS if name in installed))))


@lru_cache
def _letters(fonts: tuple[str, ...]) -> frozenset[int]:
    """Return the letters for which these fonts have a glyph."""
    from matplotlib.font_manager import findfont, get_font

    return frozenset(code for name in fonts for code in get_font(findfont(name)).get_charmap())


def shown(text: str) -> str:
    """Replace each letter that no font has by `�`.

    >>> shown("forest_α $x$")
    'forest_α $x$'
    """
    letters = _letters(families())
    return "".join(c if ord(c) in letters else "�" for c in text)


def width(text: str, size: float, weight: str = "normal") -> float:
    """Return the width of a line of text, in points.

    >>> width("mm", 10.0) == 2 * width("m", 10.0)
    True
    """
    return _width(text, size, weight, families())


@lru_cache(maxsize=4096)
def _width(text: str, size: float, weight: str, fonts: tuple[str, ...]) -> float:
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=list(fonts), size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def shorten(text: str, room: float, size: float) -> str:
    """Shorten a text to one line of at most `room` points, in the middle, because names differ at their ends.

    >>> shorten("mmlu_abstract_algebra", 80.0, 10.0)
    'mmlu_…lgebra'
    """
    if width(text, size) <= room:
        return text
    kept = bisect_right(range(1, len(text)), room, key=lambda n: width(_without_middle(text, n), size))
    return _without_middle(text, min(max(kept, 1), len(text) - 1))


def _without_middle(text: str, kept: int) -> str:
    return f"{text[: kept // 2]}…{text[len(text) - (kept - kept // 2) :]}"


def wrap(text: str, room: float, size: float, weight: str = "normal") -> list[str]:
    """Break a text into lines of at most `room` points: at spaces, and inside a word only if necessary.

    >>> wrap("one two three", 50.0, 10.0)
    ['one two', 'three']
    """

    def fits(line: str) -> bool:
        return width(line, size, weight) <= room

    lines = [""]
    for word in text.split(" "):  # but not at a no-break space
        space = " " if lines[-1] else ""
        if not fits(lines[-1] + space + word) and fits(word):
            lines.append("")
            space = ""
        lines[-1] += space
        # Model names have no spaces, so they break after / - _ or, failing that, between any two letters.
        for piece in [word] if fits(lines[-1] + word) else re.findall(r"[^/\-_]*[/\-_]|[^/\-_]+", word):
            for part in [piece] if fits(piece) else piece:
                if lines[-1] and not fits(lines[-1] + part):
                    lines.append("")
                lines[-1] += part
    return [line.rstrip() for line in lines]
