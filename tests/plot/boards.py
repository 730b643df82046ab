"""Leaderboards to draw."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

from ropewalk import plot
from ropewalk.plot.style import settings

NAN = float("nan")


LONG = "organisation/a-model-of-forty-letters-v{}"


ODD = ["$x_1$", "a_b^{2}", "<b>&amp;", "\\frac{1}{2}", "a\nb", "漢", "%s {0}", "$", "_", "z" * 10_000]


def names_of(k: int, kind: str) -> list[str]:
    """Names that are short, long (40 letters) or full of signs."""
    if kind == "odd":
        return [f"{ODD[i % len(ODD)]}{i if i >= len(ODD) else ''}" for i in range(k)]
    return [(LONG if kind == "long" else "model {}").format(f"{i:02}") for i in range(k)]


@cache
def task_case(
    k: int, names: str = "short", style: str = "screen", missing: bool = False, tasks: int = 12
) -> Any:
    random = np.random.default_rng(k)
    p = np.clip(random.normal(0.5, 0.6, (k, tasks)), 0, 1)
    if missing:
        p[random.random(p.shape) < 0.2] = NAN
    return plot.task_matrix(names_of(k, names), names_of(tasks, names), p, style=style)


def clear(figure: Any) -> None:
    """Nothing sticks out of the figure, and no two words share more than a pixel."""
    with settings():
        renderer = FigureCanvasAgg(figure).get_renderer()
        ink = figure.get_tightbbox(renderer)
        seen = [t for t in figure.findobj(Text) if t.get_visible() and t.get_text().strip()]
        boxes = np.array([t.get_window_extent(renderer).extents for t in seen])
    wide, high = figure.get_size_inches()
    slack = 1 / figure.dpi
    assert min(ink.x0, ink.y0) > -slack, ink.extents
    assert max(ink.x1 - wide, ink.y1 - high) < slack, ink.extents
    x0, y0, x1, y1 = boxes.T
    across = np.minimum(x1[:, None], x1) - np.maximum(x0[:, None], x0)
    down = np.minimum(y1[:, None], y1) - np.maximum(y0[:, None], y0)
    both = np.triu(np.minimum(across, down), 1)
    one, other = np.unravel_index(both.argmax(), both.shape)
    assert both.max() < 1, f"{seen[one].get_text()!r} and {seen[other].get_text()!r} overlap"


def board(**changes: Any) -> Any:
    """Three models, the second the best."""
    fields: dict[str, Any] = {
        "names": ["a", "b", "c"],
        "mean": [0.80, 0.85, 0.75],
        "low": [0.78, 0.83, 0.73],
        "high": [0.82, 0.87, 0.77],
        "p_best": [0.1, 0.9, 0.0],
        "p_within": [0.25, 0.97, 0.0],
        "in_set": [False, True, False],
        "rope": 0.02,
        "metric": "accuracy",
    }
    return plot.leaderboard(**(fields | changes))


def one(k: int) -> list[Callable[[], Any]]:
    """Every picture of k models."""
    names, v, m = names_of(k, "short"), np.full(k, 0.5), np.full((k, k), 0.5)
    return [
        lambda: plot.ranks(names, m),
        lambda: plot.verdict_matrix(names, m, m, m),
        lambda: plot.critical_difference(names, v + 1, 1.0),
        lambda: plot.leaderboard(names, v, v, v, v, v, v, 0.1, metric="x"),
        lambda: plot.task_matrix(names, ["t"], v[:, None]),
    ]


ZERO = [[0.0, 0.0], [0.0, 0.0]]
