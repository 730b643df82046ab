"""Shared code of the sign and signed-rank tests, whose posterior is over the three regions."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Literal, cast

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.assurance.resampled_tasks import ResampledTasks
from ropewalk.bayes.intervals import Intervals
from ropewalk.decide import Note, Rope, cohens_d
from ropewalk.errors import short
from ropewalk.methods import checks
from ropewalk.methods.answer import Answer, second_opinion
from ropewalk.methods.futures import Directions
from ropewalk.methods.method import Budget, Method, PriorAnswer, RegionCurve
from ropewalk.methods.pair import Ask, Pair
from ropewalk.outcomes import Outcomes
from ropewalk.posterior import DirichletRegions, Draws, Probabilities, RegionRanges, Regions, Unvaried
from ropewalk.posterior.base import Floats
from ropewalk.results.comparison import Check, Comparison, Estimate
from ropewalk.sums import tallied

_PLACE = "(Benavoli et al. 2017, sec. 4.3, jmlr.org/papers/v18/16-305.html)"


class RegionsMethod(Method):
    """A test of which region is the likeliest, for one unit or the mean of two."""

    many_tasks = True
    independent = True
    reads: ClassVar[Literal["value", "likeliest"]] = "likeliest"
    answers = ("likeliest",)
    grows_by = "tasks"

    def regions(self, d: Floats, rope: tuple[float, float], rng: int) -> Regions:
        """Run the test on these differences."""
        raise NotImplementedError

    def ranges(self, data: Intervals, rope: tuple[float, float], rng: int) -> RegionRanges:
        """Run the test if some differences are only known to lie between bounds."""
        raise NotImplementedError

    def follows(self, c: Comparison) -> bool:
        known = isinstance(c.posterior, Unvaried) or differences(c) is not None
        return super().follows(c) and known

    def region_curve(
        self, c: Comparison, low: Floats, high: Floats, *, seed: int, budget: Budget
    ) -> RegionCurve | None:
        """The three regions at many ROPEs; without the differences, draws of the original posterior."""
        posterior = cast(Regions, c.posterior)
        return RegionCurve(table=None, points=lambda k, n: posterior.sample(n, seed))

    def plots(self, c: Comparison) -> list[str]:
        found = super().plots(c)[:-1]
        return [found[0], "simplex", *found[1:]]


def differences(c: Comparison) -> tuple[Floats, Floats | None] | None:
    """Return the differences, with their counts if tallied; None if only sums are known."""
    e = c.evidence
    if isinstance(e, Outcomes):
        return e.values, e.counts.astype(np.float64)
    d = np.asarray(getattr(e, "d", ()), dtype=np.float64)
    return (d, None) if d.size else None


def likeliest(found: list[Probabilities]) -> Floats:
    """Return the probabilities of better and worse for each ROPE, 2 x ROPEs."""
    return np.array([[p.better for p in found], [p.worse for p in found]])


def by_regions(pair: Pair, rope: Rope, regions: Regions, classical: nhst.TestResult, ask: Ask) -> Answer:
    """Return the answer of a test with a posterior over the three regions."""
    better = Draws.of(regions.sample(4_000, ask.rng)[:, 0])
    low, high = better.hdi(0.95)
    # The sign test is about one unit, the signed-rank test about the mean of two (Benavoli et al. 2017).
    where = f"one {pair.unit}" if isinstance(regions, DirichletRegions) else f"the mean of two {pair.unit}s"
    name = f"probability that {short(pair.a)} is ahead on {where}"
    found = [checks.enough(pair.n, 5, pair.unit + "s")]
    if isinstance(regions, DirichletRegions) and rope.is_point:
        decided, times = tallied(pair.d, pair.counts)
        found += checks.coarse(int(times[decided != 0].sum()), pair.unit + "s", ask.rule.threshold)
    if regions.error:
        found.append(
            Check(
                name="Monte Carlo error",
                kind="numerical error",
                ok=True,
                text=f"±{regions.error:.4f} on each probability (one standard error, seed {ask.rng})",
                numbers={"error": regions.error},
            )
        )
    if not isinstance(regions, DirichletRegions):
        other = bayes.sign(pair.d, (rope.low, rope.high), counts=pair.counts).most_probable
        because = f"it counts the {pair.unit}s and ignores the size of the differences"
        p = regions.most_probable
        found.append(second_opinion("sign test for comparison", pair, p, other, ask, because, alarming=False))
    return Answer(
        posterior=regions,
        estimate=Estimate(name=name, kind="chance", mean=regions.mean.better, low=low, high=high),
        rope=rope,
        p=regions.most_probable,
        effect=cohens_d(pair.sums),
        classical=[classical],
        checks=found,
        evidence=pair.evidence,
    )


def no_differences() -> Note:
    return Note(about="prior", text="no prior to vary: only sums and counts of the differences were kept")


def places(c: Comparison, how: str, found: list[Probabilities]) -> tuple[PriorAnswer, ...]:
    """Answers with the prior observation at no difference, or far on the side of either model."""
    return (
        PriorAnswer(name="no difference", why=f"{how} at no difference {_PLACE}", p=c.verdict.probabilities),
        *(
            PriorAnswer(name=f"for {short(m, 24)}", why=f"{how} far in favor of {short(m, 24)} {_PLACE}", p=p)
            for m, p in zip((c.a, c.b), found, strict=True)
        ),
    )


def resampled(c: Comparison, test: Callable[[Floats], Probabilities]) -> Directions:
    """Repeat the test on Bayesian bootstrap samples; needs the difference of every unit."""
    values = getattr(c.evidence, "d", np.empty(0))
    if not values.size:
        unknown = f"the differences of single {c.unit}s are not known"
        return Directions(designs=(), notes=(f"{unknown}, so further ones cannot be resampled from them",))
    note = (
        "further units are resampled from those at hand (Bayesian bootstrap), a rough guess if there are few"
    )
    design = ResampledTasks(values=values, test=test, unit=c.unit)
    return Directions(designs=(design,), draws=200, times=16, step=2.0, notes=(note,))
