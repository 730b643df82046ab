"""Cells in rows and columns, with names to the left and above."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ropewalk.plot import fonts
from ropewalk.plot.frame import Frame
from ropewalk.plot.legend import hatched
from ropewalk.plot.several_models import LINE, NAMES, column, fitted, in_points, pitch, widest
from ropewalk.plot.style import INK, PAPER, QUIET, Look
from ropewalk.posterior.base import Floats

_TURNED = 0.25  # most height of names above columns, in widths of the figure
_FOLDED = 4  # most lines of a name above a column
_SHAPES = 2500  # with more cells, one image is drawn instead of shapes
_WIDEST = 12.0  # largest size of a cell, in heights of a letter


@dataclass(frozen=True, slots=True, kw_only=True)
class CellGrid:
    """Cells below the heads of columns and to the right of the names of rows; sizes in points."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    tags: tuple[str, ...]  # short texts between the name of a row and its cells
    left: float
    wide: float
    tall: float
    is_turned: bool
    heads: tuple[int, ...]  # columns whose names fit

    @classmethod
    def of(
        cls, rows: Sequence[str], columns: Sequence[str], look: Look, tags: Sequence[str] = ()
    ) -> CellGrid:
        """Build a grid as wide as the figure, and as high as the names of the rows need."""
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

    def draw(
        self, page: Frame, colours: Floats, missing: NDArray[np.bool_], inks: Sequence[str] = ()
    ) -> None:
        """Paint the cells, hatch the missing ones, and write the names of rows and columns in their inks."""
        ax = page.ax
        page.height = self.tall * len(self.rows)
        in_points(page)
        x, y = self.wide * np.arange(len(self.columns) + 1), self.tall * np.arange(len(self.rows) + 1)
        white = min(self.wide, self.tall) > 6  # lines between cells, if there is room for them
        filled = np.where(missing[..., None], 1.0, colours)
        edges: dict[str, Any] = (
            {"edgecolors": PAPER, "lw": 0.8} if white else {"edgecolors": "face", "lw": 0.1}
        )
        # Ten thousand cells as shapes would make an SVG of megabytes.
        ax.pcolormesh(x, y, filled, zorder=1, rasterized=missing.size > _SHAPES, **edges)
        if missing.any():
            corners = [
                [(x[j], y[i]), (x[j + 1], y[i]), (x[j + 1], y[i + 1]), (x[j], y[i + 1])]
                for i, j in np.argwhere(missing)
            ]
            ax.add_patch(hatched(corners))
        self._names(page, inks)

    def _names(self, page: Frame, inks: Sequence[str]) -> None:
        size = page.look.small
        column(page, self.tags, -6, self.tall, colours=[QUIET] * len(self.tags))
        beside = widest(self.tags, size) + 6 if self.tags else 0.0
        column(page, self.rows, -6 - beside, self.tall, colours=inks)
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
                color=inks[j] if inks else INK,
            )
        page.above += over + highest

    def has_room(self, texts: Sequence[Sequence[str]], look: Look) -> bool:
        """Whether every text fits its cell."""
        cells = [text for row in texts for text in row]
        across = widest((line for text in cells for line in text.split("\n")), look.small)
        return (
            across <= self.wide - 3 and max(_height(text, look.small) for text in cells) <= self.tall + 0.01
        )

    def fill_in(self, page: Frame, texts: Sequence[Sequence[str]], inks: Sequence[Sequence[str]]) -> bool:
        """Write into the cells, if every text fits."""
        size = page.look.small
        if not self.has_room(texts, page.look):
            return False
        for (i, j), text in np.ndenumerate(np.array(texts, dtype=object)):
            if text:
                x, y = self.wide * (j + 0.5), self.tall * (i + 0.5)
                va = "center" if "\n" in text else "center_baseline"  # digits do not reach below the line
                page.ax.text(x, y, text, fontsize=size, ha="center", va=va, color=inks[i][j])
        return True


def _height(text: str, size: float) -> float:
    return LINE * size * len(text.split("\n"))


def _heads(
    columns: Sequence[str], wide: float, high: float, size: float
) -> tuple[bool, Sequence[int], list[str]]:
    """Return whether the heads of columns are rotated, which of them fit, and their texts."""
    every, need = range(len(columns)), widest(columns, size) + 4
    if need <= wide:
        return False, every, list(columns)
    if all(text.isdigit() and len(text) <= 3 for text in columns):  # keep round numbers, not rotated
        step = next(s for s in (2, 5, 10, 20, 50, 100) if s * wide >= need)
        return False, [i for i in every if (i + 1) % step == 0 or (i == 0 and step > 2)], list(columns)
    if wide > 4 * size:
        folded = [fonts.wrap(text, wide - 4, size) for text in columns]
        if max(map(len, folded)) <= _FOLDED:
            return False, every, ["\n".join(lines) for lines in folded]
    return True, every[:: int(np.ceil(LINE * size / wide))], fitted(columns, high, size)
