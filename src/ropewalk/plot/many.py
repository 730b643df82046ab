"""What the pictures of many models share: values checked, cells in rows and columns, a legend."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, DataError, MethodError, OptionError
from ropewalk.plot import fonts, words
from ropewalk.plot.frame import Frame
from ropewalk.plot.style import BAND, BETTER, HAIR, INK, PAPER, QUIET, WORSE, Look
from ropewalk.posterior.base import Floats

if TYPE_CHECKING:
    from matplotlib.patches import Patch

MOST = 100  # models drawn
NAMES = 0.4  # the names of rows at most, in widths of the figure
_TURNED = 0.25  # the same of names that stand over columns
_LINE = 1.2  # from one line of words to the next, in heights of a letter
_FOLDED = 4  # lines of a name over a column at most
_WIDEST = 12.0  # a cell at most, in heights of a letter

# One lightness each, from dark to pale, so that they are told apart without colours too.
SHADES = {"better": BETTER.ink, "equivalent": HAIR, "worse": WORSE.fill, "undecided": BAND}


def named(names: Iterable[object]) -> list[str]:
    """The names of models as they may be shown."""
    found = [words.name(one) for one in names]
    if len(found) < 2:
        raise MethodError(
            f"this picture compares models, and there is {'one' if found else 'none'}",
            hint="Give at least two models.",
        )
    return found


def numbers(values: ArrayLike, shape: tuple[int, ...], what: str) -> Floats:
    """An array of this shape, with nan where a value is missing."""
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(
            f"{what} is not an array of numbers", hint="Give numbers, and nan where one is missing."
        ) from None
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
    """The same, of numbers from 0 to 1."""
    found = numbers(values, shape, what)
    outside = found[(found < -1e-9) | (found > 1 + 1e-9)]
    if outside.size:
        raise CellError(
            f"{what} holds {outside[0]:g}, which is no probability",
            hint="Give numbers from 0 to 1, and nan where one is missing.",
        )
    return np.clip(found, 0.0, 1.0)


def sum_to_one(total: Floats, what: str) -> None:
    """Probabilities of all that can happen; a sum that is nan is missing."""
    wrong = total[np.abs(total - 1) > 1e-6]
    if wrong.size:
        raise CellError(f"{what} sum to {wrong[0]:.6g} and not to 1", hint="Is a part of them missing?")


def decided(p: Floats, threshold: float) -> NDArray[np.bool_]:
    """Which probabilities reach the threshold."""
    if not 0.5 < threshold <= 1:
        raise OptionError(
            f"the threshold is {threshold}", hint="Give a probability above 0.5 and up to 1, such as 0.95."
        )
    return np.asarray(p >= threshold)


def cut_note(drawn: int, of: int, unit: str) -> list[str]:
    """What the small print says when not all are drawn.

    >>> cut_note(100, 1000, "model"), cut_note(5, 5, "model")
    (['the first 100 of 1,000 models'], [])
    """
    return [f"the first {drawn:,} of {words.counted(of, unit)}"] if drawn < of else []


def pitch(n: int, look: Look) -> float:
    """From one of n rows to the next: as high as other pictures, but never too close for their names."""
    return float(np.clip(look.height * 72 / n, _LINE * look.small, 3 * look.small))


def fitted(names: Sequence[str], room: float, size: float) -> list[str]:
    """The names on lines of at most `room` points, and different ones still different if that can be.

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
    return short[0]


def _alike(texts: Sequence[str]) -> int:
    """With how many same letters all texts start."""
    first, last = min(texts), max(texts)
    return next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))


def widest(texts: Iterable[str], size: float) -> float:
    """The width of the widest text, in points."""
    return max((fonts.width(text, size) for text in texts), default=0.0)


def _height(text: str, size: float) -> float:
    return _LINE * size * len(text.split("\n"))


def blend(share: Floats | float, colour: str) -> Floats:
    """From white to a colour, as red, green and blue in a last dimension."""
    from matplotlib.colors import to_rgb

    white, full = np.array(to_rgb(PAPER)), np.array(to_rgb(colour))
    return np.asarray(white + np.asarray(share)[..., None] * (full - white))


def shade(verdict: str, strength: Floats | float) -> Floats:
    """The colour of a verdict; strength, from 0 to 1, changes it less than another verdict would."""
    return blend(0.8 + 0.2 * strength, SHADES[verdict])


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Cells under the heads of their columns and right of the names of their rows; sizes in points."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    tags: tuple[str, ...]  # short words between the name of a row and its cells
    left: float
    wide: float
    tall: float
    is_turned: bool
    heads: tuple[int, ...]  # columns whose names have room

    @classmethod
    def of(cls, rows: Sequence[str], columns: Sequence[str], look: Look, tags: Sequence[str] = ()) -> Grid:
        """As wide as the figure, and as high as the names of the rows ask for."""
        size, full = look.small, look.width * 72
        down = fitted(rows, NAMES * full, size)
        left = widest(down, size) + 8 + (widest(tags, size) + 6 if tags else 0)
        wide = min((full - 2 * look.side - left) / len(columns), _WIDEST * size)
        is_turned, heads, across = _heads(columns, wide, _TURNED * full, size)
        return cls(
            rows=tuple(down),
            columns=tuple(across),
            tags=tuple(tags),
            left=left,
            wide=wide,
            tall=pitch(len(rows), look),
            is_turned=is_turned,
            heads=tuple(heads),
        )

    def draw(self, page: Frame, colours: Floats, missing: NDArray[np.bool_]) -> None:
        """Paint the cells, hatch those that are missing, and write the names."""
        ax = page.ax
        page.height = self.tall * len(self.rows)
        ax.set_xlim(0, page.width)  # both axes are in points, the vertical one from the top down
        ax.set_ylim(page.height, 0)
        ax.set_xticks([])
        ax.spines["bottom"].set_visible(False)
        x, y = self.wide * np.arange(len(self.columns) + 1), self.tall * np.arange(len(self.rows) + 1)
        white = min(self.wide, self.tall) > 6  # lines between cells, where there is room for them
        filled = np.where(missing[..., None], 1.0, colours)
        edges: dict[str, Any] = (
            {"edgecolors": PAPER, "lw": 0.8} if white else {"edgecolors": "face", "lw": 0.1}
        )
        ax.pcolormesh(x, y, filled, zorder=1, **edges)
        if missing.any():
            corners = [
                [(x[j], y[i]), (x[j + 1], y[i]), (x[j + 1], y[i + 1]), (x[j], y[i + 1])]
                for i, j in np.argwhere(missing)
            ]
            ax.add_patch(_hatched(corners))
        self._names(page)

    def _names(self, page: Frame) -> None:
        size = page.look.small
        column(page, self.tags, -6, self.tall, color=QUIET)
        beside = widest(self.tags, size) + 6 if self.tags else 0.0
        column(page, self.rows, -6 - beside, self.tall)
        over, highest = 3.0, 0.0
        for j in self.heads:
            text = self.columns[j]
            half = 0.0 if self.is_turned else widest(text.split("\n"), size) / 2
            highest = max(highest, fonts.width(text, size) if self.is_turned else _height(text, size))
            page.ax.text(
                min(self.wide * (j + 0.5), page.width - half),
                -over,
                text,
                fontsize=size,
                ha="center",
                va="bottom",
                rotation=90 if self.is_turned else 0,
            )
        page.above += over + highest

    def fill_in(self, page: Frame, texts: Sequence[Sequence[str]], inks: Sequence[Sequence[str]]) -> bool:
        """Write into the cells, if all of it has room."""
        size = page.look.small
        cells = [text for row in texts for text in row]
        across = widest((line for text in cells for line in text.split("\n")), size)
        if across > self.wide - 3 or max(_height(text, size) for text in cells) > self.tall + 0.01:
            return False
        for i, row in enumerate(texts):
            for j, text in enumerate(row):
                page.ax.text(
                    self.wide * (j + 0.5),
                    self.tall * (i + 0.5),
                    text,
                    fontsize=size,
                    ha="center",
                    va="center",
                    color=inks[i][j],
                )
        return True


def column(page: Frame, texts: Sequence[str], x: float, pitch: float, *, color: str = INK) -> None:
    """A text for each row from the top down, ending x points from where the axes start."""
    for i, text in enumerate(texts):
        y = page.height - pitch * (i + 0.5)
        page.write(
            text, x, y, size=page.look.small, start="inside", ha="right", va="center_baseline", color=color
        )


def _heads(
    columns: Sequence[str], wide: float, high: float, size: float
) -> tuple[bool, Sequence[int], list[str]]:
    """Whether the heads of columns are turned, which of them have room, and how they are written."""
    every, need = range(len(columns)), widest(columns, size) + 4
    if need <= wide:
        return False, every, list(columns)
    if all(text.isdigit() for text in columns):  # numbers stay as they are: the round ones
        step = next(s for s in (2, 5, 10, 20, 50, 100) if s * wide >= need)
        return False, [i for i in every if (i + 1) % step == 0 or (i == 0 and step > 2)], list(columns)
    folded = [fonts.wrap(text, wide - 4, size) for text in columns]
    if wide > 4 * size and max(map(len, folded)) <= _FOLDED:
        return False, every, ["\n".join(lines) for lines in folded]
    return True, every[:: int(np.ceil(_LINE * size / wide))], fitted(columns, high, size)


def _hatched(polygons: Sequence[Sequence[tuple[float, float]]]) -> Patch:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    path = Path.make_compound_path_from_polys(np.array(polygons))
    return PathPatch(path, facecolor=PAPER, edgecolor=HAIR, hatch="//////", lw=0.3, zorder=1.5, clip_on=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sign:
    """An entry of a legend: a sign and its meaning."""

    text: str
    colour: Any = PAPER
    kind: Literal["box", "hatched", "dot", "circle"] = "box"


def legend(page: Frame, signs: Sequence[Sign]) -> None:
    """What the colours mean, over all that is above the axes so far; the axes are in points downwards."""
    size, gap, room = page.look.small, page.look.gap, page.left + page.width
    lines: list[list[tuple[float, Sign]]] = [[]]
    x = 0.0
    for sign in signs:
        wide = 1.5 * size + fonts.width(sign.text, size)
        if x + wide > room and lines[-1]:
            lines.append([])
            x = 0.0
        lines[-1].append((x, sign))
        x += wide + gap
    y = page.above + 0.7 * gap
    for line in reversed(lines):
        for x, sign in line:
            _sign(page, sign, x - page.left, y)
            page.write(sign.text, x - page.left + 1.5 * size, y, size=size, start="top", va="bottom")
        y += 1.4 * size
    page.above = y


def _sign(page: Frame, sign: Sign, x: float, y: float) -> None:
    """A sign x points right and y points up from the upper left corner of the axes."""
    from matplotlib.patches import Rectangle

    side, up = page.look.small, y + 0.1 * page.look.small
    low, high = page.ax.get_xlim()
    unit = (high - low) / page.width
    bottom, top = page.ax.get_ylim()
    down = (bottom - top) / page.height
    left, right = low + unit * x, low + unit * (x + side)
    floor, roof = top - down * up, top - down * (up + side)
    if sign.kind == "hatched":
        page.ax.add_patch(_hatched([[(left, floor), (right, floor), (right, roof), (left, roof)]]))
    elif sign.kind == "box":
        page.ax.add_patch(
            Rectangle(
                (left, floor), right - left, roof - floor, fc=sign.colour, ec=HAIR, lw=0.3, clip_on=False
            )
        )
    else:
        fill = sign.colour if sign.kind == "dot" else PAPER
        page.ax.plot(
            [(left + right) / 2],
            [(floor + roof) / 2],
            "o",
            ms=0.6 * side,
            mfc=fill,
            mec=sign.colour,
            mew=0.8,
            clip_on=False,
        )
