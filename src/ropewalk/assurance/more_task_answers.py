"""Futures of the hierarchical accuracy test: further tasks with right and wrong answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from ropewalk.assurance.curve import Growth
from ropewalk.assurance.prior import FLAT, OVERSAMPLED, kept
from ropewalk.assurance.rate_lattice import MANY, RateLattice
from ropewalk.assurance.rope_edges import three
from ropewalk.bayes import HierarchicalAccuracy
from ropewalk.posterior.base import Floats


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: tables are cached
class MoreTaskAnswers(Growth):
    """Tasks of the population that the tasks at hand come from, each as large as one of them.

    Formula
        Both populations are drawn from the posterior; on a further task the models disagree at a rate
        pi ~ Beta(a, b), and the first is wrong in a share phi ~ Beta(c, d) of these examples. The posterior
        of a simulated collection is a column of a matrix product for each population, and the verdict is
        that on the mean advantage E[pi] (1 - 2 E[phi]). The true mean of a future has the prior
        N(0, prior_sd²); the verdict does not use this prior.
    """

    fitted: HierarchicalAccuracy
    low: float
    high: float
    unit: str = "task"
    prior_sd: float = FLAT

    @property
    def n(self) -> int:
        return self.fitted.n_tasks

    @cached_property
    def _sizes(self) -> NDArray[np.int64]:
        f = self.fitted
        return (f.n10 + f.n01 + f.same).astype(np.int64)

    @cached_property
    def _halves(self) -> tuple[RateLattice, RateLattice]:
        top = int(self._sizes.max())
        return RateLattice(fitted=self.fitted.rate, top=top), RateLattice(fitted=self.fitted.share, top=top)

    @cached_property
    def _sides(self) -> tuple[Floats, Floats]:
        """The shares of each cell of E[pi] and E[phi] where A is better and where B is: rates x shares."""
        rate, share = (half.logit_mean for half in self._halves)
        pi = expit(rate.at)[:, None]
        with np.errstate(divide="ignore"):
            # A is better if E[phi] is below the first edge, B if above the second; neither if E[pi] is small
            until, since = (2 * np.arctanh(np.clip(-edge / pi, -1.0, 1.0)) for edge in (self.high, self.low))
        better = np.clip((until - share.low) / share.width, 0.0, 1.0)
        worse = np.clip((share.high - since) / share.width, 0.0, 1.0)
        return better, worse

    def _truths(self, draws: int, rng: np.random.Generator) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Nodes of both populations, weighted by the prior of the mean advantage."""
        rate, share = self._halves
        n = draws if self.prior_sd == FLAT else OVERSAMPLED * draws
        i, j = rate.drawn(n, rng), share.drawn(n, rng)
        if self.prior_sd == FLAT:
            return i, j
        delta = rate.mean[i] * (1 - 2 * share.mean[j])
        some = kept(-0.5 * (delta / self.prior_sd) ** 2, draws, rng)
        return i[some], j[some]

    def future(self, more: int, draws: int, rng: np.random.Generator) -> Floats:
        """The probabilities of the regions in simulated futures."""
        rate, share = self._halves
        at_rate, at_share = self._truths(draws, rng)
        if more >= MANY:
            p, q = rate.known(at_rate), share.known(at_share)
        else:
            shape = (draws, more)
            n = self._sizes[rng.integers(self.n, size=shape)]
            pi = rng.beta(rate.a[at_rate, None], rate.b[at_rate, None], shape)
            differ = rng.binomial(n, pi)
            phi = rng.beta(share.a[at_share, None], share.b[at_share, None], shape)
            n01 = rng.binomial(differ, phi)
            p = rate.after(differ.astype(np.float64), (n - differ).astype(np.float64))
            q = share.after(n01.astype(np.float64), (differ - n01).astype(np.float64))
        pi_mean, phi_mean = rate.of_mean(p), share.of_mean(q)
        better, worse = (np.sum(pi_mean * (side @ phi_mean), axis=0) for side in self._sides)
        return three(better, worse)
