"""Methods on the differences of single units, and on right and wrong answers."""

from __future__ import annotations

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.data import is_rank
from ropewalk.decide import (
    PhiScale,
    Rope,
    RopeRequest,
    ScoreScale,
    cohens_d,
    cohens_g,
    in_scores,
    on_advantage,
    probabilities,
    resolve_rope,
)
from ropewalk.errors import MethodError, short
from ropewalk.methods import checks
from ropewalk.methods.pair import Answer, Ask, Pair, estimate, second_opinion
from ropewalk.posterior import DirichletRegions, Draws, Posterior, Probabilities, Regions
from ropewalk.results.comparison import Check, Correlation, Estimate
from ropewalk.sums import tallied


def mcnemar(pair: Pair, ask: Ask) -> Answer:
    o = pair.outcomes
    posterior: Posterior = bayes.mcnemar(o.n01, o.n10)
    disagreement, name = (o.n01 + o.n10) / o.n, "phi"
    rope = resolve_rope(ask.rope, PhiScale(phi=posterior.mean, disagreement=disagreement))
    if rope.scale != "phi":
        posterior, name = bayes.accuracy_difference(o.n00, o.n01, o.n10, o.n11), f"{pair.metric} difference"
    p = probabilities(posterior, rope)
    edges = on_advantage(rope, disagreement)
    beside = second_opinion(
        "t-test beside it",
        pair,
        p,
        probabilities(bayes.t(o.sums), in_scores(*edges, rope.source)),
        ask,
        because="it takes the mean difference for normal, which few disagreements are not",
        alarming=False,
    )
    return Answer(
        posterior=posterior,
        estimate=estimate(name, posterior),
        rope=rope,
        p=p,
        effect=cohens_g(o.n01, o.n10),
        classical=[nhst.mcnemar(o.n01, o.n10)],
        checks=[checks.enough(o.n01 + o.n10, 10, "examples on which they disagree"), beside],
        evidence=o,
    )


def t(pair: Pair, ask: Ask) -> Answer:
    sums = pair.sums
    posterior = bayes.t(sums, rho=pair.rho)
    rope = rope_of(pair, ask.rope)
    p = probabilities(posterior, rope)
    found = [checks.enough(sums.n, 10, pair.unit + "s")]
    if sums.m2 > 0 and sums.n >= 8 and pair.d.size:  # of many models in place only the sums are known
        normal = checks.normality(pair.d, pair.counts)
        found.append(normal)
        if normal.numbers["heavy_tails"] and pair.rho == 0:
            found.append(_robust_beside(pair, rope, p, ask))
    if sums.m2 > 0 and pair.rho > 0:
        found.append(checks.correlation(sums.n, pair.rho, ask.rule.threshold))
    return Answer(
        posterior=posterior,
        estimate=estimate("mean advantage", posterior),
        rope=rope,
        p=p,
        effect=cohens_d(sums),
        classical=_classical(pair),
        checks=found,
        evidence=pair.evidence,
        correlation=Correlation(unit=pair.unit, low=pair.rho, high=pair.rho) if pair.rho else None,
    )


def robust_t(pair: Pair, ask: Ask) -> Answer:
    posterior = bayes.robust_t(pair.d, counts=pair.counts)
    rope = rope_of(pair, ask.rope)
    return Answer(
        posterior=posterior,
        estimate=estimate("centre of the advantage", posterior),
        rope=rope,
        p=probabilities(posterior, rope),
        effect=cohens_d(pair.sums),
        classical=_classical(pair),
        checks=[checks.enough(pair.n, 10, pair.unit + "s")],
        evidence=pair.evidence,
    )


def sign(pair: Pair, ask: Ask) -> Answer:
    rope = rope_of(pair, ask.rope)
    regions = bayes.sign(pair.d, (rope.low, rope.high), counts=pair.counts)
    return by_regions(pair, rope, regions, nhst.sign(pair.d, counts=pair.counts), ask)


def signed_rank(pair: Pair, ask: Ask) -> Answer:
    rope = rope_of(pair, ask.rope)
    if not pair.d.size:  # of many models in place only the sums are known
        raise MethodError(
            f"the signed-rank test needs all {pair.n:,} differences, and only their sums are known",
            hint="Use t, or compare two models.",
        )
    regions = bayes.signed_rank(pair.d, (rope.low, rope.high), counts=pair.counts, rng=ask.rng)
    return by_regions(pair, rope, regions, nhst.wilcoxon(pair.d, counts=pair.counts), ask)


def by_regions(pair: Pair, rope: Rope, regions: Regions, classical: nhst.TestResult, ask: Ask) -> Answer:
    """The answer of a test that gives a posterior over the three regions."""
    better = Draws.of(regions.sample(4_000, ask.rng)[:, 0])
    low, high = better.hdi(0.95)
    # eq. 10 is about one unit, eq. 11 about the mean of two
    what = "one" if isinstance(regions, DirichletRegions) else "the mean of two"
    name = f"chance that {what} of the {pair.unit}s puts {short(pair.a)} ahead"
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
        because = f"it counts the {pair.unit}s and does not see how large a difference is"
        p = regions.most_probable
        found.append(second_opinion("sign test beside it", pair, p, other, ask, because, alarming=False))
    return Answer(
        posterior=regions,
        estimate=Estimate(name=name, mean=regions.mean.better, low=low, high=high),
        rope=rope,
        p=regions.most_probable,
        effect=cohens_d(pair.sums),
        classical=[classical],
        checks=found,
        evidence=pair.evidence,
    )


def rope_of(pair: Pair, request: RopeRequest) -> Rope:
    """The ROPE on the advantage of one unit."""
    scale = ScoreScale(metric=pair.metric, sd=pair.sums.sd, points=pair.points, is_rank=is_rank(pair.metric))
    return resolve_rope(request, scale)


def _classical(pair: Pair) -> list[nhst.TestResult]:
    """The classical tests for the same design; none where nothing varies."""
    sums = pair.sums
    if sums.m2 == 0:
        return []
    if pair.rho > 0 or pair.design.unit == "fold":
        tests: list[nhst.TestResult] = [nhst.corrected_t(sums, rho=pair.rho)]
        halves = pair.d.reshape(5, 2) if pair.design.is_five_by_two and sums.n == 10 else np.zeros((5, 2))
        if np.ptp(halves, axis=1).any():  # the 5x2 tests need some spread within a repeat
            tests += [nhst.five_by_two_t(halves), nhst.five_by_two_f(halves)]
        return tests
    return [nhst.paired_t(sums), *([nhst.wilcoxon(pair.d, counts=pair.counts)] if pair.d.size else [])]


def _robust_beside(pair: Pair, rope: Rope, p: Probabilities, ask: Ask) -> Check:
    """Heavy tails: does the robust t give another verdict?"""
    values, counts = tallied(pair.d, pair.counts)
    if 2 * counts.max() > pair.n:
        share = counts.max() / pair.n
        return Check(
            name="robust t beside it",
            kind="second opinion",
            ok=True,
            text=f"not run: {share:.0%} of the differences are exactly {values[np.argmax(counts)]:g}",
        )
    try:
        robust = probabilities(bayes.robust_t(pair.d, counts=pair.counts), rope)
    except MethodError as problem:  # a second opinion that cannot be had takes nothing from the first
        return Check(
            name="robust t beside it", kind="second opinion", ok=True, text=f"not run: {problem.what}"
        )
    because = "it looks at the centre of the differences, the t-test at their mean"
    return second_opinion("robust t beside it", pair, p, robust, ask, because)
