"""Every model and every pair of models on its own: Student posteriors, whatever else is compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from ropewalk.posterior.base import Floats, Posterior, check_level
from ropewalk.posterior.point import Point
from ropewalk.posterior.student import Student
from ropewalk.posterior.unvaried import Unvaried, beyond, unvaried_mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnPairs:
    """The advantage of the row over the column: Student(df, advantage, scale), models x models each.

    A pair that shares fewer than two units has `df` 0, and nothing is known about it alone. A scale of 0 is a
    difference that never varies: it is certain, unless `reach` (how far apart two scores can be) and `worth`
    (the number of independent units of such a pair) are given. The mean of a model is Student(mean_df, mean,
    mean_scale).

    >>> two = OwnPairs(advantage=np.array([[0.0, 0.1], [-0.1, 0.0]]),
    ...     scale=np.array([[0.0, 0.05], [0.05, 0.0]]), df=np.array([[9.0, 9.0], [9.0, 9.0]]),
    ...     mean=np.array([0.9, 0.8]), mean_scale=np.array([0.1, 0.1]), mean_df=9.0)
    >>> round(float(two.above(0.0)[0, 1]), 3)
    0.962
    """

    advantage: Floats
    scale: Floats
    df: Floats
    mean: Floats
    mean_scale: Floats
    mean_df: float
    reach: Floats | None = None
    worth: Floats | None = None

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which pairs share at least two units."""
        return np.asarray(self.df > 0)

    def pair(self, i: int, j: int) -> Posterior | None:
        """The posterior of the advantage of model i over model j; None if they share too few units."""
        if not self.df[i, j]:
            return None
        loc, scale = float(self.advantage[i, j]), float(self.scale[i, j])
        if scale > 0:
            return Student(df=float(self.df[i, j]), loc=loc, scale=scale)
        if self.reach is None or self.worth is None or i == j:
            return Point(at=loc)
        far = max(float(self.reach[i, j]), abs(loc))
        return Unvaried(at=loc, low=-far, high=far, n=float(self.worth[i, j]))

    def above(self, x: float | Floats) -> Floats:
        """Pr(advantage > x) of every pair, with one x or one per pair; NaN if the pair alone is unknown."""
        gap = self.advantage - x
        with np.errstate(divide="ignore", invalid="ignore"):
            p = stdtr(np.maximum(self.df, 1.0), gap / self.scale)
        never = np.where(gap > 0, 1.0, 0.0)
        if self.reach is not None and self.worth is not None:
            far = np.maximum(self.reach, np.abs(self.advantage))
            chance = beyond(-gap, far - self.advantage, far + self.advantage, self.worth)
            never = np.where(np.eye(len(gap), dtype=np.bool_), never, chance)
        p = np.where(self.scale > 0, p, never)
        return np.asarray(np.where(self.known, p, np.nan))

    def intervals(self, level: float, within: tuple[float, float] = (-np.inf, np.inf)) -> Floats:
        """The central interval of each model's mean, models x (low, high), given that it is in `within`."""
        check_level(level)
        found = []
        for loc, scale in zip(self.mean, self.mean_scale, strict=True):
            if not scale > 0:
                found.append(unvaried_mean(float(loc), self.mean_df + 1, within).interval(level))
                continue
            one = Student(df=self.mean_df, loc=float(loc), scale=float(scale))
            below, above = float(one.cdf(within[0])), float(one.sf(within[1]))
            left = 1 - below - above
            ends = one.quantile([below + left * (1 - level) / 2, below + left * (1 + level) / 2])
            found.append((max(float(ends[0]), within[0]), min(float(ends[1]), within[1])))
        return np.array(found)
