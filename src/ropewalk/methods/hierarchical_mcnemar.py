"""The hierarchical Bayesian McNemar test: right and wrong answers of two models on many tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, cast

import numpy as np
from scipy.special import expit

from ropewalk import bayes
from ropewalk.assurance import Edges, Growth
from ropewalk.assurance.more_task_counts import MoreTaskCounts
from ropewalk.bayes.predictive_checks import mcnemar_checks
from ropewalk.decide import Note, PhiScale, on_advantage, priors, resolve_rope
from ropewalk.errors import MethodError
from ropewalk.methods import model_checks
from ropewalk.methods.answer import Answer, second_opinion
from ropewalk.methods.hierarchy import Fitted, HierarchicalMethod, evidence_of, integrated
from ropewalk.methods.method import (
    CAUCHY,
    QUADRATURE,
    Budget,
    MethodText,
    PriorAnswer,
    RegionCurve,
    Suitability,
    register,
)
from ropewalk.methods.pair import Ask, TaskKind, TaskPairs
from ropewalk.posterior import Posterior
from ropewalk.posterior.base import Floats
from ropewalk.questions import Asks
from ropewalk.results.comparison import Comparison
from ropewalk.results.evidence import Hierarchy


class HierarchicalMcNemarTest(HierarchicalMethod):
    """The hierarchical McNemar test: phi has a Beta distribution over the tasks."""

    name = "hierarchical_mcnemar"
    title = "hierarchical Bayesian McNemar test"
    card = bayes.hierarchical_mcnemar
    measures = "phi"
    called = "phi"
    default_over: ClassVar[Mapping[TaskKind, str]] = {
        "outcomes": "hierarchical Bayesian McNemar test, because examples on several tasks are right or "
        "wrong and the ROPE is a fraction of a standard deviation of phi"
    }

    def mean_of(self, fitted: Fitted) -> Posterior:
        return cast("bayes.HierarchicalMcNemar", fitted).mean_phi

    def next_of(self, fitted: Fitted) -> Posterior:
        return cast("bayes.HierarchicalMcNemar", fitted).phi_next

    def suits_tasks(self, over: TaskPairs, ask: Ask) -> Suitability:
        return super().suits_tasks(over, ask) if ask.rope.on_phi else Suitability()

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        if ask.rope.kind == "score":
            raise MethodError(
                "hierarchical_mcnemar works on phi, and the ROPE was given in accuracy",
                hint='Give the ROPE as a fraction of a standard deviation ("0.1sd"), or '
                "use\nhierarchical_accuracy.",
            )
        tables = [p.outcomes for p in over.pairs]
        n01, n10 = np.array([o.n01 for o in tables]), np.array([o.n10 for o in tables])
        fitted = bayes.hierarchical_mcnemar(n01, n10)
        disagreement = float((n01 + n10).sum() / sum(o.n for o in tables))
        rope = resolve_rope(
            ask.rope, PhiScale(phi=fitted.phi_next.mean, disagreement=disagreement, only=True)
        )
        found = [
            integrated(fitted.error),
            *model_checks.failed(mcnemar_checks(fitted), model_checks.MCNEMAR, over.pairs[0]),
        ]
        answer = self.answer(over, ask, fitted, rope, found)
        if ask.question != "next":
            return answer
        opinion = second_opinion(
            "sign test over task means",
            over.as_pair,
            answer.p,
            bayes.sign(over.means, on_advantage(rope, disagreement)).mean,
            ask,
            because="it counts every task once and ignores the number of examples",
            alarming=False,
        )
        return replace(answer, checks=[*found, opinion])

    def under_prior(self, answer: Answer, prior_sd: float) -> Answer:
        """The prior is of r (1 - 2 m), with the mean m of phi over the tasks and the disagreement rate r."""
        e = cast("Hierarchy", answer.evidence)
        fitted = cast("bayes.HierarchicalMcNemar", e.fitted)
        rate = float(np.sum(fitted.n01 + fitted.n10) / np.sum(e.n))
        delta = rate * (1 - 2 * expit(fitted.x.nodes))
        fitted = replace(fitted, values=fitted.values - 0.5 * (delta / prior_sd) ** 2)
        return self.read_again(answer, fitted)

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name=f"the {self.title}",
            prior="phi, the share of the first model's mistakes among the examples on which the two "
            "disagree, has a Beta(a, b) distribution over the tasks, with a prior proportional to "
            "(a + b)^(-5/2)",
            sources=("gelman2013", "williams2026"),
            computed=QUADRATURE,
            varies="the sampling of the tasks and of the examples within them",
        )

    def plots(self, c: Comparison) -> list[str]:
        return [*super().plots(c), "hyper"]

    def region_curve(
        self, c: Comparison, low: Floats, high: Floats, *, seed: int, budget: Budget
    ) -> RegionCurve | None:
        fitted = _fitted(c)

        def points(k: int, n: int) -> Floats:
            return fitted.next_task((float(low[k]), float(high[k]))).sample(n, 0)

        table = self.likeliest_at(fitted, low, high) if c.asks == "likeliest" else None
        return RegionCurve(table=table, points=points)

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        fitted = _fitted(c)
        diffuse = "p(a, b) proportional to (a + b)^(-5/2) (Gelman et al. 2013, sec. 5.3)"
        proper = "p(a + b) proportional to (1 + a + b)^-2 (Albert 2009, doi:10.1007/978-0-387-92298-0)"
        sceptical = self.with_fitted(c, priors.sceptical_phi(fitted))
        return (
            PriorAnswer(name="diffuse", why=diffuse, p=c.verdict.probabilities),
            PriorAnswer(name="proper", why=proper, p=self.with_fitted(c, priors.with_sizes(fitted))),
            PriorAnswer(name="sceptical", why=f"logit(a/(a + b)) {CAUCHY}", p=sceptical),
        )

    def designs(self, c: Comparison) -> dict[Asks, Growth]:
        fitted = _fitted(c)
        m = fitted.phi_next.mean
        edges = Edges.of(c.rope, float(np.sqrt(m * (1 - m))))
        design = MoreTaskCounts(fitted=fitted, sizes=tuple(evidence_of(c).n), edges=edges)
        return {"average": replace(design, of_mean=True), "next": design}


def _fitted(c: Comparison) -> bayes.HierarchicalMcNemar:
    return cast("bayes.HierarchicalMcNemar", evidence_of(c).fitted)


register(HierarchicalMcNemarTest())
