"""The posterior of many models' means at once, known by joint draws."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import index

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats, Posterior, check_level
from ropewalk.posterior.draws import Draws
from ropewalk.posterior.own_draws import OwnDraws
from ropewalk.posterior.own_pairs import OwnPairs

_AT_ONCE = 1 << 21  # numbers of a table as large as the draws that are held at a time
_ODD = 0.01  # data that come less often than this from the fitted model do not fit it
_ROUNDING = 1e-12  # 0.9 - 0.89 must count as within 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class FitCheck:
    """A posterior predictive check: how often data from the fitted model look as odd as the data seen."""

    name: str
    p: float
    text: str

    @property
    def ok(self) -> bool:
        return self.p >= _ODD


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: p_best and ranks are computed once and kept
class JointPosterior:
    """Joint draws of the means of k models, higher is better; every answer is read off the same draws.

    `draws` has a row for each draw and a column for each model. The models share their units or tasks, so
    compare two of them by `pair`, never by whether their intervals overlap. `mean` is the centre of each
    column, `model` names what was fitted and `why` says why; the draws are worth `effective_size`
    independent ones.

    With three and more models the draws may treat them as drawn from one population: `pulled` is the share
    by which their differences are pulled together on average, 0 where they are not. `own` then has every pair
    on its own, which no other model changes, and `alone` asks it. `checks` say whether data from the fitted
    model look like the data.

    >>> three = JointPosterior.of([[0.9, 0.8, 0.1], [0.7, 0.8, 0.2], [0.9, 0.9, 0.3], [0.9, 0.7, 0.1]])
    >>> three.p_best
    array([0.625, 0.375, 0.   ])
    >>> three.p_within(0.1)
    array([1.  , 0.75, 0.  ])
    """

    draws: Floats = field(repr=False)
    mean: Floats
    model: str
    why: str
    effective_size: float
    pulled: float = 0.0
    own: OwnPairs | OwnDraws | None = field(default=None, repr=False)
    checks: tuple[FitCheck, ...] = ()

    @classmethod
    def of(
        cls,
        draws: ArrayLike,
        *,
        mean: ArrayLike | None = None,
        model: str = "draws",
        why: str = "",
        effective_size: float | None = None,
        pulled: float = 0.0,
        own: OwnPairs | OwnDraws | None = None,
        checks: Sequence[FitCheck] = (),
    ) -> JointPosterior:
        """Draws x models; `mean` where it is known better than by the draws, as for heavy tails."""
        x = np.asarray(draws, dtype=np.float64)
        if x.ndim != 2 or x.size == 0 or not np.all(np.isfinite(x)):
            raise OptionError("joint draws must be finite numbers, one row per draw and one column per model")
        centre = x.mean(axis=0) if mean is None else np.asarray(mean, dtype=np.float64)
        if centre.shape != x.shape[1:]:
            raise OptionError(f"{centre.size} means given for {x.shape[1]} models")
        size = float(len(x)) if effective_size is None else float(effective_size)
        return cls(
            draws=x,
            mean=centre,
            model=model,
            why=why,
            effective_size=size,
            pulled=pulled,
            own=own,
            checks=tuple(checks),
        )

    @property
    def n_models(self) -> int:
        return int(self.draws.shape[1])

    @cached_property
    def p_best(self) -> Floats:
        """P(mu_i >= mu_j for all j) for each model; models that tie share the draw. Adds up to one."""
        won = np.zeros(self.n_models)
        for block in self._blocks():
            best = block == block.max(axis=1, keepdims=True)
            won += (best / best.sum(axis=1, keepdims=True)).sum(axis=0)
        return _kept(won / won.sum())

    def p_within(self, rope: float | Sequence[float]) -> Floats:
        """P(mu_i >= max_j mu_j - r) for each model: that it is within the ROPE of the best.

        `rope` is the half width r, or a pair (low, high) around 0 with r = -low.
        """
        r = _half_width(rope)
        return np.asarray(sum(self._within(b, r).sum(axis=0) for b in self._blocks()) / len(self.draws))

    @cached_property
    def ranks(self) -> Floats:
        """P(model i has rank r), models x ranks, 1 is best. Rows and columns add up to one.

        Models that tie share the ranks that they fill together.
        """
        k = self.n_models
        place = np.arange(k)
        # A model that ties with m - 1 others over the ranks s..s+m-1 has 1/m on each: +1/m from rank s on,
        # -1/m from rank s + m on, added up over the ranks at the end.
        steps = np.zeros(k * (k + 1))
        for block in self._blocks():
            order = np.argsort(-block, axis=1, kind="stable")
            value = np.take_along_axis(block, order, axis=1)
            differs = value[:, 1:] != value[:, :-1]
            one = np.ones((len(block), 1), dtype=np.bool_)
            start = np.maximum.accumulate(np.where(np.hstack([one, differs]), place, 0), axis=1)
            last = np.where(np.hstack([differs, one]), place + 1, k)
            end = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
            share = (1 / (end - start)).ravel()
            row = order * (k + 1)
            steps += np.bincount((row + start).ravel(), share, steps.size)
            steps -= np.bincount((row + end).ravel(), share, steps.size)
        total = np.cumsum(steps.reshape(k, k + 1), axis=1)[:, :k]
        return _kept(np.clip(total / len(self.draws), 0.0, 1.0))

    def rank_interval(self, level: float = 0.95) -> NDArray[np.intp]:
        """The central interval of each model's rank, models x (first, last)."""
        check_level(level)
        below = np.cumsum(self.ranks, axis=1)
        left_out = (1 - level) / 2
        first = np.argmax(below > left_out + _ROUNDING, axis=1)
        last = np.argmax(below >= 1 - left_out - _ROUNDING, axis=1)
        return np.stack([first, last], axis=1) + 1

    def interval(self, level: float = 0.95, *, within: tuple[float, float] = (-np.inf, np.inf)) -> Floats:
        """The central interval of each model's own mean, models x (low, high), given that it is `within`.

        A mean of numbers from 0 to 1 lies there too, which normal draws do not know: those beyond are left
        out.
        """
        return OwnDraws(draws=self.draws, mean=self.mean).intervals(level, within)

    def practically_best(self, rope: float | Sequence[float], *, level: float = 0.95) -> tuple[int, ...]:
        """The fewest models, likeliest first, that hold a practically best one with probability `level`.

        In the order of p_within(rope) as many models as Pr(max_{i in S} mu_i >= max_j mu_j - r) >= level
        needs; those that tie with the last one, or have p_within >= level themselves, belong to S as well.
        The level holds on average over worlds like those of the prior, as for any posterior, and not in each:
        where one model is only just ahead of many equals, S misses it more often.
        """
        check_level(level)
        r, within = _half_width(rope), self.p_within(rope)
        order = np.argsort(-within, kind="stable")
        first = np.zeros(self.n_models)  # in how many draws a model is the first of the order within r
        for block in self._blocks():
            inside = self._within(block, r)[:, order]
            first += np.bincount(np.argmax(inside, axis=1), minlength=self.n_models)
        held = np.cumsum(first) / len(self.draws)
        last = within[order[int(np.argmax(held >= level - _ROUNDING))]]
        members = within[order] >= min(last, level) - _ROUNDING
        return tuple(int(i) for i in order[members])

    def pair(self, i: int, j: int) -> Draws:
        """The posterior of the advantage of model i over model j among all models, from the joint draws."""
        a, b = self._column(i), self._column(j)
        return Draws.of(self.draws[:, a] - self.draws[:, b])

    def alone(self, i: int, j: int) -> Posterior:
        """The posterior of the advantage of model i over model j, whoever else is compared.

        Where these two share too few units to be compared on their own, or nothing else is known of them, it
        is `pair`.
        """
        a, b = self._column(i), self._column(j)
        found = None if self.own is None else self.own.pair(a, b)
        return self.pair(i, j) if found is None else found

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of p_best, of the model where it is the largest.

        What never happens in n draws may still have a probability of about 1/n.
        """
        p = self.p_best
        return max(float(np.sqrt(np.max(p * (1 - p)) / self.effective_size)), 1 / self.effective_size)

    def _blocks(self) -> Iterator[Floats]:
        rows = max(1, _AT_ONCE // self.n_models)
        for start in range(0, len(self.draws), rows):
            yield self.draws[start : start + rows]

    @staticmethod
    def _within(block: Floats, r: float) -> NDArray[np.bool_]:
        best = block.max(axis=1, keepdims=True)
        return np.asarray(block >= best - r - _ROUNDING * (np.abs(best) + r))

    def _column(self, i: int) -> int:
        if not -self.n_models <= index(i) < self.n_models:
            raise OptionError(
                f"there is no model {i}", hint=f"There are {self.n_models} models, counted from 0."
            )
        return index(i)


def _half_width(rope: float | Sequence[float]) -> float:
    low, high = (-rope, rope) if isinstance(rope, int | float) else (float(edge) for edge in rope)
    if not (-np.inf < low <= 0 <= high < np.inf):
        raise OptionError(
            f"the ROPE is {rope}",
            hint="Give a half width >= 0, such as 0.01, or a pair (low, high) around 0.",
        )
    return float(-low)


def _kept(x: Floats) -> Floats:
    """Kept for the next question, so nobody may change it."""
    x.setflags(write=False)
    return x
