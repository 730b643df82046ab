"""Futures of the hierarchical McNemar test: further tasks with right and wrong answers."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, betaincc, logit

from ropewalk.assurance.curve import Growth
from ropewalk.assurance.prior import FLAT
from ropewalk.assurance.rate_lattice import MANY, RateLattice
from ropewalk.assurance.rope_edges import Edges, three
from ropewalk.bayes import HierarchicalMcNemar
from ropewalk.posterior.base import Floats


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: tables are cached
class MoreTaskCounts(Growth):
    """Tasks of the population that the tasks at hand come from, each as large as one of them.

    Formula
        (a, b) is drawn from the posterior; a further task has phi ~ Beta(a, b), disagrees as often as one of
        the tasks at hand, and n01 is binomial. log B(a + n01, b + n10)/B(a, b) is a sum of three functions of
        one count each, which are tabulated on a lattice of (a, b): the posterior of a simulated collection is
        one column of a matrix product. The verdict is the chance of each region on the next task, or with
        `of_mean` that for a/(a + b), the mean of phi over the tasks.
    Prior
        The true delta = r (1 - 2 a/(a + b)) of a future has the prior N(0, prior_sd²), with r the mean rate
        of disagreement. The verdict does not use this prior.
    """

    fitted: HierarchicalMcNemar
    sizes: tuple[int, ...]  # the number of examples of each task
    edges: Edges
    of_mean: bool = False
    unit: str = "task"
    prior_sd: float = FLAT

    @property
    def n(self) -> int:
        return self.fitted.n_tasks

    @property
    def limited(self) -> bool:
        """However many tasks there are, the next one is still a draw from them."""
        return not self.of_mean

    @cached_property
    def _lattice(self) -> RateLattice:
        return RateLattice(fitted=self.fitted, top=max(self.sizes))

    @property
    def _rate(self) -> float:
        """The mean rate of disagreement over the tasks."""
        return float(np.mean((self.fitted.n01 + self.fitted.n10) / np.array(self.sizes)))

    @cached_property
    def _at_widths(self) -> tuple[Floats, Floats, Floats]:
        """The probabilities of better and worse at each node for two sds of phi, and these sds."""
        a, b = self._lattice.a, self._lattice.b
        sd = np.array([0.35, 0.5])  # phi from 0.14 to 0.86; outside this range it is never needed
        low, high = self.edges.at(sd)
        if self.of_mean:  # the part of the cell of logit a/(a+b) outside the ROPE
            column, x = self._lattice.column, self._lattice.logit_mean
            until, since = (logit(0.5 - h)[:, None] for h in (high, low))
            parts = np.clip((until - x.low) / x.width, 0, 1), np.clip((x.high - since) / x.width, 0, 1)
            return parts[0][:, column], parts[1][:, column], sd
        better = np.stack([betainc(a, b, 0.5 - h) for h in high])
        worse = np.stack([betaincc(a, b, 0.5 - h) for h in low])
        return better, worse, sd

    def future(self, more: int, draws: int, rng: np.random.Generator) -> Floats:
        """The probabilities of the regions in simulated futures."""
        lattice = self._lattice
        delta = self._rate * (1 - 2 * lattice.mean)
        node = lattice.drawn(draws, rng, weight=-0.5 * (delta / self.prior_sd) ** 2)
        if more >= MANY:
            return self._regions(lattice.known(node))
        return self._regions(lattice.after(*self._drawn(lattice.a[node], lattice.b[node], more, rng)))

    def _drawn(self, a: Floats, b: Floats, more: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
        f, shape = self.fitted, (a.size, more)
        like = rng.integers(self.n, size=shape)
        sizes: NDArray[np.int64] = np.array(self.sizes)
        rate = (f.n01 + f.n10) / sizes
        differ = rng.binomial(sizes[like], rate[like])
        n01 = rng.binomial(differ, rng.beta(a[:, None], b[:, None], shape))
        return n01.astype(np.float64), (differ - n01).astype(np.float64)

    def _regions(self, p: Floats) -> Floats:
        """Regions, interpolated for a ROPE in units of sqrt(m (1 - m)), m the mean phi of the next task."""
        better, worse, at = self._at_widths
        m = self._lattice.mean @ p
        share = np.clip((np.sqrt(m * (1 - m)) - at[0]) / (at[1] - at[0]), 0.0, 1.0)
        both = [s @ p for s in (better, worse)]
        return three(*(s[0] * (1 - share) + s[1] * share for s in both))
