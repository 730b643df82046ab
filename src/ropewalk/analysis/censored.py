"""Runs that hit their limit: the report with the range of probabilities that the unknown part allows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.analysis.reporting import Wanted, report_on
from ropewalk.bayes.intervals import Intervals, censored_differences
from ropewalk.data import Scores
from ropewalk.decide import Verdict, cohens_g
from ropewalk.errors import MethodError, OptionError, short
from ropewalk.posterior import DirichletRegions, Draws, Probabilities, RegionRanges, WeightedRegions
from ropewalk.posterior.ranges import REGIONS
from ropewalk.results.comparison import Check, Comparison, WholeSet
from ropewalk.results.report import Report

_METHODS = ("auto", "sign", "signed_rank")
_WHY = "some runs hit their limit, so that only their order is known: Bayesian sign test"


def censored_report(values: Scores, marks: Scores, wanted: Wanted) -> Report:
    """The report on scores of which some are limits; a verdict only if every completion of them agrees."""
    method = wanted.ask.method
    if method not in _METHODS:
        raise MethodError(
            f"{method} needs the value of every unit, and some are only known to exceed a limit",
            hint="Use sign or signed_rank, which give a range of probabilities.",
        )
    if len(values.models) != 2:
        raise OptionError(
            f"there are {len(values.models)} models, and some values are only known to exceed a limit",
            hint="Such data are compared two models at a time: leave the other models out of the table.",
        )
    if len(values.tasks) > 1 or values.is_clustered or values.design.unit == "fold":
        raise MethodError(
            "limits that were hit are supported for independent units of one task only",
            hint="Give one value per model and unit, such as the run time on each instance.",
        )
    if wanted.ask.rule.loss is not None:
        raise OptionError(
            "a loss matrix does not go with values that are only known to exceed a limit",
            hint="Use a threshold: a verdict needs every possible completion to reach it.",
        )
    name = "sign" if method == "auto" else method
    report = report_on(values, replace(wanted, ask=replace(wanted.ask, method=name)))
    return replace(
        report,
        comparisons=[_ranged(c, values, marks, wanted) for c in report.comparisons],
        overall=[_ranged(c, values, marks, wanted) for c in report.overall],
    )


def _ranged(c: Comparison, values: Scores, marks: Scores, wanted: Wanted) -> Comparison:
    data, ask = _intervals(c, values, marks), wanted.ask
    rope = (c.rope.low, c.rope.high)
    if c.method == "sign":
        ranges = bayes.censored_sign(data.low, data.high, rope)
    else:
        ranges = bayes.censored_signed_rank(data.low, data.high, rope, rng=ask.rng)
    posterior = _least_favourable(c.method, data, rope, _leading(ranges), ask.rng)
    better = Draws.of(posterior.sample(4_000, ask.rng)[:, 0])
    low, high = better.hdi(0.95)
    ahead, behind = int(np.sum(data.low > 0)), int(np.sum(data.high < 0))
    check = _check(c, ranges, int(np.sum(~data.known)))
    kept = [*(known for known in c.checks if known.kind == "sample size"), check]
    e = c.evidence
    return replace(
        c,
        why=_WHY if ask.method == "auto" else c.why,
        # Without the differences nothing is computed from limits as if they were values.
        evidence=WholeSet(mean_a=e.mean_a, mean_b=e.mean_b, advantage=e.advantage),
        posterior=posterior,
        estimate=replace(c.estimate, mean=posterior.mean.better, low=low, high=high),
        verdict=_verdict(c, ranges, ask.rule.threshold),
        effect=cohens_g(behind, ahead),
        classical=[nhst.sign(np.repeat([1.0, -1.0, 0.0], [ahead, behind, ranges.units - ahead - behind]))],
        checks=kept,
        warnings=[f"{known.name}: {known.text}" for known in kept if not known.ok],
        examples=None,
        was_asked=ask.method != "auto",
    )


def _leading(ranges: RegionRanges) -> str:
    return max(REGIONS, key=lambda region: ranges.of(region)[0])


def _least_favourable(
    method: str, data: Intervals, rope: tuple[float, float], leading: str, rng: int
) -> DirichletRegions | WeightedRegions:
    """The ordinary test on the completion that speaks least for the leading region.

    What may go to either of the other regions goes to the same one (see `censored_sign`), so there are two
    completions to try.
    """
    low, high = rope
    finite = np.abs(np.concatenate([data.low, data.high]))
    far = 4 * max(float(finite[np.isfinite(finite)].max(initial=0.0)), abs(low), abs(high), 1e-300)
    at = {"worse": -far, "equivalent": (low + high) / 2, "better": far}
    orders = {
        "better": (("worse", "equivalent"), ("equivalent", "worse")),
        "worse": (("better", "equivalent"), ("equivalent", "better")),
        "equivalent": (("better", "worse"), ("worse", "better")),
    }
    may = data.may_be(low, high)
    found = []
    for order in orders[leading]:
        d = np.where(data.known, data.low, at[leading])
        for region in reversed(order):
            d = np.where(~data.known & may[region], at[region], d)
        found.append(bayes.sign(d, rope) if method == "sign" else bayes.signed_rank(d, rope, rng=rng))
    return min(found, key=lambda regions: float(getattr(regions.most_probable, leading)))


def _intervals(c: Comparison, values: Scores, marks: Scores) -> Intervals:
    (task,), (marked,) = values.tasks, marks.tasks
    if list(task.units) != list(marked.units):
        raise AssertionError("marks and values were paired differently")  # the same table was read twice
    i, j = values.models.index(c.a), values.models.index(c.b)
    return censored_differences(
        task.values[:, i],
        task.values[:, j],
        censored_a=marked.values[:, i] > 0.5,
        censored_b=marked.values[:, j] > 0.5,
        higher_is_better=values.higher_is_better,
    )


def _verdict(c: Comparison, ranges: RegionRanges, threshold: float) -> Verdict:
    """What every completion says; the probabilities are the least favourable ones of the leading region."""
    leading = _leading(ranges)
    least = ranges.of(leading)[0]
    others = {region: ranges.of(region)[1] for region in REGIONS if region != leading}
    total = sum(others.values())
    shares = {r: (1 - least) * (p / total if total > 0 else 0.5) for r, p in others.items()}
    p = Probabilities(**{leading: least, **shares})
    name = ranges.decided(threshold) or "undecided"
    a, b = short(c.a), short(c.b)
    said = {
        "better": f"{a} is better than {b}, whatever the runs that hit their limit would have taken.",
        "worse": f"{b} is better than {a}, whatever the runs that hit their limit would have taken.",
        "equivalent": f"{a} and {b} are practically equivalent, whatever the stopped runs would have taken.",
        "undecided": f"Undecided: the runs that hit their limit leave open whether {a} or {b} is better.",
    }
    return replace(
        c.verdict,
        name=name,  # type: ignore[arg-type]  # one of the four names
        better=p.better,
        equivalent=p.equivalent,
        worse=p.worse,
        sentence=said[name],
    )


def _check(c: Comparison, ranges: RegionRanges, limited: int) -> Check:
    """How many units are known in part only, and the range of every probability."""
    low = {region: ranges.of(region)[0] for region in REGIONS}
    high = {region: ranges.of(region)[1] for region in REGIONS}
    names = {"better": f"{short(c.a)} better", "equivalent": "equivalent", "worse": f"{short(c.b)} better"}
    spans = ", ".join(f"{names[r]} {low[r]:.3f} to {high[r]:.3f}" for r in REGIONS)
    text = (
        f"{limited} of {ranges.units} {c.unit}s hit a limit, and for {ranges.unknown} of them it is not "
        f"known which model is ahead. Over everything that they may be: {spans}. The probabilities shown "
        "are the least favourable ones; the means count a stopped run at its limit."
    )
    numbers = {"limited": float(limited), "unknown": float(ranges.unknown), "error": ranges.error}
    numbers |= {f"{region}_low": p for region, p in low.items()}
    numbers |= {f"{region}_high": p for region, p in high.items()}
    return Check(name="runs that hit their limit", ok=ranges.unknown == 0, text=text, numbers=numbers)
