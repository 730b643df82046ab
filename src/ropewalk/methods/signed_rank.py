"""The Bayesian signed-rank test on differences of units, or of the means of tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.bayes.intervals import Intervals
from ropewalk.bayes.signed_rank import DRAWS, sample
from ropewalk.decide import Note
from ropewalk.errors import MethodError
from ropewalk.methods.answer import Answer, rope_on_tasks
from ropewalk.methods.futures import Directions
from ropewalk.methods.method import Budget, MethodText, PriorAnswer, RegionCurve, Suitability, register
from ropewalk.methods.pair import Ask, Kind, Pair, TaskKind, TaskPairs
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
from ropewalk.posterior import RegionRanges, Regions, Unvaried
from ropewalk.posterior.base import Floats
from ropewalk.results.comparison import Check, Comparison

MOST_UNITS = 5_000  # with more units, many ROPEs take too long
_DRAWS = 20_000  # for other ROPEs and priors: the standard error of a probability is at most 0.0035
_LEAST, _BUDGET = 2_000, 5e8  # least draws for many ROPEs and units; approximate nanoseconds
_FEWER = 20_000  # most draws if there is no time for all of them
# By the number of tasks, at the edge of the ROPE: the worst of four spreads (calibration/verdict_edges.py).
# 7 and 9 tasks were not simulated and have the rate of one task fewer.
_FALSE_EQUIVALENT = {2: 0.27, 3: 0.23, 4: 0.15, 5: 0.15, 6: 0.13, 7: 0.13, 8: 0.10, 9: 0.10, 10: 0.10}
_TEST_DRAWS = 300  # draws per future of a plan, enough because there are many futures


class SignedRank(RegionsMethod):
    """The Bayesian signed-rank test: ranks of the differences."""

    name = "signed_rank"
    title = "Bayesian signed-rank test"
    card = bayes.signed_rank
    default_for: ClassVar[Mapping[Kind, str]] = {
        "tasks": "Bayesian signed-rank test, because there is one number per task and the question is the "
        "likeliest outcome"
    }
    # The hierarchical McNemar posterior exists only if some task has both kinds of disagreement.
    default_over: ClassVar[Mapping[TaskKind, str]] = {
        "one-sided outcomes": "Bayesian signed-rank test over the tasks, because on every task only one "
        "of the models is right where the other is wrong, so the posterior of the hierarchical McNemar test "
        "does not exist"
    }

    def regions(self, d: Floats, rope: tuple[float, float], rng: int) -> Regions:
        return bayes.signed_rank(d, rope, rng=rng)

    def ranges(self, data: Intervals, rope: tuple[float, float], rng: int) -> RegionRanges:
        return bayes.censored_signed_rank(data.low, data.high, rope, rng=rng)

    def suits_tasks(self, over: TaskPairs, ask: Ask) -> Suitability:
        return super().suits_tasks(over, ask) if ask.rope.kind == "sd" else Suitability()

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        rope = rope_of(pair, ask.rope)
        if not pair.d.size:  # only sums are known for many models summed in place
            raise MethodError(
                f"the signed-rank test needs all {pair.n:,} differences, but only their sums are known",
                hint="Use t, or compare two models.",
            )
        regions = bayes.signed_rank(pair.d, (rope.low, rope.high), counts=pair.counts, rng=ask.rng)
        return _with_warning(
            by_regions(pair, rope, regions, nhst.wilcoxon(pair.d, counts=pair.counts), ask), pair
        )

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        rope = rope_on_tasks(over, ask)
        regions = bayes.signed_rank(over.means, (rope.low, rope.high), rng=ask.rng)
        return _with_warning(
            by_regions(over.as_pair, rope, regions, nhst.wilcoxon(over.means), ask), over.as_pair
        )

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name=f"the {self.title}",
            prior="the differences have a Dirichlet-process prior of strength 0.5 at no difference",
            sources=("benavoli2017",),
            computed="by Monte Carlo (150,000 draws)",
            about=f"the likeliest outcome for the mean of two {c.unit}s is that ",
            varies=f"the sampling of the {c.unit}s",
        )

    def follows(self, c: Comparison) -> bool:
        return super().follows(c) and (isinstance(c.posterior, Unvaried) or c.n <= MOST_UNITS)

    def at(self, c: Comparison, low: Floats, high: Floats) -> Floats | None:
        every = _every(c)
        if every is None:
            return None
        each = 2.0 * every.size * min(2 * low.size, every.size)  # time of a draw at all ROPEs, in ns
        draws = int(np.clip(_BUDGET / each, _LEAST, _DRAWS))
        found = sample(every, list(zip(low.tolist(), high.tolist(), strict=True)), draws=draws)
        return likeliest([regions.most_probable for (regions,) in found])

    def region_curve(
        self, c: Comparison, low: Floats, high: Floats, *, seed: int, budget: Budget
    ) -> RegionCurve | None:
        """The three regions at many ROPEs, with as many draws as the test, or fewer if time is short."""
        every = _every(c)
        if every is None:
            return super().region_curve(c, low, high, seed=seed, budget=budget)
        if not self.follows(c):
            return None
        each = 33.0 * low.size + 2.0 * c.n * min(2 * low.size, c.n)  # each pair of units is visited once
        fewer = int(min(max(budget.least / each, 1_000), _FEWER))
        draws = DRAWS if each * DRAWS <= budget.left else fewer
        ropes = [*zip(low.tolist(), high.tolist(), strict=True)]
        found = [regions for (regions,) in sample(every, ropes, draws=draws, rng=seed)]
        return RegionCurve(
            table=likeliest([regions.most_probable for regions in found]),
            points=lambda k, n: found[k].points[:n],
            error=0.5 / float(np.sqrt(draws)) if draws < DRAWS else 0.0,
            nanoseconds=each * draws,
        )

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        every = _every(c)
        if every is None:
            return no_differences()
        if c.n > MOST_UNITS:
            text = f"no prior to vary: half a prior observation has no effect among {c.n:,} {c.unit}s"
            return Note(about="prior", text=text)
        (regions,) = sample(every, [(c.rope.low, c.rope.high)], places=(np.inf, -np.inf), draws=_DRAWS)
        return places(c, "half a prior observation", [r.most_probable for r in regions])

    def directions(self, c: Comparison) -> Directions:
        edges = (c.rope.low, c.rope.high)
        return resampled(c, lambda x: bayes.signed_rank(x, edges, draws=_TEST_DRAWS).most_probable)


def _every(c: Comparison) -> Floats | None:
    """Return every difference, repeated by its count."""
    data = differences(c)
    if data is None:
        return None
    d, counts = data
    return d if counts is None else np.repeat(d, counts.astype(np.intp))


def _with_warning(answer: Answer, pair: Pair) -> Answer:
    """Add a warning for few tasks: the likeliest region is often the wrong one (docs/calibration.md)."""
    if pair.unit != "task" or pair.n not in _FALSE_EQUIVALENT:
        return answer
    few = Check(
        name="few tasks",
        kind="assumption",
        ok=False,
        text=f"with {pair.n} tasks this test calls models equivalent in up to "
        f"{_FALSE_EQUIVALENT[pair.n]:.0%} of cases instead of 5% if they differ by slightly more "
        "than the ROPE",
        numbers={"n": float(pair.n)},
    )
    return replace(answer, checks=[few, *answer.checks])


register(SignedRank())
