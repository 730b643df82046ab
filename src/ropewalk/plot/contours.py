"""Filled contours around 50, 80 and 95% of a density of two numbers."""

from __future__ import annotations

import numpy as np

from ropewalk.plot.style import PAPER
from ropewalk.posterior.base import Floats

SHARES = (0.95, 0.8, 0.5)  # from the outside in
_STRENGTHS = (0.35, 0.65, 1.0)  # strength of the color between them
SAID = "shading: 50%, 80% and 95% of the posterior"


def levels(density: Floats, area: Floats) -> Floats:
    """Density levels that enclose the shares; `area` is the area that each value represents.

    >>> levels(np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4))  # 4 of 10 lie at the highest value
    array([1.5 , 2.5 , 3.666...])
    """
    order = np.argsort(density, axis=None)[::-1]
    heights = density.ravel()[order]
    inside = np.cumsum(heights * area.ravel()[order])
    return np.unique(np.interp(SHARES, inside / inside[-1], heights))


def shades(color: str, n: int, paper: str = PAPER) -> list[str]:
    """Return the last n of three shades, from near the color of the paper to full.

    >>> shades("#0000ff", 3)
    ['#a6a6ff', '#5959ff', '#0000ff']
    """
    from matplotlib.colors import to_hex, to_rgb

    full, white = to_rgb(color), to_rgb(paper)
    mixed = [[s * f + (1 - s) * w for f, w in zip(full, white, strict=True)] for s in _STRENGTHS]
    return [to_hex((r, g, b)) for r, g, b in mixed[len(mixed) - n :]]
