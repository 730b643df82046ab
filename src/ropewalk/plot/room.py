"""Room for the texts around a plot in the user's own axes."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np

from ropewalk.plot.fonts import set_by_user

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_SIDES = ("left", "right", "bottom", "top", "wspace", "hspace")
_made: WeakKeyDictionary[Figure, list[float]] = WeakKeyDictionary()  # the margins that were set here


def make_room(ax: Axes) -> None:
    """Lay out the figure again, so that no text is cut off, if nobody else has chosen its layout."""
    from matplotlib.layout_engine import PlaceHolderLayoutEngine

    figure: Any = ax.figure
    spec = ax.get_subplotspec()
    if spec is None or not hasattr(figure, "tight_layout"):
        return
    engine = figure.get_layout_engine()
    if engine is not None and not isinstance(engine, PlaceHolderLayoutEngine):  # left by `tight_layout`
        return
    usual, now = set_by_user()[1], _margins(figure)
    by_default = now in ([usual[f"figure.subplot.{side}"] for side in _SIDES], _made.get(figure))
    if by_default and np.allclose(ax.get_position(original=True).extents, spec.get_position(figure).extents):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # a figure too small for its texts stays as it is
            figure.tight_layout()
        _made[figure] = _margins(figure)


def _margins(figure: Figure) -> list[float]:
    return [getattr(figure.subplotpars, side) for side in _SIDES]
