"""Futures of a test on one number per task: further tasks like those at hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ropewalk.assurance.curve import Growth
from ropewalk.assurance.prior import FLAT, OVERSAMPLED, kept
from ropewalk.posterior import Probabilities
from ropewalk.posterior.base import Floats


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ResampledTasks(Growth):
    """Values about which nothing is assumed, such as one number for each task.

    Formula
        The Bayesian bootstrap: w ~ Dirichlet(1, ..., 1) over the values at hand is a draw of the population,
        further values are drawn with these weights, and the test is run on all of them.
    Prior
        The mean w·values of a population has the prior N(0, prior_sd²), by which draws of w are weighted.
        The verdict does not use this prior.
    Assumes
        that the values at hand represent the population, which a handful of tasks hardly do.
    """

    values: Floats
    test: Callable[[Floats], Probabilities]
    unit: str = "task"
    prior_sd: float = FLAT

    @property
    def n(self) -> int:
        return int(self.values.size)

    def future(self, more: int, draws: int, rng: np.random.Generator) -> Floats:
        """The probabilities of the regions in simulated futures."""
        out = np.empty((3, draws))
        w = rng.standard_exponential((draws if self.prior_sd == FLAT else OVERSAMPLED * draws, self.n))
        w /= w.sum(axis=1, keepdims=True)
        if self.prior_sd < FLAT:
            w = w[kept(-0.5 * (w @ self.values / self.prior_sd) ** 2, draws, rng)]
        for i in range(draws):
            p = self.test(np.concatenate([self.values, rng.choice(self.values, size=more, p=w[i])]))
            out[:, i] = p.better, p.equivalent, p.worse
        return out
