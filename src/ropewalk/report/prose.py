"""Report -> sentences to paste into a paper: methods, results, item 7 of the NeurIPS checklist."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from ropewalk.decide import SHARE, SeriesSummary
from ropewalk.errors import short
from ropewalk.methods import MethodText, method_of
from ropewalk.methods.joint_models import JOINT_MODELS
from ropewalk.outcomes import Outcomes
from ropewalk.questions import ASKS, SETTINGS
from ropewalk.report.references import cited
from ropewalk.results.comparison import Comparison
from ropewalk.results.evidence import OverTasks, Seeds, WholeSet
from ropewalk.results.formatting import (
    by_more_than,
    counted,
    effect_text,
    estimate_name,
    in_favor,
    interval,
    p_text,
    rope_source,
    score,
    series,
    share,
    with_interval,
)
from ropewalk.results.headline import headline
from ropewalk.results.sentences import claim
from ropewalk.version import VERSION

if TYPE_CHECKING:
    from ropewalk.decide import Rope
    from ropewalk.nhst import TestResult
    from ropewalk.results.report import Report

Sentence: TypeAlias = tuple[str, tuple[str, ...]]  # text without the full stop, and the keys of its sources

_FEW = 15  # more pairs than this are counted instead of listed


def methods_paragraph(report: Report) -> str:
    """Return the question, test with prior, ROPE with reason, rule and software, with citations."""
    return text_of(methods(report))


def results_sentence(report: Report) -> str:
    """Scores, effect with interval, ROPE with its reason, probabilities, verdict, classical tests."""
    return text_of(results(report))


def text_of(sentences: tuple[Sentence, ...]) -> str:
    """Return the sentences with authors and years in parentheses."""
    return " ".join(f"{s} ({cited(keys)})." if keys else f"{s}." for s, keys in sentences)


def sources(report: Report) -> list[str]:
    """Return the keys of all sources of the methods paragraph."""
    return [key for _, keys in methods(report) for key in keys]


# --- methods -------------------------------------------------------------------------------------------


def methods(report: Report) -> tuple[Sentence, ...]:
    """Return the sentences of the methods paragraph."""
    answers = report.overall or report.comparisons
    said = [
        _question(report),
        *_clusters(answers),
        *_dropped(report),
        *_tests(answers, "The advantage of one model over another"),
    ]
    if report.overall and report.comparisons:
        said += _tests(report.comparisons, "On each individual task it")
    said += [_rope(report, answers), _rule(answers)]
    if len(answers) > 1:
        said += _together(report, answers)
    said += _classical(report, answers)
    effects = dict.fromkeys(c.effect.name for c in answers)
    said.append((f"The effect size is {series(list(effects))}", ("cohen1988",)))
    said.append((f"All analyses used ropewalk {VERSION}, seed {report.seed}", ("ropewalk",)))
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
    if isinstance(e, Seeds):
        what += f", with {_runs(e)}" if len(answers) == 1 else ", with several training runs of each model"
    asked = SETTINGS[report.question] if report.asks is None else ASKS[report.asks].asks
    return (
        f"We ask {asked}, and compare {models} by "
        f"{short(report.metric)} ({way} is better) on the same {what}",
        (),
    )


def _dropped(report: Report) -> list[Sentence]:
    reasons = [f"{counted(d.units, report.unit)} ({d.reason})" for d in report.audit.dropped]
    return [(f"We excluded {series(reasons)}", ())] if reasons else []


def _clusters(answers: list[Comparison]) -> list[Sentence]:
    n = max(
        (c.n for c in answers if c.unit == "cluster" and not isinstance(c.dependence, SeriesSummary)),
        default=0,
    )
    return [(f"The rows form {n:,} clusters, which are the units of the analysis", ())] if n else []


def _tests(answers: list[Comparison], subject: str) -> list[Sentence]:
    """Return a sentence for each method with its name and model."""
    said: list[Sentence] = []
    if any(c.is_identical for c in answers):
        what = (
            "For models with identical scores, the proportions of units on which one model is ahead have a "
            "uniform prior"
        )
        said.append((what, ()))
    for text in texts_of(answers):
        what = f"{subject} was estimated with {text.name}, in which {text.prior}"
        what += f"; the posterior was computed {text.computed}"
        said.append((what, text.sources))
    return said


def texts_of(answers: list[Comparison]) -> list[MethodText]:
    """Return descriptions of the methods used, each for its first comparison."""
    first = {_kind(c): c for c in reversed(answers) if not c.is_identical}
    return [method_of(c).describe(c) for c in first.values()]


def _kind(c: Comparison) -> tuple[str, str]:
    return c.method, c.rope.scale


def _rope(report: Report, answers: list[Comparison]) -> Sentence:
    """Return the sentences on the ROPE and its reason."""
    used = [c for c in answers if c.rope.is_used]
    if not used:
        return "This test does not use a region of practical equivalence (ROPE)", ()
    c = used[0]
    if all(k.rope.is_point for k in used):
        return "No region of practical equivalence (ROPE) was set, so models cannot be called equivalent", ()
    where = f" (phi from {c.rope.low:.3g} to {c.rope.high:.3g})" if c.rope.scale == "phi" else ""
    size = f"{c.rope.in_scores}{where}" + (f" in {short(report.metric)}" if c.rope.scale == "score" else "")
    same = len({k.rope.in_scores for k in used}) == 1
    each = "" if same else " for the first pair (it differs from pair to pair)"
    why, keys = _why(c.rope)
    return (
        f"Differences within a region of practical equivalence (ROPE) of {size}{each} count as equivalent; "
        f"{why}",
        ("kruschke2018", *keys),
    )


def _why(rope: Rope) -> Sentence:
    if rope.origin == "given":
        return "we set this width", ()
    if rope.origin == "point":
        return f"this is {rope.source}, the default of ropewalk", (
            "benavoli2017",
        ) if rope.scale == "score" else ()
    if rope.share is None:
        return f"this is {rope.source}", ()
    low, high = rope.share
    set_by = "" if rope.is_default else ", a width that we set"
    if (low, high) == (-SHARE, SHARE):
        tenth = "this is a tenth of a standard deviation, half of a small effect"
        return f"{tenth}{set_by}", ("williams2026",)
    width = f"{high:g}" if low == -high else f"{low:g} to {high:g}"
    return f"this is {width} standard deviations{set_by}", ()


def _rule(answers: list[Comparison]) -> Sentence:
    rule = answers[0].verdict.decided_by
    if rule.least is not None:
        return (
            "A verdict (better, equivalent or worse) requires a posterior probability of at least "
            f"{rule.least:.15g}; otherwise the comparison is undecided",
            (),
        )
    return f"The verdict is the decision with the {rule}", ("benavoli2017",)


def _together(report: Report, answers: list[Comparison]) -> list[Sentence]:
    said: list[Sentence] = []
    if report.board is not None:
        model = JOINT_MODELS[report.board.posterior.model]
        said.append((f"All models were compared jointly with {model.name}", model.sources))
    said.append(
        (
            f"Across all {len(answers):,} pairs we control the Bayesian false discovery rate and correct "
            "p-values with Holm's method",
            ("newton2004", "holm1979"),
        )
    )
    return said


def _classical(report: Report, answers: list[Comparison]) -> list[Sentence]:
    """Return the sentence on the classical tests, without the model confidence set."""
    every = [*(t for c in answers for t in c.classical), *report.classical]
    sets = [t for t in every if hasattr(t, "included")]
    tests = {t.family: t.sources for t in every if not hasattr(t, "included")}
    said: list[Sentence] = []
    if tests:
        keys = tuple(dict.fromkeys(key for found in tests.values() for key in found))
        what = f"{series(list(tests))} test" + ("s" if len(tests) > 1 else "")
        said.append((f"For comparison we report p-values of the {what}", keys))
    if report.mean_ranks is not None:
        prior = "whose Dirichlet-process prior makes every order of the models equally likely"
        said.append(
            (
                f"Mean ranks over the tasks were compared with the Bayesian Friedman test, {prior}",
                ("benavoli2015",),
            )
        )
    if sets:
        said.append((f"We also computed the {sets[0].family}", sets[0].sources))
    return said


# --- results -------------------------------------------------------------------------------------------


def results(report: Report) -> tuple[Sentence, ...]:
    """Return the sentences of the results paragraph."""
    answers = report.overall or report.comparisons
    said = _one(report, answers[0]) if len(answers) == 1 else _many(report, answers)
    return tuple((text, ()) for text in said)


def _one(report: Report, c: Comparison) -> list[str]:
    a, b, e, v = short(c.a), short(c.b), c.evidence, c.verdict
    mean = "" if isinstance(e, Outcomes | WholeSet) else "mean "
    scores = (
        f"{_where(report, c)}, the {mean}{short(report.metric)} was {score(e.mean_a)} for {a} and "
        f"{score(e.mean_b)} for {b}"
    )
    alike = [v.sentence.removesuffix(".")] if c.is_identical else []
    mean_, ahead, low, high = in_favor(c)
    middle, ends = with_interval(mean_, low, high)
    estimate = (
        f"The estimated {estimate_name(c)} is {middle}{ahead} (posterior mean; {c.estimate.level:.0%} "
        f"highest-density interval {ends})"
    )
    least = v.decided_by.least
    about = method_of(c).describe(c).about or ("" if c.asks is None else ASKS[c.asks].about)
    equal = (
        "" if c.rope.is_point else f"{_words(v.equivalent, least)} that the two are practically equivalent, "
    )
    chances = (
        f"The posterior probability is {_words(v.better, least)} that {about}{a} is better than {b}"
        f"{by_more_than(c)}, {equal}and {_words(v.worse, least)} that {b} is better{by_more_than(c)}"
    )
    return [scores, *alike, estimate, _with_rope(report, c), chances, _decision(c), _size(c)]


def _with_rope(report: Report, c: Comparison) -> str:
    """Return the ROPE of the results and its reason, so that the paragraph can be read alone."""
    if not c.rope.is_used or c.rope.is_point:
        return "No region of practical equivalence (ROPE) was used"
    unit = f" in {short(report.metric)}" if c.rope.scale == "score" else ""
    why = rope_source(c.rope, by="our choice", default="{}, the default of ropewalk")
    return f"The region of practical equivalence (ROPE) is {c.rope.in_scores}{unit} ({why})"


def _where(report: Report, c: Comparison) -> str:
    """What was compared: folds with their design, rows with their clusters, examples with their runs."""
    if c.unit == "fold":
        return f"Over {counted(c.n, c.unit)} of {report.design}"
    if c.unit == "cluster":
        return f"On {counted(report.audit.paired, report.unit)} in {counted(c.n, c.unit)}"
    if not isinstance(c.evidence, Seeds):
        return f"{'Over' if c.unit == 'seed' else 'On'} {counted(c.n, c.unit)}"
    return f"On {counted(c.evidence.d.size, 'example')} with {_runs(c.evidence)}"


def _runs(e: Seeds) -> str:
    a, b = e.fitted.seeds
    if a == b == 1:
        return "one training run of each model"
    return f"{a} training runs of each model" if a == b else f"{a} and {b} training runs"


def _by(c: Comparison) -> str:
    rule = c.verdict.decided_by
    return f"By the {rule}" if rule.least is None else f"At the threshold of {rule.least:.15g}"


def _decision(c: Comparison) -> str:
    p, least = c.verdict.probabilities, c.verdict.decided_by.least
    if c.verdict.name == "undecided" and least is not None and max(p.better, p.equivalent, p.worse) < least:
        return f"No probability reaches the threshold of {least:.15g}, so the comparison is undecided"
    return f"{_by(c)}, {claim(short(c.a), short(c.b), c.verdict.name)}"


def _words(p: float, least: float | None = None) -> str:
    """A probability inside a sentence.

    >>> _words(0.5), _words(0.999), _words(0.001)
    ('0.50', 'more than 0.99', 'less than 0.01')
    """
    return share(p, least).replace("<", "less than ").replace(">", "more than ")


def _size(c: Comparison) -> str:
    effect = f"The effect size is {effect_text(c)}"
    if not c.classical:
        return effect
    return f"{effect}; for comparison, {series([_p_of(t) for t in c.classical])}"


def _p_of(test: TestResult) -> str:
    p = p_text(test.p_value)
    exact = "exact " if test.exact else ""
    return f"p {p if p.startswith('<') else f'= {p}'} ({exact}{test.family} test)"


def _many(report: Report, answers: list[Comparison]) -> list[str]:
    said = [headline(report).removesuffix(".")]
    best = max(report.models, key=lambda m: m.p_best or 0.0)
    if best.p_best is not None:
        said.append(f"The probability that {short(best.name)} is the best model is {_words(best.p_best)}")
    said += _means(report)
    said.append(_with_rope(report, answers[0]))
    decided = [c for c in answers if c.verdict.name != "undecided"]
    if not decided:
        return [*said, f"{_by(answers[0])}, none of the {len(answers):,} pairs is decided"]
    are = "is" if len(decided) == 1 else "are"
    count = f"{_by(answers[0])}, {len(decided):,} of the {len(answers):,} pairs {are} decided"
    sized = all(c.estimate.kind == "advantage" for c in decided)
    listed = "; ".join(_decided(c, sized=sized, named=i == 0) for i, c in enumerate(decided[:_FEW]))
    more = f"; and {len(decided) - _FEW:,} more" if len(decided) > _FEW else ""
    said.append(f"{count}: {listed}{more}")
    return said


def _means(report: Report) -> list[str]:
    """Return the mean of each model with its interval, the best first."""
    models = [m for m in report.models[:_FEW] if m.low == m.low]
    if not models:
        return []
    each = [f"{score(m.mean)} ({interval(m.low, m.high)}) for {short(m.name)}" for m in models]
    return [f"The mean {short(report.metric)} (95% interval) was {series(each)}"]


def _decided(c: Comparison, *, sized: bool, named: bool) -> str:
    """A decided pair with its difference, interval and probability, which the first pair names in full."""
    p = f"probability {_words(getattr(c.verdict, c.verdict.name), c.verdict.decided_by.least)}"
    said = claim(short(c.a), short(c.b), c.verdict.name)
    if not sized:
        return f"{said} ({p})"
    mean, ahead, low, high = in_favor(c)
    whose = ahead if c.verdict.name == "equivalent" else ""
    middle, ends = with_interval(mean, low, high)
    difference = "posterior mean of the difference " if named else ""
    level = f"{c.estimate.level:.0%} highest-density interval " if named else ""
    return f"{said} ({difference}{middle}{whose}, {level}{ends}, {p})"


# --- item 7 of the NeurIPS checklist -------------------------------------------------------------------


def neurips_7(report: Report) -> tuple[Sentence, ...]:
    """Item 7, experiment statistical significance; the author fills in where the intervals are reported."""
    answers = report.overall or report.comparisons
    parts = texts_of(answers)
    varies = series([text.varies for text in parts] or ["nothing"])
    names = series([text.name for text in parts] or ["no test"])
    computed = series(list(dict.fromkeys(text.computed for text in parts)) or ["at once"])
    retrained = any(method_of(c).varies_training for c in answers if not c.is_identical)
    failed = dict.fromkeys(k.name for c in answers for k in c.checks if not k.ok)
    passed = [k for c in answers for k in c.checks if k.ok and k.name not in failed]
    looked = dict.fromkeys(
        k.name for k in passed if k.kind not in ("stated", "second opinion", "replication")
    )
    others = dict.fromkeys(
        k.name.removesuffix(" for comparison") for k in passed if k.kind == "second opinion"
    )
    fixed = "; the trained models are treated as fixed" if report.question == "Q1" and not retrained else ""
    said = [
        "Answer: [Yes]. Justification: the models are compared in pairs on the same "
        f"{report.unit}s, and [table or figure] gives the posterior of each difference with its 95% "
        "highest-density interval and the probabilities of better, practically equivalent and worse",
        f"The intervals capture {varies}{fixed}",
        f"They come from {names} and were computed {computed}",
    ]
    if looked:
        said.append(f"Assumptions checked: {'; '.join(looked)}")
    if others:
        said.append(f"Alternative analyses reported: {'; '.join(others)}")
    if failed:
        said.append(f"To be discussed in the paper: {'; '.join(failed)}")
    return tuple((text, ()) for text in said)
