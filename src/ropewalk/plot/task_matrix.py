"""Matrix of models and tasks: where each model keeps up with the best."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import MethodError
from ropewalk.plot import captions, several_models
from ropewalk.plot.frame import frame
from ropewalk.plot.grid import CellGrid
from ropewalk.plot.legend import Sign, legend
from ropewalk.plot.style import INK, PAPER, QUIET, look
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MOST_TASKS = 200


def task_matrix(
    names: Sequence[object],
    tasks: Sequence[object],
    within: ArrayLike,
    *,
    scores: ArrayLike | None = None,
    threshold: float = 0.95,
    style: str = "screen",
) -> Figure:
    """Draw on which tasks each model is within the ROPE of the best, those that are so most often first.

    Parameters
    ----------
    names : sequence
        Names of the models.
    tasks : sequence
        Names of the tasks.
    within : array_like
        Models x tasks: the probability that the model is at most the ROPE worse than the best one of the
        task; nan where a model has no results, which is hatched.
    scores : array_like, optional
        Models x tasks: scores to write into the cells. By default the probabilities are written.
    threshold : float, default 0.95
        Probability from which on the model counts as within the ROPE of the best; up to 1 - `threshold` it
        counts as worse.
    style : {"screen", "paper"}, default "screen"
        "paper" has the width of a column and no title.

    Returns
    -------
    Figure
        The matplotlib figure.

    Raises
    ------
    MethodError
        If there are no tasks.
    DataError
        If the matrix does not fit the names.

    Notes
    -----
    Tasks stay in their order. They become rows if their names or the numbers do not fit as columns. At most
    100 models and 200 tasks are drawn, the first ones.

    Examples
    --------
    >>> import ropewalk as rw
    >>> figure = rw.plot.task_matrix(["svm", "forest"], ["iris", "wine"], [[0.99, 0.4], [0.98, float("nan")]])
    >>> len(figure.axes[0].texts) > 4
    True
    """
    known, places = several_models.named(names), [captions.name(task) for task in tasks]
    if not places:
        raise MethodError("this plot needs tasks, and there are none", hint="Give at least one task.")
    p = several_models.probabilities(within, (len(known), len(places)), "the matrix `within`")
    shape = (len(known), len(places))
    written = p if scores is None else several_models.numbers(scores, shape, "the matrix `scores`")
    keeps_up = several_models.decided(p, threshold)
    # Sort by the number of tasks on which a model keeps up, then by its mean probability.
    seen = np.maximum((~np.isnan(p)).sum(axis=1), 1)
    order = np.lexsort((-np.nansum(p, axis=1) / seen, -keeps_up.sum(axis=1)))[: several_models.MOST]
    rows = [known[i] for i in order]
    drawn, columns = p[order][:, :_MOST_TASKS], places[:_MOST_TASKS]
    values = written[order][:, :_MOST_TASKS]
    one = partial(formatting.probability, least=threshold) if scores is None else formatting.score
    texts = [["" if np.isnan(x) else one(float(x)) for x in row] for row in values]
    across = [list(column) for column in zip(*texts, strict=True)]
    colours = _colours(drawn, threshold)
    sizes = look(style)
    grid = CellGrid.of(rows, columns, sizes)
    is_named, is_written = len(grid.heads) == len(columns), grid.has_room(texts, sizes)
    if not (is_named and is_written):
        turned = CellGrid.of(columns, rows, sizes)
        if len(turned.heads) == len(rows) and (not is_named or turned.has_room(across, sizes)):
            grid, drawn, texts, colours = turned, drawn.T, across, colours.swapaxes(0, 1)
    with frame(None, style, left=grid.left) as page:
        missing = np.isnan(drawn)
        grid.draw(page, colours, missing)
        inks = [[_ink(float(x), threshold) for x in row] for row in drawn]
        is_written = grid.fill_in(page, texts, inks)
        legend(page, _legend(missing))
        page.title(_title([known[i] for i in order], keeps_up[order], p[order]))
        unnamed = len(grid.columns) - len(grid.heads)
        notes = several_models.cut_note(len(rows), len(known), "model") + several_models.cut_note(
            len(columns), len(places), "task"
        )
        numbers = "" if not is_written else "probabilities" if scores is None else "scores"
        page.small_print(_small_print(threshold, numbers, unnamed, notes))
    return page.figure


def _colours(p: Floats, threshold: float) -> Floats:
    from matplotlib.colors import to_rgb

    known = np.where(np.isnan(p), 0.5, p)
    colours = np.broadcast_to(to_rgb(several_models.SHADES["undecided"]), (*p.shape, 3)).copy()
    for name, sure in (("within", known), ("worse", 1 - known)):
        colours[several_models.decided(sure, threshold)] = to_rgb(several_models.SHADES[name])
    return colours


def _ink(p: float, threshold: float) -> str:
    if p >= threshold:
        return PAPER
    return INK if 1 - p >= threshold else QUIET


def _legend(missing: NDArray[np.bool_]) -> list[Sign]:
    meanings = {"within": "within the ROPE of the best", "worse": "worse", "undecided": "undecided"}
    signs = [Sign(text=text, colour=several_models.SHADES[name]) for name, text in meanings.items()]
    return [*signs, Sign(text="missing", kind="hatched")] if missing.any() else signs


def _title(rows: Sequence[str], keeps_up: NDArray[np.bool_], p: Floats) -> str:
    counts = keeps_up.sum(axis=1)
    if not counts[0]:
        return "No model is clearly within the ROPE of the best on any task"
    of = formatting.counted(int((~np.isnan(p[0])).sum()), "task")
    alike = int((counts == counts[0]).sum())
    if alike > 1:
        names = formatting.listing(rows[:alike], "and")
        return f"{names} are each within the ROPE of the best on {counts[0]} of {of}"
    return f"{rows[0]} is within the ROPE of the best on {counts[0]} of {of}, more than any other model"


def _small_print(threshold: float, numbers: str, unnamed: int, notes: Sequence[str]) -> str:
    meanings = {
        "probabilities": "numbers: probability of being within the ROPE of the best",
        "scores": "numbers: scores",
    }
    parts = [meanings[numbers]] if numbers else []
    parts += [f"decided where a probability reaches {threshold:.15g}", *notes]
    if unnamed:
        parts.append(f"names of {formatting.counted(unnamed, 'task')} left out")
    return " · ".join(parts)
