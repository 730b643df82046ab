"""One pair of models on one task: pick the method, run it, check it, decide."""

from __future__ import annotations

from collections.abc import Callable

from ropewalk.answer import checks, scores
from ropewalk.answer.pair import Answer, Ask, Pair, comparison, estimate
from ropewalk.decide import Effect, in_scores
from ropewalk.errors import MethodError, OptionError, did_you_mean, short
from ropewalk.posterior import Point, Probabilities
from ropewalk.report.comparison import Check, Comparison, Outcomes

METHODS: dict[str, Callable[[Pair, Ask], Answer]] = {
    "mcnemar": scores.mcnemar,
    "t": scores.t,
    "correlated_t": scores.t,
    "robust_t": scores.robust_t,
    "sign": scores.sign,
    "signed_rank": scores.signed_rank,
}


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
