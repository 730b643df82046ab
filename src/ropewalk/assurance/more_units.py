"""Futures of a t-test: examples, cluster means, seeds, and the folds of cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import stdtr

from ropewalk.assurance.curve import Growth
from ropewalk.assurance.prior import FLAT, OVERSAMPLED, kept, log_normal
from ropewalk.assurance.rope_edges import Edges, three
from ropewalk.posterior.base import Floats
from ropewalk.sums import Sums

State: TypeAlias = tuple[float | Floats, Floats, Floats]  # n, and the mean and M2 of each future
Truth: TypeAlias = tuple[Floats, Floats]  # mean and standard deviation of a unit in each future


@dataclass(frozen=True, slots=True, kw_only=True)
class Normal(Growth):
    """Normal differences with known `sums`, to which more will be added.

    Formula
        sigma² ~ M2/χ²(n - 1), mu | sigma ~ N(mean, sigma²/n); the mean of m further units is
        N(mu, sigma²/m), and their M2 is sigma² χ²(m - 1); both parts are pooled, and the verdict is that of
        the Student posterior with scale s sqrt(1/N + extra).
    Folds
        With correlation rho between folds `extra` is rho/(1 - rho). Further repeats share what all folds have
        in common, so mu above is mu + sqrt(rho) sigma z and sigma² is (1 - rho) sigma²: the same formulas,
        but the scale never falls below s sqrt(extra).
    Prior
        The true mu of a future has the prior N(0, prior_sd²). Given sigma, the variance v = sigma²/n of
        the mean shrinks it: mu ~ N(k mean, k v), k = w/(w + v), w = prior_sd² + extra sigma²,
        and sigma is weighted by N(mean | 0, v + w). The verdict does not use this prior.

    Without data (`sums` None) the true values must be given: a mean `mu`, known up to a standard deviation of
    `unsure`, and the standard deviation `sd` of a unit.
    """

    unit: str
    sums: Sums | None
    edges: Edges
    extra: float = 0.0
    mu: float = 0.0
    sd: float = 0.0
    unsure: float = 0.0
    prior_sd: float = FLAT

    @property
    def n(self) -> int:
        return 0 if self.sums is None else self.sums.n

    @property
    def least(self) -> int:
        """How many must be added at least: a Student needs two."""
        return max(1, 2 - self.n)

    @property
    def limited(self) -> bool:
        """Whether something stays unknown however many units are added."""
        return self.extra > 0

    def start(self, draws: int) -> State:
        """The state before anything is added."""
        if self.sums is None:
            return 0.0, np.zeros(draws), np.zeros(draws)
        return float(self.sums.n), np.full(draws, self.sums.mean), np.full(draws, self.sums.m2)

    def truths(self, draws: int, rng: np.random.Generator) -> Truth:
        """Draws of what the units may be like."""
        if self.sums is None:
            return self.mu + self.unsure * rng.standard_normal(draws), np.full(draws, self.sd)
        proposals = draws if self.prior_sd == FLAT else OVERSAMPLED * draws
        sigma = np.sqrt(self.sums.m2 / rng.chisquare(self.sums.n - 1, proposals))
        if self.prior_sd == FLAT:
            return self.sums.mean + sigma / np.sqrt(self.sums.n) * rng.standard_normal(draws), sigma
        v, w = sigma**2 / self.sums.n, self.prior_sd**2 + self.extra * sigma**2
        chosen = kept(log_normal(np.full(proposals, self.sums.mean), v + w), draws, rng)
        sigma, v, w = sigma[chosen], v[chosen], w[chosen]
        k = w / (w + v)
        return k * self.sums.mean + np.sqrt(k * v) * rng.standard_normal(draws), sigma

    @property
    def blank(self) -> Normal:
        """The same design before there were any data."""
        return replace(self, sums=None)

    def at_edge(self, times: float, draws: int) -> Truth:
        """The same truth for all, in multiples of the upper edge of the ROPE, with the spread of the data."""
        sd = np.full(draws, self.sd if self.sums is None else self.sums.sd)
        return times * self.edges.at(sd)[1], sd

    def region(self, truth: Truth) -> NDArray[np.intp]:
        """In which region each truth lies: 0 better, 1 equivalent, 2 worse; an edge is equivalent."""
        mu, sigma = truth
        low, high = self.edges.at(sigma)
        return np.asarray(np.where(mu > high, 0, np.where(mu < low, 2, 1)))

    def grown(self, state: State, truth: Truth, more: int, rng: np.random.Generator) -> State:
        """With `more` further units (Chan, Golub & LeVeque 1983, as in `Sums`)."""
        n, mean, m2 = state
        mu, sigma = truth
        new = mu + sigma / np.sqrt(more) * rng.standard_normal(mu.size)
        spread = sigma**2 * rng.chisquare(more - 1, mu.size) if more > 1 else 0.0
        total, gap = n + more, new - mean
        return total, mean + gap * (more / total), m2 + spread + gap**2 * (n * more / total)

    def scaled(self, times: ArrayLike) -> Floats:
        """The regions if a multiple of the data had the same mean and spread (Williams 2026 sec. 6.1)."""
        assert self.sums is not None, "nothing to scale without data"
        n = self.sums.n * np.atleast_1d(np.asarray(times, dtype=np.float64))
        return self.regions((n, np.full(n.size, self.sums.mean), self.sums.sd**2 * (n - 1)))

    def regions(self, state: State) -> Floats:
        """The posterior probability of each region."""
        n, mean, m2 = state
        sd = np.sqrt(m2 / (n - 1))
        low, high = self.edges.at(sd)
        scale = np.maximum(sd * np.sqrt(1 / n + self.extra), 1e-300)
        return three(stdtr(n - 1, (mean - high) / scale), stdtr(n - 1, (low - mean) / scale))

    def future(self, more: int, draws: int, rng: np.random.Generator) -> Floats:
        """The probabilities of the regions in simulated futures with `more` further units."""
        truth = self.truths(draws, rng)
        return self.regions(self.grown(self.start(draws), truth, more, rng))
