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
from ropewalk.posterior.draw_order import Order
from ropewalk.posterior.draws import Draws
from ropewalk.posterior.own_draws import OwnDraws
from ropewalk.posterior.own_pairs import OwnPairs

_AT_ONCE = 1 << 21  # numbers held in memory at a time
_ODD = 0.01  # the model does not fit data that are rarer than this under it
_ROUNDING = 1e-12  # 0.9 - 0.89 must count as within 0.01


@dataclass(frozen=True, slots=True, kw_only=True)
class FitCheck:
    """A posterior predictive check: how often data from the model are as extreme as the observed data."""

    name: str
    p: float
    text: str

    @property
    def ok(self) -> bool:
        return self.p >= _ODD


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: p_best and ranks are cached
class JointPosterior:
    """Joint draws of the means of k models; higher is better.

    Every answer is read off the same draws, so the answers cannot contradict each other.

    Parameters
    ----------
    draws : ndarray
        One row per draw, one column per model.
    mean : ndarray
        Center of each column.
    model : str
        Name of the model that was fitted.
    why : str
        Why that model was chosen.
    effective_size : float
        Number of independent draws that the draws are worth.
    pulled : float, default 0.0
        Share by which the differences between models are pulled together on average, because the models are
        treated as drawn from one population; 0 where they are not.
    own : optional
        Every pair on its own, which no other model changes; `alone` reads it.
    order : Order, optional
        Weights of the draws for claims about who is ahead, P(best) and ranks. Their prior expects equal
        models more than that of the draws does, which serves claims that models are close.
    checks : tuple, default ()
        Posterior predictive checks: whether data from the fitted model look like the data.

    See Also
    --------
    ropewalk.bayes.joint : Joint model of scores on one test set.
    ropewalk.bayes.joint_tasks : Joint model of scores over tasks.

    Notes
    -----
    The models share their units or tasks. Compare two of them by `pair` or `alone`, never by whether their
    intervals overlap.

    Examples
    --------
    >>> from ropewalk.posterior import JointPosterior
    >>> three = JointPosterior.of([[0.9, 0.8, 0.1], [0.7, 0.8, 0.2], [0.9, 0.9, 0.3], [0.9, 0.7, 0.1]])
    >>> three.p_best
    array([0.625, 0.375, 0.   ])
    >>> three.p_within(0.1)
    array([1.  , 0.75, 0.  ])
    >>> three.practically_best(0.1)
    (0,)
    """

    draws: Floats = field(repr=False)
    mean: Floats
    model: str
    why: str
    effective_size: float
    pulled: float = 0.0
    own: OwnPairs | OwnDraws | None = field(default=None, repr=False)
    order: Order | None = field(default=None, repr=False)
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
        order: Order | None = None,
        checks: Sequence[FitCheck] = (),
    ) -> JointPosterior:
        """Check the draws and make a joint posterior of them.

        Parameters
        ----------
        draws : array_like
            Finite numbers, draws x models.
        mean : array_like, optional
            Center of each model, if known more precisely than from the draws, as with heavy tails.
        model, why, effective_size, pulled, own, order, checks : optional
            As for the class. By default all draws are independent.

        Returns
        -------
        JointPosterior
            The posterior.

        Raises
        ------
        OptionError
            If the draws are not a finite matrix, or the means do not fit it.
        """
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
            order=order,
            checks=tuple(checks),
        )

    @property
    def n_models(self) -> int:
        """Number of models."""
        return int(self.draws.shape[1])

    @cached_property
    def p_best(self) -> Floats:
        """Probability that each model is the best, P(mu_i >= mu_j for all j); ties share the draw."""
        won, total = np.zeros(self.n_models), 0.0
        for block, weight in self._blocks():
            best = block == block.max(axis=1, keepdims=True)
            won += (weight[:, None] * best / best.sum(axis=1, keepdims=True)).sum(axis=0)
            total += float(weight.sum())
        return _kept(won / total)

    def p_within(self, rope: float | Sequence[float]) -> Floats:
        """Probability that each model is within the ROPE of the best, P(mu_i >= max_j mu_j - r).

        Parameters
        ----------
        rope : float or (float, float)
            Half width r, or a pair (low, high) around 0 with r = -low. With r = 0 it is a claim about order.

        Returns
        -------
        ndarray
            One probability per model.

        Raises
        ------
        OptionError
            If the ROPE does not contain 0.
        """
        return self.held(rope)[0]

    def held(self, rope: float | Sequence[float]) -> tuple[Floats, NDArray[np.intp], Floats]:
        """Probability that each model is within the ROPE of the best, and that a set holds such a model.

        Parameters
        ----------
        rope : float or (float, float)
            Half width r of the ROPE, or its edges.

        Returns
        -------
        within : ndarray
            Probability that each model is within the ROPE of the best.
        order : ndarray of int
            The models, the likeliest first.
        held : ndarray
            Probability that one of the first m models of this order is within it, for m = 1, 2, ...
        """
        r, k = _half_width(rope), self.n_models
        inside = [(self._within(b, r), w if r == 0 else np.ones(len(b))) for b, w in self._blocks()]
        total = sum(float(w.sum()) for _, w in inside)
        within = np.asarray(sum((w[:, None] * x).sum(axis=0) for x, w in inside)) / total
        if r > 0 and self.order is not None:
            within = np.maximum(within, self.p_best)
        order = np.argsort(-within, kind="stable")
        first = sum(np.bincount(np.argmax(x[:, order], axis=1), w, minlength=k) for x, w in inside)
        return within, order, np.cumsum(first) / total

    @cached_property
    def ranks(self) -> Floats:
        """Probability of each rank, models x ranks, where rank 1 is best.

        Rows and columns add up to one. Models that tie share the ranks that they fill together.
        """
        k = self.n_models
        if k == 2:
            return _kept(np.stack([self.p_best, 1 - self.p_best], axis=1))
        place = np.arange(k)
        # A model tied with m - 1 others over the ranks s..s+m-1 has 1/m on each: +1/m from rank s on,
        # -1/m from rank s + m on, with a cumulative sum over the ranks at the end.
        steps = np.zeros(k * (k + 1))
        for block, weight in self._blocks():
            order = np.argsort(-block, axis=1, kind="stable")
            value = np.take_along_axis(block, order, axis=1)
            differs = value[:, 1:] != value[:, :-1]
            one = np.ones((len(block), 1), dtype=np.bool_)
            start = np.maximum.accumulate(np.where(np.hstack([one, differs]), place, 0), axis=1)
            last = np.where(np.hstack([differs, one]), place + 1, k)
            end = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
            share = (weight[:, None] / (end - start)).ravel()
            row = order * (k + 1)
            steps += np.bincount((row + start).ravel(), share, steps.size)
            steps -= np.bincount((row + end).ravel(), share, steps.size)
        total = np.cumsum(steps.reshape(k, k + 1), axis=1)[:, :k]
        return _kept(np.clip(total / total[0].sum(), 0.0, 1.0))

    def rank_interval(self, level: float = 0.95) -> NDArray[np.intp]:
        """Central interval of each model's rank.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside.

        Returns
        -------
        ndarray of int
            Models x (first, last).
        """
        check_level(level)
        below = np.cumsum(self.ranks, axis=1)
        left_out = (1 - level) / 2
        first = np.argmax(below > left_out + _ROUNDING, axis=1)
        last = np.argmax(below >= 1 - left_out - _ROUNDING, axis=1)
        return np.stack([first, last], axis=1) + 1

    def interval(self, level: float = 0.95, *, within: tuple[float, float] = (-np.inf, np.inf)) -> Floats:
        """Central interval of each model's own mean.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside.
        within : (float, float), optional
            Range in which the mean is known to lie, such as (0, 1) for an accuracy. Draws beyond it are left
            out.

        Returns
        -------
        ndarray
            Models x (low, high).
        """
        return OwnDraws(draws=self.draws, mean=self.mean).intervals(level, within)

    def practically_best(self, rope: float | Sequence[float], *, level: float = 0.95) -> tuple[int, ...]:
        """Set of models that contains a practically best one with probability `level`.

        Parameters
        ----------
        rope : float or (float, float)
            Half width r of the ROPE, or its edges.
        level : float, default 0.95
            Probability that the set contains a model within the ROPE of the best.

        Returns
        -------
        tuple of int
            Numbers of the models, the likeliest first.

        Notes
        -----
        Models enter in the order of p_within(rope) until Pr(max_{i in S} mu_i >= max_j mu_j - r) >= level.
        Those that tie with the last one, or have p_within >= level themselves, belong to S as well. As for
        any posterior, the level holds on average over data drawn from the prior, not for every truth: if one
        model is only slightly ahead of many equal ones, S misses it more often.
        """
        check_level(level)
        within, order, held = self.held(rope)
        last = within[order[int(np.argmax(held >= level - _ROUNDING))]]
        members = within[order] >= min(last, level) - _ROUNDING
        return tuple(int(i) for i in order[members])

    def pair(self, i: int, j: int) -> Draws:
        """Posterior of the advantage of model i over model j among all models, from the joint draws.

        Parameters
        ----------
        i, j : int
            Numbers of the two models.

        Returns
        -------
        Draws
            Advantage of i over j.
        """
        a, b = self._column(i), self._column(j)
        return Draws.of(self.draws[:, a] - self.draws[:, b])

    def alone(self, i: int, j: int) -> Posterior:
        """Posterior of the advantage of model i over model j, whatever other models are compared.

        Parameters
        ----------
        i, j : int
            Numbers of the two models.

        Returns
        -------
        Posterior
            Advantage of i over j. Where the two share too few units to be compared on their own, or nothing
            else is known of them, it is `pair`.
        """
        a, b = self._column(i), self._column(j)
        found = None if self.own is None else self.own.pair(a, b)
        return self.pair(i, j) if found is None else found

    @property
    def error(self) -> float:
        """Largest Monte Carlo standard error of p_best over the models.

        What never happens in n draws may still have a probability of about 1/n.
        """
        p, size = self.p_best, self.effective_size
        if self.order is not None:
            w = self.order.weights
            size *= float(w.mean() ** 2 / np.mean(w**2))
        return max(float(np.sqrt(np.max(p * (1 - p)) / size)), 1 / size)

    def _blocks(self) -> Iterator[tuple[Floats, Floats]]:
        """Blocks of the draws, with their weights for claims about order."""
        rows, n = max(1, _AT_ONCE // self.n_models), len(self.draws)
        weights = np.ones(n) if self.order is None else self.order.weights
        for start in range(0, n, rows):
            yield self.draws[start : start + rows], weights[start : start + rows]

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
    """A read-only copy, because the result is cached."""
    x.setflags(write=False)
    return x
