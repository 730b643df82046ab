"""Every model and every pair of models on its own, known by joint draws that were not pulled together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ropewalk.posterior.base import Floats, Posterior, check_level
from ropewalk.posterior.draws import Draws


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnDraws:
    """The advantage of the row over the column, from draws x models, and each model's own `mean`.

    >>> own = OwnDraws(draws=np.array([[0.9, 0.8], [0.7, 0.8], [0.9, 0.7]]), mean=np.array([0.83, 0.77]))
    >>> own.above(0.0)
    array([[0.        , 0.66666667],
           [0.33333333, 0.        ]])
    """

    draws: Floats
    mean: Floats

    @property
    def known(self) -> NDArray[np.bool_]:
        """Every pair is known."""
        return np.ones((self.mean.size, self.mean.size), dtype=np.bool_)

    def pair(self, i: int, j: int) -> Posterior:
        """The posterior of the advantage of model i over model j."""
        return Draws.of(self.draws[:, i] - self.draws[:, j])

    def above(self, x: float | Floats) -> Floats:
        """Pr(advantage > x) of every pair, with one x or one per pair."""
        k = self.mean.size
        each = np.broadcast_to(x, (k, k))
        return np.array(
            [np.mean(self.draws[:, [i]] - self.draws > each[i], axis=0) for i in range(k)], dtype=np.float64
        )

    def intervals(self, level: float, within: tuple[float, float] = (-np.inf, np.inf)) -> Floats:
        """The central interval of each model's mean, models x (low, high), given that it is in `within`."""
        check_level(level)
        both = [(1 - level) / 2, (1 + level) / 2]
        kept = (column[(column >= within[0]) & (column <= within[1])] for column in self.draws.T)
        return np.array(
            [
                np.quantile(x, both) if x.size else np.clip(m, *within) * np.ones(2)
                for x, m in zip(kept, self.mean, strict=True)
            ]
        )
