"""The Poisson-binomial test for tasks on different scales: each counts by Pr(A is better on it)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, cast

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.bayes.poisson_binomial import wins
from ropewalk.decide import Note, WinScale, cohens_d, priors, probabilities, resolve_rope
from ropewalk.errors import short
from ropewalk.methods.answer import Answer, estimate, second_opinion
from ropewalk.methods.futures import Directions, one_direction
from ropewalk.methods.method import JEFFREYS, SCEPTIC, Method, MethodText, PriorAnswer, register
from ropewalk.methods.pair import Ask, Pair, TaskKind, TaskPairs
from ropewalk.outcomes import Outcomes
from ropewalk.posterior import BetaMixture
from ropewalk.posterior.base import Floats
from ropewalk.results.comparison import Check, Comparison


class PoissonBinomial(Method):
    """Test of the share of all tasks of this kind on which A is better (Lacoste et al. 2012)."""

    name = "poisson_binomial"
    title = "Poisson-binomial test"
    card = bayes.poisson_binomial
    one_task = False
    many_tasks = True
    answers = ("likeliest",)
    default_over: ClassVar[Mapping[TaskKind, str]] = {
        "several metrics": "Poisson-binomial test, because the metric differs from task to task and scores "
        "cannot be compared across tasks"
    }

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        each = np.array([_ahead(pair) for pair in over.pairs])
        p = wins(each)
        won = np.arange(p.size)
        posterior = BetaMixture.of(p, a=won + 1.0, b=p.size - won)
        rope = resolve_rope(ask.rope, WinScale())
        ahead = probabilities(posterior, rope)
        beside = second_opinion(
            "sign test over task means",
            over.as_pair,
            ahead,
            bayes.sign(over.means, 0.0).most_probable,
            ask,
            because="it treats the better model on each task as certain",
            alarming=False,
        )
        share = f"share of tasks on which {short(over.pairs[0].a)} is better"
        return Answer(
            posterior=posterior,
            estimate=estimate(share, posterior, kind="share"),
            rope=rope,
            p=ahead,
            effect=cohens_d(over.means),
            classical=[nhst.sign(over.means)],
            checks=[beside, _decided(each)],
            evidence=over.evidence,
        )

    def describe(self, c: Comparison) -> MethodText:
        return MethodText(
            name=f"the {self.title}",
            prior="the share of all tasks of this kind on which the first model is better has a Beta(1, 1) "
            "prior, and each task enters by its own probability that the first model is better",
            sources=("lacoste2012",),
            about="on more than half of all tasks of this kind ",
            varies="the sampling of the tasks and of the units within them",
        )

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        mixture = cast("BetaMixture", c.posterior)

        def answer(name: str, why: str, more: float) -> PriorAnswer:
            other = BetaMixture.of(mixture.weights, a=mixture.a + more, b=mixture.b + more)
            return PriorAnswer(name=name, why=why, p=probabilities(other, c.rope))

        uniform = f"the share of tasks on which {short(c.a, 24)} is better ~ Beta(1, 1)"
        half_won = f"a tenth more tasks, half of them won {SCEPTIC}"
        return (
            PriorAnswer(name="uniform", why=uniform, p=c.verdict.probabilities),
            answer("Jeffreys", f"Beta(1/2, 1/2): {JEFFREYS}", -0.5),
            answer("sceptical", half_won, priors.WORTH * c.n / 2),
        )

    def at_once(self, c: Comparison) -> bool:
        return True

    def directions(self, c: Comparison) -> Directions:
        return one_direction(c, None)

    def plots(self, c: Comparison) -> list[str]:
        return super().plots(c)[:-1]


def _ahead(pair: Pair) -> float:
    """Pr(A better than B) on one task: Lacoste et al. 2012 for counts, the t posterior for real scores."""
    if isinstance(pair.evidence, Outcomes):
        return float(bayes.mcnemar(pair.evidence.n01, pair.evidence.n10).cdf(0.5))
    if pair.alike:
        return 0.5  # identical models: neither is ahead
    if pair.whole:
        return float(pair.whole.posterior.sf(0.0))
    return float(bayes.t(pair.sums, rho=pair.rho).sf(0.0))


def _decided(ahead: Floats) -> Check:
    """Check for uncertain tasks, which count about half for each model (docs/calibration.md)."""
    unsure = int(np.sum((ahead > 0.1) & (ahead < 0.9)))
    many = 2 * unsure > ahead.size
    price = (
        ": if one model's wins are clear and its losses are not, it can be called better 12 to 39% of the "
        "time instead of 5%"
    )
    return Check(
        name="close tasks",
        ok=not many,
        text=f"{unsure} of {ahead.size} tasks count about half for each model" + (price if many else ""),
        numbers={"unsure": float(unsure)},
    )


register(PoissonBinomial())
