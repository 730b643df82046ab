"""One pair of models on one task: pick the method, run it, check it, decide."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ropewalk.data import is_rank
from ropewalk.decide import Effect, cluster_summary, in_scores, no_rope
from ropewalk.errors import MethodError, short
from ropewalk.methods import bootstrap, checks, crossed, dependent_units, single_units
from ropewalk.methods.pair import Answer, Ask, Pair, comparison, estimate
from ropewalk.posterior import Point, Probabilities
from ropewalk.results.comparison import Check, Comparison, Outcomes

METHODS: dict[str, Callable[[Pair, Ask], Answer]] = {
    "mcnemar": single_units.mcnemar,
    "t": single_units.t,
    "correlated_t": single_units.t,
    "robust_t": single_units.robust_t,
    "sign": single_units.sign,
    "signed_rank": single_units.signed_rank,
    "ess": dependent_units.ess,
    "bootstrap": lambda pair, ask: (bootstrap if pair.whole else dependent_units).bootstrap(pair, ask),
    "crossed": crossed.crossed,
}


def choose(pair: Pair, asked: str) -> tuple[str, str]:
    """The method for a pair and the reason for it, in words (the table in docs/architecture.md)."""
    if asked != "auto":
        if pair.rho > 0 and asked in ("t", "robust_t", "sign", "signed_rank"):
            raise MethodError(
                f"{asked} takes the folds for independent, and they share training data",
                hint="Use correlated_t; or, with one number per task, sign or signed_rank over the tasks.",
            )
        if pair.runs and asked != "crossed":
            raise MethodError(
                f"{asked} looks at one training run of each model, and there are several",
                hint="Use crossed; or compare one run of each, without the column of the seeds.",
            )
        if asked in ("ess", "bootstrap") and not pair.whole and not _has_rows(pair, asked):
            raise MethodError(
                f"{asked} needs every row, and only sums and counts of them are known",
                hint="Use t or robust_t; or have the rows read: in_place=False (--in-memory).",
            )
        if pair.whole and asked != "bootstrap":
            raise MethodError(
                f"{asked} needs a score of each example, and {pair.metric} is one of the whole test set",
                hint="Use bootstrap; or, instead of the metric, a loss of single examples: loss= (--loss).",
            )
        return asked, "asked for"
    unit = pair.design.unit
    if pair.whole:
        return "bootstrap", f"{pair.metric} is a metric of the whole test set: Bayesian bootstrap"
    if pair.runs:
        return "crossed", "several training runs on the same examples: crossed random effects"
    if pair.clusters:
        return "t", "one mean for each cluster: Bayesian t-test"
    if pair.rho > 0 and unit != "fold":
        return "correlated_t", f"correlation {pair.rho:.3g} between {unit}s: Bayesian correlated t-test"
    if isinstance(pair.evidence, Outcomes):
        return "mcnemar", "0/1 outcomes on one test set: Bayesian McNemar test"
    if unit == "fold":
        return "correlated_t", (
            f"{pair.design.describe()}: Bayesian correlated t-test, correlation {pair.rho:.3g}"
        )
    if unit == "task" and is_rank(pair.metric):
        return "sign", "ranks, whose differences have no size: Bayesian sign test over the tasks"
    if unit == "task":
        return "signed_rank", "one number per task: Bayesian signed-rank test over the tasks"
    what = "one score per training run" if unit == "seed" else "real-valued scores on one test set"
    return "t", f"{what}: Bayesian t-test"


def _has_rows(pair: Pair, method: str) -> bool:
    """Whether what is known of the rows suffices: their order for ess, their number by value or cluster."""
    if method == "ess":
        return pair.counts is None and (pair.d if pair.clusters is None else pair.clusters.d).size > 0
    return pair.clusters is not None or pair.d.size > 0


def compare_pair(pair: Pair, ask: Ask) -> Comparison:
    """Choose, run, check, decide."""
    method, why = choose(pair, ask.method)
    d = pair.d
    if pair.n < 2:
        raise MethodError(
            f"there is one {pair.unit} only for {short(pair.a)} and {short(pair.b)}"
            + (f' on task "{short(pair.task)}"' if pair.task else ""),
            hint="A comparison needs at least two of them with scores of both models.",
        )
    rows = pair.sums if pair.clusters is None else pair.clusters.rows
    if pair.alike and rows.mean == 0 and rows.m2 == 0:
        return _identical(pair, ask, method, why)
    answer = METHODS[method](pair, ask)
    found = list(answer.checks)
    if pair.clusters and pair.sums.m2 > 0:
        summary = cluster_summary(pair.clusters.each, None)
        found += dependent_units.beside(pair, ask, answer, _naive(pair, ask), summary)
        answer = replace(answer, dependence=summary)
    elif pair.ordered and pair.unit == "example" and d.size >= 30 and pair.sums.m2 > 0 and method != "ess":
        found.append(checks.independence(d))
    if isinstance(answer.posterior, Point):
        every = f"every difference is {answer.posterior.mean:.6g}"
        found.append(
            Check(
                name="nothing varies",
                kind="no variation",
                ok=False,
                text=f"{every}, so the certainty comes from the lack of variation, not from a model of it",
            )
        )
    return comparison(pair, ask, method, why, answer, found)


def _naive(pair: Pair, ask: Ask) -> Probabilities:
    """The three probabilities if every row of a cluster were a unit of its own."""
    assert pair.clusters is not None
    rows = replace(
        pair,
        d=pair.clusters.d,
        sums=pair.clusters.rows,
        evidence=pair.clusters.evidence,
        clusters=None,
        runs=None,
    )
    method, _ = choose(rows, "auto")
    return METHODS[method](rows, ask).p


def _identical(pair: Pair, ask: Ask, method: str, why: str) -> Comparison:
    """The same answers everywhere: a verdict of its own kind."""
    point = Point(at=0.0)
    answer = Answer(
        posterior=point,
        estimate=estimate("mean advantage", point),
        rope=in_scores(ask.rope.low, ask.rope.high, "given") if ask.rope.kind == "score" else no_rope(),
        p=Probabilities(better=0.0, equivalent=1.0, worse=0.0),
        effect=Effect(name="Cohen's d", value=0.0, label="negligible"),
        classical=[],
        checks=[],
        evidence=pair.evidence,
    )
    same = Check(
        name="same answers",
        kind="same answers",
        ok=False,
        text=f"{short(pair.a)} and {short(pair.b)} have the same score on all {pair.n:,} "
        f"{pair.unit}s: is it the same model, or the same file twice?",
    )
    sentence = f"{short(pair.a)} and {short(pair.b)} answer alike on every {pair.unit}."
    return comparison(pair, ask, method, why, answer, [same], sentence)
