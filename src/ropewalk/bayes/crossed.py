"""Crossed random effects: several training seeds of each model on one common test set."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.bayes.t import t
from ropewalk.bayes.variance_ratios import Residual, VarianceEffect, ratios
from ropewalk.errors import OptionError
from ropewalk.grouped import CrossedSums, same_examples
from ropewalk.posterior import Point, Posterior
from ropewalk.posterior.base import Floats
from ropewalk.sums import Sums

# A residual this small relative to the other mean squares does not change the variance of the mean.
_SMALLEST = 1e-10


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Shares of a variance, which add up to one; where nothing varies, all are zero.

    Parameters
    ----------
    seed, example, residual : float
        Share of seeds, of examples, and of what neither explains.

    Examples
    --------
    >>> from ropewalk.bayes import Parts
    >>> Parts(seed=0.2, example=0.5, residual=0.3).example
    0.5
    """

    seed: float
    example: float
    residual: float

    @classmethod
    def of(cls, effects: list[VarianceEffect], shares: Floats, weights: Floats) -> Parts:
        """Posterior means of shares; the rest is the residual.

        Parameters
        ----------
        effects : list
            Effects that the shares belong to.
        shares : ndarray
            Nodes x effects.
        weights : ndarray
            Weight of each node.

        Returns
        -------
        Parts
            The shares.
        """
        mean = weights @ shares
        seed, example = (
            float(sum(m for m, e in zip(mean, effects, strict=True) if e.kind == kind))
            for kind in ("seed", "example")
        )
        return cls(seed=seed, example=example, residual=max(1 - seed - example, 0.0))


_NONE = Parts(seed=0.0, example=0.0, residual=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shares:
    """Shares of the sources of a variance.

    Parameters
    ----------
    of_one, of_mean : Parts
        Shares of the variance of one difference, and of the mean of all.

    Examples
    --------
    >>> from ropewalk.bayes import Parts, Shares
    >>> all_seeds = Parts(seed=1.0, example=0.0, residual=0.0)
    >>> Shares(of_one=all_seeds, of_mean=all_seeds).of_mean.seed
    1.0
    """

    of_one: Parts
    of_mean: Parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Doubling:
    """Share of the variance of the mean that remains with twice the seeds, or with twice the examples.

    Parameters
    ----------
    seeds, examples : float
        Share of the variance that is left.

    Examples
    --------
    >>> from ropewalk.bayes import Doubling
    >>> Doubling(seeds=0.9, examples=0.6).better
    'examples'
    """

    seeds: float
    examples: float

    @property
    def better(self) -> Literal["seeds", "examples"]:
        """Which of the two leaves less."""
        return "seeds" if self.seeds < self.examples else "examples"


@dataclass(frozen=True, slots=True, kw_only=True)
class Crossed:
    """Posterior of the advantage over seeds and examples, and where its variance comes from.

    `crossed` makes it.

    Parameters
    ----------
    posterior : Posterior
        Posterior of the advantage of A over B.
    seeds : (int, int)
        Number of seeds of A and of B.
    examples : int
        Number of examples.
    shares : Shares
        Share of the variance that seeds, examples and neither explain, of one difference and of the mean.
    next : Doubling
        Share of the variance of the mean that remains with twice the seeds, or with twice the examples.
    effective_n : float
        Number of independent differences that would give the mean as well.
    effects, residual : object
        Sums of squares behind it.

    See Also
    --------
    ropewalk.bayes.crossed : Makes it.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> found = bayes.crossed([[0.1, 0.3, 0.2, 0.4], [0.2, 0.3, 0.3, 0.6], [0.0, 0.1, 0.2, 0.3]])
    >>> found.examples, found.next.better
    (4, 'examples')
    """

    posterior: Posterior
    seeds: tuple[int, int]
    examples: int
    shares: Shares
    next: Doubling
    effective_n: float
    effects: tuple[VarianceEffect, ...]
    residual: Residual

    @property
    def warning(self) -> str:
        """Warning if a model has only one seed; empty if each has several."""
        single = [name for name, s in zip("AB", self.seeds, strict=True) if s == 1]
        whose = "each model has" if len(single) == 2 else f"{single[0]} has" if single else ""
        return f"{whose} a single seed, so {self.one_seed_means}" if single else ""

    @property
    def one_seed_means(self) -> str:
        """What the posterior means if a model has one seed."""
        it = "the models" if self.seeds == (1, 1) else "that model"
        return (
            "how much its seed matters cannot be estimated: the posterior generalizes to other examples, "
            f"but not to other seeds of {it}"
        )


def crossed(a: ArrayLike | CrossedSums, *, b: ArrayLike | None = None, paired: bool = False) -> Crossed:
    """Posterior of the mean advantage when both the seeds and the examples are a sample of many.

    Parameters
    ----------
    a : array_like or CrossedSums, seeds x examples
        Differences between A and B, or the scores of A if `b` is given.
    b : array_like, seeds x examples, optional
        Scores of B.
    paired : bool, default False
        Whether seed k is the same seed for every model.

    Returns
    -------
    Crossed
        `posterior` of the mean advantage, the share of each source in its variance, and what to replicate
        `next`.

    Notes
    -----
    Formula::

        Paired seeds, S x J: d_sj = Delta + u_s + v_j + e_sj, all normal. The mean squares of seeds, examples
        and residual have expectations tau_S = s_e² + J s_u², tau_J = s_e² + S s_v² and s_e²; the mean has
        variance (tau_S + tau_J - s_e²)/(SJ). Prior: flat in Delta, 1/(tau_S tau_J s_e²) where both tau are
        at least s_e². s_e integrates out in closed form, the two ratios s_e²/tau by quadrature: a mixture of
        Student distributions.
        Unpaired seeds: z_msj = mu_m + u_ms + v_j + w_mj + e_msj; v_j cancels, and the mean difference has
        variance s_A²/S_A + s_B²/S_B + s_w²/J + s_e²(1/S_A + 1/S_B)/J; three ratios.

    Assumes
        every seed scored on the same examples, higher is better; seeds and examples independent draws;
        normal effects; for unpaired seeds the same residual variance for both models.

    Not for
        one trained model each (use `t` or `mcnemar`), folds of cross-validation (use `t` with rho), seeds
        with different test sets.

    Without `b`, `a` holds the differences. With `b`, both hold scores, and seed k of A is unrelated to seed k
    of B unless `paired` is true. The posterior equals that of `t` over the seed means if the examples do not
    matter, and that of `t` over the example means if the seeds do not.

    With two or three seeds, the posterior is wide, because they say little about the next seed; its intervals
    are then too wide rather than too narrow. A model with one seed says nothing about other seeds, and
    `warning` says so.

    References
    ----------
    .. [1] Box & Tiao 1973, Bayesian Inference in Statistical Analysis, ch. 5 and 6,
       doi:10.1002/9781118033197.
    .. [2] Rasmussen 1996, Evaluation of Gaussian Processes and Other Methods for Non-linear Regression,
       sec. 2.5.

    Examples
    --------
    >>> d = [[0.1, 0.3, 0.2, 0.4], [0.2, 0.3, 0.3, 0.6], [0.0, 0.1, 0.2, 0.3]]
    >>> found = crossed(d)
    >>> found.posterior.interval(0.95)
    (-0.092..., 0.592...)
    >>> found.next.better
    'examples'
    """
    if b is None:
        return _paired(a if isinstance(a, CrossedSums) else CrossedSums.of(a))
    x, y = same_examples(a, b)
    if not paired:
        return _unpaired(x, y)
    if x.shape != y.shape:
        raise OptionError(
            f"paired seeds, but A has {x.shape[0]} and B has {y.shape[0]}",
            hint="Give the same seeds for both models, or paired=False.",
        )
    return _paired(CrossedSums.of(x - y))


def _paired(sums: CrossedSums) -> Crossed:
    s, j = sums.seeds, sums.examples
    effects = [
        VarianceEffect(kind="seed", ss=sums.seed, df=s - 1, times=1 / j, in_mean=1 / s),
        VarianceEffect(kind="example", ss=sums.example, df=j - 1, times=1 / s, in_mean=1 / j),
    ]
    residual = Residual(ss=sums.residual, df=sums.df[2], in_one=1.0, in_mean=1 / (s * j))
    return _crossed(sums.mean, effects, residual, (s, s), j)


def _unpaired(x: Floats, y: Floats) -> Crossed:
    """Seeds and residual from each model's own table, examples from the differences of column means.

    The differences have variance s_w² + h s_e² with h = 1/S_A + 1/S_B; divided by h it is a mean square.
    """
    own = CrossedSums.of(x), CrossedSums.of(y)
    advantage = Sums.of(x.mean(axis=0) - y.mean(axis=0))
    j, h = advantage.n, 1 / own[0].seeds + 1 / own[1].seeds
    effects = [
        *(
            VarianceEffect(kind="seed", ss=o.seed, df=o.seeds - 1, times=1 / j, in_mean=1 / o.seeds)
            for o in own
        ),
        VarianceEffect(kind="example", ss=advantage.m2 / h, df=j - 1, times=h, in_mean=1 / j),
    ]
    residual = Residual(
        ss=sum(o.residual for o in own), df=sum(o.df[2] for o in own), in_one=2.0, in_mean=h / j
    )
    return _crossed(advantage.mean, effects, residual, (own[0].seeds, own[1].seeds), j)


def _crossed(
    mean: float, effects: list[VarianceEffect], residual: Residual, seeds: tuple[int, int], j: int
) -> Crossed:
    """Integrate over all effects that can be estimated: one gives a Student distribution, none a point."""
    found = [e for e in effects if e.df > 0 and (e.ss > 0 or residual.ss > 0)]
    posterior: Posterior
    if not found:
        posterior, of_one, of_mean, n = Point(at=mean), _NONE, _NONE, float(max(seeds) * j)
    elif len(found) == 1 and residual.ss == 0:
        only = found[0]
        n = only.df + 1.0
        posterior = t(Sums(n=only.df + 1, mean=mean, m2=only.ss * only.times * only.in_mean * n))
        of_one = of_mean = Parts.of([only], np.ones((1, 1)), np.ones(1))
    else:
        posterior, of_one, of_mean, n = _integrated(mean, found, residual)
    return Crossed(
        posterior=posterior,
        seeds=seeds,
        examples=j,
        shares=Shares(of_one=of_one, of_mean=of_mean),
        next=Doubling(
            seeds=1 - 0.5 * (of_mean.seed + of_mean.residual),
            examples=1 - 0.5 * (of_mean.example + of_mean.residual),
        ),
        effective_n=n,
        effects=tuple(effects),
        residual=residual,
    )


def _integrated(
    mean: float, effects: list[VarianceEffect], residual: Residual
) -> tuple[Posterior, Parts, Parts, float]:
    """The posterior of the mean, both kinds of shares, and the effective number of differences."""
    if residual.ss == 0:
        smallest = _SMALLEST * min(e.ss / e.df for e in effects)
        residual = replace(residual, ss=smallest * residual.df)
    r = ratios(effects, residual)
    one = r.variances  # nodes x effects, in units of the residual variance
    of_mean = one * [e.in_mean for e in effects]
    total_one, total_mean = one.sum(axis=1) + residual.in_one, of_mean.sum(axis=1) + residual.in_mean
    return (
        r.mean(mean),
        Parts.of(effects, one / total_one[:, None], r.weights),
        Parts.of(effects, of_mean / total_mean[:, None], r.weights),
        float(r.weights @ (total_one / total_mean)),
    )
