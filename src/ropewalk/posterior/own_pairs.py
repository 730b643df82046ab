"""Every model and every pair of models on its own: Student posteriors, whatever else is compared."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from ropewalk.posterior.base import Floats, Posterior, check_level
from ropewalk.posterior.point import Point
from ropewalk.posterior.student import Student
from ropewalk.posterior.unvaried import Unvaried, beyond, hardly_varied, unvaried_mean


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HardlyVariedPairs:
    """Pairs whose differences hardly vary: how far apart two scores can be, how many independent units a pair
    has, and the weight of the posterior of equal differences, as in `HardlyVaried`; models x models each, 0
    where they vary.
    """

    reach: Floats
    worth: Floats
    weight: Floats

    def of(self, i: int, j: int, varied: Student | Point) -> Posterior:
        """The posterior of a pair that would have the posterior `varied` if its differences varied."""
        weight, at = float(self.weight[i, j]), varied.mean
        if weight == 0:
            return varied
        far = max(float(self.reach[i, j]), abs(at))
        equal = Unvaried(at=at, low=-far, high=far, n=float(self.worth[i, j]))
        return equal if weight == 1 else hardly_varied(equal, weight, varied)

    def mixed(self, p: Floats, gap: Floats, advantage: Floats) -> Floats:
        """Pr(advantage > x), where it would be p if the differences varied; `gap` is advantage - x."""
        far = np.maximum(self.reach, np.abs(advantage))
        chance = beyond(-gap, far - advantage, far + advantage, self.worth)
        return np.asarray(np.where(self.weight > 0, self.weight * chance + (1 - self.weight) * p, p))

    def moved(self, draws: Floats, rng: np.random.Generator) -> Floats:
        """Joint draws of the models' means, with what their unseen differences may be.

        Models that hardly differ are moved toward the end of the range by the share of units at which they
        alone are ahead, Dirichlet(1, ..., 1, n + 4 - models): the differences of two models are then those of
        `Unvaried`. Every model gets each share once, in one of as many parts of the draws, so that models
        that are equal stay equal.
        """
        found = draws.copy()
        for group in self._groups():
            weight, n, far = (float(x[group].max()) for x in (self.weight, self.worth, self.reach))
            m = group.size
            some = -(-len(draws) // m)
            share = rng.dirichlet([*[1.0] * m, max(n + 4 - m, 1.0)], size=some)[:, :m]
            share = np.concatenate([np.roll(share, k, axis=1) for k in range(m)])[: len(draws)]
            x = draws[:, group]
            level, total = x.mean(axis=1, keepdims=True), share.sum(axis=1, keepdims=True)
            away = level + (1 - total) * (x - level) + far * (share - total / m)
            as_equal = np.tile(rng.uniform(size=some) < weight, m)[: len(draws), None]
            found[:, group] = np.where(as_equal, away, x)
        return found

    def _groups(self) -> list[NDArray[np.intp]]:
        """The models that hardly differ from each other, directly or through others."""
        near, left, found = self.weight > 0, set(range(len(self.weight))), []
        while left:
            group, new = set[int](), {min(left)}
            while new:
                group |= new
                new = {int(j) for i in new for j in np.flatnonzero(near[i])} - group
            left -= group
            if len(group) > 1:
                found.append(np.array(sorted(group)))
        return found


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class OwnPairs:
    """The advantage of the row over the column: Student(df, advantage, scale), models x models each.

    A pair that shares fewer than two units has `df` 0, and nothing is known about it alone. A scale of 0 is a
    difference that never varies: it is certain, unless `unvaried` is given. The mean of a model is
    Student(mean_df, mean, mean_scale).

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
    unvaried: HardlyVariedPairs | None = None

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which pairs share at least two units."""
        return np.asarray(self.df > 0)

    def pair(self, i: int, j: int) -> Posterior | None:
        """The posterior of the advantage of model i over model j; None if they share too few units."""
        if not self.df[i, j]:
            return None
        loc, scale = float(self.advantage[i, j]), float(self.scale[i, j])
        found = Student(df=float(self.df[i, j]), loc=loc, scale=scale) if scale > 0 else Point(at=loc)
        return found if self.unvaried is None or i == j else self.unvaried.of(i, j, found)

    def above(self, x: float | Floats) -> Floats:
        """Pr(advantage > x) of every pair, with one x or one per pair; NaN if the pair alone is unknown."""
        gap = self.advantage - x
        with np.errstate(divide="ignore", invalid="ignore"):
            p = stdtr(np.maximum(self.df, 1.0), gap / self.scale)
        p = np.where(self.scale > 0, p, np.where(gap > 0, 1.0, 0.0))
        if self.unvaried is not None:
            p = self.unvaried.mixed(p, gap, self.advantage)
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
