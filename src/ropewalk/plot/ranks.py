"""Heat map of ranks: how probable each rank of each model is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.plot import several_models
from ropewalk.plot.frame import frame
from ropewalk.plot.grid import CellGrid
from ropewalk.plot.legend import Sign, legend
from ropewalk.plot.style import DATA, INK, PAPER, look
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def ranks(
    names: Sequence[object],
    matrix: ArrayLike,
    *,
    sort: bool = True,
    about: str = "",
    style: str = "screen",
) -> Figure:
    """Draw the probability of each rank for each model, the model with the best mean rank on top.

    Parameters
    ----------
    names : sequence
        Names of the models.
    matrix : array_like
        A row for each model and a column for each rank from the first to the last; rows sum to 1, and a model
        without ranks is a row of nan.
    sort : bool, default True
        Whether the rows are sorted by mean rank; otherwise they stay in the order of the names.
    about : str, default ""
        What the plot is about, for the title.
    style : {"screen", "paper"}, default "screen"
        "paper" has the width of a column and no title.

    Returns
    -------
    Figure
        The matplotlib figure.

    Raises
    ------
    CellError
        If a row does not sum to 1.
    DataError
        If the matrix does not fit the names.

    Notes
    -----
    If there are more than 100 models, only the first 100 are drawn, with their first 100 ranks.

    Examples
    --------
    >>> import ropewalk as rw
    >>> figure = rw.plot.ranks(["svm", "forest"], [[0.29, 0.71], [0.71, 0.29]])
    >>> len(figure.axes[0].texts) > 4
    True
    """
    known = several_models.named(names)
    k = len(known)
    p = several_models.probabilities(matrix, (k, k), "the matrix of ranks")
    several_models.sum_to_one(p.sum(axis=1), "the ranks of a model")
    mean = p @ np.arange(1, k + 1)  # nan comes last
    order = np.argsort(mean if sort else np.zeros(k), kind="stable")[: several_models.MOST]
    drawn = p[order][:, : several_models.MOST]
    missing = np.isnan(drawn)
    top = float(np.nanmax(drawn, initial=0.0)) or 1.0
    sizes = look(style)
    grid = CellGrid.of([known[i] for i in order], [str(r + 1) for r in range(drawn.shape[1])], sizes)
    with frame(None, style, left=grid.left) as page:
        share = np.sqrt(np.where(missing, 0.0, drawn) / top)  # so that small probabilities are visible too
        grid.draw(page, several_models.blend(share, DATA.ink), missing)
        inks = [[PAPER if s > 0.72 else INK for s in row] for row in share]
        grid.fill_in(page, [[_text(x) for x in row] for row in drawn], inks)
        legend(page, _legend(top, is_missing=bool(missing.any())))
        page.title(_title(known, p) + (f" ({about})" if about else ""))
        notes = several_models.cut_note(len(order), k, "model")
        rows = ["rows: by mean rank"] if sort else []
        page.small_print(" · ".join(["columns: ranks, 1 is best", *rows, *notes]))
    return page.figure


def _text(p: float) -> str:
    """Text of a cell; cells with a negligible probability have none."""
    return "" if np.isnan(p) or p < 0.005 else formatting.probability(p)


def _legend(top: float, *, is_missing: bool) -> list[Sign]:
    """Draw a legend of a few probabilities up to the largest one."""
    steps = np.linspace(0, 1, 5)
    signs = [
        Sign(text=f"{step**2 * top:.2g}", colour=tuple(several_models.blend(step, DATA.ink)))
        for step in steps
    ]
    signs[0] = Sign(text="probability 0", colour=PAPER)
    return [*signs, Sign(text="missing", kind="hatched")] if is_missing else signs


def _title(known: Sequence[str], p: Floats) -> str:
    if np.isnan(p[:, 0]).all():
        return "No model has ranks"
    first = int(np.nanargmax(p[:, 0]))
    return f"{known[first]} ranks first with probability {formatting.probability(float(p[first, 0]))}"
