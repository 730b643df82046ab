"""Leaderboard: models best first with their intervals, and those that are practically the best."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, MethodError, OptionError
from ropewalk.plot import fonts, many, words
from ropewalk.plot.frame import Frame, frame
from ropewalk.plot.many import Sign
from ropewalk.plot.style import BAND, BETTER, HAIR, PAPER, QUIET, look
from ropewalk.posterior.base import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WORDS = 0.62  # names and probabilities at most, in widths of the figure


def leaderboard(
    names: Sequence[object],
    mean: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    p_best: ArrayLike,
    p_within: ArrayLike,
    in_set: ArrayLike,
    rope: float | tuple[float, float],
    *,
    metric: str,
    higher_is_better: bool = True,
    level: float = 0.95,
    style: str = "screen",
) -> Figure:
    """Draw a row for each model, the best on top: its interval, and the ROPE around the best one as a band.

    Arrays in the order of the names: the mean of each model with the ends of its interval, the probabilities
    that it is the best and that it is within the ROPE of the best, and whether it belongs to the practically
    best. `rope` is a half-width, or the two ends of an advantage that is practically none. A model whose mean
    is nan stands last without an interval. Of more than 100 models the first 100 are drawn; one far from the
    others does not widen the axis, an arrow with its mean points at it.

    >>> figure = leaderboard(["svm", "forest"], [0.84, 0.86], [0.82, 0.84], [0.86, 0.88], [0.1, 0.9],
    ...                      [0.3, 1.0], [False, True], 0.01, metric="accuracy")
    >>> len(figure.axes[0].texts) > 4
    True
    """
    known = many.named(names)
    shape = (len(known),)
    middle, start, end = (
        many.numbers(values, shape, f"the array `{name}`")
        for name, values in (("mean", mean), ("low", low), ("high", high))
    )
    first, close = (
        many.probabilities(values, shape, f"the array `{name}`")
        for name, values in (("p_best", p_best), ("p_within", p_within))
    )
    chosen = many.numbers(in_set, shape, "the array `in_set`") == 1
    if np.isnan(middle).all():
        raise MethodError("no model has a mean", hint="Give the mean of at least one model.")
    if (start > end).any():
        bad = int(np.flatnonzero(start > end)[0])
        raise CellError(
            f'the interval of "{known[bad]}" ends before it starts', hint="Are low and high the wrong way round?"
        )
    order = np.argsort(-middle if higher_is_better else middle, kind="stable")[: many.MOST]
    rows = [known[i] for i in order]
    band = _band(float(middle[order[0]]), rope, is_higher=higher_is_better)
    return _draw(
        rows,
        np.column_stack([middle, start, end])[order],
        {"P(best)": first[order], "P(within)": close[order]},
        chosen[order],
        band,
        style=style,
        ends=(metric, higher_is_better),
        title=_title([known[i] for i in np.flatnonzero(chosen)] if False else _members(known, middle, chosen, higher_is_better), len(known)),
        rope=_rope_words(rope),
        small_print=_small_print(metric, level, len(rows), len(known)),
    )
