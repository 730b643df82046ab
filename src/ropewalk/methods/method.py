"""The interface of a method: suitability, answer, wording, and further information about the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, cast

import numpy as np

from ropewalk.decide import Note, priors, probabilities
from ropewalk.decide.tilted import tilted
from ropewalk.errors import MethodError, OptionError
from ropewalk.methods.answer import Answer, estimate
from ropewalk.methods.futures import Directions, as_t, one_direction
from ropewalk.methods.pair import Ask, Kind, Pair, TaskKind, TaskPairs
from ropewalk.outcomes import Outcomes
from ropewalk.posterior import Posterior, Probabilities, Unvaried
from ropewalk.posterior.base import Floats
from ropewalk.questions import Asks
from ropewalk.results.comparison import Comparison
from ropewalk.results.evidence import Differences, OverTasks
from ropewalk.results.other_questions import Reading

SCEPTIC = "(Spiegelhalter et al. 1994, doi:10.2307/2983527)"
CAUCHY = (
    "Cauchy around no difference, as informative there as a tenth of the data (Rouder et al. 2009, "
    "doi:10.3758/PBR.16.2.225)"
)
JEFFREYS = "the same on every scale (Jeffreys 1946, doi:10.1098/rspa.1946.0056)"
QUADRATURE = "by numerical integration, without sampling"
FLAT = "a prior flat in the mean and in the logarithm of the standard deviation"
_SAME = 1e-6
_QQ = 8  # a Q-Q plot needs at least this number of points


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodText:
    """The description of a method in a paper: its name, its model with the prior, how it is computed.

    `about` is put before "A is better than B" if the probabilities are of more than the advantage itself;
    over tasks, without it, the question is used. `varies` names the sources of variation of the error bars.
    `sources` are keys of references.bib, or of the method's own `references`.
    """

    name: str
    prior: str
    sources: tuple[str, ...]
    computed: str = "in closed form"
    about: str = ""
    varies: str = "the sampling of the units"


@dataclass(frozen=True, slots=True, kw_only=True)
class Suitability:
    """Why a method is the default for these data ("" if it is not), and why it cannot be used on them."""

    default: str = ""
    problem: MethodError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorAnswer:
    """The answer under a prior, with the short name of the prior, its description and its reason."""

    name: str
    why: str
    p: Probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Time budget in approximate CPU nanoseconds: what is left, and what one answer may always take."""

    left: float
    least: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RegionCurve:
    """The three regions at many ROPEs: better and worse at each, 2 x ROPEs, and draws of all three.

    `table` is None if the verdict is based on a posterior of one number. `points(k, n)` are n draws at the
    k-th ROPE, n x 3; draws correspond row by row between ROPEs. `error` is the Monte Carlo error if there
    was no time for more draws; `nanoseconds` is the approximate time taken.
    """

    table: Floats | None
    points: Callable[[int, int], Floats]
    error: float = 0.0
    nanoseconds: float = 0.0


class Method:
    """Interface of a method that compares one pair of models.

    A new method derives from this class, defines `name`, `fit` and `describe`, and is registered once
    (`ropewalk.methods.register`). The implementations here are for a posterior of one number.
    """

    name: ClassVar[str]
    title: ClassVar[str] = ""  # the name in sentences, such as "Bayesian t-test"
    card: ClassVar[Any] = None  # the function or class whose docstring `ropewalk methods` shows
    references: ClassVar[str] = ""  # BibTeX entries that references.bib does not have
    default_for: ClassVar[Mapping[Kind, str]] = {}  # kinds of data it is the default for, and why
    default_over: ClassVar[Mapping[TaskKind, str]] = {}  # the same for many tasks
    one_task: ClassVar[bool] = True
    many_tasks: ClassVar[bool] = False
    independent: ClassVar[bool] = False  # whether it assumes that folds are independent
    takes_runs: ClassVar[bool] = False
    takes_set_metrics: ClassVar[bool] = False
    about_rows: ClassVar[bool] = False  # with clusters: about the mean row, not the mean cluster
    varies_training: ClassVar[bool] = False
    takes_identical: ClassVar[bool] = False  # whether it can answer if the models never differ
    answers: ClassVar[tuple[Asks, ...]] = ()  # questions over tasks that it answers, the default first
    read_by_another: ClassVar[bool] = False  # whether another method answers one of the other questions
    reads: ClassVar[Literal["value", "likeliest"]] = "value"  # on one task: the object of the probabilities
    is_quickest: ClassVar[bool] = False  # over many tasks, if only the mean of each is needed
    grows_by: ClassVar[str] = ""  # units that `plan` can add, if planning takes seconds

    # --- choice and answer ---

    def suits(self, pair: Pair) -> Suitability:
        """Whether this method is the default for this pair, and whether it can be used at all."""
        why, design = self.default_for.get(pair.kind, ""), pair.design
        if why:
            why = why.format(metric=pair.metric, unit=design.unit, rho=pair.rho, design=design.describe())
        return Suitability(default=why, problem=self.problem(pair))

    def problem(self, pair: Pair) -> MethodError | None:
        """Return why this method cannot be used on this pair."""
        if pair.rho > 0 and self.independent:
            return MethodError(
                f"the method {self.name} assumes independent folds, but these folds share training data",
                hint="Use correlated_t; or, with one number per task, sign or signed_rank over the tasks.",
            )
        if pair.runs and not self.takes_runs:
            return MethodError(
                f"the method {self.name} compares one training run of each model, but there are several",
                hint="Use crossed, or compare one run of each model and leave out the seed column.",
            )
        if pair.whole and not self.takes_set_metrics:
            return MethodError(
                f"the method {self.name} needs a score for each example, but {pair.metric} is computed on "
                "the "
                "whole test set",
                hint="Use bootstrap, or replace the metric with a loss per example: loss= (--loss).",
            )
        return None

    def suits_tasks(self, over: TaskPairs, ask: Ask) -> Suitability:
        """The same as `suits` for a pair on many tasks."""
        return Suitability(default=self.default_over.get(over.kind, ""))

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        """Return the answer on one task."""
        raise NotImplementedError(self.name)

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        """Return the answer over many tasks."""
        raise NotImplementedError(self.name)

    def under_prior(self, answer: Answer, prior_sd: float) -> Answer:
        """Return the same answer under the prior N(0, prior_sd²) of the advantage.

        This implementation is for a posterior of the advantage under a flat prior.
        """
        of_advantage = self.reads == "value" and answer.rope.scale == "score"
        if not of_advantage or answer.estimate.kind != "advantage":
            raise MethodError(
                f"the method {self.name} has no prior on the advantage, so prior_sd cannot be used",
                hint="Omit prior_sd (--prior-sd), or use t, mcnemar or hierarchical_t.",
            )
        posterior = tilted(cast("Posterior", answer.posterior), prior_sd)
        return replace(
            answer,
            posterior=posterior,
            p=probabilities(posterior, answer.rope),
            estimate=estimate(answer.estimate.name, posterior),
        )

    def readings(self, c: Comparison) -> dict[Asks, Reading]:
        """Over tasks: return the answers to the questions that were not asked."""
        return {}

    def describe(self, c: Comparison) -> MethodText:
        """Return the description of the method for a paper."""
        raise NotImplementedError(self.name)

    # --- further information about the answer ---

    def follows(self, c: Comparison) -> bool:
        """Whether the answer depends on a ROPE and can be recomputed immediately for another one."""
        return c.rope.is_used

    def at(self, c: Comparison, low: Floats, high: Floats) -> Floats | None:
        """Probabilities of better and worse for each ROPE, 2 x ROPEs; None if they are not known."""
        posterior = cast("Posterior", c.posterior)
        now, then = probabilities(posterior, c.rope), c.verdict.probabilities
        if abs(now.better - then.better) + abs(now.worse - then.worse) > _SAME:
            return None  # the verdict is not read from this posterior directly
        return outside(posterior, c.rope.scale, low, high)

    def region_curve(
        self, c: Comparison, low: Floats, high: Floats, *, seed: int, budget: Budget
    ) -> RegionCurve | None:
        """The three regions at many ROPEs, for tests with a posterior over regions; otherwise None."""
        return None

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        """Answers under each prior, the one used first, or the reason why the prior cannot be varied."""
        sceptical = priors.sceptical(cast("Posterior", c.posterior), c.rope)
        return (
            PriorAnswer(name="flat", why="flat in the advantage", p=c.verdict.probabilities),
            PriorAnswer(name="sceptical", why=CAUCHY, p=sceptical),
        )

    def at_once(self, c: Comparison) -> bool:
        """Whether all of this is fast enough for hundreds of pairs."""
        return False

    def directions(self, c: Comparison) -> Directions:
        """Return the units that can be added to the data, and their effect on the answer."""
        note = (
            "approximate: the posterior is assumed to narrow like that of a t-test with the same mean and "
            "standard deviation"
        )
        return one_direction(c, as_t(c), note)

    def plots(self, c: Comparison) -> list[str]:
        """Return the plots worth drawing, the most informative first."""
        e = c.evidence
        found = ["posterior", *self._data_plots(c)]
        if isinstance(e, Differences) and e.d.size >= _QQ and bool(e.d.min() < e.d.max()):
            found.append("qq")
        return [*found, "hdi"]

    def _data_plots(self, c: Comparison) -> list[str]:
        return ["differences"] if isinstance(c.evidence, Differences | Outcomes | OverTasks) else []


def outside(posterior: Posterior, scale: str, low: Floats, high: Floats) -> Floats:
    """Probabilities of better and worse for each ROPE, 2 x ROPEs, from a posterior of one number."""
    above, below = posterior.sf(high), posterior.cdf(np.nextafter(low, -np.inf))
    return np.stack([below, above] if scale == "phi" else [above, below])


_REGISTER: dict[str, Method] = {}


def register(method: Method) -> Method:
    """Register a method under its name."""
    if method.name in _REGISTER:
        raise OptionError(f'a method named "{method.name}" already exists', hint="Choose another name.")
    _REGISTER[method.name] = method
    return method


def unregister(name: str) -> None:
    """Remove a method from the registry."""
    del _REGISTER[name]


def known() -> Mapping[str, Method]:
    """Return every registered method by its name."""
    return _REGISTER


def by_preference() -> Iterable[Method]:
    """Return the methods in the order in which they can claim to be the default: the latest first."""
    return reversed(_REGISTER.values())


def default_of(kind: Kind) -> Method:
    """Return the default method for a kind of data on one task."""
    return next(method for method in by_preference() if kind in method.default_for)


def default_over(kind: TaskKind) -> Method:
    """Return the default method for a kind of data on many tasks, if it does not depend on the ROPE."""
    return next(method for method in by_preference() if kind in method.default_over)


def quickest_over_tasks() -> Method:
    """Return the quickest method over tasks, for callers that use only the single tasks."""
    return next(method for method in by_preference() if method.is_quickest)


def title_of(name: str) -> str:
    """Return what sentences call a method."""
    method = _REGISTER.get(name)
    return method.title if method is not None and method.title else name


def method_of(c: Comparison) -> Method:
    """Return the method that gave this answer."""
    return _REGISTER[c.method]


def asks_of(method: Method, ask: Ask) -> Asks | None:
    """Return the question over tasks that a method answers: the requested one, or its first, if any."""
    if ask.question is None:
        return method.answers[0] if method.answers else None
    if ask.question in method.answers:
        return ask.question
    own = (
        f" answers {', '.join(method.answers)};"
        if method.answers
        else (" answers none of the four questions;")
    )
    able = [m.name for m in known().values() if ask.question in m.answers]
    raise OptionError(
        f'the question "{ask.question}" cannot be answered by {method.name} on these data',
        hint=f"{method.name}{own} {ask.question} is answered by {', '.join(able)}.",
    )


def reads_likeliest(c: Comparison) -> bool:
    """Whether the probabilities say which region is the likeliest, instead of how likely each one is."""
    return c.asks == "likeliest" if c.asks is not None else method_of(c).reads == "likeliest"


def plots_of(c: Comparison) -> list[str]:
    """Return the plots worth drawing for this answer; if nothing varies, those for any single number."""
    return Method.plots(method_of(c), c) if isinstance(c.posterior, Unvaried) else method_of(c).plots(c)
