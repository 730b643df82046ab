"""The Bayesian sign test: how often each model is ahead, on units or on tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np
from scipy.special import gammaincinv

from ropewalk import bayes, nhst
from ropewalk.bayes.intervals import Intervals
from ropewalk.decide import Note
from ropewalk.methods.answer import Answer, rope_on_tasks
from ropewalk.methods.futures import Directions
from ropewalk.methods.method import QUADRATURE, Budget, MethodText, PriorAnswer, RegionCurve, register
from ropewalk.methods.pair import Ask, Kind, Pair, TaskPairs
from ropewalk.methods.t import rope_of
from ropewalk.methods.three_regions import (
    RegionsMethod,
    by_regions,
    differences,
    likeliest,
    no_differences,
    places,
    resampled,
)
from ropewalk.posterior import DirichletRegions, RegionRanges, Regions
from ropewalk.posterior.base import Floats
from ropewalk.results.comparison import Comparison


class SignTest(RegionsMethod):
    """The Bayesian sign test: counts the units in each region."""

    name = "sign"
    title = "Bayesian sign test"
    card = bayes.sign
    is_quickest = True
    default_for: ClassVar[Mapping[Kind, str]] = {
        "ranks": "Bayesian sign test over the tasks, because differences of ranks have no natural size",
        "limits": "Bayesian sign test, because some runs hit their limit and only their order is known",
    }

    def regions(self, d: Floats, rope: tuple[float, float], rng: int) -> Regions:
        return bayes.sign(d, rope)

    def ranges(self, data: Intervals, rope: tuple[float, float], rng: int) -> RegionRanges:
        return bayes.censored_sign(data.low, data.high, rope)

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        rope = rope_of(pair, ask.rope)
        regions = bayes.sign(pair.d, (rope.low, rope.high), counts=pair.counts)
        return by_regions(pair, rope, regions, nhst.sign(pair.d, counts=pair.counts), ask)

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        rope = rope_on_tasks(over, ask)
        regions = bayes.sign(over.means, (rope.low, rope.high))
        return by_regions(over.as_pair, rope, regions, nhst.sign(over.means), ask)

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name=f"the {self.title}",
            prior="the probabilities of better, equivalent and worse have a Dirichlet prior worth one "
            f"{c.unit} inside the ROPE",
            sources=("benavoli2017",),
            computed=QUADRATURE,
            about=f"the likeliest outcome for one {c.unit} is that ",
            varies=f"the sampling of the {c.unit}s",
        )

    def at(self, c: Comparison, low: Floats, high: Floats) -> Floats | None:
        data = differences(c)
        if data is None:
            return None
        d, counts = data
        ropes = zip(low.tolist(), high.tolist(), strict=True)
        return likeliest([bayes.sign(d, rope, counts=counts).most_probable for rope in ropes])

    def region_curve(
        self, c: Comparison, low: Floats, high: Floats, *, seed: int, budget: Budget
    ) -> RegionCurve | None:
        data, table = differences(c), self.at(c, low, high)
        if data is None:
            return super().region_curve(c, low, high, seed=seed, budget=budget)
        if not self.follows(c):
            return None
        d, counts = data

        def points(k: int, n: int) -> Floats:
            return _dirichlet(bayes.sign(d, (float(low[k]), float(high[k])), counts=counts), n)

        return RegionCurve(table=table, points=points)

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        data = differences(c)
        if data is None:
            return no_differences()
        d, counts = data
        edges = (c.rope.low, c.rope.high)
        found = [bayes.sign(d, edges, place=at, counts=counts).most_probable for at in ("better", "worse")]
        return places(c, "one prior observation", found)

    def directions(self, c: Comparison) -> Directions:
        return resampled(c, lambda x: bayes.sign(x, (c.rope.low, c.rope.high)).most_probable)


def _dirichlet(regions: DirichletRegions, n: int) -> Floats:
    """Dirichlet draws that change smoothly with the counts, from quantiles of gamma variables."""
    alpha = np.array([regions.better, regions.equivalent, regions.worse])
    u = np.random.default_rng(0).random((n, 3))
    draws = np.where(alpha > 0, gammaincinv(np.maximum(alpha, 1e-3), u), 0.0)  # an empty region stays empty
    return np.asarray(draws / draws.sum(axis=1, keepdims=True))


register(SignTest())
