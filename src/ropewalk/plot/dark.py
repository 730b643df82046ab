"""The colors of a plot in the user's own axes, if these have a dark background."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ropewalk.plot.contours import shades
from ropewalk.plot.style import BAND, DATA, EQUIVALENT, HAIR, INK, MODELS, PAPER, QUIET

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.transforms import Bbox

_PARTS = ("color", "facecolor", "edgecolor", "markerfacecolor", "markeredgecolor")
_QUIET, _HAIR = "#adadad", "#808080"


def counterparts(face: str) -> dict[str, str]:
    """Return the color that replaces each color of these plots on a dark background.

    Areas get the dark tone of a model and letters the light one; white becomes the background itself.
    """
    table = {INK: BAND, BAND: INK, QUIET: _QUIET, HAIR: _HAIR, PAPER: face}
    for tint in (*MODELS, EQUIVALENT, DATA):
        table[tint.ink] = tint.fill
        table |= dict(zip(shades(tint.fill, 3), shades(tint.ink, 3, face), strict=True))
    return table


def is_dark(face: Sequence[float]) -> bool:
    """Whether white letters are easier to read on a color than black ones (WCAG 2)."""
    rgb = np.array(face[:3])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return bool(face[3] > 0.5 and linear @ (0.2126, 0.7152, 0.0722) < 0.179)


def recolor(ax: Axes, drawn: Iterable[Artist]) -> None:
    """Give what was drawn the colors for a dark background, where the axes or the figure have one."""
    figure: Any = ax.figure
    outer: Any = figure.get_facecolor()
    inner: Any = ax.get_facecolor()
    inner = inner if inner[3] > 0.5 else outer
    if not is_dark(inner) and not is_dark(outer):
        return
    box = ax.get_window_extent()
    for artist in (one for root in drawn for one in root.findobj()):
        _replace(artist, inner if _is_inside(artist, box) else outer)
    for spine in ax.spines.values():
        if spine.get_visible():
            _replace(spine, outer)
    if is_dark(outer):
        ax.tick_params(color=_HAIR, labelcolor=BAND)


def _is_inside(artist: Artist, box: Bbox) -> bool:
    if artist.get_clip_on() and (artist.get_clip_box() or artist.get_clip_path()):
        return True
    x0, y0, x1, y1 = artist.get_window_extent().extents
    return bool(box.contains((x0 + x1) / 2, (y0 + y1) / 2))


def _replace(artist: Any, face: Any) -> None:
    """Replace the colors of one artist, if what is behind it is dark."""
    from matplotlib.colors import to_hex, to_rgba_array

    if not is_dark(face):
        return
    table = counterparts(to_hex(face))
    now = {part: getattr(artist, f"get_{part}")() for part in _PARTS if hasattr(artist, f"get_{part}")}
    if getattr(artist, "get_array", lambda: None)() is not None:
        artist.set_array(None)  # otherwise the color map would set the colors again
    for part, colors in now.items():
        new = [(table.get(to_hex(one), to_hex(one)), one[3]) for one in to_rgba_array(colors)]
        if new:
            getattr(artist, f"set_{part}")(new if len(new) > 1 else new[0])
