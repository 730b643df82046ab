"""The hierarchical Bayesian t-test: scores of two models on many tasks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, cast

from ropewalk import bayes
from ropewalk.assurance import Growth
from ropewalk.assurance.more_tasks import MoreTasks
from ropewalk.bayes.hierarchical_t_range import USUAL
from ropewalk.bayes.predictive_checks import t_checks
from ropewalk.decide import Note, priors, probabilities
from ropewalk.methods import model_checks, shared_spread
from ropewalk.methods.answer import Answer, rope_on_tasks, second_opinion
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
from ropewalk.posterior.base import Floats
from ropewalk.questions import Asks
from ropewalk.results.comparison import Check, Comparison, Correlation
from ropewalk.results.evidence import Hierarchy
from ropewalk.sums import Sums

_SECOND_DRAWS = 10_000  # draws of the second opinion: its error is at most 0.005, and is printed
_TAILS = (
    (
        "published text",
        "nu - 1 ~ Gamma(a, b), a from 0.5 to 5, b from 0.05 to 0.15 (Benavoli et al. 2017, text)",
    ),
    ("published tables", "a from 1 to 2, b from 0.01 to 0.1 (Benavoli et al. 2017, tables)"),
    ("exponential", "a = 1, b = 0.0345 (Kruschke 2013)"),
    ("gamma", "a = 2, b = 0.1 (Juárez and Steel 2010)"),
    ("normal tasks", "a from 2 to 3, b from 0.01 to 0.02: hardly any outlying task"),
    ("heavy tails", "a from 1 to 2, b from 0.5 to 1: several outlying tasks"),
)


class HierarchicalTTest(HierarchicalMethod):
    """The hierarchical t-test: normal differences within a task, Student-distributed means over tasks."""

    name = "hierarchical_t"
    title = "hierarchical Bayesian t-test"
    card = bayes.hierarchical_t
    default_over: ClassVar[Mapping[TaskKind, str]] = {
        "scores": "hierarchical Bayesian t-test, because there are {designs} on several tasks"
    }

    def suits_tasks(self, over: TaskPairs, ask: Ask) -> Suitability:
        return Suitability(default=super().suits_tasks(over, ask).default.format(designs=_designs(over)))

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        rope = rope_on_tasks(over, ask)
        sums, shared = shared_spread.of_pairs(over)
        fitted = bayes.hierarchical_t(
            sums,
            rho=[p.rho for p in over.pairs],
            names=over.names,
            # mu0 ~ U(-1, 1) for a metric between 0 and 1 (Benavoli et al. 2017), U(-100, 100) in percent.
            scale=100 * over.pairs[0].points or None,
        )
        found = [
            integrated(fitted.error),
            *(
                Check(name="assumed", kind="stated", ok=True, text=note)
                for note in (*fitted.notes, *([shared] if shared else []))
            ),
            *model_checks.failed(t_checks(fitted), model_checks.T, over.pairs[0]),
        ]
        answer = self.answer(over, ask, fitted, rope, found)
        return replace(answer, checks=[*found, *_opinion(over, ask, answer)], correlation=_correlation(over))

    def under_prior(self, answer: Answer, prior_sd: float) -> Answer:
        """The prior is of mu0, the mean advantage over the tasks."""
        e = cast("Hierarchy", answer.evidence)
        fitted = cast("bayes.HierarchicalT", e.fitted)
        mu0 = fitted.surface.nodes.mu * fitted.unit
        log_density = fitted.surface.log_density - 0.5 * (mu0 / prior_sd) ** 2
        fitted = replace(fitted, surface=replace(fitted.surface, log_density=log_density))
        return self.read_again(answer, fitted)

    def describe(self, c: Comparison) -> MethodText:
        between = f" with {c.correlation.text}" if c.correlation is not None else ""
        return MethodText(
            name=f"the {self.title}",
            prior=f"the differences within a task are assumed normal{between} and the task means a sample "
            "from a Student distribution, with priors flat in the mean over tasks and in all standard "
            "deviations, and Gamma(a, b) on the degrees of freedom minus one, a uniform on (0.5, 5) "
            "and b on (0.05, 0.15)",
            sources=("benavoli2017", "corani2017"),
            computed=QUADRATURE,
            varies="the sampling of the tasks and of the units within them",
        )

    def likeliest_at(self, fitted: Fitted, low: Floats, high: Floats) -> Floats:
        return cast("bayes.HierarchicalT", fitted).most_probable(low, high)

    def region_curve(
        self, c: Comparison, low: Floats, high: Floats, *, seed: int, budget: Budget
    ) -> RegionCurve | None:
        fitted = _fitted(c)
        return RegionCurve(
            table=fitted.most_probable(low, high) if c.asks == "likeliest" else None,
            points=lambda k, n: fitted.points(float(low[k]), float(high[k]), n),
        )

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        fitted = _fitted(c)
        (name, why), *others = _TAILS
        sceptical = self.with_fitted(c, priors.sceptical_mean(fitted))
        return (
            PriorAnswer(name=name, why=why, p=c.verdict.probabilities),
            *(
                PriorAnswer(name=name, why=why, p=self.with_fitted(c, priors.with_tails(fitted, bounds)))
                for (name, why), bounds in zip(others, USUAL[1:], strict=True)
            ),
            PriorAnswer(name="sceptical", why=f"mu0 {CAUCHY}", p=sceptical),
        )

    def designs(self, c: Comparison) -> dict[Asks, Growth]:
        design = MoreTasks(fitted=_fitted(c), low=c.rope.low, high=c.rope.high)
        asks: tuple[Asks, ...] = ("average", "next", "likeliest")
        return {one: replace(design, asks=one) for one in asks}


def _opinion(over: TaskPairs, ask: Ask, answer: Answer) -> list[Check]:
    """Second opinion on the same question from a test on the means of the tasks."""
    edges = (answer.rope.low, answer.rope.high)
    because = "it ignores the spread within tasks"
    if answer.asks == "average" and Sums.of(over.means).m2 > 0:
        t = probabilities(bayes.t(over.means), answer.rope)
        return [
            second_opinion("t-test over task means", over.as_pair, answer.p, t, ask, because, alarming=False)
        ]
    if answer.asks != "likeliest":
        return []
    light = bayes.signed_rank(over.means, edges, draws=_SECOND_DRAWS, rng=ask.rng)
    name, p = "signed-rank over task means", light.most_probable
    return [second_opinion(name, over.as_pair, answer.p, p, ask, because, alarming=False, error=light.error)]


def _fitted(c: Comparison) -> bayes.HierarchicalT:
    return cast("bayes.HierarchicalT", evidence_of(c).fitted)


def _designs(over: TaskPairs) -> str:
    """Describe how the units were drawn, with their correlation, which may differ by task."""
    found = _correlation(over)
    if found is None:
        return "scores"
    if found.low < found.high:
        return f"different designs (correlation {found.low:.3g} to {found.high:.3g})"
    return f"scores from {over.pairs[0].design.describe()} (correlation {found.high:.3g})"


def _correlation(over: TaskPairs) -> Correlation | None:
    low, high = min(p.rho for p in over.pairs), max(p.rho for p in over.pairs)
    return Correlation(unit=over.pairs[0].unit, low=low, high=high) if high else None


register(HierarchicalTTest())
