"""How wide words are, where a line of them breaks, and which letters can be shown at all."""

from __future__ import annotations

import re
from functools import lru_cache

_FONT = "DejaVu Sans"  # comes with matplotlib: the same picture on every machine
_FALLBACKS = ("Noto Sans CJK SC", "Noto Sans CJK JP", "PingFang SC", "Microsoft YaHei", "Arial Unicode MS")


@lru_cache
def families() -> tuple[str, ...]:
    """The font, and behind it those installed that know more letters."""
    from matplotlib.font_manager import fontManager

    installed = {font.name for font in fontManager.ttflist}
    return (_FONT, *(name for name in _FALLBACKS if name in installed))


@lru_cache
def _letters() -> frozenset[int]:
    """The letters that there is a shape for."""
    from matplotlib.font_manager import findfont, get_font

    return frozenset(code for name in families() for code in get_font(findfont(name)).get_charmap())


def shown(text: str) -> str:
    """The text with a `�` for each letter that no font has.

    >>> shown("forest_α $x$")
    'forest_α $x$'
    """
    return "".join(c if ord(c) in _letters() else "�" for c in text)


@lru_cache(maxsize=4096)
def width(text: str, size: float, weight: str = "normal") -> float:
    """The width of a line of text, in points.

    >>> width("mm", 10.0) == 2 * width("m", 10.0)
    True
    """
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import text_to_path

    font = FontProperties(family=list(families()), size=size, weight=weight)
    return float(text_to_path.get_text_width_height_descent(text, font, ismath=False)[0])


def shorten(text: str, room: float, size: float) -> str:
    """The text on one line of at most `room` points: the middle gives way, names differ at their ends.

    >>> shorten("mmlu_abstract_algebra", 80.0, 10.0)
    'mmlu_…lgebra'
    """
    if width(text, size) <= room:
        return text
    kept = len(text) - 1
    while kept > 1 and width(_without_middle(text, kept), size) > room:
        kept -= 1
    return _without_middle(text, kept)


def _without_middle(text: str, kept: int) -> str:
    return f"{text[: kept // 2]}…{text[len(text) - (kept - kept // 2) :]}"


def wrap(text: str, room: float, size: float, weight: str = "normal") -> list[str]:
    """The text in lines of at most `room` points: broken at spaces, and inside a word only where it must be.

    >>> wrap("one two three", 50.0, 10.0)
    ['one two', 'three']
    """

    def fits(line: str) -> bool:
        return width(line, size, weight) <= room

    lines = [""]
    for word in text.split(" "):  # and not at a no-break space
        space = " " if lines[-1] else ""
        if not fits(lines[-1] + space + word) and fits(word):
            lines.append("")
            space = ""
        lines[-1] += space
        # Names of models have no spaces: they break after / - _ or else between any two letters.
        for piece in [word] if fits(lines[-1] + word) else re.findall(r"[^/\-_]*[/\-_]|[^/\-_]+", word):
            for part in [piece] if fits(piece) else piece:
                if lines[-1] and not fits(lines[-1] + part):
                    lines.append("")
                lines[-1] += part
    return [line.rstrip() for line in lines]
