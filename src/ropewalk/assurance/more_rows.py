"""Futures of a t-test on cluster means: more rows in every cluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import stdtr

from ropewalk.assurance.curve import Growth
from ropewalk.assurance.more_runs import carried
from ropewalk.assurance.prior import FLAT
from ropewalk.assurance.rope_edges import Edges, three
from ropewalk.posterior.base import Floats
from ropewalk.sums import Sums


@dataclass(frozen=True, slots=True, kw_only=True)
class MoreRows(Growth):
    """More rows for each of the same clusters, whose means become more precise.

    Formula
        Of m rows each, a cluster mean varies by tau² = s_b² + s_w²/m around the mean of all;
        tau² ~ M2/χ²(G - 1). With k = s_b²/tau² the deviations a of the G means become k a + z for the new
        rows; means and M2 are pooled. The verdict is that of the Student over the G means.
    Prior
        The mean of the G clusters without noise is N(0, prior_sd² + s_b²/G) before the data, which shrinks
        the observed mean towards 0. The verdict does not use this prior.
    Assumes
        clusters of about the same size, and a variance `within` of one row that is known.
    """

    sums: Sums  # sums of the cluster means
    rows: float  # mean number of rows in a cluster
    within: float
    edges: Edges
    unit: str = "row"
    prior_sd: float = FLAT
    limited: ClassVar[bool] = True  # the clusters stay a sample, however many rows they have

    @property
    def n(self) -> int:
        return max(1, round(self.rows))

    def future(self, more: int, draws: int, rng: np.random.Generator) -> Floats:
        """The probabilities of the regions in simulated futures."""
        g, m2 = self.sums.n, self.sums.m2
        noise = self.within / self.rows
        tau = np.maximum(m2 / rng.chisquare(g - 1, draws), noise)
        between = tau - noise
        k = between / tau
        share = more / (self.rows + more)
        old = self.within / (g * self.rows)  # the variance of the noise in the mean
        pull = old / (self.prior_sd**2 + between / g + old)  # 0 under a flat prior
        spread = np.sqrt((1 - pull) * old + self.within / (g * more))
        gap = spread * rng.standard_normal(draws) - pull * self.sums.mean
        squares, _ = carried(np.full(draws, m2), g - 1, k, between * (1 - k) + self.within / more, share, rng)
        mean, sd = self.sums.mean + share * gap, np.sqrt(squares / (g - 1))
        low, high = self.edges.at(sd)
        scale = sd / np.sqrt(g)
        return three(stdtr(g - 1, (mean - high) / scale), stdtr(g - 1, (low - mean) / scale))
