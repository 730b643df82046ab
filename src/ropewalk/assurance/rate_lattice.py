"""A population of rates on a lattice: its posterior after many simulated collections of further tasks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, gammaln

from ropewalk.assurance.lattice import Spread, softmax, spread_over
from ropewalk.bayes.beta_population import BetaPopulation
from ropewalk.bayes.quadrature import NODES
from ropewalk.posterior.base import Floats

_X, _Y = 72, 40  # numbers of values of logit a/(a+b) and log(a+b)
_COUNTS = 300  # counts that are tabulated; those between them are interpolated
_LEAST = 1e-8
MANY = 10_000  # with this many further tasks the population is practically known


@dataclass(frozen=True, kw_only=True, eq=False)  # no slots: tables are cached
class RateLattice:
    """Rates ~ Beta(a, b) over tasks, (a, b) on a lattice; `top` is the largest count of a further task.

    Formula
        log B(a + n1, b + n2)/B(a, b) is a sum of three functions of one count each, which are tabulated at
        every node: the posterior of a simulated collection is one column of a matrix product.
    """

    fitted: BetaPopulation
    top: int

    @cached_property
    def _nodes(self) -> tuple[Floats, Floats, Floats, NDArray[np.intp], Spread]:
        f = self.fitted
        w = np.exp(f.values) * f.y.points(NODES)[1][:, None] * f.x.points(NODES)[1]
        y = spread_over(f.y.nodes, w.sum(axis=1), _Y)
        x = spread_over(f.x.nodes, w.sum(axis=0), _X)
        log_p = f.log_density(y.at, x.at)
        log_p = log_p + np.log(y.width)[:, None] + np.log(x.width)
        log_p -= log_p.max()
        kept = log_p > np.log(_LEAST)
        k = np.exp(y.at)[:, None]
        column = np.broadcast_to(np.arange(x.at.size), kept.shape)[kept]
        return (k * expit(x.at))[kept], (k * expit(-x.at))[kept], log_p[kept], column, x

    @property
    def a(self) -> Floats:
        return self._nodes[0]

    @property
    def b(self) -> Floats:
        return self._nodes[1]

    @property
    def log_p(self) -> Floats:
        """The current log probability of each node."""
        return self._nodes[2]

    @property
    def column(self) -> NDArray[np.intp]:
        """The index of each node among the values of logit(a/(a+b))."""
        return self._nodes[3]

    @property
    def logit_mean(self) -> Spread:
        """The values of logit(a/(a+b)), each with its cell."""
        return self._nodes[4]

    @cached_property
    def _counts(self) -> Spread:
        """Counts to tabulate, including all small ones."""
        top = self.top
        at = np.unique(np.round(np.concatenate([np.arange(min(top, 60) + 1), np.geomspace(1, top, _COUNTS)])))
        return Spread(at=at, low=at, high=at)

    @cached_property
    def _tables(self) -> Floats:
        """log Γ(a + n)/Γ(a), the same for b, and minus that for a + b: nodes x (three times the counts)."""
        n = self._counts.at
        parts = [gammaln(s[:, None] + n) - gammaln(s)[:, None] for s in (self.a, self.b, self.a + self.b)]
        return np.concatenate([parts[0], parts[1], -parts[2]], axis=1)

    @property
    def mean(self) -> Floats:
        """The mean rate at each node."""
        return np.asarray(self.a / (self.a + self.b))

    def drawn(
        self, draws: int, rng: np.random.Generator, *, weight: Floats | float = 0.0
    ) -> NDArray[np.intp]:
        """The given number of nodes from the posterior, each with a log weight."""
        p = np.exp(self.log_p + weight)
        return rng.choice(p.size, size=draws, p=p / p.sum())

    def known(self, node: NDArray[np.intp]) -> Floats:
        """The posterior if the population is known: all mass at one node, nodes x futures."""
        after = np.zeros((self.log_p.size, node.size))
        after[node, np.arange(node.size)] = 1.0
        return after

    def after(self, first: Floats, second: Floats) -> Floats:
        """The posterior after further tasks with these counts (futures x tasks): nodes x futures."""
        each = [
            self._counts.counted(k, np.zeros(k.shape, dtype=np.intp), 1)
            for k in (first, second, first + second)
        ]
        return softmax(self.log_p[:, None] + self._tables @ np.concatenate(each))

    def of_mean(self, p: Floats) -> Floats:
        """Posteriors over the values of logit(a/(a+b)), from those over nodes: values x futures."""
        out = np.zeros((self.logit_mean.at.size, p.shape[1]))
        np.add.at(out, self._nodes[3], p)
        return out
