"""Models drawn from one population: by how much their differences shrink, with all unknowns integrated out.

On p contrasts of the models let y be the means and S the cross-products of n units, c the variance of a mean
in units of that of one score, and
    S | Omega ~ Wishart(n - 1, Omega),   y | mu, Omega ~ N(mu, c Omega),   mu | g, Omega ~ N(0, g Omega).
Abilities vary as the scores do: two models with nearly the same scores have nearly the same ability, so two
near copies do not count as more evidence about g than two other models. With r = c/(c + g), the share by
which differences shrink,
    y | r, Omega ~ N(0, c Omega/r),   mu | r, Omega, y ~ N((1 - r) y, (1 - r) c Omega).
Prior of r: with probability 1/2 all abilities are equal (r = 1), because nothing is known beforehand about
whether models differ at all, and a density of r alone would assume that they do. The order of equal models is
random, and near copies stay together: the models are drawn with a negligible spread and the ninth powers of
their correlations, which are negligible except for near copies.
With probability 1/2 r is Beta(1/2, 1/4), which expects similar models slightly more than a half-Cauchy prior
of the spread of the abilities (Beta(1/2, 1/2)); it was chosen by simulation (docs/calibration.md).

With probability 1/4 one model stands apart from the others, which may be equal or not. Its ability has a
further normal part, which makes the variance of its mean given the other models 1/s times as large,
s ~ Beta(1/2, 1/2). With e its unit vector, z = e'Omega⁻¹y and b = e'Omega⁻¹e, the quadratic form y'Omega⁻¹y
loses (1 - s) z²/b, and
    mu | r, s, Omega, y ~ N((1 - r) y + r (1 - s) (z/b) e, c [(1 - r) Omega + r (1 - s)/b e e']).

Claims about who is ahead and claims about who is close each use the prior that makes them harder. For the
order of the models the draws are weighted as if all abilities were equal with probability 4/5, all but one
with 1/10, and different with 1/10 (with few units: 4/5 and 1/5). 4/5 was chosen by simulation: P(best) of the
leader of equal models is then accurate to 0.03, and otherwise too low rather than too high
(docs/calibration.md).

Enough units, Omega unstructured: Q = y'S⁻¹y/c depends on r alone (Hotelling),
    p(Q | r) ∝ r^(p/2) (1 + r Q)^(-n/2).
Given r, Omega | y, S is inverse Wishart with the scale A = S + (r/c) y y' and n degrees of freedom for every
contrast: the prior is |Omega|^-p, under which a pair is judged the same way whatever else is compared. Under
this prior the prediction of one contrast from the others would be too certain. Missing means are therefore
filled in under the prior |Omega|^-1, with 2(p - 1) degrees of freedom fewer: one missing mean then has the
distribution that a regression on the models that were run predicts.

Few units, Omega ~ inverse Wishart around v D that is worth delta units for every contrast, whatever p is
(Dawid 1981); D is diagonal over the models, with their own variances shrunk towards the mean of all. In units
of D: A = delta v I + S + (r/c) y y', n + delta degrees of freedom for every contrast, and
    p(y, S | delta, v, r) ∝ (delta v)^(p(delta+p-1)/2) Γ_p((delta+p-1+n)/2)/Γ_p((delta+p-1)/2) r^(p/2)
                           |A|^(-(delta+p-1+n)/2).
Prior: 1/v, and for x, the excess of delta over its smallest value, the density 10/(10 + x)² with median 10.
No model stands apart here, because too little is known about Omega. Where one does, Omega in z²/b is taken at
its posterior scale; everything else is exact given D.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaln, gammaln

from ropewalk.bayes.contrasts import ROUNDING, Contrasts
from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.posterior.base import Floats
from ropewalk.posterior.draw_order import Order

_DROP = 25.0  # the density is negligible where its log has fallen by this much
_UNLIKELY = 14.0  # covariance nodes whose log density is this far below the largest are left out
_R_NODES = 257
_S = np.sin((np.arange(6) + 0.5) * np.pi / 12) ** 2  # nodes of Beta(1/2, 1/2), with equal weights
_DELTA_NODES = 16
_V_NODES = 15
_NO_SPREAD = 1e-12  # 1 - r of equal abilities: negligible, but large enough to break ties for the best
_EVEN = 1e-4  # in standard errors: models closer than this are equal, and their order is random
_EQUAL = 0.5  # prior probability that all abilities are equal, except one that may stand apart
_ALIKE = 0.25  # second parameter of the Beta prior of r: how strongly it expects similar models
_APART = 0.25  # prior probability that one model stands apart from the others
_ORDER_EQUAL = 0.8  # for claims about order: prior probability that all abilities are equal
_ORDER_BUT_ONE = 0.1  # for claims about order: prior probability that all but one are equal
_V_FIRST = np.linspace(-12.0, 6.0, 73)  # first grid of log v relative to the mean variance
_DELTA_MEDIAN = 10.0


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pulled:
    """Draws of the models' abilities around their mean (draws x models), with weights for claims about order;
    their posterior mean; and the share by which it shrinks their differences.
    """

    draws: Floats
    order: Order | None
    mean: Floats
    share: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Cases:
    """Values of all unknowns except r, on nodes: the term `added` to the eigenvalues of S, the exponent of
    1 + r Q, the degrees of freedom of a contrast, Q, the log density without the factors that depend on r;
    the model that stands apart (or -1), with its s, z/b and 1/b.
    """

    added: Floats
    exponent: Floats
    df: Floats
    q: Floats
    log_density: Floats
    model: NDArray[np.intp]
    s: Floats
    lift: Floats
    spread: Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Population:
    """The posterior of the models' abilities: cases of the other unknowns x nodes of logit r."""

    at: Contrasts
    cases: _Cases
    logit: Floats
    weight: Floats  # has no nodes of r if a difference is known exactly or nothing is pooled
    equal: Floats  # the weight of r = 1 (all abilities equal) in each case, in the same units
    unstructured: bool

    @classmethod
    def of(cls, s: CrossSums, c: float, *, unstructured: bool, pooled: bool = True) -> Population:
        """The population from the sums of n units and the variance c of a mean; Omega may be unstructured.

        Without `pooled` the means are not shrunk.
        """
        at = Contrasts.of(s, c)
        # A difference that never varies is treated as known, not as due to chance.
        certain = at.values.size == 0 or at.values.max() == 0 or (unstructured and at.values.min() == 0)
        if certain or (unstructured and not pooled):
            none = np.empty(0)
            cases, weight, equal = _unpooled(at), np.empty((1, 0)), np.zeros(1)
            return cls(at=at, cases=cases, logit=none, weight=weight, equal=equal, unstructured=True)
        cases = _one_apart(at) if unstructured else _around_own_variances(at)
        if not pooled:
            p = np.exp(cases.log_density - cases.log_density.max())
            none, equal = np.empty(0), np.zeros(p.size)
            return cls(at=at, cases=cases, logit=none, weight=p[:, None], equal=equal, unstructured=False)
        logit = _of_r(at.means.size, cases.exponent, cases.q)
        f = cases.log_density[:, None] + _log_density(logit, at.means.size, cases.exponent, cases.q)
        # The nodes are equally spaced, so the integral over r is their sum times the spacing.
        spike = cases.log_density + np.log(_EQUAL / (1 - _EQUAL)) + betaln(0.5, _ALIKE)
        spike -= cases.exponent * np.log1p(cases.q) + np.log(logit[1] - logit[0])
        top = max(f.max(), spike.max())
        weight, equal = np.exp(f - top), np.exp(spike - top)
        return cls(at=at, cases=cases, logit=logit, weight=weight, equal=equal, unstructured=unstructured)

    def _for_order(self, case: NDArray[np.intp], r: Floats) -> Order | None:
        """Weights of the draws under the prior for the order of the models; None if nothing is pooled."""
        if not self.logit.size:
            return None
        equal, apart = r == 1, self.cases.model[case] >= 0
        if np.any(self.cases.model >= 0):
            same = np.where(apart, _ORDER_BUT_ONE / _APART, _ORDER_EQUAL / (1 - _APART)) / _EQUAL
            weights = np.where(equal, same, (1 - _ORDER_EQUAL - _ORDER_BUT_ONE) / (1 - _EQUAL))
        else:
            weights = np.where(equal, _ORDER_EQUAL / _EQUAL, (1 - _ORDER_EQUAL) / (1 - _EQUAL))
        typical = float(np.mean(self.at.ties**2)) * len(self.at.ties)  # the mean M2 of a model's contrast
        return Order(weights=weights, even=_EVEN * float(np.sqrt(self.at.c * typical / self.at.n)))

    def _unknowns(self, u: Floats, v: Floats) -> tuple[NDArray[np.intp], Floats, Floats]:
        """The case, r and 1 - r, at the quantiles u of the cases and v of r."""
        each = self.weight.sum(axis=1) + self.equal if self.weight.size else np.ones(1)
        below = np.cumsum(each)
        case = np.minimum(np.searchsorted(below, u * below[-1]), below.size - 1)
        if not self.logit.size:
            return case, np.zeros(u.size), np.ones(u.size)
        share = (self.equal / np.maximum(each, np.finfo(float).tiny))[case]
        equal = v < share
        v = np.where(equal, 0.5, (v - share) / np.where(equal, 1.0, 1 - share))
        rows, place = np.unique(case, return_inverse=True)
        each = self.weight[rows]
        each = np.cumsum(each, axis=1) - 0.5 * each
        total = each[:, -1:] - each[:, :1]
        each = (each - each[:, :1]) / np.where(total > 0, total, 1.0)  # total is 0 if all weight is on r = 1
        # One search for all rows: row i covers the quantiles from 2i to 2i + 1.
        quantiles = (each + 2.0 * np.arange(rows.size)[:, None]).ravel()
        logit = np.interp(v + 2.0 * place, quantiles, np.tile(self.logit, rows.size))
        return case, np.where(equal, 1.0, _expit(logit)), np.where(equal, _NO_SPREAD, _expit(-logit))

    def sample(self, draws: int, random: np.random.Generator) -> Pulled:
        """Exact draws given the nodes, spread over the cases by stratified sampling."""
        at, c, k = self.at, self.at.c, len(self.at.back)
        x = random.standard_normal((draws, k))
        along, beyond = random.standard_normal((2, draws))
        u, v = random.random((2, draws))
        case, r, kept = self._unknowns((np.arange(draws) + u) / draws, v)
        order = self._for_order(case, r)
        scale = np.sqrt(c / random.chisquare(self.cases.df[case]))
        equal, model, s = r == 1, self.cases.model[case], self.cases.s[case]
        lift, spread = self.cases.lift[case], np.sqrt(self.cases.spread[case])
        x *= (np.sqrt(kept) * scale)[:, None]
        # The part along the centre, and that of the model that stands apart, if one does.
        pull = np.where(equal, 0.0, np.sqrt(kept * r / c) * along) * scale
        own = (np.sqrt(s) - 1) * pull * lift + np.sqrt(r * (1 - s)) * beyond * spread * scale
        own += r * (1 - s) * lift
        rest = at.noise(x, self.cases.added[case])
        rest[equal] = x[equal] @ at.ties
        rest += np.stack([kept + pull, own], axis=1) @ np.stack([at.centre, np.full(k, -1 / k)])
        apart = np.flatnonzero(model >= 0)
        rest[apart, model[apart]] += own[apart]
        mean, share = self._mean()
        return Pulled(draws=rest, order=order, mean=mean, share=share)

    def _mean(self) -> tuple[Floats, float]:
        """The posterior mean of the abilities, and the share by which it shrinks their differences."""
        centre = self.at.centre
        if not self.logit.size:
            return centre, 0.0
        r = self.weight @ _expit(self.logit) + self.equal  # mean of r in each case
        r /= self.weight.sum() + self.equal.sum()
        lifted = (r * (1 - self.cases.s) * self.cases.lift) @ _units(len(centre))[self.cases.model]
        mean = (1 - float(r.sum())) * centre + lifted
        square = float(centre @ centre)
        return mean, 1 - float(mean @ centre) / square if square > 0 else float(r.sum())

    def one(self, random: np.random.Generator) -> tuple[Floats, Floats]:
        """One draw of the abilities and a root of the covariance, for filling in missing scores."""
        at, p = self.at, self.at.means.size
        case, r, kept = self._unknowns(random.random(1), random.random(1))
        s, e = self.cases.s[case[0]], _units(len(at.back))[self.cases.model[case[0]]]
        lift, spread = self.cases.lift[case[0]] * e, np.sqrt(self.cases.spread[case[0]]) * e
        within = at.means - (1 - np.sqrt(s)) * at.onto.T @ lift
        scale = np.diag(at.values + self.cases.added[case[0]]) + r[0] / at.c * np.outer(within, within)
        # Inverse Wishart by its triangular root (Bartlett): each contrast has `df` degrees of freedom.
        df = self.cases.df[case[0]]
        if self.unstructured:
            df -= min(2 * (p - 1), df - 1)
        freedom = df + p - 1 - np.arange(p)
        triangle = np.tril(random.standard_normal((p, p)), -1) + np.diag(np.sqrt(random.chisquare(freedom)))
        value, vector = np.linalg.eigh(scale)
        half = (vector * np.sqrt(np.maximum(value, 0.0))) @ vector.T
        root = at.back @ half @ np.linalg.inv(triangle).T
        noise = np.sqrt(kept[0] * at.c) * root @ random.standard_normal(p)
        beyond = np.sqrt(at.c * r[0] * (1 - s) / self.cases.df[case[0]]) * random.standard_normal() * spread
        return kept[0] * at.centre + r[0] * (1 - s) * lift + noise + beyond, root


def _units(k: int) -> Floats:
    """The unit vector of each model among the contrasts; the last row stands for no model and is zero."""
    return np.vstack([np.eye(k) - 1 / k, np.zeros(k)])


def _cases(at: Contrasts, added: Floats, exponent: Floats, df: Floats, log_density: Floats) -> _Cases:
    """Cases in which no model stands apart."""
    with np.errstate(divide="ignore"):
        q = np.sum(at.means**2 / (added[:, None] + at.values), axis=1) / at.c
    none = np.zeros(added.size)
    return _Cases(
        added=added,
        exponent=exponent,
        df=df,
        q=q,
        log_density=log_density,
        model=np.full(added.size, -1),
        s=np.ones(added.size),
        lift=none,
        spread=none,
    )


def _unpooled(at: Contrasts) -> _Cases:
    one = np.ones(1)
    return _cases(at, 0 * one, one, (at.n - 1) * one, 0 * one)


def _one_apart(at: Contrasts) -> _Cases:
    """Cases with unstructured Omega: no model stands apart, or each of the models with each s."""
    k, n = len(at.back), float(at.n)
    inverse = 1 / at.values
    q = float(np.sum(at.means**2 * inverse)) / at.c
    z, b = at.onto @ (at.means * inverse), (at.onto**2) @ inverse
    b = np.maximum(b, ROUNDING * b.max())  # rounding, if all units agree on a model
    less = np.outer(z**2 / b, 1 - _S).ravel() / at.c
    each = np.log(_APART / (k * _S.size)) + 0.5 * np.log(_S)
    cases = 1 + k * _S.size
    return _Cases(
        added=np.zeros(cases),
        exponent=np.full(cases, n / 2),
        df=np.full(cases, n),
        q=np.concatenate([[q], np.maximum(q - less, ROUNDING * q)]),
        log_density=np.concatenate([[np.log(1 - _APART)], np.tile(each, k)]),
        model=np.concatenate([[-1], np.repeat(np.arange(k), _S.size)]),
        s=np.concatenate([[1.0], np.tile(_S, k)]),
        lift=np.concatenate([[0.0], np.repeat(z / b, _S.size)]),
        spread=np.concatenate([[0.0], np.repeat(1 / b, _S.size)]),
    )


def _around_own_variances(at: Contrasts) -> _Cases:
    """Nodes of delta and delta v: the covariance is shrunk toward D, which counts as delta units."""
    p, n = at.means.size, at.n
    m = n - 1
    # Below this delta the density of v has no finite integral: too few units for this number of models.
    least = max(1.0, (p - m * m) / m + 1.0)
    t = (np.arange(_DELTA_NODES) + 0.5) / _DELTA_NODES
    delta = least + _DELTA_MEDIAN * t / (1 - t)
    typical = np.log(float(at.values.sum()) / (p * m))

    def log_density(log_w: Floats) -> Floats:
        """The log density of log(delta v), one row for each delta."""
        whole = (delta + p - 1)[:, None]
        log_det = np.sum(np.log(np.exp(log_w)[..., None] + at.values), axis=2)
        return np.asarray(0.5 * p * whole * log_w - 0.5 * (whole + n) * log_det)

    first = np.log(delta)[:, None] + typical + _V_FIRST
    f = log_density(first)
    inside = f > f.max(axis=1, keepdims=True) - _DROP
    last = f.shape[1] - 1
    low = np.maximum(inside.argmax(axis=1) - 1, 0)
    high = np.minimum(last - inside[:, ::-1].argmax(axis=1) + 1, last)
    rows = np.arange(delta.size)
    log_w = np.linspace(first[rows, low], first[rows, high], _V_NODES, axis=1)
    step = log_w[:, 1] - log_w[:, 0]
    j = np.arange(p)
    gammas = gammaln((delta[:, None] + n + j) / 2) - gammaln((delta[:, None] + j) / 2)
    f = log_density(log_w) + (gammas.sum(axis=1) + np.log(step))[:, None]
    added = np.exp(log_w)
    every = np.broadcast_to(delta[:, None], f.shape)
    likely = f > f.max() - _UNLIKELY
    delta_of = every[likely]
    return _cases(at, added[likely], (delta_of + p - 1 + n) / 2, delta_of + n, f[likely])


def _log_density(logit: Floats, p: int, exponent: Floats, q: Floats) -> Floats:
    """The log density of logit r given Q, one row per case; it has a single peak."""
    log_r, log_kept = -np.logaddexp(0.0, -logit), -np.logaddexp(0.0, logit)
    far = np.log1p(np.exp(log_r) * q[:, None])
    return np.asarray(0.5 * (p + 1) * log_r + _ALIKE * log_kept - exponent[:, None] * far)


def _of_r(p: int, exponent: Floats, q: Floats) -> Floats:
    """Nodes of logit r that cover its density in every case."""

    def log_density(x: Floats) -> Floats:
        return _log_density(x[..., None], p, exponent, q)[..., 0]

    def slope(x: Floats) -> Floats:
        r = _expit(x)
        return np.asarray(0.5 * (p + 1) * (1 - r) - _ALIKE * r - exponent * q * r * (1 - r) / (1 + r * q))

    mode = _crossing(slope, np.full_like(q, -600.0), np.full_like(q, 60.0))
    least = log_density(mode) - _DROP
    side = np.array([[-1.0], [1.0]])
    low, high = _crossing(
        lambda x: side * (log_density(x) - least),
        np.stack([mode - 600.0, mode]),
        np.stack([mode, mode + 200.0]),
    )
    return np.linspace(low.min(), high.max(), _R_NODES)


def _crossing(f: Callable[[Floats], Floats], low: Floats, high: Floats) -> Floats:
    """The point at which f, positive at `low` and negative at `high`, changes its sign."""
    for _ in range(50):
        middle = 0.5 * (low + high)
        above = f(middle) > 0
        low, high = np.where(above, middle, low), np.where(above, high, middle)
    return np.asarray(0.5 * (low + high))


def _expit(x: Floats) -> Floats:
    return np.asarray(np.exp(-np.logaddexp(0.0, -x)))
