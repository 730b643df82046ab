"""The page of a plot: axes with text above and below them, never cut off or overlapping."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ropewalk.plot import fonts
from ropewalk.plot.dark import recolor
from ropewalk.plot.room import make_room
from ropewalk.plot.style import HAIR, INK, PAPER, QUIET, Look, look, settings
from ropewalk.posterior.base import Floats

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.text import Annotation

_TICK, _PAD = 3.0, 3.0  # the length of a tick, and its distance from its number


@dataclass(slots=True, kw_only=True)
class Frame:
    """Axes of `width` by `height` points, and the number of points used around them so far.

    Texts are placed at distances in points from the axes, so it is known in advance what fits: a plot is
    drawn first, and finally the figure gets the size that it needs.
    """

    figure: Figure
    ax: Axes
    look: Look
    own: bool  # whether this page created the figure and sets its size
    left: float  # width taken by the vertical axis
    width: float
    height: float
    above: float = 0.0
    below: float = 0.0

    def write(
        self,
        text: str,
        x: float,
        y: float,
        *,
        size: float,
        start: Literal["top", "bottom", "inside"] | float = "bottom",
        ha: str = "left",
        va: str = "top",
        color: str = INK,
        weight: str = "normal",
    ) -> Annotation:
        """Write text x points right and y points up from the origin of the axes.

        Positions across and inside the axes are stored as shares of them, which survive resizing. A number
        as `start` is the share of the height from which y counts.
        """
        known = {"top": 1.0, "bottom": 0.0, "inside": y / self.height}
        share = known[start] if isinstance(start, str) else start
        return self.ax.annotate(
            text,
            xy=(x / self.width, share),
            xycoords="axes fraction",
            xytext=(0, 0 if start == "inside" else y),
            textcoords="offset points",
            annotation_clip=False,
            ha=ha,
            va=va,
            color=color,
            fontsize=size,
            fontweight=weight,
        )

    def tall(self, note: Annotation) -> float:
        """Return the height of a text in points; measuring takes as long as drawing."""
        # The renderer of this canvas is created once; matplotlib would create one for every text.
        renderer = getattr(self.figure.canvas, "get_renderer", lambda: None)()
        return float(note.get_window_extent(renderer).height * 72 / self.figure.dpi)

    def title(self, text: str) -> None:
        """Write the finding above everything that is above the axes so far."""
        size = self.look.title
        if size:
            lines = fonts.wrap(text, self.left + self.width, size, "bold")
            options: dict[str, Any] = {"start": "top", "va": "bottom", "weight": "bold"}
            y = self.above + self.look.gap
            self.above = y + self.tall(self.write("\n".join(lines), -self.left, y, size=size, **options))

    def small_print(self, text: str) -> None:
        """Write what was measured, and how, below everything that is below the axes so far."""
        # A separating dot stays at the end of its line.
        lines = fonts.wrap(
            text.replace(" · ", "\N{NO-BREAK SPACE}· "), self.left + self.width, self.look.small
        )
        lines = [line.replace("\N{NO-BREAK SPACE}·", " ·") for line in lines]
        y = self.below + 0.8 * self.look.gap
        note = self.write("\n".join(lines), -self.left, -y, size=self.look.small, color=QUIET)
        self.below = y + self.tall(note)

    def x(self, value: float) -> float:
        """Return a value on the horizontal axis in points from its left end."""
        low, high = self.ax.get_xlim()
        return (value - low) / (high - low) * self.width

    def ticks(self, *, signed: bool) -> None:
        """Draw as many round numbers on the horizontal axis as fit."""
        low, high = self.ax.get_xlim()
        size, side = self.look.text, self.look.side
        for most in (7, 6, 5, 4, 3, 2):
            at = round_numbers(low, high, most)
            labels = tick_labels(at, signed=signed)
            wide = [fonts.width(label, size) for label in labels]
            if sum(wide) + 1.5 * size * len(wide) <= self.width:
                break
        # The label of a tick at the end of the axis must not extend beyond the figure.
        kept = [
            (value, label)
            for value, label, w in zip(at, labels, wide, strict=True)
            if -side - self.left < self.x(value) - w / 2 and self.x(value) + w / 2 < self.width + side
        ]
        self.ax.set_xticks([value for value, _ in kept], [label for _, label in kept])
        self.below = _TICK + _PAD + 1.2 * size

    def ends(self, left: str, middle: str, right: str) -> None:
        """Write under the ticks what the axis measures, and what its two ends mean."""
        size, gap = self.look.text, self.look.gap
        room = (self.width - fonts.width(middle, size)) / 2 - gap
        y = self.below + 0.4 * size
        if max(fonts.width(left, size), fonts.width(right, size)) > room:
            room = (self.width - gap) / 2  # each end gets half of the lines below
            folded = "\n".join(fonts.wrap(middle, self.width, size))
            y += self.tall(self.write(folded, self.width / 2, -y, size=size, ha="center")) + 0.4 * size
            self.below = y
        else:
            self.below = y + self.tall(self.write(middle, self.width / 2, -y, size=size, ha="center"))
        for text, x, ha in ((left, 0.0, "left"), (right, self.width, "right")):
            folded = "\n".join(fonts.wrap(text, room, size))
            self.below = max(self.below, y + self.tall(self.write(folded, x, -y, size=size, ha=ha)))

    def beside(self, text: str) -> None:
        """Write what the vertical axis measures, rotated, in `turned(look)` points at the left edge."""
        self.ax.annotate(
            fonts.shorten(text, self.height, self.look.text),
            xy=(0, 0.5),
            xycoords="axes fraction",
            xytext=(turned(self.look) - self.left, 0),
            textcoords="offset points",
            annotation_clip=False,
            rotation=90,
            ha="right",
            va="center",
            fontsize=self.look.text,
        )

    def finish(self) -> None:
        """Set the size of the figure so that everything fits."""
        if self.own:
            side, wide = self.look.side, self.look.width * 72
            tall = self.above + self.height + self.below + 2 * side
            self.figure.set_size_inches(self.look.width, tall / 72)
            left, bottom = (side + self.left) / wide, (side + self.below) / tall
            self.ax.set_position((left, bottom, self.width / wide, self.height / tall))


def turned(look: Look) -> float:
    """Return the width of the label of a vertical axis, in points."""
    return 1.4 * look.text


@contextmanager
def frame(ax: Axes | None, style: str, *, left: float = 0.0) -> Iterator[Frame]:
    """Return a page to draw on: the given axes or a new figure, with `left` points for a vertical axis."""
    sizes = look(style)
    with settings():
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure

        if ax is None:
            from ropewalk.plot.notebook_figure import NotebookFigure

            figure: Figure = NotebookFigure(
                figsize=(sizes.width, sizes.height), dpi=sizes.dpi, facecolor=PAPER
            )
            FigureCanvasAgg(figure)
            axes = figure.add_axes((0, 0, 1, 1))
            width, height = sizes.width * 72 - 2 * sizes.side - left, sizes.height * 72
        else:
            axes, root = ax, ax.figure
            figure = root if isinstance(root, Figure) else root.figure
            box = axes.get_window_extent()
            width, height = box.width * 72 / figure.dpi, box.height * 72 / figure.dpi
        page = Frame(
            figure=figure,
            ax=axes,
            look=sizes,
            own=ax is None,
            left=left,
            width=width,
            height=height,
        )
        _bare(page)
        before = set(axes.get_children())
        yield page
        page.finish()
        if ax is not None:
            make_room(ax)
            recolor(ax, [artist for artist in ax.get_children() if artist not in before])


def _bare(page: Frame) -> None:
    """Remove the box: keep the bottom line, with small ticks."""
    ax = page.ax
    for side in ("left", "right", "top"):
        ax.spines[side].set_visible(False)
    ax.spines["bottom"].set(color=HAIR, linewidth=0.8)
    ax.set_yticks([])
    ax.tick_params(
        length=_TICK,
        width=0.8,
        pad=_PAD,
        color=HAIR,
        labelcolor=INK,
        labelsize=page.look.text,
        labelfontfamily=fonts.families()[0],
    )


def round_numbers(low: float, high: float, most: int) -> Floats:
    """At most about `most` round numbers between low and high.

    >>> round_numbers(-0.013, 0.031, 5)
    array([-0.01,  0.  ,  0.01,  0.02,  0.03])
    """
    from matplotlib.ticker import MaxNLocator

    at = np.asarray(MaxNLocator(nbins=most, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high))
    at = at[(at >= low) & (at <= high)]
    return np.where(np.abs(at) < 1e-9 * (high - low), 0.0, at)


def tick_labels(at: Floats, *, signed: bool) -> list[str]:
    """Format all ticks with the number of decimals that their step needs.

    >>> tick_labels(np.array([-0.025, 0.0, 0.025]), signed=True)
    ['−0.025', '0', '+0.025']
    """
    top = float(np.max(np.abs(at), initial=0.0))
    step = float(np.min(np.diff(at))) if at.size > 1 else top or 1.0
    sign = "+" if signed else ""
    if step < 1e-5 or top >= 1e7:
        form = f"{sign}.3g"
    else:
        digits = int(np.clip(np.ceil(-np.log10(step) - 1e-9), 0, 6))
        if abs(round(step, digits) - step) > 1e-6 * step:  # 0.025 needs one decimal more than 0.02
            digits += 1
        form = f"{sign},.{digits}f"
    return ["0" if x == 0 else f"{x:{form}}".replace("-", "−") for x in at]
