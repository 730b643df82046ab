"""The hierarchical Bayesian accuracy test: right and wrong answers of two models on many tasks."""

from __future__ import annotations

from typing import cast

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.assurance.more_task_answers import MoreTaskAnswers
from ropewalk.bayes.predictive_checks import accuracy_checks
from ropewalk.decide import Note, Rope, cohens_d, priors, probabilities
from ropewalk.methods import checks, model_checks
from ropewalk.methods.futures import Directions
from ropewalk.methods.hierarchy import MORE_TASKS, HierarchicalMethod, evidence_of, hierarchy, integrated
from ropewalk.methods.method import CAUCHY, QUADRATURE, MethodText, PriorAnswer, Suitability, register
from ropewalk.methods.pair import Answer, Ask, TaskPairs, estimate, rope_on_tasks, second_opinion
from ropewalk.posterior import Probabilities
from ropewalk.results.comparison import Check, Comparison
from ropewalk.sums import Sums

_DIFFUSE = "p(a, b) proportional to (a + b)^(-5/2) (Gelman et al. 2013, sec. 5.3), of both populations"
_PROPER = "p(a + b) proportional to (1 + a + b)^-2 (Albert 2009, doi:10.1007/978-0-387-92298-0), of both"


class AccuracyHierarchy(HierarchicalMethod):
    """The rate of disagreement and its direction have Beta distributions over the tasks."""

    name = "hierarchical_accuracy"
    card = bayes.hierarchical_accuracy
    takes_identical = True

    def suits_tasks(self, over: TaskPairs, ask: Ask) -> Suitability:
        if over.kind not in ("outcomes", "one-sided outcomes") or ask.rope.on_phi:
            return Suitability()
        return Suitability(default="right/wrong answers on many tasks: hierarchical Bayesian accuracy test")

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        tables = [p.outcomes for p in over.pairs]
        n10, n01 = np.array([o.n10 for o in tables]), np.array([o.n01 for o in tables])
        fitted = bayes.hierarchical_accuracy(n10, n01, np.array([o.n for o in tables]) - n10 - n01)
        rope = rope_on_tasks(over, ask)
        p = probabilities(fitted.mean_advantage, rope)
        return Answer(
            posterior=fitted.mean_advantage,
            estimate=estimate("mean advantage over tasks", fitted.mean_advantage),
            rope=rope,
            p=p,
            effect=cohens_d(over.means),
            classical=[nhst.wilcoxon(over.means), nhst.sign(over.means)],
            checks=[integrated(fitted.error), *_found(over, ask, fitted, rope, p)],
            evidence=hierarchy(over, fitted.next_task((rope.low, rope.high)), fitted, "average"),
        )

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name="the hierarchical Bayesian accuracy test",
            prior="the rate at which the two disagree on a task has a Beta(a, b) distribution over the "
            "tasks, and the share of these disagreements in which the first model is wrong a Beta(c, d) "
            "distribution, independent of it, with priors proportional to (a + b)^(-5/2) and (c + d)^(-5/2)",
            sources=("gelman2013", "williams2026", "albert2009"),
            computed=QUADRATURE,
            about="on average over tasks ",
            varies="the choice of the tasks and of the examples within them",
            reading="the chance of each for the mean advantage over tasks like these:",
        )

    def plots(self, c: Comparison) -> list[str]:
        return ["posterior", *super().plots(c)]

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        fitted = _fitted(c)
        diffuse = PriorAnswer(name="diffuse", why=_DIFFUSE, p=c.verdict.probabilities)
        sceptical = f"logit(c/(c + d)), the direction of the disagreements, {CAUCHY}"
        return (
            *(() if fitted.rate.proper and fitted.share.proper else (diffuse,)),
            PriorAnswer(name="proper", why=_PROPER, p=priors.with_proper_rates(fitted, c.rope)),
            PriorAnswer(name="sceptical", why=sceptical, p=priors.sceptical_direction(fitted, c.rope)),
        )

    def directions(self, c: Comparison) -> Directions:
        design = MoreTaskAnswers(fitted=_fitted(c), low=c.rope.low, high=c.rope.high)
        return Directions(designs=(design,), draws=1_000, times=64, step=2.0, notes=(MORE_TASKS,))


def _fitted(c: Comparison) -> bayes.HierarchicalAccuracy:
    return cast("bayes.HierarchicalAccuracy", evidence_of(c).fitted)


def _found(
    over: TaskPairs, ask: Ask, fitted: bayes.HierarchicalAccuracy, rope: Rope, p: Probabilities
) -> list[Check]:
    """What a reader must know, a second opinion, and what speaks against the model."""
    pair, sums = over.pairs[0], Sums.of(over.means)
    found = [Check(name="assumed", kind="stated", ok=True, text=note) for note in fitted.notes]
    if not np.any(fitted.n10 + fitted.n01):
        found.append(checks.same_answers(pair.a, pair.b, int(fitted.same.sum()), pair.unit))
    if sums.m2 > 0:
        opinion = second_opinion(
            "t-test over task means",
            over.as_pair,
            p,
            probabilities(bayes.t(sums), rope),
            ask,
            because="it sees only the mean difference of each task, whatever the number of its examples",
            alarming=False,
        )
        found.append(opinion)
    means = {"mean": fitted.mean_advantage.mean, "own": float(np.mean(over.means))}
    return [*found, *model_checks.failed(accuracy_checks(fitted), model_checks.ACCURACY, pair, **means)]


register(AccuracyHierarchy())
