"""Report -> sentences to paste into a paper: methods, results, item 7 of the NeurIPS checklist."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from ropewalk.errors import short
from ropewalk.posterior import Point, Student
from ropewalk.report.comparison import Comparison, Differences, OverTasks
from ropewalk.report.compose import headline
from ropewalk.report.references import OF_JOINT, OF_METHOD, OF_TEST, cited, method_of, plain_name
from ropewalk.report.words import by_more_than, counted, p_text, score, series, share
from ropewalk.version import VERSION

if TYPE_CHECKING:
    from ropewalk.report.report import Report

Sentence: TypeAlias = tuple[str, tuple[str, ...]]  # without its full stop; the keys of its sources

_FEW = 15  # more pairs than this are counted, not listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """What is said of a method: its name, its model with the prior, how it is computed.

    `about` says what the three probabilities are about, where that is more than the advantage itself;
    `varies` what the error bars are made of.
    """

    name: str
    prior: str
    computed: str = "in closed form"
    about: str = ""
    varies: str = "the choice of the {unit}s"


_QUADRATURE = "by numerical integration, without sampling"
_FLAT = "a prior flat in the mean and in the logarithm of the standard deviation"
_LIKELIEST = " (the probability that this is the likeliest outcome)"

METHODS: dict[str, Words] = {
    "mcnemar": Words(
        name="the Bayesian McNemar test",
        prior="phi, the share of the first model's mistakes among the {unit}s on which the two disagree, has "
        "a Beta(1, 1) prior",
    ),
    "accuracy_difference": Words(
        name="the Bayesian McNemar test on the difference in {metric}",
        prior="the four outcomes of a pair (each model right or wrong) have a Dirichlet(1, 1, 1, 1) prior",
        computed=_QUADRATURE,
    ),
    "t": Words(name="the Bayesian t-test", prior=f"the differences are taken as normal, with {_FLAT}"),
    "correlated_t": Words(
        name="the Bayesian correlated t-test",
        prior=f"the differences are taken as normal{{rho}}, with {_FLAT}",
        varies="the choice of the {unit}s, with what they share allowed for",
    ),
    "robust_t": Words(
        name="the robust Bayesian t-test",
        prior="the differences follow a Student distribution, with a prior flat in its centre and in the "
        "logarithm of its scale, and Gamma(2, 0.1) on its degrees of freedom less one",
        computed=_QUADRATURE,
    ),
    "sign": Words(
        name="the Bayesian sign test",
        prior="the chances of better, equivalent and worse have a Dirichlet prior worth one {unit} in the "
        "ROPE",
        computed=_QUADRATURE,
        about=_LIKELIEST,
    ),
    "signed_rank": Words(
        name="the Bayesian signed-rank test",
        prior="the differences have a Dirichlet-process prior of strength 0.5 at no difference",
        computed="by Monte Carlo (150,000 draws)",
        about=_LIKELIEST,
    ),
    "bootstrap": Words(
        name="the Bayesian bootstrap",
        prior="the {unit}s have Dirichlet(1, ..., 1) weights, the same for both models, and the scores no "
        "parametric model",
        computed="by Monte Carlo (4,000 draws)",
    ),
    "crossed": Words(
        name="crossed random effects of training runs and examples",
        prior="all effects are taken as normal, with a prior flat in the mean and in the logarithms of the "
        "expected mean squares",
        computed=_QUADRATURE,
        about=" over other training runs and examples",
        varies="the training runs and the choice of the examples",
    ),
    "ess": Words(
        name="the Bayesian t-test on the effective sample size",
        prior=f"the differences are taken as normal and autocorrelated, with {_FLAT}",
    ),
    "hierarchical_t": Words(
        name="the hierarchical Bayesian t-test",
        prior="the differences within a task are taken as normal{rho} and the tasks' means as a Student "
        "sample, with priors flat in the mean over tasks and in all standard deviations, and Gamma(a, b) on "
        "the degrees of freedom less one, a uniform on (0.5, 5) and b on (0.05, 0.15)",
        computed=_QUADRATURE,
        about=" on a new task" + _LIKELIEST,
        varies="the choice of the tasks and of the units within them",
    ),
    "hierarchical_mcnemar": Words(
        name="the hierarchical Bayesian McNemar test",
        prior="phi, the share of the first model's mistakes among the examples on which the two disagree, has "
        "a Beta(a, b) distribution over the tasks, with a prior proportional to (a + b)^(-5/2)",
        computed=_QUADRATURE,
        about=" on a new task",
        varies="the choice of the tasks and of the examples within them",
    ),
    "poisson_binomial": Words(
        name="the Poisson-binomial test",
        prior="the share of all tasks of this kind on which the first model is better has a Beta(1, 1) prior, "
        "and each task enters by its own probability that the first model is better",
        about=" on more than half of all tasks of this kind",
        varies="the choice of the tasks and of the units within them",
    ),
    "joint_tasks": Words(
        name="one joint model of all models over the tasks",
        prior="task effects and the models' deviations on a task are taken as normal, with a prior flat in "
        "the tasks' levels and of the inverse-variance kind on the spread",
        computed="by independent draws after numerical integration over the variances",
        about=" on average over tasks",
        varies="the choice of the tasks and of the units within them",
    ),
}

_QUESTIONS = {
    "Q1": "which of these trained models predicts better on this task",
    "Q2": "which learning algorithm is better on this task",
    "Q3": "which model is better over tasks of this kind",
}
_JOINT = {
    "unstructured": "a multivariate Student posterior of all means with an unstructured covariance",
    "pooled": "a joint posterior in which the models' means are partially pooled",
    "tasks": "a joint normal model with random model-by-task effects",
    "tasks, pooled": "a joint normal model with random model-by-task effects and partially pooled means",
    "Plackett-Luce": "a Plackett-Luce model of the ranks with Gamma(1, 1) worths",
}


def methods_paragraph(report: Report) -> str:
    """The question, the test with its prior, the ROPE and why, the rule, the software, with references."""
    return text_of(methods(report))


def results_sentence(report: Report) -> str:
    """What was found: scores, probabilities, verdict, effect size, the classical tests."""
    return text_of(results(report))


def neurips_checklist_7(report: Report) -> str:
    """The answer to item 7 of the NeurIPS paper checklist: error bars, and what they are made of."""
    return text_of(neurips_7(report))


def text_of(sentences: tuple[Sentence, ...]) -> str:
    """The sentences with authors and years in brackets."""
    return " ".join(f"{s} ({cited(keys)})." if keys else f"{s}." for s, keys in sentences)


def sources(report: Report) -> list[str]:
    """The keys of everything that the methods paragraph cites."""
    return [key for _, keys in methods(report) for key in keys]


# --- methods -------------------------------------------------------------------------------------------


def methods(report: Report) -> tuple[Sentence, ...]:
    """The methods paragraph, sentence by sentence."""
    answers = report.overall or report.comparisons
    said = [_question(report), *_dropped(report), *_tests(answers, "The advantage of one model over another")]
    if report.overall and report.comparisons:
        said += _tests(report.comparisons, "On each task by itself it")
    said += [_rope(report, answers), _rule(answers)]
    if len(answers) > 1:
        said += _together(report, answers)
    tests = dict.fromkeys(plain_name(t.name) for t in _classical(report))
    if tests:
        names = series([f"the {name}" for name in tests])
        kind = "result" if set(tests) == {"model confidence set"} else "p-value"
        keys = tuple(dict.fromkeys(key for name in tests for key in OF_TEST[name]))
        said.append((f"Beside it stand classical {kind}s: {names}", keys))
    effects = dict.fromkeys(c.effect.name for c in answers)
    said.append((f"The effect size is {series(list(effects))}", ("cohen1988",)))
    said.append((f"All this was computed with ropewalk {VERSION} (seed {report.seed})", ("ropewalk",)))
    return tuple(said)


def _question(report: Report) -> Sentence:
    tasks = len({c.task for c in report.comparisons})
    on = f" on {tasks:,} tasks" if tasks > 1 else ""
    drawn = f" of {report.design}" if report.unit == "fold" else ""
    way = "higher" if report.higher_is_better else "lower"
    what = f"{counted(report.audit.paired, report.unit)}{drawn}{on}"
    return (
        f"We ask {_QUESTIONS[report.question]}, and compare {len(report.models)} models by "
        f"{short(report.metric)} ({way} is better) on the same {what}, paired unit by unit",
        (),
    )


def _dropped(report: Report) -> list[Sentence]:
    reasons = [f"{d.units:,} ({d.reason})" for d in report.audit.dropped]
    return [(f"Left out were {series(reasons)}", ())] if reasons else []


def _tests(answers: list[Comparison], subject: str) -> list[Sentence]:
    """A sentence for each method: its name and the model behind it."""
    said = []
    for method, c in {method_of(c): c for c in reversed(answers)}.items():
        words = METHODS[method]
        fill = {"unit": c.unit, "metric": short(c.metric), "rho": _correlation(c)}
        text = f"{subject} was estimated by {words.name}: {words.prior}; computed {words.computed}"
        said.append((text.format(**fill), OF_METHOD[method]))
    return said


def _correlation(c: Comparison) -> str:
    """The correlation between units that the posterior was given, read off its scale (P4 eq. 6)."""
    p, e = c.posterior, c.evidence
    if not (isinstance(p, Student) and isinstance(e, Differences) and e.d.size > 1):
        return ""
    x = max(p.scale**2 / float(e.d.var(ddof=1)) - 1 / e.d.size, 0.0)  # rho/(1 - rho)
    return f" with correlation {x / (1 + x):.3g} between any two {c.unit}s" if x > 1e-9 else ""


def _rope(report: Report, answers: list[Comparison]) -> Sentence:
    """The ROPE, and why this one."""
    used = [c for c in answers if c.rope.source not in ("not needed", "not used by this test")]
    if not used:
        return "No region of practical equivalence (ROPE) enters this test", ()
    c = used[0]
    if all(k.rope.is_point for k in used):
        return "No region of practical equivalence (ROPE) was set, so equivalence cannot be found", ()
    where = f" (phi from {c.rope.low:.3g} to {c.rope.high:.3g})" if c.rope.scale == "phi" else ""
    size = f"{c.rope.in_scores}{where}" + ("" if c.rope.scale == "phi" else f" in {short(report.metric)}")
    each = "" if len({k.rope.in_scores for k in used}) == 1 else " for the first pair, and likewise for each"
    why, keys = _why(c.rope.source)
    return (
        f"Differences within a region of practical equivalence (ROPE) of {size}{each} count as equivalent: "
        f"{why}",
        ("kruschke2018", *keys),
    )


def _why(source: str) -> Sentence:
    known: dict[str, Sentence] = {
        "given": ("this width was set by us", ()),
        "one point of a hundred": ("one point of a hundred", ("benavoli2017",)),
        "0.1 sd": ("a tenth of a standard deviation, half of a small effect", ("williams2026",)),
    }
    return known.get(source, (source.replace(" sd", " standard deviations"), ()))


def _rule(answers: list[Comparison]) -> Sentence:
    rule = answers[0].verdict.rule
    if rule.startswith("threshold "):
        least = rule.removeprefix("threshold ")
        return (
            f"A verdict (better, equivalent or worse) needs a posterior probability of at least {least}; "
            "otherwise the comparison is undecided",
            (),
        )
    return f"The verdict is the decision with the {rule}", ("benavoli2017",)


def _together(report: Report, answers: list[Comparison]) -> list[Sentence]:
    said: list[Sentence] = []
    if report.board is not None and answers[0].method != "joint_tasks":
        model = report.board.posterior.model
        said.append((f"All models together were compared by {_JOINT[model]}", OF_JOINT[model]))
    said.append(
        (
            f"For all {len(answers):,} pairs together we hold the Bayesian false discovery rate, and the "
            "p-values by Holm's method",
            ("newton2004", "holm1979"),
        )
    )
    return said


def _classical(report: Report) -> list[object]:
    answers = report.overall or report.comparisons
    return [*(t for c in answers for t in c.classical), *report.classical]


# --- results -------------------------------------------------------------------------------------------


def results(report: Report) -> tuple[Sentence, ...]:
    """The results, sentence by sentence."""
    answers = report.overall or report.comparisons
    said = _one(report, answers[0]) if len(answers) == 1 else _many(report, answers)
    return tuple((text, ()) for text in said)


def _one(report: Report, c: Comparison) -> list[str]:
    a, b, e, v = short(c.a), short(c.b), c.evidence, c.verdict
    mean = "mean " if isinstance(e, OverTasks) else ""
    scores = (
        f"On {counted(c.n, c.unit)} the {mean}{short(report.metric)} was {score(e.mean_a)} for {a} and "
        f"{score(e.mean_b)} for {b}"
    )
    if isinstance(c.posterior, Point) and c.posterior.at == 0:
        return [scores, v.sentence.removesuffix(".")]
    name = c.estimate.name if c.estimate.name.startswith("phi") else f"the {c.estimate.name}"
    sign = f", positive where {a} is better" if c.rope.scale == "score" and "chance" not in name else ""
    estimate = (
        f"The posterior mean of {name} is {c.estimate.mean:.3g} ({c.estimate.level:.0%} highest-density "
        f"interval {c.estimate.low:.3g} to {c.estimate.high:.3g}{sign})"
    )
    beyond, about = by_more_than(c), METHODS[method_of(c)].about
    equal = "" if c.rope.is_point else f", that the two are practically equivalent {share(v.equivalent)}"
    chances = (
        f"With probability {share(v.better)} {a} is better than {b}{beyond}{about}{equal}, "
        f"that {b} is better {share(v.worse)}"
    )
    return [scores, estimate, chances, _verdict(c), *_beside(c)]


def _verdict(c: Comparison) -> str:
    a, b = short(c.a), short(c.b)
    found = {
        "better": f"{a} is better than {b}",
        "worse": f"{b} is better than {a}",
        "equivalent": f"{a} and {b} are practically equivalent",
        "undecided": "the comparison is undecided",
    }[c.verdict.name]
    by = "By the" if c.verdict.rule.startswith("lowest") else "At the"
    return f"{by} {c.verdict.rule} {found}"


def _beside(c: Comparison) -> list[str]:
    effect = f"The effect size is {c.effect.name} = {c.effect.value:.2g} ({c.effect.label})"
    tests = ", ".join(f"{t.name} p = {p_text(t.p_value)}" for t in c.classical)
    return [f"{effect}; {tests}" if tests else effect]


def _many(report: Report, answers: list[Comparison]) -> list[str]:
    said = [headline(report).removesuffix(".")]
    best = max(report.models, key=lambda m: m.p_best or 0.0)
    if best.p_best is not None:
        said.append(f"{short(best.name)} is the best of all with probability {share(best.p_best)}")
    decided = [c for c in answers if c.verdict.name != "undecided"]
    rule = answers[0].verdict.rule
    by = "By the" if rule.startswith("lowest") else "At the"
    listed = "; ".join(_decided(c) for c in decided[:_FEW])
    more = f"; and {len(decided) - _FEW:,} more" if len(decided) > _FEW else ""
    said.append(
        f"{by} {rule}, {len(decided):,} of {len(answers):,} pairs are decided"
        + (f": {listed}{more}" if decided else "")
    )
    return said


def _decided(c: Comparison) -> str:
    a, b, v = short(c.a), short(c.b), c.verdict
    if v.name == "equivalent":
        return f"{a} and {b} are practically equivalent ({share(v.equivalent)})"
    ahead, behind, p = (a, b, v.better) if v.name == "better" else (b, a, v.worse)
    return f"{ahead} is better than {behind} ({share(p)})"


# --- item 7 of the NeurIPS checklist -------------------------------------------------------------------


def neurips_7(report: Report) -> tuple[Sentence, ...]:
    """Item 7, experiment statistical significance; where the intervals stand is left to fill in."""
    answers = report.overall or report.comparisons
    kinds = {method_of(c): c for c in reversed(answers)}
    varies = series([METHODS[m].varies.format(unit=c.unit) for m, c in kinds.items()])
    computed = series(list(dict.fromkeys(METHODS[m].computed for m in kinds)))
    failed = dict.fromkeys(k.name for c in answers for k in c.checks if not k.ok)
    looked = dict.fromkeys(k.name for c in answers for k in c.checks if k.ok and k.name not in failed)
    fixed = (
        "; the trained models are taken as fixed"
        if report.question == "Q1" and "crossed" not in kinds
        else ""
    )
    said = [
        "Answer: [Yes]. Justification: the models are compared in pairs on the same "
        f"{report.unit}s, and [table or figure] gives the posterior of each difference with its 95 % "
        "highest-density interval and the probabilities of better, practically equivalent and worse",
        f"The intervals capture {varies}{fixed}",
        f"They are computed {computed} by {series([METHODS[m].name for m in kinds]).format(metric=report.metric)}",
    ]
    if looked:
        said.append(f"Checked: {', '.join(looked)}")
    if failed:
        said.append(f"To be discussed in the text: {', '.join(failed)}")
    return tuple((text, ()) for text in said)
