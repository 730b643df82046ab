"""One model's scores in bins, counted where the data are: too many rows to be held in memory."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats, Ints, Strings


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Binned:
    """Number of examples of each truth in each of a model's bins; at most `number` bins are possible.

    `bins` has the numbers of the bins, `scores` the greatest score in each. `differ` is whether a bin
    contains another score. For all models together, the examples were counted in fewer bins, `joint` per
    model.
    """

    tasks: Strings | None
    truth: Strings
    bins: Ints
    scores: Floats
    counts: Ints
    differ: NDArray[np.bool_]
    number: int
    joint: int

    def of_task(self, name: str) -> Binned:
        """Return the bins of one task."""
        assert self.tasks is not None
        rows = np.flatnonzero(self.tasks == name)
        return Binned(
            tasks=None,
            truth=self.truth[rows],
            bins=self.bins[rows],
            scores=self.scores[rows],
            counts=self.counts[rows],
            differ=self.differ[rows],
            number=self.number,
            joint=self.joint,
        )
