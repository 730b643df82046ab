"""Report -> sentences to paste into a paper: methods, results, item 7 of the NeurIPS checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ropewalk.decide import SHARE, SeriesSummary
from ropewalk.errors import short
from ropewalk.methods import MethodText, method_of
from ropewalk.methods.joint_models import JOINT_MODELS
from ropewalk.report.references import cited
from ropewalk.results.asks import ASKS
from ropewalk.results.comparison import Comparison, OverTasks, Seeds
from ropewalk.results.formatting import by_more_than, counted, p_text, score, series, share
from ropewalk.results.headline import headline
from ropewalk.results.report import QUESTIONS
from ropewalk.results.sentences import claim
from ropewalk.version import VERSION

if TYPE_CHECKING:
    from ropewalk.decide import Rope
    from ropewalk.results.report import Report

Sentence: TypeAlias = tuple[str, tuple[str, ...]]  # without its full stop; the keys of its sources

_SET = "model confidence set"
_FEW = 15  # more pairs than this are counted, not listed


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
    said = [
        _question(report),
        *_clusters(answers),
        *_dropped(report),
        *_tests(answers, "The advantage of one model over another"),
    ]
    if report.overall and report.comparisons:
        said += _tests(report.comparisons, "On each task by itself it")
    said += [_rope(report, answers), _rule(answers)]
    if len(answers) > 1:
        said += _together(report, answers)
    said += _beside(report, answers)
    effects = dict.fromkeys(c.effect.name for c in answers)
    said.append((f"The effect size is {series(list(effects))}", ("cohen1988",)))
    said.append((f"All this was computed with ropewalk {VERSION}, seed {report.seed}", ("ropewalk",)))
    return tuple(said)


def _question(report: Report) -> Sentence:
    answers = report.overall or report.comparisons
    e, names = answers[0].evidence, {c.b for c in answers}
    tasks = len(e.names) if isinstance(e, OverTasks) and report.unit != "task" else 1
    on = f" on {tasks:,} tasks" if tasks > 1 else ""
    with_one = len(names) == 1 and len(report.models) > 2
    models = (
        f"{len(report.models) - 1} models with {short(answers[0].b)}"
        if with_one
        else (f"{len(report.models)} models")
    )
    drawn = f" of {report.design}" if report.unit == "fold" else ""
    way = "higher" if report.higher_is_better else "lower"
    what = f"{counted(report.audit.paired, report.unit)}{drawn}{on}"
    asked = QUESTIONS[report.question] if report.asks is None else ASKS[report.asks].asks
    return (
        f"We ask {asked}, and compare {models} by "
        f"{short(report.metric)} ({way} is better) on the same {what}, paired unit by unit",
        (),
    )


def _dropped(report: Report) -> list[Sentence]:
    reasons = [f"{d.units:,} ({d.reason})" for d in report.audit.dropped]
    return [(f"Left out were {series(reasons)}", ())] if reasons else []


def _clusters(answers: list[Comparison]) -> list[Sentence]:
    n = max(
        (c.n for c in answers if c.unit == "cluster" and not isinstance(c.dependence, SeriesSummary)),
        default=0,
    )
    return [(f"They come in {n:,} clusters, which are the units of the analysis", ())] if n else []


def _tests(answers: list[Comparison], subject: str) -> list[Sentence]:
    """A sentence for each method: its name and the model behind it."""
    said: list[Sentence] = []
    if any(c.is_identical for c in answers):
        what = (
            "Models with the same scores throughout get the posterior of the mean that so many equal scores "
            "leave: the shares of units on which one or the other is ahead have a uniform prior"
        )
        said.append((what, ()))
    for text in texts_of(answers):
        what = f"{subject} was estimated by {text.name}: {text.prior}; computed {text.computed}"
        said.append((what, text.sources))
    return said


def texts_of(answers: list[Comparison]) -> list[MethodText]:
    """What the methods that were run say of themselves, each of its first comparison."""
    first = {_kind(c): c for c in reversed(answers) if not c.is_identical}
    return [method_of(c).describe(c) for c in first.values()]


def _kind(c: Comparison) -> tuple[str, str]:
    return c.method, c.rope.scale


def _rope(report: Report, answers: list[Comparison]) -> Sentence:
    """The ROPE, and why this one."""
    used = [c for c in answers if c.rope.is_used]
    if not used:
        return "No region of practical equivalence (ROPE) enters this test", ()
    c = used[0]
    if all(k.rope.is_point for k in used):
        return "No region of practical equivalence (ROPE) was set, so equivalence cannot be found", ()
    where = f" (phi from {c.rope.low:.3g} to {c.rope.high:.3g})" if c.rope.scale == "phi" else ""
    size = f"{c.rope.in_scores}{where}" + (f" in {short(report.metric)}" if c.rope.scale == "score" else "")
    each = "" if len({k.rope.in_scores for k in used}) == 1 else " (the first pair; each has its own)"
    why, keys = _why(c.rope)
    return (
        f"Differences within a region of practical equivalence (ROPE) of {size}{each} count as equivalent: "
        f"{why}",
        ("kruschke2018", *keys),
    )


def _why(rope: Rope) -> Sentence:
    if rope.origin == "given":
        return "this width was set by us", ()
    if rope.origin == "point":
        return rope.source, ("benavoli2017",) if rope.scale == "score" else ()
    if rope.share is None:
        return rope.source, ()
    low, high = rope.share
    if (low, high) == (-SHARE, SHARE):
        return "a tenth of a standard deviation, half of a small effect", ("williams2026",)
    width = f"{high:g}" if low == -high else f"{low:g} to {high:g}"
    return f"{width} standard deviations", ()


def _rule(answers: list[Comparison]) -> Sentence:
    rule = answers[0].verdict.decided_by
    if rule.least is not None:
        return (
            "A verdict (better, equivalent or worse) needs a posterior probability of at least "
            f"{rule.least:.15g}; otherwise the comparison is undecided",
            (),
        )
    return f"The verdict is the decision with the {rule}", ("benavoli2017",)


def _together(report: Report, answers: list[Comparison]) -> list[Sentence]:
    said: list[Sentence] = []
    if report.board is not None:
        model = JOINT_MODELS[report.board.posterior.model]
        said.append((f"All models together were compared by {model.name}", model.sources))
    said.append(
        (
            f"For all {len(answers):,} pairs together we hold the Bayesian false discovery rate, and the "
            "p-values by Holm's method",
            ("newton2004", "holm1979"),
        )
    )
    return said


def _beside(report: Report, answers: list[Comparison]) -> list[Sentence]:
    """The classical tests; the model confidence set is not one of them."""
    every = [*(t for c in answers for t in c.classical), *report.classical]
    sets = [t for t in every if t.family == _SET]
    tests = {t.family: t.sources for t in every if t.family != _SET}
    said: list[Sentence] = []
    if tests:
        keys = tuple(dict.fromkeys(key for found in tests.values() for key in found))
        what = f"{series(list(tests))} test" + ("s" if len(tests) > 1 else "")
        said.append((f"Beside this we give the p-values of the {what}", keys))
    if report.mean_ranks is not None:
        prior = "a Dirichlet process that takes every order of the models as equally likely"
        said.append(
            (
                f"Mean ranks over the tasks were compared by the Bayesian Friedman test, {prior}",
                ("benavoli2015",),
            )
        )
    if sets:
        said.append((f"The {_SET} was computed as well", sets[0].sources))
    return said


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
        f"On {_units(c)} the {mean}{short(report.metric)} was {score(e.mean_a)} for {a} and "
        f"{score(e.mean_b)} for {b}"
    )
    alike = [v.sentence.removesuffix(".")] if c.is_identical else []
    kind = c.estimate.kind
    name = c.estimate.name if kind == "phi" else f"the {c.estimate.name}"
    sign = f", positive where {a} is better" if kind == "advantage" else ""
    estimate = (
        f"The posterior mean of {name} is {c.estimate.mean:.3g} ({c.estimate.level:.0%} highest-density "
        f"interval {c.estimate.low:.3g} to {c.estimate.high:.3g}{sign})"
    )
    least = v.decided_by.least
    about = method_of(c).describe(c).about or ("" if c.asks is None else ASKS[c.asks].about)
    equal = (
        "" if c.rope.is_point else f"that the two are practically equivalent {share(v.equivalent, least)}, "
    )
    better = f"{about}{a} is better than {b}{by_more_than(c)}"
    chances = (
        f"The posterior probability that {better} is {share(v.better, least)}, {equal}and that {b} is better "
        f"{share(v.worse, least)}"
    )
    return [scores, *alike, estimate, chances, f"{_by(c)} {claim(a, b, v.name)}", _size(c)]


def _units(c: Comparison) -> str:
    """What was compared; the n of crossed training runs is an effective one, so they are counted apart."""
    if not isinstance(c.evidence, Seeds):
        return counted(c.n, c.unit)
    a, b = c.evidence.fitted.seeds
    return f"{counted(c.evidence.d.size, 'example')} with {a} and {b} training runs"


def _by(c: Comparison) -> str:
    rule = c.verdict.decided_by
    return f"By the {rule}" if rule.least is None else f"At the threshold of {rule.least:.15g}"


def _size(c: Comparison) -> str:
    effect = f"The effect size is {c.effect.name} = {c.effect.value:.2g} ({c.effect.label})"
    tests = ", ".join(f"{t.name} p = {p_text(t.p_value)}" for t in c.classical)
    return f"{effect}; {tests}" if tests else effect


def _many(report: Report, answers: list[Comparison]) -> list[str]:
    said = [headline(report).removesuffix(".")]
    best = max(report.models, key=lambda m: m.p_best or 0.0)
    if best.p_best is not None:
        said.append(f"{short(best.name)} is the best of all with probability {share(best.p_best)}")
    decided = [c for c in answers if c.verdict.name != "undecided"]
    listed = "; ".join(_decided(c) for c in decided[:_FEW])
    more = f"; and {len(decided) - _FEW:,} more" if len(decided) > _FEW else ""
    said.append(
        f"{_by(answers[0])}, {len(decided):,} of {len(answers):,} pairs are decided"
        + (f": {listed}{more}" if decided else "")
    )
    return said


def _decided(c: Comparison) -> str:
    p = getattr(c.verdict, c.verdict.name)
    return f"{claim(short(c.a), short(c.b), c.verdict.name)} ({share(p, c.verdict.decided_by.least)})"


# --- item 7 of the NeurIPS checklist -------------------------------------------------------------------


def neurips_7(report: Report) -> tuple[Sentence, ...]:
    """Item 7, experiment statistical significance; where the intervals stand is left to fill in."""
    answers = report.overall or report.comparisons
    parts = texts_of(answers)
    varies = series([text.varies for text in parts] or ["nothing"])
    names = series([text.name for text in parts] or ["no test"])
    computed = series(list(dict.fromkeys(text.computed for text in parts)) or ["at once"])
    retrained = any(method_of(c).varies_training for c in answers if not c.is_identical)
    failed = dict.fromkeys(k.name for c in answers for k in c.checks if not k.ok)
    passed = [k for c in answers for k in c.checks if k.ok and k.name not in failed]
    looked = dict.fromkeys(k.name for k in passed if k.kind != "stated")
    fixed = "; the trained models are taken as fixed" if report.question == "Q1" and not retrained else ""
    said = [
        "Answer: [Yes]. Justification: the models are compared in pairs on the same "
        f"{report.unit}s, and [table or figure] gives the posterior of each difference with its 95 % "
        "highest-density interval and the probabilities of better, practically equivalent and worse",
        f"The intervals capture {varies}{fixed}",
        f"They come from {names}, computed {computed}",
    ]
    if looked:
        said.append(f"Checked: {'; '.join(looked)}")
    if failed:
        said.append(f"To be discussed in the text: {'; '.join(failed)}")
    return tuple((text, ()) for text in said)
