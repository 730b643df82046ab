"""The Bayesian t-tests on differences of independent units and of correlated units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, cast

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.assurance import Edges, Normal
from ropewalk.assurance.more_rows import MoreRows
from ropewalk.data import is_rank
from ropewalk.decide import (
    ClusterSummary,
    Note,
    Rope,
    RopeRequest,
    ScoreScale,
    cohens_d,
    priors,
    probabilities,
    resolve_rope,
)
from ropewalk.errors import MethodError
from ropewalk.methods import checks, task_opinion, unvaried
from ropewalk.methods.answer import Answer, estimate, not_run, second_opinion
from ropewalk.methods.futures import Directions, as_t, equal_answers, one_direction
from ropewalk.methods.method import FLAT, SCEPTIC, Method, MethodText, PriorAnswer, register
from ropewalk.methods.pair import Ask, Kind, Pair
from ropewalk.posterior import FewVaried, Posterior, Probabilities, Student, Unvaried
from ropewalk.questions import Asks
from ropewalk.results.comparison import Check, Comparison, Correlation
from ropewalk.results.evidence import Differences, OverTasks
from ropewalk.results.other_questions import Reading
from ropewalk.sums import LEAST_VARIED, Sums, tallied


def rope_of(pair: Pair, request: RopeRequest) -> Rope:
    """Return the ROPE on the advantage of a unit."""
    scale = ScoreScale(metric=pair.metric, sd=pair.sums.sd, points=pair.points, is_rank=is_rank(pair.metric))
    return resolve_rope(request, scale)


def classical(pair: Pair) -> list[nhst.TestResult]:
    """Return the classical tests for the same design; none if nothing varies."""
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


def student_priors(c: Comparison, posterior: Student) -> tuple[PriorAnswer, ...]:
    """Answers under a flat prior of the sd instead of its logarithm, and a sceptical prior of the mean."""
    used = PriorAnswer(
        name="flat",
        why="flat in the mean and in the logarithm of the standard deviation",
        p=c.verdict.probabilities,
    )
    found = [used]
    wider = priors.flat_in_sd(posterior)
    if wider is not None:
        why = "flat in the standard deviation (Gelman 2006, doi:10.1214/06-BA117A)"
        found.append(PriorAnswer(name="flat in sd", why=why, p=probabilities(wider, c.rope)))
    sceptical = probabilities(priors.sceptical_student(posterior), c.rope)
    tenth = f"conjugate, centered at no difference, with the weight of a tenth of the data {SCEPTIC}"
    return (*found, PriorAnswer(name="sceptical", why=tenth, p=sceptical))


class T(Method):
    """The Bayesian t-test on independent units."""

    name = "t"
    title = "Bayesian t-test"
    card = bayes.t
    independent = True
    default_for: ClassVar[Mapping[Kind, str]] = {
        "clusters": "Bayesian t-test on the cluster means",
        "seeds": "Bayesian t-test, because there is one score per training run",
        "examples": "Bayesian t-test, because the scores are real-valued",
        "tasks": "Bayesian t-test, because there is one number per task",
    }
    answers = ("average", "next")
    read_by_another = True

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        sums = pair.sums
        few = unvaried.few_varied(pair)
        posterior = few or bayes.t(sums, rho=pair.rho)
        new_task = pair.unit == "task" and ask.question == "next"
        if new_task:
            posterior = _predictive(posterior, sums.n)
        rope = rope_of(pair, ask.rope)
        p = probabilities(posterior, rope)
        found = [checks.enough(sums.n, 10, pair.unit + "s")]
        if few is not None:
            found.append(unvaried.few_vary(pair, few))
        elif sums.m2 > 0 and sums.n >= 8 and pair.d.size:  # of many models in place only the sums are known
            normal = checks.normality(pair.d, pair.counts)
            found.append(normal)
            if normal.numbers["heavy_tails"] and pair.rho == 0:
                found.append(_robust_beside(pair, rope, p, ask))
        rare = unvaried.rare(pair, ask, rope, p) if few is None and sums.m2 > 0 else None
        found += [rare] if rare is not None else []
        if sums.m2 > 0 and pair.rho > 0:
            found.append(checks.correlation(sums.n, pair.rho, ask.rule.threshold))
        if pair.unit == "task" and not new_task:
            found += task_opinion.opinion(pair, rope, p, ask)
        return Answer(
            posterior=posterior,
            estimate=estimate("advantage on a new task" if new_task else "mean advantage", posterior),
            rope=rope,
            p=p,
            effect=cohens_d(sums),
            classical=classical(pair),
            checks=found,
            evidence=pair.evidence,
            correlation=Correlation(unit=pair.unit, low=pair.rho, high=pair.rho) if pair.rho else None,
        )

    def describe(self, c: Comparison) -> MethodText:
        few = isinstance(c.posterior, FewVaried)
        return MethodText(
            name="the Bayesian bootstrap of the mean" if few else f"the {self.title}",
            prior=f"one {c.unit} at each end of the range and two more at the most frequent difference, "
            f"because fewer than {LEAST_VARIED} {c.unit}s differ from the rest"
            if few
            else f"the differences are assumed normal, with {FLAT}",
            sources=("rubin1981",) if few else ("benavoli2017",),
            varies=f"the sampling of the {c.unit}s",
        )

    def readings(self, c: Comparison) -> dict[Asks, Reading]:
        d = np.asarray(getattr(c.evidence, "d", ()), dtype=np.float64)
        if not d.size:
            return {}
        found: dict[Asks, Reading] = {}
        mean = bayes.t(Sums.of(d))
        for asks, one in (("average", mean), ("next", _predictive(mean, d.size))):
            if asks != c.asks and c.prior_sd is None:
                low, high = one.hdi(0.95)
                p = probabilities(one, c.rope)
                found[cast("Asks", asks)] = Reading(p=p, by=self.name, mean=one.mean, low=low, high=high)
        ranked = task_opinion.signed_rank(d, c.rope)
        found["likeliest"] = Reading(p=ranked.most_probable, by="signed_rank", error=ranked.error)
        return found

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        if isinstance(c.posterior, FewVaried):
            return _FEW_VARY
        if c.asks != "next":
            return student_priors(c, cast("Student", c.posterior))
        text = "no prior to vary: for priors ask about the mean (--question average)"
        return Note(about="prior", text=text)

    def at_once(self, c: Comparison) -> bool:
        return True

    def directions(self, c: Comparison) -> Directions:
        if c.asks == "next":
            note = "plans for more tasks are about the mean over tasks: use --question average"
            return Directions(designs=(), notes=(note,))
        if isinstance(c.posterior, Unvaried):
            return one_direction(c, equal_answers(c))
        design = _further_units(c)
        if c.unit != "cluster" or design is None or design.sums is None:
            return one_direction(c, design)
        return _further_rows(c, design, design.sums)


_FEW_VARY = Note(
    about="prior", text="no prior to vary: few units vary, and the answer rests on the range of the scores"
)


class CorrelatedT(T):
    """The Bayesian t-test on correlated units, such as folds that share training data."""

    name = "correlated_t"
    title = "Bayesian correlated t-test"
    independent = False
    default_for: ClassVar[Mapping[Kind, str]] = {
        "correlated": "Bayesian correlated t-test, because the {unit}s are correlated ({rho:.3g})",
        "folds": "Bayesian correlated t-test, because folds of {design} share training data (correlation "
        "{rho:.3g})",
    }

    def describe(self, c: Comparison) -> MethodText:
        between = f" with {c.correlation.text}" if c.correlation is not None else ""
        return MethodText(
            name=f"the {self.title}",
            prior=f"the differences are assumed normal{between}, with {FLAT}",
            sources=("corani2015", "benavoli2017", "nadeau2003"),
            varies=f"the sampling of the {c.unit}s, allowing for their correlation",
        )


def _predictive(mean: Posterior, n: int) -> Posterior:
    """Predictive distribution of the next unit: variance s² (1 + 1/n), while the mean has s²/n."""
    return replace(mean, scale=mean.scale * float(np.sqrt(n + 1))) if isinstance(mean, Student) else mean


def _further_units(c: Comparison) -> Normal | None:
    e = c.evidence
    if not isinstance(e, Differences | OverTasks):
        return None
    # Few varying, tallied, or summed differences are those of examples, which do not overlap.
    if isinstance(c.posterior, FewVaried) or e.d.size != c.n:
        return as_t(c)
    sums = Sums.of(e.d)
    extra = c.correlation.inflation if c.correlation is not None else 0.0
    return Normal(unit=c.unit, sums=sums, edges=Edges.of(c.rope, sums.sd), extra=extra)


def _further_rows(c: Comparison, design: Normal, sums: Sums) -> Directions:
    """Return the directions of more clusters, and of more rows per cluster."""
    found, clusters = c.dependence, one_direction(c, design)
    if not isinstance(found, ClusterSummary):
        return clusters
    rows, icc = found.n / found.clusters, min(max(found.icc, 0.0), 1.0)
    within = (1 - icc) * sums.sd**2 / (icc + (1 - icc) / rows)  # s² = s_b² + s_w²/m
    if within == 0:
        return clusters
    more_rows = MoreRows(sums=sums, rows=rows, within=within, edges=design.edges)
    note = f"each further row is added to all {design.n:,} clusters"
    return Directions(designs=(design, more_rows), quick=design, notes=(*clusters.notes, note))


def _robust_beside(pair: Pair, rope: Rope, p: Probabilities, ask: Ask) -> Check:
    """Second opinion for heavy tails: whether the robust t-test gives another verdict."""
    name = "robust t-test for comparison"
    values, counts = tallied(pair.d, pair.counts)
    if 2 * counts.max() > pair.n:
        share = counts.max() / pair.n
        return not_run(name, f"{share:.0%} of the differences are exactly {values[np.argmax(counts)]:g}")
    try:
        robust = probabilities(bayes.robust_t(pair.d, counts=pair.counts), rope)
    except MethodError as problem:  # a failed second opinion does not affect the answer
        return not_run(name, problem.what)
    because = "it estimates the center of the differences, the t-test their mean"
    return second_opinion(name, pair, p, robust, ask, because)


register(T())
register(CorrelatedT())
