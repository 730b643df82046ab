"""Comparison -> matplotlib figure: one picture, one file, one public function."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ropewalk.errors import OptionError, did_you_mean, short
from ropewalk.plot.differences import differences
from ropewalk.plot.hdi import hdi
from ropewalk.plot.posterior import posterior
from ropewalk.plot.qq import qq
from ropewalk.plot.style import settings

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ropewalk.report.comparison import Comparison

__all__ = ["KINDS", "differences", "draw", "hdi", "posterior", "qq", "render"]

KINDS = {"posterior": posterior, "differences": differences, "qq": qq, "hdi": hdi}

# What would be different tomorrow stays out of the file: the same picture is the same bytes.
_UNDATED = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}, "pdf": {"CreationDate": None}}


def draw(comparison: Comparison, kind: str = "posterior", *, style: str = "screen") -> Figure:
    """A picture by its name: "posterior", "differences", "qq" or "hdi"; style "screen" or "paper".

    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    >>> figure = draw(report.comparisons[0], "posterior", style="paper")
    >>> b"<svg" in render(figure, ".svg")
    True
    """
    if kind not in KINDS:
        raise OptionError(f'there is no picture "{short(kind)}"', hint=did_you_mean(kind, KINDS))
    return KINDS[kind](comparison, style=style)


def render(figure: Figure, suffix: str) -> bytes:
    """The figure as the bytes of a PNG, SVG or PDF file; the same figure gives the same bytes."""
    from io import BytesIO

    form = suffix.lower().removeprefix(".")
    if form not in _UNDATED:
        raise OptionError(
            f'a picture cannot be written as "{short(suffix)}"', hint=did_you_mean(form, _UNDATED)
        )
    file = BytesIO()
    with settings():
        figure.savefig(file, format=form, dpi=figure.dpi, metadata=_UNDATED[form])
    return file.getvalue()
