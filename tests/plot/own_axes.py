"""Plots in the user's own axes."""

from __future__ import annotations

from io import BytesIO

from matplotlib.figure import Figure
from matplotlib.text import Text

CASES = [
    *[("undecided", kind) for kind in ("posterior", "differences", "qq", "hdi", "sensitivity")],
    *[("tasks on phi", kind) for kind in ("forest", "simplex", "tasks", "next_task", "hyper")],
    ("sign", "posterior"),
]


def finished(figure: Figure) -> None:
    """Lay the figure out as saving does."""
    figure.savefig(BytesIO(), format="png")


def words(figure: Figure) -> list[Text]:
    return [text for text in figure.findobj(Text) if text.get_text().strip() and text.get_visible()]
