"""The Plackett-Luce model: many models of which only the ranks on each task are known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.bayes.chains import effective_size, normal_scores, r_hat
from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.posterior.base import Floats
from ropewalk.posterior.joint import JointPosterior
from ropewalk.sums import numeric

_CHAINS = 4
_WARM_UP = 0.25  # warm-up draws to discard, as a share of the draws that are kept
_WEAKEST_PRIOR = 0.1  # with a weaker prior the worth of a model that never wins underflows


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: the parent caches properties
class PlackettLuce(JointPosterior):
    """Joint draws of the models' log-worths, which add up to zero in each draw.

    `plackett_luce` makes it.

    Parameters
    ----------
    draws, mean, model, why, effective_size, pulled, own, order, checks : see JointPosterior
        As for every joint posterior; `effective_size` is the smallest over the models.
    r_hat : float
        Largest R-hat over the models; below 1.01 where the chains agree.

    See Also
    --------
    ropewalk.bayes.plackett_luce : Makes it, and explains the model.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> found = bayes.plackett_luce([[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2, 3]], draws=1_000)
    >>> found.p_beats(0, 2) > 0.5
    True
    """

    r_hat: float

    def p_beats(self, i: int, j: int) -> float:
        """Probability that model i is ranked above model j on the next task.

        Parameters
        ----------
        i, j : int
            Numbers of the two models.

        Returns
        -------
        float
            The probability.
        """
        ahead = self.draws[:, self._column(i)] - self.draws[:, self._column(j)]
        return float(np.mean(1 / (1 + np.exp(-ahead))))


def plackett_luce(
    ranks: ArrayLike, *, prior: float = 1.0, draws: int = 4_000, rng: int | np.random.Generator = 0
) -> PlackettLuce:
    """Joint posterior of the worths of k models from their ranks on each task: P(best), ranks, pairs.

    Parameters
    ----------
    ranks : array_like, tasks x models
        Ranks on each task, 1 is best; NaN where a model was not run.
    prior : float, default 1.0
        Shape of the Gamma prior of the worths. With 1, all shares of the total worth are equally likely; a
        larger value pulls the models together.
    draws : int, default 4000
        Number of draws.
    rng : int or numpy.random.Generator, default 0
        Random seed, or a generator.

    Returns
    -------
    PlackettLuce
        Joint draws of the worths, with `p_best`, ranks and every pair.

    Notes
    -----
    Formula::

        the first place of a task goes to model i with probability w_i/Σ w_j over the models on the task, the
        next one likewise among those left, and so on; w_i ~ Gamma(prior, 1). Gibbs: Z ~ Exp(Σ w_j of those
        left) for each place, w_i ~ Gamma(prior + places won, 1 + Σ Z of the places it stood for).

    Assumes
        independent tasks; the choice between two models does not depend on which others are there. Two
        models: Pr(i above j) ~ Beta(prior + wins, prior + losses).

    Not for
        scores that can be compared between tasks: their sizes say more than ranks (`hierarchical_t`); folds
        or seeds of one task as rows.

    Equal ranks mean that the order is unknown: the probabilities of all orders that agree with the ranks are
    added up. To state only the best three, give them the ranks 1, 2 and 3 and all others a shared rank. A
    task on which all models tie carries no information.

    References
    ----------
    .. [1] Plackett 1975, doi:10.2307/2346567.
    .. [2] Caron & Doucet 2012, doi:10.1080/10618600.2012.638220.

    Examples
    --------
    >>> r = plackett_luce([[1, 2, 3], [1, 3, 2], [2, 1, 3], [1, 2, 2], [1, 2, float("nan")]], draws=2_000)
    >>> bool(r.p_best[0] > 0.7), r.r_hat < 1.05
    (True, True)
    """
    x = _ranks(ranks)
    _check(prior, draws)
    kept = -(-draws // _CHAINS)
    chains = _gibbs(_RankedTasks.of(x), x.shape[1], prior, kept, np.random.default_rng(rng))
    chains -= chains.mean(axis=2, keepdims=True)  # the likelihood does not depend on the scale of the worths
    by_model = np.moveaxis(chains, 2, 0)
    return PlackettLuce(
        draws=chains.reshape(-1, x.shape[1]),
        mean=chains.mean(axis=(0, 1)),
        model="Plackett-Luce",
        why="only the ranks on each task are known",
        effective_size=min(effective_size(one) for one in by_model),
        r_hat=max(r_hat(normal_scores(one)) for one in by_model),
    )


@dataclass(frozen=True, slots=True)
class _RankedTasks:
    """The models of each task from the first place to the last, with all tasks concatenated in one row.

    A model that was not run comes after the others as number k, whose worth is zero. `open` are the places
    that another model could have taken: all except the last one, which is certain even when it is shared.
    Models that share a place are a group; `group` numbers the groups over all tasks.
    """

    order: NDArray[np.intp]
    open: NDArray[np.bool_]
    alone: NDArray[np.bool_]
    group: NDArray[np.intp]
    starts: NDArray[np.intp]  # where each group starts
    ends: NDArray[np.intp]  # the last place of each group
    shape: tuple[int, int]  # tasks x places

    @classmethod
    def of(cls, x: Floats) -> _RankedTasks:
        n, k = x.shape
        filled = np.where(np.isnan(x), np.inf, x)
        order = np.argsort(filled, axis=1, kind="stable")
        value = np.take_along_axis(filled, order, axis=1)
        run = np.isfinite(value)
        last = np.max(value, axis=1, initial=-np.inf, where=run, keepdims=True)
        first = np.append(np.ones((n, 1), dtype=np.bool_), value[:, 1:] != value[:, :-1], axis=1).ravel()
        starts, group = np.flatnonzero(first), np.cumsum(first) - 1
        return cls(
            order=np.where(run, order, k).ravel(),
            open=(run & (value < last)).ravel(),
            alone=(np.bincount(group) == 1)[group],
            group=group,
            starts=starts,
            ends=np.append(starts[1:], n * k) - 1,
            shape=(n, k),
        )


def _gibbs(tasks: _RankedTasks, k: int, prior: float, kept: int, rng: np.random.Generator) -> Floats:
    """Chains x draws x models, the logarithms of the worths.

    Each model on a task arrives after a time Exp(w_i), and the order of arrival is the order of the places.
    After the last arrival of a group the clocks of later models restart. Given the times, worths are gamma.
    """
    shape = prior + np.bincount(tasks.order[tasks.open], minlength=k)[:k]
    worth = np.zeros((_CHAINS, k + 1))  # the last one stands for the models that were not run
    worth[:, :k] = rng.standard_gamma(prior, (_CHAINS, k)) + np.finfo(np.float64).tiny
    at = tasks.order + (k + 1) * np.arange(_CHAINS)[:, np.newaxis]
    latest = None
    out = np.empty((_CHAINS, kept, k))
    for sweep in range(-int(_WARM_UP * kept), kept):
        times, latest = _arrivals(worth[:, tasks.order], latest, tasks, rng)
        rate = 1 + np.bincount(at.ravel(), times.ravel(), worth.size).reshape(worth.shape)[:, :k]
        worth[:, :k] = rng.standard_gamma(shape, (_CHAINS, k)) / rate
        # The data do not determine the sum of the worths: drawing it from its prior improves the mixing.
        total = rng.standard_gamma(k * prior, (_CHAINS, 1))
        worth[:, :k] *= total / worth.sum(axis=1, keepdims=True)
        if sweep >= 0:
            out[:, sweep] = np.log(worth[:, :k])
    return out


def _arrivals(
    w: Floats, latest: Floats | None, tasks: _RankedTasks, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Each model's time until arrival given the worths, and the last arrival of each group.

    A model alone at its place is the first arrival of all remaining models, Exp(Σ w). A group is only known
    to arrive before the first of the later models, which arrives at
    T = last arrival of the group + Exp(Σ w behind), and given T the times of the group are independent
    exponentials cut off at T.
    """
    left = _left(w.reshape(_CHAINS, *tasks.shape))
    behind = left[..., 1:].reshape(w.shape)[:, tasks.ends]
    one = np.divide(
        rng.standard_exponential(w.shape),
        left[..., :-1].reshape(w.shape),
        out=np.zeros_like(w),
        where=tasks.open,
    )
    if latest is None:  # in an arbitrary order of the group: exact if its worths are equal
        latest = np.add.reduceat(one, tasks.starts, axis=1)
    wait = rng.standard_exponential(behind.shape)
    cut = latest + np.divide(wait, behind, out=np.zeros_like(behind), where=tasks.open[tasks.ends])
    shared = tasks.open & ~tasks.alone
    ws = w[:, shared]
    one[:, shared] = -np.log1p(rng.random(ws.shape) * np.expm1(-ws * cut[:, tasks.group[shared]])) / ws
    latest = np.maximum.reduceat(one, tasks.starts, axis=1)
    steps = np.zeros_like(one)
    steps[:, tasks.ends] = latest
    before = np.cumsum(steps.reshape(left[..., 1:].shape), axis=2).reshape(w.shape) - steps
    return before + one, latest


def _left(w: Floats) -> Floats:
    """The sum of the worths from each place onward, followed by a zero."""
    sums = np.zeros((*w.shape[:-1], w.shape[-1] + 1))
    sums[..., :-1] = np.cumsum(w[..., ::-1], axis=-1)[..., ::-1]
    return sums


def _ranks(ranks: ArrayLike) -> Floats:
    x = numeric(
        ranks,
        "this is not a table of ranks, one row per task and one column per model",
        "Give a 2-D array; NaN for a model that was not run on a task.",
    )
    if x.ndim != 2 or x.shape[0] < 1 or x.shape[1] < 2:
        raise DataError(
            f"the ranks have the shape {x.shape}",
            hint="Give one row per task and one column per model, at least two models.",
        )
    run = ~np.isnan(x)
    bad = np.argwhere(run & ~((x >= 1) & (x <= run.sum(axis=1, keepdims=True))))
    if bad.size:
        raise CellError(
            f"{len(bad)} of {int(run.sum())} ranks are not between 1 and the number of models on their task",
            where=[f"task {i}, model {j}: {x[i, j]:g}" for i, j in bad[:5]],
            hint="Give ranks, not scores: 1 for the best model of the task among those in the table.",
        )
    absent = np.flatnonzero(~run.any(axis=0))
    if absent.size:
        raise DataError(
            f"{absent.size} of {x.shape[1]} models have no rank on any task",
            where=[f"model {j}" for j in absent[:5]],
            hint="Remove them.",
        )
    return x


def _check(prior: float, draws: int) -> None:
    if not _WEAKEST_PRIOR <= prior < np.inf:
        raise OptionError(
            f"the prior is {prior}", hint=f"Give the shape of the gamma prior, {_WEAKEST_PRIOR} or more."
        )
    if draws < 100:
        raise OptionError(f"draws is {draws}", hint="Give the number of draws, such as 4_000.")
