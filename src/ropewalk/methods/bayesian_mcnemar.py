"""The Bayesian McNemar test: right and wrong answers, on phi or on the difference of the accuracies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, cast

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.assurance import Answers, Edges
from ropewalk.decide import (
    Effect,
    Note,
    PhiScale,
    RopeRequest,
    ScoreScale,
    cohens_g,
    in_scores,
    on_advantage,
    priors,
    probabilities,
    resolve_rope,
)
from ropewalk.errors import short
from ropewalk.methods import checks
from ropewalk.methods.answer import Answer, estimate, second_opinion
from ropewalk.methods.futures import Directions, one_direction
from ropewalk.methods.method import (
    JEFFREYS,
    QUADRATURE,
    SCEPTIC,
    Method,
    MethodText,
    PriorAnswer,
    register,
)
from ropewalk.methods.pair import Ask, Kind, Pair
from ropewalk.outcomes import Outcomes
from ropewalk.posterior import Beta, Draws, Posterior, Probabilities
from ropewalk.results.comparison import Comparison

_RATES, _PHIS = 64, 20_000  # number of quantiles of the rate of disagreement and of phi


class McNemar(Method):
    """The Bayesian McNemar test of two classifiers on the same examples."""

    name = "mcnemar"
    title = "Bayesian McNemar test"
    card = bayes.mcnemar
    default_for: ClassVar[Mapping[Kind, str]] = {
        "outcomes": "Bayesian McNemar test, because each example is right or wrong"
    }

    takes_identical = True

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        o = pair.outcomes
        if o.n01 + o.n10 == 0:
            return _alike(pair, ask)
        posterior: Posterior = bayes.mcnemar(o.n01, o.n10)
        disagreement, name = (o.n01 + o.n10) / o.n, "phi"
        rope = resolve_rope(ask.rope, PhiScale(phi=posterior.mean, disagreement=disagreement))
        on_phi = rope.scale == "phi"
        if not on_phi:
            posterior = bayes.accuracy_difference(o.n00, o.n01, o.n10, o.n11)
            name = f"{pair.metric} difference"
        p = probabilities(posterior, rope)
        edges = on_advantage(rope, disagreement)
        beside = second_opinion(
            "t-test for comparison",
            pair,
            p,
            probabilities(bayes.t(o.sums), in_scores(*edges, rope.source)),
            ask,
            because="it assumes a normally distributed mean difference, which fails when the models rarely "
            "disagree",
            alarming=False,
        )
        return Answer(
            posterior=posterior,
            estimate=estimate(name, posterior, kind="phi" if on_phi else "advantage"),
            rope=rope,
            p=p,
            effect=cohens_g(o.n01, o.n10),
            classical=[nhst.mcnemar(o.n01, o.n10)],
            checks=[checks.enough(o.n01 + o.n10, 10, "examples on which they disagree"), beside],
            evidence=o,
        )

    def under_prior(self, answer: Answer, prior_sd: float) -> Answer:
        """Answer under a prior; on phi, that of T (1 - 2 phi), averaged over the disagreement rate T.

        Quantiles of the Beta posterior of phi are weighted by the mean of exp(-T² (1 - 2 phi)² / (2 sd²)).
        """
        if answer.rope.scale != "phi":
            return super().under_prior(answer, prior_sd)
        e = cast("Outcomes", answer.evidence)
        rate = Beta(a=2 + e.n01 + e.n10, b=2 + e.n00 + e.n11).quantile((np.arange(_RATES) + 0.5) / _RATES)
        flat = cast("Posterior", answer.posterior)
        phi = flat.quantile((np.arange(_PHIS) + 0.5) / _PHIS)
        weights = np.exp(-0.5 * (rate[:, None] * (1 - 2 * phi) / prior_sd) ** 2).mean(axis=0)
        posterior = Draws.of(phi, weights)
        return replace(
            answer,
            posterior=posterior,
            p=probabilities(posterior, answer.rope),
            estimate=estimate(answer.estimate.name, posterior, kind="phi"),
        )

    def describe(self, c: Comparison) -> MethodText:
        varies = f"the sampling of the {c.unit}s"
        if c.rope.scale == "score":
            return MethodText(
                name=f"the {self.title} on the difference in {short(c.metric)}",
                prior="the four outcomes of a pair (each model right or wrong) have a Dirichlet(1, 1, 1, 1) "
                "prior",
                sources=("lacoste2012",),
                computed=QUADRATURE,
                varies=varies,
            )
        return MethodText(
            name=f"the {self.title}",
            prior=f"phi, the share of the first model's mistakes among the {c.unit}s on which the two "
            "disagree, has a Beta(1, 1) prior",
            sources=("chechile2020", "lacoste2012"),
            varies=varies,
        )

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        """Answers under other Dirichlet priors of the four outcomes; phi needs only two of them."""
        e = cast("Outcomes", c.evidence)
        four = (e.n00, e.n01, e.n10, e.n11)
        on_phi = c.rope.scale == "phi"

        def answer(prior: priors.Counts) -> Probabilities:
            if on_phi:
                return probabilities(bayes.mcnemar(e.n01, e.n10, prior=prior[1:3]), c.rope)
            return probabilities(bayes.accuracy_difference(*four, prior=prior), c.rope)

        ones = "Beta(1, 1)" if on_phi else "Dirichlet(1, 1, 1, 1)"
        halves = ones.replace("1", "1/2")
        more = "disagreements" if on_phi else "examples, with the disagreements among them"
        jeffreys, sceptical = answer((0.5, 0.5, 0.5, 0.5)), answer(priors.sceptical_counts(*four))
        return (
            PriorAnswer(name="uniform", why=ones, p=c.verdict.probabilities),
            PriorAnswer(name="Jeffreys", why=f"{halves}: {JEFFREYS}", p=jeffreys),
            PriorAnswer(name="sceptical", why=f"a tenth more {more} split evenly {SCEPTIC}", p=sceptical),
        )

    def at_once(self, c: Comparison) -> bool:
        return c.rope.scale == "phi"

    def directions(self, c: Comparison) -> Directions:
        e = c.evidence
        if not isinstance(e, Outcomes):
            return one_direction(c, None)
        phi = (1 + e.n01) / (2 + e.n01 + e.n10)
        sd = float(np.sqrt(phi * (1 - phi)))
        design = Answers(n01=e.n01, n10=e.n10, same=e.n00 + e.n11, edges=Edges.of(c.rope, sd))
        return one_direction(c, design)


def _alike(pair: Pair, ask: Ask) -> Answer:
    """Answer without a disagreement: phi is unknown, so the ROPE is always on the accuracy scale.

    Equal answers are evidence like any other: n of them leave an advantage of up to about 3/n open. After
    twenty the probability of a difference within one point is 0.21, and 0.95 takes 300.
    """
    o = pair.outcomes
    posterior = bayes.accuracy_difference(o.n00, 0, 0, o.n11)
    given = ask.rope if ask.rope.kind == "score" else RopeRequest(kind="auto")
    rope = resolve_rope(given, ScoreScale(metric=pair.metric, sd=0.0, points=pair.points))
    return Answer(
        posterior=posterior,
        estimate=estimate(f"{pair.metric} difference", posterior),
        rope=rope,
        p=probabilities(posterior, rope),
        effect=Effect(name="Cohen's d", value=0.0, label="negligible"),
        classical=[],
        checks=[checks.same_answers(pair.a, pair.b, pair.n, pair.unit)],
        evidence=o,
    )


register(McNemar())
