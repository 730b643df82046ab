"""Futures of a McNemar test: right and wrong answers on further examples."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import comb
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc, betaincc, expit, logit, ndtr

from ropewalk.assurance.curve import Growth
from ropewalk.assurance.prior import FLAT, OVERSAMPLED, kept
from ropewalk.assurance.rope_edges import Edges, three
from ropewalk.posterior.base import Floats

Counted: TypeAlias = NDArray[np.int64]
State: TypeAlias = tuple[Counted, Counted, Counted]  # n01, n10, and the number of equal outcomes
Truth: TypeAlias = tuple[Floats, Floats]  # the rate of disagreement, and A's share of the mistakes

# The trapezoidal rule in logit T, where the density of a Beta is nearly normal: a step of half a standard
# deviation leaves an error of exp(-2 π²/0.5²), and beyond seven standard deviations there is no mass.
_Z = np.arange(-7.0, 7.1, 0.5)
_AT_ONCE = 1 << 14
_TAILS = 5  # degrees of freedom of proposals: heavier tails than the target
_ENOUGH = 60.0  # number of disagreements, including those of the prior


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers(Growth):
    """The table of right and wrong answers: A wrong and B right, the reverse, and the rest.

    Formula
        (theta01, theta10, rest) ~ Dirichlet(1 + n01, 1 + n10, 2 + rest), so the rate of disagreement and phi,
        A's share of the mistakes among the disagreements, are independent Betas; the counts of m further
        examples are binomial, and are added up. The verdict is that of `mcnemar` (edges that are shares of
        sqrt(phi (1 - phi))) or of `accuracy_difference` (edges in accuracy).

    Prior
        The true delta = theta10 - theta01 of a future has the prior N(0, prior_sd²) times the Dirichlet
        above. It is drawn from a Student distribution around the product of both normal approximations, and
        weighted. The verdict does not use this prior.

    Without data (all counts 0) the true values must be given: `disagreement` and `phi`.
    """

    n01: int = 0
    n10: int = 0
    same: int = 0
    edges: Edges
    disagreement: float = 0.0
    phi: float = 0.5
    unit: str = "example"
    prior_sd: float = FLAT

    @property
    def n(self) -> int:
        return self.n01 + self.n10 + self.same

    def start(self, draws: int) -> State:
        """The state before anything is added."""
        n01, n10, same = (np.full(draws, k, dtype=np.int64) for k in (self.n01, self.n10, self.same))
        return n01, n10, same

    def truths(self, draws: int, rng: np.random.Generator) -> Truth:
        """Draws of the rate of disagreement and of phi."""
        if self.n == 0:
            return np.full(draws, self.disagreement), np.full(draws, self.phi)
        if self.prior_sd < FLAT:
            return self._shrunken(draws, rng)
        return (
            rng.beta(2 + self.n01 + self.n10, 2 + self.same, draws),
            rng.beta(1 + self.n01, 1 + self.n10, draws),
        )

    def _shrunken(self, draws: int, rng: np.random.Generator) -> Truth:
        """Draws under the prior of delta = T (1 - 2 phi): T from its Beta, delta proposed and weighted.

        At given T the density of delta is that of phi, Beta(1 + n01, 1 + n10), over 2 T.
        """
        a01, a10, total = 1 + self.n01, 1 + self.n10, 4 + self.n
        mean = (a10 - a01) / total
        precision = (total + 1) / ((a01 + a10) / total - mean**2)
        scale = 1 / np.sqrt(precision + self.prior_sd**-2)
        size = OVERSAMPLED * draws
        rate = rng.beta(a01 + a10, 2 + self.same, size)
        z = rng.standard_t(_TAILS, size)
        delta = mean * precision * scale**2 + scale * z
        inside = np.abs(delta) < rate
        phi = np.where(inside, 0.5 * (1 - delta / rate), 0.5)
        log_w = (a01 - 1) * np.log(phi) + (a10 - 1) * np.log1p(-phi) - np.log(rate)
        log_w += -0.5 * (delta / self.prior_sd) ** 2 + 0.5 * (_TAILS + 1) * np.log1p(z**2 / _TAILS)
        chosen = kept(np.where(inside, log_w, -np.inf), draws, rng)
        return rate[chosen], phi[chosen]

    @property
    def blank(self) -> Answers:
        """The same design before there were any data."""
        return replace(self, n01=0, n10=0, same=0)

    @property
    def _rate(self) -> float:
        return self.disagreement if self.n == 0 else (2 + self.n01 + self.n10) / (4 + self.n)

    def at_edge(self, times: float, draws: int) -> Truth:
        """The same true value in every future, as a multiple of the upper edge of the ROPE.

        With shares of a standard deviation x = 1/2 - phi is the root of x = h sqrt(1/4 - x²), h the share.
        """
        h = times * self.edges.high
        if self.edges.relative:
            return np.full(draws, self._rate), np.full(draws, 0.5 - 0.5 * h / np.sqrt(1 + h**2))
        rate = max(self._rate, min(abs(h), 1.0))
        return np.full(draws, rate), np.full(draws, np.clip(0.5 * (1 - h / rate), 0.0, 1.0))

    def region(self, truth: Truth) -> NDArray[np.intp]:
        """In which region each truth lies: 0 better, 1 equivalent, 2 worse; an edge is equivalent."""
        rate, phi = truth
        x = 0.5 - phi if self.edges.relative else rate * (1 - 2 * phi)
        low, high = self.edges.at(np.sqrt(phi * (1 - phi)))
        rounding = 1e-12  # tolerance for edges that were computed
        return np.asarray(np.where(x > high + rounding, 0, np.where(x < low - rounding, 2, 1)))

    def grown(self, state: State, truth: Truth, more: int, rng: np.random.Generator) -> State:
        """With `more` further examples."""
        n01, n10, same = state
        rate, phi = truth
        differ = rng.binomial(more, rate)
        wrong = rng.binomial(differ, phi)
        return n01 + wrong, n10 + (differ - wrong), same + (more - differ)

    def scaled(self, times: ArrayLike) -> Floats:
        """The regions if a multiple of the examples had the same shares of outcomes (Williams 2026)."""
        t = np.atleast_1d(np.asarray(times, dtype=np.float64))
        return self._regions(t * self.n01, t * self.n10, t * self.same)

    def regions(self, state: State) -> Floats:
        """The posterior probability of each region."""
        n01, n10, same = (k.astype(np.float64) for k in state)
        return self._regions(n01, n10, same)

    def _regions(self, n01: Floats, n10: Floats, same: Floats) -> Floats:
        a01, a10, rest = n01 + 1, n10 + 1, same + 2
        if not self.edges.relative:
            return accuracy_regions(a01, a10, rest, self.edges.low, self.edges.high)
        mean = a01 / (a01 + a10)
        low, high = self.edges.at(np.sqrt(mean * (1 - mean)))
        return three(
            betainc(a01, a10, np.clip(0.5 - high, 0, 1)), betaincc(a01, a10, np.clip(0.5 - low, 0, 1))
        )

    def future(self, more: int, draws: int, rng: np.random.Generator) -> Floats:
        """The probabilities of the regions in simulated futures with `more` further examples."""
        truth = self.truths(draws, rng)
        return self.regions(self.grown(self.start(draws), truth, more, rng))


def accuracy_regions(a01: Floats, a10: Floats, rest: Floats, low: float, high: float) -> Floats:
    """Pr(better), Pr(equivalent), Pr(worse) of theta10 - theta01 for many Dirichlets at once.

    Exact if the models disagree on few examples. From `_ENOUGH` on, by Edgeworth's series with four
    cumulants: accurate to 3e-4 there, and to 3e-5 from 300.
    """
    few = a01 + a10 < _ENOUGH
    found = three(_beyond(high, a01, a10, rest), _beyond(-low, a10, a01, rest))
    if few.any():  # the same counts occur repeatedly
        each, which = np.unique(np.stack([a01[few], a10[few], rest[few]]), axis=1, return_inverse=True)
        found[:, few] = _integrated(each[0], each[1], each[2], low, high)[:, which.ravel()]
    return found


def _integrated(a01: Floats, a10: Floats, rest: Floats, low: float, high: float) -> Floats:
    """theta10 - theta01 = T (1 - 2 phi) > x where phi < (1 - x/T)/2: summed over nodes of T ~ Beta."""
    parts = []
    for i in range(0, a01.size, _AT_ONCE):
        a, b, c = (k[i : i + _AT_ONCE, None] for k in (a01, a10, rest))
        m = a + b
        centre, step = logit(m / (m + c)), np.sqrt(1 / m + 1 / c)
        y = centre + step * _Z
        log_w = -m * np.logaddexp(0.0, -y) - c * np.logaddexp(0.0, y)
        w = np.exp(log_w - log_w.max(axis=1, keepdims=True))
        w /= w.sum(axis=1, keepdims=True)
        t = expit(y)
        better = np.sum(w * betainc(a, b, np.clip(0.5 * (1 - high / t), 0.0, 1.0)), axis=1)
        worse = np.sum(w * betaincc(a, b, np.clip(0.5 * (1 - low / t), 0.0, 1.0)), axis=1)
        parts.append(three(better, worse))
    return np.concatenate(parts, axis=1)


def _beyond(x: float, a01: Floats, a10: Floats, rest: Floats) -> Floats:
    """Pr(theta10 - theta01 > x) by Edgeworth's series (Abramowitz & Stegun 1972, 26.2.48).

    The raw moments are E[(theta10 - theta01)^k] = Σ_i C(k, i) (-1)^i a10^(k-i) a01^(i) / total^(k) with
    rising powers a^(k) = a (a + 1) ... (a + k - 1). With many examples the higher cumulants vanish, but
    before that they are dominated by rounding, so they are left out.
    """
    total = a01 + a10 + rest
    _, m1, m2, m3, m4 = (
        sum(comb(k, i) * (-1) ** i * _rising(a10, k - i) * _rising(a01, i) for i in range(k + 1))
        / _rising(total, k)
        for k in range(5)
    )
    v = ((a01 + a10) / total - m1**2) / (total + 1)
    sd = np.sqrt(v)
    skew = np.where(total < 1e7, (m3 - 3 * m1 * m2 + 2 * m1**3) / sd**3, 0.0)
    fourth = m4 - 4 * m1 * m3 - 3 * m2**2 + 12 * m1**2 * m2 - 6 * m1**4
    kurtosis = np.where(total < 3e5, fourth / v**2, 0.0)
    z = np.clip((x - m1) / sd, -40.0, 40.0)
    more = skew / 6 * (z**2 - 1) + kurtosis / 24 * (z**3 - 3 * z) + skew**2 / 72 * (z**5 - 10 * z**3 + 15 * z)
    return np.asarray(np.clip(ndtr(-z) + np.exp(-0.5 * z**2) / np.sqrt(2 * np.pi) * more, 0.0, 1.0))


def _rising(a: Floats, k: int) -> Floats:
    """a (a + 1) ... (a + k - 1)."""
    product = np.ones_like(a)
    for i in range(k):
        product = product * (a + i)
    return product
