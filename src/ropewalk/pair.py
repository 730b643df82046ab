"""One pair of models on one task: pick the method, run it, check it, decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ropewalk import bayes, checks, nhst
from ropewalk.decide import (
    Effect,
    Rope,
    RopeRequest,
    Verdict,
    by_loss,
    by_threshold,
    cohens_d,
    cohens_g,
    in_scores,
    on_phi,
    probabilities,
    share_of_sd,
)
from ropewalk.errors import MethodError, OptionError, did_you_mean, short
from ropewalk.posterior import DirichletRegions, Draws, Point, Posterior, Probabilities, Regions
from ropewalk.posterior.base import Floats
from ropewalk.report.comparison import Check, Comparison, Estimate, Evidence, Outcomes
from ropewalk.sums import Sums

if TYPE_CHECKING:
    from ropewalk.data import Design

_PROBABLY = 0.6  # from here on a lean is worth a word
_AUTO_SHARE = 0.1  # P1 sec. 5.2: a tenth of a standard deviation, half of a small effect


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """What the user wants of every pair."""

    method: str
    rope: RopeRequest
    threshold: float
    loss_matrix: tuple[tuple[float, ...], ...] | None
    rng: int


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Pair:
    """A and B on one task, with what the choice of a method needs to know."""

    a: str
    b: str
    task: str | None
    metric: str
    design: Design
    evidence: Evidence
    d: Floats  # the advantage on each unit
    rho: float
    ordered: bool  # whether the units are in the order of a file, so that neighbours mean something
    points: float  # the size of one point of a hundred, for a bounded metric; 0 where it is not bounded

    @property
    def outcomes(self) -> Outcomes:
        if not isinstance(self.evidence, Outcomes):
            raise MethodError(
                f"mcnemar needs right/wrong outcomes, but {self.metric} is a real-valued score",
                hint="Use t, robust_t, sign or signed_rank.",
            )
        return self.evidence

    @property
    def sums(self) -> Sums:
        return Sums.of(self.d)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """What a method says about a pair, before anything is decided."""

    posterior: Posterior | Regions
    estimate: Estimate
    rope: Rope
    p: Probabilities
    effect: Effect
    classical: list[nhst.TestResult]
    checks: list[Check]
    evidence: Evidence


# --- the methods ---------------------------------------------------------------------------------------


def _mcnemar(pair: Pair, ask: Ask) -> Answer:
    o = pair.outcomes
    posterior: Posterior
    if ask.rope.kind == "score":
        posterior = bayes.accuracy_difference(o.n00, o.n01, o.n10, o.n11)
        rope = in_scores(ask.rope.low, ask.rope.high, "given")
        name = f"{pair.metric} difference"
    else:
        posterior = bayes.mcnemar(o.n01, o.n10)
        low, high = share(ask.rope)
        rope = on_phi(posterior.mean, (o.n01 + o.n10) / o.n, low, high)
        name = "phi"
    return Answer(
        posterior=posterior,
        estimate=estimate(name, posterior),
        rope=rope,
        p=probabilities(posterior, rope),
        effect=cohens_g(o.n01, o.n10),
        classical=[nhst.mcnemar(o.n01, o.n10)],
        checks=[checks.enough(o.n01 + o.n10, 10, "examples on which they disagree")],
        evidence=o,
    )


def _t(pair: Pair, ask: Ask) -> Answer:
    sums = pair.sums
    posterior = bayes.t(sums, rho=pair.rho)
    rope = _rope(pair, ask.rope)
    p = probabilities(posterior, rope)
    found = [checks.enough(sums.n, 10, pair.design.unit + "s")]
    if sums.m2 > 0 and sums.n >= 8:
        normal = checks.normality(pair.d)
        found.append(normal)
        if normal.numbers["heavy_tails"] and pair.rho == 0:
            found.append(_robust_beside(pair, rope, p, ask))
    return Answer(
        posterior=posterior,
        estimate=estimate("mean advantage", posterior),
        rope=rope,
        p=p,
        effect=cohens_d(sums),
        classical=_classical(pair),
        checks=found,
        evidence=pair.evidence,
    )


def _robust_t(pair: Pair, ask: Ask) -> Answer:
    posterior = bayes.robust_t(pair.d)
    rope = _rope(pair, ask.rope)
    return Answer(
        posterior=posterior,
        estimate=estimate("centre of the advantage", posterior),
        rope=rope,
        p=probabilities(posterior, rope),
        effect=cohens_d(pair.sums),
        classical=_classical(pair),
        checks=[checks.enough(pair.d.size, 10, pair.design.unit + "s")],
        evidence=pair.evidence,
    )


def _sign(pair: Pair, ask: Ask) -> Answer:
    rope = _rope(pair, ask.rope)
    return by_regions(pair, rope, bayes.sign(pair.d, (rope.low, rope.high)), nhst.sign(pair.d), ask)


def _signed_rank(pair: Pair, ask: Ask) -> Answer:
    rope = _rope(pair, ask.rope)
    regions = bayes.signed_rank(pair.d, (rope.low, rope.high), rng=ask.rng)
    return by_regions(pair, rope, regions, nhst.wilcoxon(pair.d), ask)


def by_regions(pair: Pair, rope: Rope, regions: Regions, classical: nhst.TestResult, ask: Ask) -> Answer:
    """The answer of a test that gives a posterior over the three regions."""
    better = Draws.of(regions.sample(4_000, ask.rng)[:, 0])
    low, high = better.hdi(0.95)
    # eq. 10 is about one unit, eq. 11 about the mean of two
    what = "one" if isinstance(regions, DirichletRegions) else "the mean of two"
    name = f"chance that {what} of the {pair.design.unit}s puts {short(pair.a)} ahead"
    found = [checks.enough(pair.d.size, 5, pair.design.unit + "s")]
    if regions.error:
        found.append(
            Check(
                name="Monte Carlo error",
                ok=True,
                text=f"±{regions.error:.4f} on each probability (one standard error, seed {ask.rng})",
                numbers={"error": regions.error},
            )
        )
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


METHODS: dict[str, Callable[[Pair, Ask], Answer]] = {
    "mcnemar": _mcnemar,
    "t": _t,
    "correlated_t": _t,
    "robust_t": _robust_t,
    "sign": _sign,
    "signed_rank": _signed_rank,
}


# --- the choice ----------------------------------------------------------------------------------------


def choose(pair: Pair, asked: str) -> tuple[str, str]:
    """The method for a pair and the reason for it, in words (the table in docs/architecture.md)."""
    if asked != "auto":
        if asked not in METHODS:
            raise OptionError(f'there is no method "{short(asked)}"', hint=did_you_mean(asked, METHODS))
        if pair.rho > 0 and asked in ("t", "robust_t", "sign", "signed_rank"):
            raise MethodError(
                f"{asked} takes the folds for independent, and they share training data",
                hint="Use correlated_t; or, with one number per task, sign or signed_rank over the tasks.",
            )
        return asked, "asked for"
    unit = pair.design.unit
    if pair.rho > 0 and unit != "fold":
        return "correlated_t", f"correlation {pair.rho:.3g} between {unit}s: Bayesian correlated t-test"
    if isinstance(pair.evidence, Outcomes):
        return "mcnemar", "0/1 outcomes on one test set: Bayesian McNemar test"
    if unit == "fold":
        return "correlated_t", (
            f"{pair.design.describe()}: Bayesian correlated t-test, correlation {pair.rho:.3g}"
        )
    if unit == "task":
        return "signed_rank", "one number per task: Bayesian signed-rank test over the tasks"
    what = "one score per training run" if unit == "seed" else "real-valued scores on one test set"
    return "t", f"{what}: Bayesian t-test"


def compare_pair(pair: Pair, ask: Ask) -> Comparison:
    """Choose, run, check, decide."""
    method, why = choose(pair, ask.method)
    d = pair.d
    if d.size < 2:
        raise MethodError(
            f"there is one unit only for {short(pair.a)} and {short(pair.b)}"
            + (f' on task "{short(pair.task)}"' if pair.task else ""),
            hint="A comparison needs at least two examples, folds or seeds with scores of both models.",
        )
    if not d.any():
        return _identical(pair, ask, method, why)
    answer = METHODS[method](pair, ask)
    found = list(answer.checks)
    if pair.ordered and pair.design.unit == "example" and d.size >= 30 and pair.sums.m2 > 0:
        found.append(checks.independence(d))
    if isinstance(answer.posterior, Point):
        found.append(
            Check(
                name="nothing varies",
                ok=False,
                text=f"every difference is {d[0]:.6g}, so the certainty comes from the lack of variation, "
                "not from a model of it",
            )
        )
    return comparison(pair, ask, method, why, answer, found)


def _identical(pair: Pair, ask: Ask, method: str, why: str) -> Comparison:
    """The same answers everywhere: a verdict of its own kind."""
    point = Point(at=0.0)
    low, high = (ask.rope.low, ask.rope.high) if ask.rope.kind == "score" else (0.0, 0.0)
    answer = Answer(
        posterior=point,
        estimate=estimate("mean advantage", point),
        rope=in_scores(low, high, "given" if ask.rope.kind == "score" else "not needed"),
        p=Probabilities(better=0.0, equivalent=1.0, worse=0.0),
        effect=Effect(name="Cohen's d", value=0.0, label="negligible"),
        classical=[],
        checks=[],
        evidence=pair.evidence,
    )
    same = Check(
        name="same answers",
        ok=False,
        text=f"{short(pair.a)} and {short(pair.b)} have the same score on all {pair.d.size:,} "
        f"{pair.design.unit}s: is it the same model, or the same file twice?",
    )
    sentence = f"{short(pair.a)} and {short(pair.b)} answer alike on every {pair.design.unit}."
    return comparison(pair, ask, method, why, answer, [same], sentence)


def comparison(
    pair: Pair, ask: Ask, method: str, why: str, answer: Answer, found: list[Check], sentence: str = ""
) -> Comparison:
    """Everything that is known about a pair, with the verdict; a sentence of its own if it needs one."""
    verdict = decide(pair.a, pair.b, answer.p, ask)
    if sentence:
        verdict = replace(verdict, sentence=sentence)
    elif verdict.name == "equivalent" and answer.rope.source.endswith("sd") and ask.rope.kind == "auto":
        found = [*found, _by_default(answer.rope, answer.classical)]
    return Comparison(
        a=pair.a,
        b=pair.b,
        task=pair.task,
        method=method,
        why=why,
        n=int(pair.d.size),
        unit=pair.design.unit,
        metric=pair.metric,
        evidence=answer.evidence,
        posterior=answer.posterior,
        estimate=answer.estimate,
        rope=answer.rope,
        verdict=verdict,
        effect=answer.effect,
        classical=answer.classical,
        checks=found,
        warnings=[f"{c.name}: {c.text}" for c in found if not c.ok],
    )


def _by_default(rope: Rope, classical: list[nhst.TestResult]) -> Check:
    """A default decided that a difference is too small to matter: whoever reads it should know."""
    p = f" (the classical test has p = {classical[0].p_value:.2g})" if classical else ""
    return Check(
        name="default ROPE",
        ok=False,
        text=f"equivalent means here within {rope.in_scores}{p}; if less than that matters, say so with "
        "rope= (--rope)",
    )


# --- what the methods share ----------------------------------------------------------------------------


def decide(a: str, b: str, p: Probabilities, ask: Ask) -> Verdict:
    """The verdict by the rule that was asked for, with one plain sentence."""
    if ask.loss_matrix is not None:
        name, rule = by_loss(p, ask.loss_matrix), "lowest expected loss"
    else:
        name, rule = by_threshold(p, ask.threshold), f"threshold {ask.threshold:g}"
    return Verdict(
        name=name,
        better=p.better,
        equivalent=p.equivalent,
        worse=p.worse,
        rule=rule,
        sentence=_sentence(short(a), short(b), p, name),
    )


def _sentence(a: str, b: str, p: Probabilities, name: str) -> str:
    """One plain sentence, the better model first."""
    ahead, behind = (a, b) if p.better >= p.worse else (b, a)
    if name in ("better", "worse"):
        ahead, behind = (a, b) if name == "better" else (b, a)
        return f"{ahead} is better than {behind}."
    if name == "equivalent":
        return f"{a} and {b} are practically equivalent."
    if max(p.better, p.worse) >= _PROBABLY:
        return f"{ahead} is probably better than {behind}, but the data cannot settle it yet."
    if p.equivalent >= _PROBABLY:
        return f"{a} and {b} are probably equivalent, but the data cannot settle it yet."
    return f"The data cannot tell yet whether {a} or {b} is better, or neither."


def estimate(name: str, posterior: Posterior) -> Estimate:
    low, high = posterior.hdi(0.95)
    return Estimate(name=name, mean=posterior.mean, low=low, high=high)


def share(request: RopeRequest) -> tuple[float, float]:
    return (request.low, request.high) if request.kind == "sd" else (-_AUTO_SHARE, _AUTO_SHARE)


def _rope(pair: Pair, request: RopeRequest) -> Rope:
    """A ROPE on the advantage: as given, one point of a hundred, or a share of a standard deviation."""
    if request.kind == "score":
        return in_scores(request.low, request.high, "given")
    if request.kind == "auto" and pair.points:
        return in_scores(-pair.points, pair.points, "one point of a hundred")
    return share_of_sd(pair.sums.sd, *share(request))


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
    return [nhst.paired_t(sums), nhst.wilcoxon(pair.d)]


def _robust_beside(pair: Pair, rope: Rope, p: Probabilities, ask: Ask) -> Check:
    """Heavy tails: does the robust t give another verdict?"""
    values, counts = np.unique(pair.d, return_counts=True)
    if 2 * counts.max() > pair.d.size:
        share = counts.max() / pair.d.size
        return Check(
            name="robust t beside it",
            ok=True,
            text=f"not run: {share:.0%} of the differences are exactly {values[np.argmax(counts)]:g}",
        )
    try:
        robust = probabilities(bayes.robust_t(pair.d), rope)
    except MethodError as problem:  # a second opinion that cannot be had takes nothing from the first
        return Check(name="robust t beside it", ok=True, text=f"not run: {problem.what}")
    because = "it looks at the centre of the differences, the t-test at their mean"
    return second_opinion("robust t beside it", pair, p, robust, ask, because)


def second_opinion(
    name: str,
    pair: Pair,
    p: Probabilities,
    other: Probabilities,
    ask: Ask,
    because: str,
    *,
    alarming: bool = True,
) -> Check:
    """What another method says, and if the verdict would change, why the two may differ."""
    before, after = decide(pair.a, pair.b, p, ask).name, decide(pair.a, pair.b, other, ask).name
    numbers = {"better": other.better, "equivalent": other.equivalent, "worse": other.worse}
    changes = f"the verdict would be {after} instead of {before} ({because})"
    return Check(
        name=name,
        ok=before == after or not alarming,
        text=f"better / equivalent / worse {' / '.join(f'{v:.3f}' for v in numbers.values())}: "
        + ("the same verdict" if before == after else changes),
        numbers=numbers,
    )
