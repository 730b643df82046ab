"""Shared code of the hierarchical models of a population of tasks, and the four questions about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

import numpy as np

from ropewalk import bayes, nhst
from ropewalk.assurance import Edges, Normal
from ropewalk.bayes.these_tasks import task_weights
from ropewalk.decide import Rope, cohens_d, probabilities
from ropewalk.methods.answer import Answer, estimate
from ropewalk.methods.futures import Directions, one_direction
from ropewalk.methods.method import Method, asks_of, outside
from ropewalk.methods.pair import Ask, TaskPairs
from ropewalk.posterior import Posterior, Probabilities, Unvaried
from ropewalk.posterior.base import Floats
from ropewalk.questions import Asks
from ropewalk.results.comparison import Check, Comparison, EstimateKind
from ropewalk.results.evidence import Hierarchy
from ropewalk.results.other_questions import Reading
from ropewalk.sums import Sums

if TYPE_CHECKING:
    from ropewalk.assurance import Growth

Fitted: TypeAlias = bayes.HierarchicalT | bayes.HierarchicalMcNemar | bayes.HierarchicalAccuracy

_MORE_TASKS = "further tasks are assumed to be as large and as noisy as those at hand"
_STAYS = "the outcome on a single new task stays uncertain even if the population is known"
_OF_EACH = "further {of}s are spread over these tasks in proportion to their present sizes"
_NO_PLAN = "plans for exactly these tasks need score units and one run of each model: {instead}"
_ALIKE = "the models never differ on these tasks, so nothing is known about what further tasks would show"
_NOT_PLANNED = "the {method} can only be planned for the question {can}: use --question {can}"


class HierarchicalMethod(Method):
    """A method that models the advantage on each task and the population of tasks."""

    one_task = False
    many_tasks = True
    grows_by = "tasks"
    answers = ("average", "these", "next", "likeliest")
    measures: ClassVar[EstimateKind] = "advantage"
    called: ClassVar[str] = "advantage"

    def mean_of(self, fitted: Fitted) -> Posterior:
        """Return the mean over the population of tasks."""
        return cast("bayes.HierarchicalT", fitted).mean_advantage

    def next_of(self, fitted: Fitted) -> Posterior:
        """Return the prediction for the next task."""
        return cast("bayes.HierarchicalT", fitted).next

    def answer(self, over: TaskPairs, ask: Ask, fitted: Fitted, rope: Rope, found: list[Check]) -> Answer:
        """Return the answer to the question that was asked."""
        e = over.evidence
        weights = None
        if ask.weights is not None:
            weights = task_weights([ask.weights[name] for name in e.names], len(e.names))
        means = np.array([[p.evidence.mean_a, p.evidence.mean_b] for p in over.pairs])
        mean_a, mean_b = np.average(means, axis=0, weights=weights)
        hierarchy = Hierarchy(
            names=e.names,
            n=e.n,
            d=e.d,
            mean_a=float(mean_a),
            mean_b=float(mean_b),
            weights=weights,
            of=e.of,
            fitted=fitted,
            rope=(rope.low, rope.high),
        )
        asks = asks_of(self, ask)
        assert asks is not None
        return Answer(
            rope=rope,
            effect=cohens_d(over.means),
            classical=[nhst.wilcoxon(over.means), nhst.sign(over.means)],
            checks=found,
            evidence=hierarchy,
            **self._read(hierarchy, rope, asks),
        )

    def _read(self, e: Hierarchy, rope: Rope, asks: Asks) -> dict[str, Any]:
        """Return the reading of an answer for one question."""
        posterior, name = self.about(e, asks)
        centre = self.mean_of(e.fitted) if asks == "likeliest" else posterior
        return {
            "posterior": posterior,
            "estimate": estimate(name, centre, kind=self.measures),
            "p": self.probabilities(e, rope, asks),
            "asks": asks,
        }

    def read_again(self, answer: Answer, fitted: Fitted) -> Answer:
        """Answer the same question from another fit of the same tasks."""
        assert answer.asks is not None
        e = replace(cast("Hierarchy", answer.evidence), fitted=fitted)
        return replace(answer, evidence=e, **self._read(e, answer.rope, answer.asks))

    def about(self, e: Hierarchy, asks: Asks) -> tuple[Posterior, str]:
        """Return the posterior of the number that a question is about, and the name of the estimate."""
        if asks == "these":
            return e.these, f"mean {self.called} over these tasks"
        if asks == "next":
            return self.next_of(e.fitted), f"{self.called} on a new task"
        centre = f"mean {self.called} over tasks"
        return (self.mean_of(e.fitted) if asks == "average" else self.next_of(e.fitted)), centre

    def probabilities(self, e: Hierarchy, rope: Rope, asks: Asks) -> Probabilities:
        if asks == "likeliest":
            return e.next_task.most_probable
        return e.next_task.mean if asks == "next" else probabilities(self.about(e, asks)[0], rope)

    def with_fitted(self, c: Comparison, fitted: Fitted) -> Probabilities:
        """Answer the same question with another fit of the same tasks."""
        assert c.asks is not None
        return self.probabilities(replace(evidence_of(c), fitted=fitted), c.rope, c.asks)

    def readings(self, c: Comparison) -> dict[Asks, Reading]:
        return {asks: self._reading(c, asks) for asks in self.answers if asks != c.asks}

    def _reading(self, c: Comparison, asks: Asks) -> Reading:
        e = evidence_of(c)
        p = self.probabilities(e, c.rope, asks)
        if asks == "likeliest":
            return Reading(p=p, by=self.name, error=e.next_task.error)
        posterior = self.about(e, asks)[0]
        low, high = posterior.hdi(0.95)
        error = e.these.error(0.5) if asks == "these" else 0.0
        return Reading(p=p, by=self.name, mean=posterior.mean, low=low, high=high, error=error)

    def at(self, c: Comparison, low: Floats, high: Floats) -> Floats | None:
        if c.asks == "likeliest":
            return self.likeliest_at(evidence_of(c).fitted, low, high)
        return outside(cast("Posterior", c.posterior), c.rope.scale, low, high)

    def likeliest_at(self, fitted: Fitted, low: Floats, high: Floats) -> Floats:
        """Probability that "better" or "worse" is the likeliest region on a new task, for each ROPE."""
        found = [
            fitted.next_task((a, b)).most_probable for a, b in zip(low.tolist(), high.tolist(), strict=True)
        ]
        return np.array([[p.better for p in found], [p.worse for p in found]])

    def plots(self, c: Comparison) -> list[str]:
        first = [] if c.asks == "likeliest" else ["posterior"]
        return [*first, "forest", "simplex", "tasks", "next_task"]

    def designs(self, c: Comparison) -> dict[Asks, Growth]:
        """Return the simulation design of further tasks, for each question that has one."""
        raise NotImplementedError(self.name)

    def directions(self, c: Comparison) -> Directions:
        """Return the direction of more tasks, if the question has a design for them."""
        if not isinstance(c.evidence, Hierarchy):
            return Directions(designs=(), notes=(_ALIKE,))
        if isinstance(c.posterior, Unvaried):
            return one_direction(c, None)
        if c.asks == "these":
            return _more_of_each(c)
        designs = self.designs(c)
        if c.asks not in designs:
            note = _NOT_PLANNED.format(method=self.title, can=next(iter(designs)))
            return Directions(designs=(), notes=(note,))
        notes = (_MORE_TASKS, _STAYS) if c.asks == "next" else (_MORE_TASKS,)
        return Directions(designs=(designs[c.asks],), draws=1_000, times=64, step=2.0, notes=notes)


def _more_of_each(c: Comparison) -> Directions:
    """More units on the present tasks: the variance within tasks falls as 1/n, as for one task.

    With the posterior variance V of their mean, N units in all and the correlation of folds, the part
    1/N of (1/N + extra) shrinks; `extra` is that of one task, adjusted for the number of tasks.
    """
    e, p = evidence_of(c), cast("Posterior", c.posterior)
    if c.rope.scale != "score" or not e.of:
        instead = "give the ROPE as a number" if e.of else "average the runs"
        return Directions(designs=(), notes=(_NO_PLAN.format(instead=instead),))
    n = sum(e.n)
    inflation = 0.0 if c.correlation is None else c.correlation.inflation
    extra = inflation * len(e.n) / sum(1 / k for k in e.n) / n
    sums = Sums(n=n, mean=p.mean, m2=p.sd**2 / (1 / n + extra) * (n - 1))
    design = Normal(unit=e.of, sums=sums, edges=Edges(low=c.rope.low, high=c.rope.high), extra=extra)
    return Directions(designs=(design,), quick=design, notes=(_OF_EACH.format(of=e.of),))


def evidence_of(c: Comparison) -> Hierarchy:
    return cast("Hierarchy", c.evidence)


def integrated(error: float) -> Check:
    return Check(
        name="numerical accuracy",
        kind="numerical error",
        ok=error < 1e-3,
        text=f"the probabilities are accurate to about {error:.0e}",
        numbers={"error": error},
    )
