"""Runs that hit their limit: the report with the range of probabilities that the unknown part allows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ropewalk import nhst
from ropewalk.analysis.reporting import report_on
from ropewalk.analysis.wanted import Wanted
from ropewalk.bayes.intervals import Intervals, censored_differences
from ropewalk.data import Scores
from ropewalk.decide import Verdict, cohens_g
from ropewalk.errors import MethodError, OptionError, short
from ropewalk.methods import known
from ropewalk.methods.three_regions import RegionsMethod
from ropewalk.posterior import Draws, Probabilities, RegionRanges, Regions
from ropewalk.posterior.ranges import REGIONS
from ropewalk.results.comparison import Check, Comparison
from ropewalk.results.evidence import WholeSet
from ropewalk.results.formatting import decimals
from ropewalk.results.model import Model
from ropewalk.results.report import Report


def censored_report(values: Scores, marks: Scores, wanted: Wanted) -> Report:
    """Report on scores of which some are limits; a verdict needs every completion of them to agree.

    Pair by pair: a stopped run has no place in a ranking of all models, so there is no leaderboard and no
    test of all models at once.
    """
    _check(values, wanted)
    method = _method(wanted.ask.method)
    asked = replace(wanted, ask=replace(wanted.ask, method=method.name))
    report = report_on(values, asked)
    each = report.comparisons
    if len(values.tasks) > 1:  # a single task uses the same method, so it is not compared again
        parts = [replace(values, tasks=(t,)) for t in values.tasks if len(t.units) > 1]
        each = [replace(c, task=p.tasks[0].name) for p in parts for c in report_on(p, asked).comparisons]

    def known_in_part(c: Comparison) -> Comparison:
        return _ranged(c, method, _intervals(c, values, marks), wanted)

    several = len(values.models) > 2
    note = "some runs hit their limit, so models are compared in pairs, without a leaderboard"
    return replace(
        report,
        comparisons=[known_in_part(c) for c in each],
        overall=[known_in_part(c) for c in report.overall],
        models=[_without_chances(m) for m in report.models],
        board=None,
        mean_ranks=None,
        classical=[],
        groups={},
        audit=report.audit.noted(note) if several else report.audit,
    )


def _without_chances(m: Model) -> Model:
    """Comparison whose mean counts a stopped run at its limit; nothing else is derived from that mean."""
    return Model(name=m.name, mean=m.mean, low=float("nan"), high=float("nan"))


def _check(values: Scores, wanted: Wanted) -> None:
    if values.is_clustered or values.design.unit == "fold":
        what = "folds share their training data" if values.design.unit == "fold" else "units come in clusters"
        raise MethodError(
            f"runs that hit a limit are supported only for independent units, but these {what}",
            hint="Give one value per model and instance; name the column of the clusters as task= (--task).",
        )
    if wanted.ask.rule.loss is not None:
        raise OptionError(
            "a loss matrix cannot be used with values that are only known to exceed a limit",
            hint="Use a threshold; a verdict requires that every possible completion reaches it.",
        )


def _method(name: str) -> RegionsMethod:
    """The requested method, or the default for data with limits."""
    able = {m.name: m for m in known().values() if isinstance(m, RegionsMethod)}
    if name == "auto":
        return next(m for m in able.values() if "limits" in m.default_for)
    if name not in able:
        raise MethodError(
            f"{name} needs the value of every unit, but some are only known to exceed a limit",
            hint=f"Use {' or '.join(able)}: they give a range of probabilities.",
        )
    return able[name]


def _ranged(c: Comparison, method: RegionsMethod, data: Intervals, wanted: Wanted) -> Comparison:
    ask, asked = wanted.ask, wanted.ask.method in known()
    rope = (c.rope.low, c.rope.high)
    ranges = method.ranges(data, rope, ask.rng)
    posterior = least_favourable(method, data, rope, _leading(ranges), ask.rng)
    better = Draws.of(posterior.sample(4_000, ask.rng)[:, 0])
    low, high = better.hdi(0.95)
    ahead, behind = int(np.sum(data.low > 0)), int(np.sum(data.high < 0))
    check = _limits(c, ranges, int(np.sum(~data.known)))
    e = c.evidence
    return replace(
        c,
        why=c.why if asked else method.default_for["limits"],
        # Without the differences nothing is computed from limits as if they were values.
        evidence=WholeSet(mean_a=e.mean_a, mean_b=e.mean_b, advantage=c.advantage),
        posterior=posterior,
        estimate=replace(c.estimate, mean=posterior.mean.better, low=low, high=high),
        verdict=_verdict(c, ranges, ask.rule.threshold),
        effect=cohens_g(behind, ahead),
        classical=[nhst.sign(np.repeat([1.0, -1.0, 0.0], [ahead, behind, ranges.units - ahead - behind]))],
        checks=[*(k for k in c.checks if k.kind == "sample size"), check],
        examples=None,
        was_asked=asked,
    )


def _leading(ranges: RegionRanges) -> str:
    return max(REGIONS, key=lambda region: ranges.of(region)[0])


def least_favourable(
    method: RegionsMethod, data: Intervals, rope: tuple[float, float], leading: str, rng: int
) -> Regions:
    """The ordinary test on the completion that is least favorable to the leading region.

    Units that may be in either of the other two regions are all put into one of them (`censored_sign`), so
    only two completions are tried.
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
        found.append(method.regions(d, rope, rng))
    return min(found, key=lambda regions: float(getattr(regions.most_probable, leading)))


def _intervals(c: Comparison, values: Scores, marks: Scores) -> Intervals:
    """Bounds of the advantage on each unit of a task; over tasks, the means of each task's bounds."""
    marked = {task.name: task for task in marks.tasks}
    tasks = [t for t in values.tasks if c.task is None or t.name == c.task]
    i, j = values.models.index(c.a), values.models.index(c.b)
    found = []
    for task in tasks:
        limits = marked[task.name]
        if list(task.units) != list(limits.units):
            raise AssertionError("marks and values were paired differently")  # both come from the same table
        run = np.isfinite(task.values[:, i]) & np.isfinite(task.values[:, j])
        if run.any():
            found.append(
                censored_differences(
                    task.values[run, i],
                    task.values[run, j],
                    censored_a=limits.values[run, i] > 0.5,
                    censored_b=limits.values[run, j] > 0.5,
                    higher_is_better=values.higher_is_better,
                )
            )
    if len(values.tasks) == 1 or c.task is not None:
        return found[0]
    means = np.array([(d.low.mean(), d.high.mean()) for d in found])
    return Intervals(low=means[:, 0], high=means[:, 1])


def _verdict(c: Comparison, ranges: RegionRanges, threshold: float) -> Verdict:
    """The verdict of every completion, with the least favorable probabilities of the leading region."""
    leading = _leading(ranges)
    least = ranges.of(leading)[0]
    others = {region: ranges.of(region)[1] for region in REGIONS if region != leading}
    total = sum(others.values())
    shares = {r: (1 - least) * (p / total if total > 0 else 0.5) for r, p in others.items()}
    p = Probabilities(**{leading: least, **shares})
    name = ranges.decided(threshold) or "undecided"
    a, b = short(c.a), short(c.b)
    said = {
        "better": f"{a} is better than {b}, however long the stopped runs would have taken.",
        "worse": f"{b} is better than {a}, however long the stopped runs would have taken.",
        "equivalent": f"{a} and {b} are practically equivalent, however long the stopped runs "
        "would have taken.",
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


def _limits(c: Comparison, ranges: RegionRanges, limited: int) -> Check:
    """Number of units known only in part, and the range of every probability."""
    low = {region: ranges.of(region)[0] for region in REGIONS}
    high = {region: ranges.of(region)[1] for region in REGIONS}
    names = {"better": f"{short(c.a)} better", "equivalent": "equivalent", "worse": f"{short(c.b)} better"}
    least = c.verdict.decided_by.least
    spans = ", ".join(f"{names[r]} {decimals(low[r], least)} to {decimals(high[r], least)}" for r in REGIONS)
    text = (
        f"{limited} of {ranges.units} {c.unit}s hit a limit; for {ranges.unknown} of them it is unknown "
        f"which model is ahead. Over all possible completions: {spans}. The probabilities shown are the "
        "least favorable ones; means count a stopped run at its limit."
    )
    numbers = {"limited": float(limited), "unknown": float(ranges.unknown), "error": ranges.error}
    numbers |= {f"{region}_low": p for region, p in low.items()}
    numbers |= {f"{region}_high": p for region, p in high.items()}
    return Check(name="runs that hit their limit", ok=ranges.unknown == 0, text=text, numbers=numbers)
