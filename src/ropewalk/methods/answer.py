"""The answer of a method about a pair, and the verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from ropewalk import nhst
from ropewalk.decide import (
    ClusterSummary,
    Effect,
    Rope,
    ScoreScale,
    SeriesSummary,
    Verdict,
    resolve_rope,
)
from ropewalk.errors import short
from ropewalk.methods.pair import Ask, Pair, TaskPairs
from ropewalk.posterior import Posterior, Probabilities, Regions
from ropewalk.results.comparison import Check, Comparison, Correlation, Estimate, EstimateKind
from ropewalk.results.evidence import Evidence
from ropewalk.results.formatting import three, winner_named
from ropewalk.results.sentences import pair_sentence
from ropewalk.sums import Sums

if TYPE_CHECKING:
    from ropewalk.questions import Asks


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Answer:
    """The answer of a method about a pair, before the verdict."""

    posterior: Posterior | Regions
    estimate: Estimate
    rope: Rope
    p: Probabilities
    effect: Effect
    classical: list[nhst.TestResult]
    checks: list[Check]
    evidence: Evidence
    correlation: Correlation | None = None
    dependence: ClusterSummary | SeriesSummary | None = None
    asks: Asks | None = None  # over tasks: the question answered by the probabilities


def comparison(
    pair: Pair, ask: Ask, method: str, why: str, answer: Answer, found: list[Check], sentence: str = ""
) -> Comparison:
    """Return the comparison of a pair with its verdict; `sentence` replaces the usual one if needed."""
    verdict = decide(pair.a, pair.b, answer.p, ask)
    if sentence:
        verdict = replace(verdict, sentence=sentence)
    elif verdict.name == "equivalent" and ask.rope.kind == "auto" and _default_decides(answer):
        found = [*found, _by_default(answer.rope, answer.classical)]
    return Comparison(
        a=pair.a,
        b=pair.b,
        task=pair.task,
        method=method,
        why=why,
        n=pair.n,
        unit=pair.unit,
        metric=pair.metric,
        evidence=answer.evidence,
        posterior=answer.posterior,
        estimate=answer.estimate,
        rope=answer.rope,
        verdict=verdict,
        effect=answer.effect,
        classical=answer.classical,
        checks=found,
        examples=pair.examples,
        correlation=answer.correlation,
        dependence=answer.dependence,
        was_asked=ask.method == method,
        prior_sd=ask.prior_sd,
        asks=answer.asks,
    )


def _default_decides(answer: Answer) -> bool:
    """Whether the default ROPE decides: a fraction of an sd always, a percentage point if p is small."""
    if answer.rope.origin == "sd":
        return True
    one_point = answer.rope.origin == "point"
    return one_point and bool(answer.classical) and answer.classical[0].p_value <= 0.05


def _by_default(rope: Rope, classical: list[nhst.TestResult]) -> Check:
    """Warn that a default ROPE decided that a difference is too small to matter."""
    p = f" (the classical test has p = {classical[0].p_value:.2g})" if classical else ""
    return Check(
        name="default ROPE",
        kind="default ROPE",
        ok=False,
        text=f"equivalent here means within {rope.in_scores}{p}; if smaller differences matter, set rope= "
        "(--rope)",
    )


def decide(a: str, b: str, p: Probabilities, ask: Ask) -> Verdict:
    """Return the verdict by the requested rule, with one plain sentence."""
    name = ask.rule.verdict(p)
    return Verdict(
        name=name,
        better=p.better,
        equivalent=p.equivalent,
        worse=p.worse,
        decided_by=ask.rule,
        sentence=pair_sentence(short(a), short(b), p, name, ask.rule.least),
    )


def rope_on_tasks(over: TaskPairs, ask: Ask) -> Rope:
    """Return the ROPE on the mean advantage; a standard deviation is the one within tasks."""
    first, sums = over.pairs[0], [p.sums for p in over.pairs]
    freedom = sum(s.n - 1 for s in sums)
    within = np.sqrt(sum(s.m2 for s in sums) / freedom) if freedom else Sums.of(over.means).sd
    scale = ScoreScale(metric=first.metric, sd=float(within), points=first.points)
    return resolve_rope(ask.rope, scale)


def estimate(name: str, posterior: Posterior, kind: EstimateKind = "advantage") -> Estimate:
    low, high = posterior.hdi(0.95)
    return Estimate(name=name, kind=kind, mean=posterior.mean, low=low, high=high)


def second_opinion(
    name: str,
    pair: Pair,
    p: Probabilities,
    other: Probabilities,
    ask: Ask,
    because: str,
    *,
    alarming: bool = True,
    error: float = 0.0,
) -> Check:
    """Check with the answer of another method and, if the verdict would change, why the two may differ."""
    before, after = decide(pair.a, pair.b, p, ask).name, decide(pair.a, pair.b, other, ask).name
    numbers = {"better": other.better, "equivalent": other.equivalent, "worse": other.worse}
    then, now = (winner_named(short(pair.a, 24), short(pair.b, 24), name) for name in (after, before))
    changes = f"the verdict would be {then} instead of {now} ({because})"
    return Check(
        name=name,
        kind="second opinion",
        ok=before == after or not alarming,
        text=three(pair.a, pair.b, other, ask.rule.least)
        + (f" (± {error:.3f}): " if error >= 5e-4 else ": ")
        + ("the same verdict" if before == after else changes),
        numbers=numbers,
    )


def not_run(name: str, why: str) -> Check:
    """Check for a second opinion that the data do not allow."""
    return Check(name=name, kind="second opinion", ok=True, text=f"not run: {why}")
