"""A comparison -> the units that can be added, and the chance that they decide."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from ropewalk.assurance import Answers, Growth, Normal, Rule, assurance, rounded
from ropewalk.assurance.curve import MOST, STEP
from ropewalk.assurance.more_rows import MoreRows
from ropewalk.decide import Rope
from ropewalk.decide.rule import UNDECIDED
from ropewalk.errors import MethodError, OptionError
from ropewalk.methods import default_of, method_of
from ropewalk.methods.futures import Directions
from ropewalk.methods.plausible import Plausible, plausible
from ropewalk.plan.result import Combination, Direction, PairPlan
from ropewalk.results.comparison import Comparison
from ropewalk.results.report import Report

_MOST_TIMES = 1e6
_SOME = (0, 1, 2, 4, 8, 16, 32)  # numbers of further seeds to combine with examples
_QUICK = 2_000  # simulated futures of a combination
_TIMES = 1_000
_SHOWN = 5
_FAR = 2.5  # standard deviations from which data contradict the prior


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanOptions:
    """The options for every pair."""

    rule: Rule
    chance: float
    costs: Mapping[str, float]
    more: tuple[int, ...] | None
    draws: int
    rng: int
    prior_sd: float | None = None  # None is the default of each pair


def of_design(design: Normal | Answers, rope: Rope, wanted: PlanOptions) -> PairPlan:
    """Return the plan for stated numbers, which are true values or measurements on some examples."""
    prior = None
    if design.n:
        prior = stated_prior(design, wanted.prior_sd)
        design = replace(design, prior_sd=prior.sd)
    return PairPlan(
        a="A",
        b="B",
        task=None,
        method=default_of("outcomes" if isinstance(design, Answers) else "examples").name,
        metric="accuracy" if isinstance(design, Answers) else "score",
        rope=rope,
        now=None,
        directions=(direction(design, wanted),),
        notes=tuple(_stated_notes(design)),
        prior=prior,
    )


def stated_prior(design: Normal | Answers, given: float | None) -> Plausible:
    """Return the spread of the prior for stated measurements."""
    if given is not None:
        return Plausible.given(given)
    if isinstance(design, Answers):
        return Plausible.in_points(0.01)
    return Plausible.of_units(design.sd, design.unit)


def of_report(c: Comparison, wanted: PlanOptions) -> PairPlan:
    """Return the plan of one comparison."""
    prior = plausible(c) if wanted.prior_sd is None else Plausible.given(wanted.prior_sd)
    undecided = c.verdict.name == "undecided"
    options = method_of(c).directions(c).under_prior(prior.sd) if undecided else Directions(designs=())
    along = replace(wanted, draws=min(wanted.draws, options.draws))
    directions = tuple(
        direction(d, along, most=min(MOST, options.times * max(d.n, 1)), step=options.step)
        for d in options.designs
    )
    return PairPlan(
        a=c.a,
        b=c.b,
        task=c.task,
        method=c.method,
        metric=c.metric,
        rope=c.rope,
        now=c.verdict,
        leads_a=c.leads_a,
        directions=directions,
        ways=tuple(_ways(options, directions, along)),
        notes=(*options.notes, *_surprising(c, prior)),
        prior=prior if directions else None,
        asks=c.asks,
    )


def _surprising(c: Comparison, prior: Plausible) -> list[str]:
    """Warn if the data are far from what the prior expects: then one of the two is wrong."""
    sd = float(getattr(c.posterior, "sd", np.nan))
    spread = np.hypot(prior.sd, sd)  # 0 if the squares of tiny scores underflow
    known = np.isfinite(spread) and spread > 0 and c.rope.scale == "score"
    distance = abs(c.advantage) / spread if known else 0.0
    if distance < _FAR:
        return []
    return [
        f"the observed difference is {distance:.1f} standard deviations from what the prior expects; if "
        "differences of this size are plausible, set a larger prior_sd= (--prior-sd)"
    ]


def _ways(options: Directions, directions: tuple[Direction, ...], wanted: PlanOptions) -> list[Combination]:
    """Return combinations that reach the chance, the cheapest first if both prices are known.

    Without prices, they are searched only if no single direction reaches the chance.
    """
    if options.together is None:
        return []
    first, second = directions
    price = first.cost is not None and second.cost is not None
    if not price and first.needed is not None and second.needed is not None:
        return []
    quick = replace(wanted, draws=min(wanted.draws, _QUICK))
    found = []
    for k in _SOME:
        m = needed(options.together(k), quick) if k else second.needed
        if m is not None:
            adds = {first.unit: k, second.unit: rounded(m)}
            cost = k * (first.cost or 0.0) + adds[second.unit] * (second.cost or 0.0) if price else None
            found.append(Combination(adds=adds, chance=wanted.chance, price=cost))
    if first.needed is not None:
        found.append(Combination(adds={first.unit: first.needed}, chance=wanted.chance, price=first.price))
    ordered = sorted(found, key=lambda w: w.price or 0.0) if price else found
    return ordered[:_SHOWN]


def needed(design: Growth, wanted: PlanOptions) -> int | None:
    """Number of further units that reach the chance, by doubling and then bisection."""

    def reached(m: int) -> bool:
        p = design.future(m, wanted.draws, np.random.default_rng(wanted.rng))
        return bool(np.mean(wanted.rule(p) < UNDECIDED) >= wanted.chance)

    high = max(design.n // 4, 1)
    while not reached(high):
        high *= 2
        if high > _TIMES * design.n:
            return None
    low = high // 2
    while high - low > max(1, high // 20):
        middle = (low + high) // 2
        low, high = (low, middle) if reached(middle) else (middle, high)
    return high


def only_design(report: Report, prior_sd: float | None) -> tuple[Normal | Answers, Rope, str, str]:
    """Return the design of the only pair of a report, for data that come in batches."""
    if report.overall or len(report.comparisons) != 1:
        raise OptionError(
            "a sequential plan needs one pair of models on one task",
            hint="Give the results of two models, or pick two with pairs= (--pair A B).",
        )
    (c,) = report.comparisons
    design = method_of(c).directions(c).quick
    if design is None or design.limited:
        raise MethodError(
            f"sequential plans are not supported for {c.method}",
            hint="They need independent units: examples, seeds or clusters.",
        )
    spread = plausible(c).sd if prior_sd is None else prior_sd
    return replace(design, prior_sd=spread), c.rope, c.a, c.b


def direction(design: Growth, wanted: PlanOptions, *, most: int = MOST, step: float = STEP) -> Direction:
    """Return the assurance curve along one direction."""
    curve = assurance(
        design, wanted.rule, more=wanted.more, draws=wanted.draws, rng=wanted.rng, most=most, step=step
    )
    return Direction(
        unit=design.unit,
        n=design.n,
        curve=curve,
        chance=wanted.chance,
        stays=_stays(design, wanted.rule),
        cost=_price(design, wanted.costs),
        asked=wanted.more is not None,
    )


def _price(design: Growth, costs: Mapping[str, float]) -> float | None:
    """Return the price of one more unit; one more row adds an example to each cluster."""
    if isinstance(design, MoreRows):
        return costs["example"] * design.sums.n if "example" in costs else None
    return costs.get(design.unit)


def _stays(design: Growth, rule: Rule) -> int | None:
    """Number of further units that would decide with unchanged estimates: the first on a fine grid."""
    if not isinstance(design, (Normal, Answers)) or design.n == 0:
        return None
    times = 1.02 ** np.arange(1, int(np.log(_MOST_TIMES) / np.log(1.02)) + 2)
    decided = np.flatnonzero(rule(design.scaled(times)) < UNDECIDED)
    return int(np.ceil(design.n * (times[decided[0]] - 1))) if decided.size else None


def _stated_notes(design: Normal | Answers) -> list[str]:
    if design.n:
        return [f"the stated numbers are treated as measured on {design.n:,} examples"]
    unsure = design.unsure if isinstance(design, Normal) else 0.0
    if unsure:
        return [f"the difference is drawn from a normal distribution with standard deviation {unsure:g}"]
    return [
        "the stated numbers are treated as exact; if they are uncertain, set unsure= (--unsure) or "
        "examples= (--examples)"
    ]
