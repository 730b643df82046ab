"""Matrix of verdicts: every model against every other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.plot import several_models
from ropewalk.plot.frame import frame
from ropewalk.plot.grid import CellGrid
from ropewalk.plot.legend import Sign, legend
from ropewalk.plot.style import BAND, HAIR, INK, PAPER, QUIET, Tint, look
from ropewalk.posterior.base import Floats
from ropewalk.results import formatting

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VERDICTS = ("better", "equivalent", "worse", "undecided")
_MARKS = ("▲", "=", "▼")


def verdict_matrix(
    names: Sequence[object],
    better: ArrayLike,
    equivalent: ArrayLike,
    worse: ArrayLike,
    *,
    threshold: float = 0.95,
    about: str = "",
    style: str = "screen",
) -> Figure:
    """Draw the verdict on every pair of models, those that win most often on top.

    Parameters
    ----------
    names : sequence
        Names of the models.
    better, equivalent, worse : array_like
        Models x models: the probability that the model of the row is better than, equivalent to and worse
        than the model of the column; nan in all three for pairs that were not compared, which are hatched.
    threshold : float, default 0.95
        Probability that a verdict needs.
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
        If the three probabilities of a pair do not sum to 1.
    DataError
        If a matrix does not fit the names.

    Notes
    -----
    A decided cell has the color of the better model: dark where that is the model of the row, pale where it
    is that of the column. Equivalence is gray, and the diagonal stays white. Models have the colors of their
    places in `names`, as on the leaderboard. If there are more than 100 models, only the first 100 are drawn.

    Examples
    --------
    >>> import ropewalk as rw
    >>> p, none = [[0, 0.97], [0.01, 0]], [[1, 0.02], [0.02, 1]]
    >>> figure = rw.plot.verdict_matrix(["forest", "svm"], p, none, [[0, 0.01], [0.97, 0]])
    >>> len(figure.axes[0].texts) > 4
    True
    """
    known = several_models.named(names)
    k = len(known)
    three = np.stack(
        [
            several_models.probabilities(values, (k, k), f"the matrix `{name}`")
            for name, values in zip(VERDICTS, (better, equivalent, worse), strict=False)
        ]
    )
    three[:, np.arange(k), np.arange(k)] = np.nan  # a model is not compared with itself
    several_models.sum_to_one(three.sum(axis=0), "better, equivalent and worse of a pair")
    wins = np.nansum(three[0] - three[2], axis=1) / np.maximum((~np.isnan(three[0])).sum(axis=1), 1)
    order = np.argsort(-wins, kind="stable")[: several_models.MOST]
    p = three[:, order][:, :, order]
    verdict = _verdicts(p, threshold)
    rows = [known[i] for i in order]
    sizes = look(style)
    grid = CellGrid.of(rows, rows, sizes)
    if len(grid.heads) < len(rows):  # no room for names above the columns: number rows and columns
        tags = [str(i + 1) for i in range(len(rows))]
        grid = CellGrid.of(rows, tags, sizes, tags)
    with frame(None, style, left=grid.left) as page:
        tints = [several_models.tint(int(i)) for i in order]
        grid.draw(page, _colours(verdict, tints), _missing(p), [tint.ink for tint in tints])
        inks = [[_ink(v) for v in row] for row in verdict]
        for texts in _texts(p, verdict, threshold):
            if grid.fill_in(page, texts, inks):
                break
        legend(page, _legend(tints, _missing(p)))
        page.title(_title(rows, verdict) + (f" ({about})" if about else ""))
        page.small_print(_small_print(threshold, len(rows), k, numbered=bool(grid.tags)))
    return page.figure


def _missing(p: Floats) -> NDArray[np.bool_]:
    """Return the pairs that were not compared; a model with itself does not count."""
    return np.asarray(np.isnan(p.sum(axis=0)) & ~np.eye(p.shape[1], dtype=np.bool_))


def _verdicts(p: Floats, threshold: float) -> list[list[str]]:
    """Return the verdict on each pair, "" if there is none."""
    reached = several_models.decided(p, threshold)
    index = np.where(reached.any(axis=0), reached.argmax(axis=0), 3)
    index[np.isnan(p.sum(axis=0))] = 4
    return [[(*VERDICTS, "")[i] for i in row] for row in index]


def _colours(verdict: list[list[str]], tints: Sequence[Tint]) -> Floats:
    """Return the color of each cell: that of the better model."""
    from matplotlib.colors import to_rgb

    return np.array(
        [[to_rgb(_colour(v, tints[i], tints[j])) for j, v in enumerate(row)] for i, row in enumerate(verdict)]
    )


def _colour(verdict: str, row: Tint, column: Tint) -> str:
    """Return the color of a verdict; lightness differs, so that verdicts differ without color too."""
    plain = {"better": row.ink, "equivalent": HAIR, "worse": column.fill, "undecided": BAND}
    return plain.get(verdict, PAPER)


def _ink(verdict: str) -> str:
    return {"better": PAPER, "undecided": QUIET}.get(verdict, INK)


def _texts(p: Floats, verdict: list[list[str]], threshold: float) -> list[list[list[str]]]:
    """Return alternative texts for the cells, the most informative first."""
    top = np.where(np.isnan(p.sum(axis=0)), 0, p.argmax(axis=0))

    def numbers(i: int, j: int) -> Sequence[str]:
        return formatting.three_shares(p[:, i, j].tolist(), threshold)

    def each(text: Sequence[str], *, is_whole: bool) -> list[list[str]]:
        return [
            [
                ""
                if not v or (not is_whole and v == "undecided")
                else text[top[i, j]].format(v, numbers(i, j)[top[i, j]])
                for j, v in enumerate(row)
            ]
            for i, row in enumerate(verdict)
        ]

    return [
        each([f"{{}}\n{mark} {{}}" for mark in _MARKS], is_whole=True),
        each([f"{mark} {{1}}" for mark in _MARKS], is_whole=True),
        each([f"{mark}\n{{1}}" for mark in _MARKS], is_whole=True),
        each(_MARKS, is_whole=False),
    ]


def _legend(tints: Sequence[Tint], missing: NDArray[np.bool_]) -> list[Sign]:
    """Draw the legend in the colors of the first model."""
    texts = ("▲ row better than column", "= equivalent", "▼ row worse", "undecided")
    signs = [
        Sign(text=text, colour=_colour(name, tints[0], tints[0]))
        for name, text in zip(VERDICTS, texts, strict=True)
    ]
    return [*signs, Sign(text="not compared", kind="hatched")] if missing.any() else signs


def _title(rows: Sequence[str], verdict: list[list[str]]) -> str:
    """Return the verdicts of the model on top, and the number of undecided pairs."""
    compared = sum(map(bool, verdict[0]))
    if not compared:
        return "No pair was compared"
    phrases = {"better": "better than", "equivalent": "equivalent to", "worse": "worse than"}
    counts = {phrase: verdict[0].count(name) for name, phrase in phrases.items()}
    said = ", ".join(f"{phrase} {n}" for phrase, n in counts.items() if n) or "no verdict against any"
    pairs = [v for i, row in enumerate(verdict) for v in row[i + 1 :] if v]
    undecided = pairs.count("undecided")
    rest = f"{undecided:,} of {formatting.counted(len(pairs), 'pair')}" if undecided else "no pair"
    return f"{rows[0]}: {said} of {formatting.counted(compared, 'other')}; {rest} undecided"


def _small_print(threshold: float, drawn: int, k: int, *, numbered: bool) -> str:
    parts = [
        "each row against each column, in the color of the better model",
        f"verdict where a probability reaches {threshold:.15g}",
    ]
    if numbered:
        parts.append("columns are numbered like the rows")
    return " · ".join([*parts, *several_models.cut_note(drawn, k, "model")])
