"""The hierarchical Bayesian accuracy test: right and wrong answers of two models on many tasks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast

import numpy as np

from ropewalk import bayes
from ropewalk.assurance import Growth
from ropewalk.assurance.more_task_answers import MoreTaskAnswers
from ropewalk.bayes.predictive_checks import accuracy_checks
from ropewalk.decide import Note, Rope, priors, probabilities
from ropewalk.methods import checks, model_checks
from ropewalk.methods.answer import Answer, rope_on_tasks, second_opinion
from ropewalk.methods.hierarchy import HierarchicalMethod, evidence_of, integrated
from ropewalk.methods.method import CAUCHY, QUADRATURE, MethodText, PriorAnswer, Suitability, register
from ropewalk.methods.pair import Ask, TaskKind, TaskPairs
from ropewalk.questions import Asks
from ropewalk.results.comparison import Check, Comparison
from ropewalk.sums import Sums

_WHY = "hierarchical Bayesian accuracy test, because examples on several tasks are right or wrong"
_DIFFUSE = "p(a, b) proportional to (a + b)^(-5/2) (Gelman et al. 2013, sec. 5.3), for both populations"
_PROPER = "p(a + b) proportional to (1 + a + b)^-2 (Albert 2009, doi:10.1007/978-0-387-92298-0), for both"


class AccuracyHierarchy(HierarchicalMethod):
    """The hierarchical accuracy test: disagreement rate and its direction are Beta-distributed over tasks."""

    name = "hierarchical_accuracy"
    title = "hierarchical Bayesian accuracy test"
    card = bayes.hierarchical_accuracy
    takes_identical = True
    default_over: ClassVar[Mapping[TaskKind, str]] = {"outcomes": _WHY, "one-sided outcomes": _WHY}

    def suits_tasks(self, over: TaskPairs, ask: Ask) -> Suitability:
        return Suitability() if ask.rope.on_phi else super().suits_tasks(over, ask)

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        tables = [p.outcomes for p in over.pairs]
        n10, n01 = np.array([o.n10 for o in tables]), np.array([o.n01 for o in tables])
        fitted = bayes.hierarchical_accuracy(n10, n01, np.array([o.n for o in tables]) - n10 - n01)
        rope = rope_on_tasks(over, ask)
        return self.answer(
            over, ask, fitted, rope, [integrated(fitted.error), *_found(over, ask, fitted, rope)]
        )

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name=f"the {self.title}",
            prior="the rate at which the two disagree on a task has a Beta(a, b) distribution over the "
            "tasks, and the share of these disagreements in which the first model is wrong has an "
            "independent Beta(c, d) distribution, with priors proportional to (a + b)^(-5/2) and (c + "
            "d)^(-5/2)",
            sources=("gelman2013", "williams2026", "albert2009"),
            computed=QUADRATURE,
            varies="the sampling of the tasks and of the examples within them",
        )

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        fitted = _fitted(c)
        diffuse = PriorAnswer(name="diffuse", why=_DIFFUSE, p=c.verdict.probabilities)
        sceptical = f"logit(c/(c + d)), the direction of the disagreements, {CAUCHY}"
        return (
            *(() if fitted.rate.proper and fitted.share.proper else (diffuse,)),
            PriorAnswer(name="proper", why=_PROPER, p=self.with_fitted(c, priors.with_proper_rates(fitted))),
            PriorAnswer(
                name="sceptical", why=sceptical, p=self.with_fitted(c, priors.sceptical_direction(fitted))
            ),
        )

    def designs(self, c: Comparison) -> dict[Asks, Growth]:
        return {"average": MoreTaskAnswers(fitted=_fitted(c), low=c.rope.low, high=c.rope.high)}


def _fitted(c: Comparison) -> bayes.HierarchicalAccuracy:
    return cast("bayes.HierarchicalAccuracy", evidence_of(c).fitted)


def _found(over: TaskPairs, ask: Ask, fitted: bayes.HierarchicalAccuracy, rope: Rope) -> list[Check]:
    """Return notes for the reader, a second opinion, and the failed checks of the model."""
    pair, sums = over.pairs[0], Sums.of(over.means)
    found = [Check(name="assumed", kind="stated", ok=True, text=note) for note in fitted.notes]
    if not np.any(fitted.n10 + fitted.n01):
        found.append(checks.same_answers(pair.a, pair.b, int(fitted.same.sum()), pair.unit))
    if sums.m2 > 0 and ask.question in (None, "average"):
        opinion = second_opinion(
            "t-test over task means",
            over.as_pair,
            probabilities(fitted.mean_advantage, rope),
            probabilities(bayes.t(sums), rope),
            ask,
            because="it uses only the mean difference of each task and ignores the number of examples",
            alarming=False,
        )
        found.append(opinion)
    means = {"mean": fitted.mean_advantage.mean, "own": float(np.mean(over.means))}
    return [*found, *model_checks.failed(accuracy_checks(fitted), model_checks.ACCURACY, pair, **means)]


register(AccuracyHierarchy())
