"""Shared code of the plots of many models: checked values, fitted names, shades of cells."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, DataError, MethodError, OptionError
from ropewalk.plot import captions, fonts
from ropewalk.plot.frame import Frame
from ropewalk.plot.style import BAND, DATA, INK, MODELS, PAPER, Look, Tint
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting
from ropewalk.sums import numeric

MOST = 100  # most models drawn
NAMES = 0.4  # most width of the names of rows, in widths of the figure
LINE = 1.2  # from one line of words to the next, in heights of a letter

# Each has its own lightness, so that they differ without color too; models have other colors.
SHADES = {"within": DATA.ink, "worse": DATA.fill, "undecided": BAND}


def named(names: Iterable[object]) -> list[str]:
    """Return the names of models in a form that is safe to show."""
    found = [captions.name(one) for one in names]
    if len(found) < 2:
        raise MethodError(
            f"this plot compares models, and there is {'only one' if found else 'none'}",
            hint="Give at least two models.",
        )
    return found


def numbers(values: ArrayLike, shape: tuple[int, ...], what: str) -> Floats:
    """Return an array of this shape, with nan for missing values."""
    found = numeric(
        values, f"{what} is not an array of numbers", "Give numbers, and nan where one is missing."
    )
    if found.shape != shape:
        raise DataError(
            f"{what} has the shape {_by(found.shape)} and not {_by(shape)}",
            hint="One value for each model, in the order of the names; of a matrix one row for each model.",
        )
    if np.isinf(found).any():
        raise CellError(f"{what} holds infinity", hint="Give nan where a value is missing.")
    return found


def _by(shape: tuple[int, ...]) -> str:
    return " x ".join(f"{n:,}" for n in shape) or "of a single number"


def probabilities(values: ArrayLike, shape: tuple[int, ...], what: str) -> Floats:
    """The same for numbers from 0 to 1."""
    found = numbers(values, shape, what)
    outside = found[(found < -1e-9) | (found > 1 + 1e-9)]
    if outside.size:
        raise CellError(
            f"{what} holds {outside[0]:g}, which is not a probability",
            hint="Give numbers from 0 to 1, and nan where one is missing.",
        )
    return np.clip(found, 0.0, 1.0)


def sum_to_one(total: Floats, what: str) -> None:
    """Check that probabilities sum to one; a nan sum counts as missing."""
    wrong = total[np.abs(total - 1) > 1e-6]
    if wrong.size:
        raise CellError(f"{what} sum to {wrong[0]:.6g} and not to 1", hint="Are some of them missing?")


def decided(p: Floats, threshold: float) -> NDArray[np.bool_]:
    """Which probabilities reach the threshold."""
    if not 0.5 < threshold <= 1:
        raise OptionError(
            f"the threshold is {threshold}", hint="Give a probability above 0.5 and up to 1, such as 0.95."
        )
    return np.asarray(p >= threshold)


def cut_note(drawn: int, of: int, unit: str) -> list[str]:
    """Return the note in the small print if not all are drawn.

    >>> cut_note(100, 1000, "model"), cut_note(5, 5, "model")
    (['the first 100 of 1,000 models'], [])
    """
    return [f"the first {drawn:,} of {formatting.counted(of, unit)}"] if drawn < of else []


def pitch(n: int, look: Look) -> float:
    """Distance between n rows: as high as other plots in total, but never too small for the names."""
    return float(np.clip(look.height * 72 / n, LINE * look.small, 3 * look.small))


def fitted(names: Sequence[str], room: float, size: float) -> list[str]:
    """Return the names shortened to `room` points; those that would become the same are numbered.

    >>> fitted(["org/model-7b-instruct", "org/model-9b-instruct"], 75.0, 10.0)
    ['…7b-instruct', '…9b-instruct']
    """
    head = _alike(names)
    tail = _alike([one[head:][::-1] for one in names])
    without = [f"…{one[head:]}" for one in names], [f"{one[: len(one) - tail]}…" for one in names]
    short: list[list[str]] = []
    for texts in (names, *without, [f"…{one[head : len(one) - tail]}…" for one in names]):
        short.append([fonts.shorten(text, room, size) for text in texts])
        if len(set(short[-1])) == len(set(names)):
            return short[-1]
    places = [f"{i}\N{NO-BREAK SPACE}" for i in range(1, len(names) + 1)]
    return [
        place + fonts.shorten(name, room - fonts.width(place, size), size)
        for place, name in zip(places, names, strict=True)
    ]


def _alike(texts: Sequence[str]) -> int:
    """Return the length of the common prefix of all texts."""
    first, last = min(texts), max(texts)
    return next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))


def widest(texts: Iterable[str], size: float) -> float:
    """Return the width of the widest text, in points."""
    return max((fonts.width(text, size) for text in texts), default=0.0)


def blend(share: Floats | float, colour: str) -> Floats:
    """Blend from white to a color; the last dimension is red, green, blue."""
    from matplotlib.colors import to_rgb

    white, full = np.array(to_rgb(PAPER)), np.array(to_rgb(colour))
    return np.asarray(white + np.asarray(share)[..., None] * (full - white))


def tint(i: int) -> Tint:
    """Return the color of the model at index i of the names."""
    return MODELS[i % len(MODELS)]


def column(page: Frame, texts: Sequence[str], x: float, pitch: float, *, colours: Sequence[str] = ()) -> None:
    """Write a text for each row from the top down, ending x points from the origin of the axes."""
    for i, text in enumerate(texts):
        color = colours[i] if colours else INK
        y = page.height - pitch * (i + 0.5)
        page.write(
            text, x, y, size=page.look.small, start="inside", ha="right", va="center_baseline", color=color
        )


def in_points(page: Frame) -> None:
    """Set both axes to points, the vertical one from the top down, and hide them."""
    page.ax.set_xlim(0, page.width)
    page.ax.set_ylim(page.height, 0)
    page.ax.set_xticks([])
    page.ax.spines["bottom"].set_visible(False)
