"""The interface of a method: suitability, answer, wording, and further information about the answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, cast

import numpy as np

from ropewalk.decide import Note, priors, probabilities
from ropewalk.decide.tilted import tilted
from ropewalk.errors import MethodError, OptionError
from ropewalk.methods.futures import Directions, as_t, one_direction
from ropewalk.methods.pair import Answer, Ask, Kind, Pair, TaskKind, TaskPairs, estimate
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
_QQ = 8  # fewer points do not make a Q-Q plot


@dataclass(frozen=True, slots=True, kw_only=True)
class MethodText:
    """The description of a method in a paper: its name, its model with the prior, how it is computed.

    `about` stands before "A is better than B", where the probabilities are of more than the advantage itself;
    over tasks the question says it where it is left out. `varies` is what the error bars are made of.
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
    """Why a method is the default for these data ("" where it is not), and why it cannot be used on them."""

    default: str = ""
    problem: MethodError | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PriorAnswer:
    """The answer under a prior: its short name, what it is and why."""

    name: str
    why: str
    p: Probabilities


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Nanoseconds of one processor, about: what is left of them, and what one answer may take in any case."""

    left: float
    least: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RegionCurve:
    """The three regions at many ROPEs: better and worse at each, 2 x ROPEs, and draws of all three.

    `table` is None where the verdict is read off a posterior of one number. `points(k, n)` are n draws at the
    k-th ROPE, n x 3; a draw has its successor at the next ROPE. `error` is the Monte Carlo error where there
    was no time for more draws, `nanoseconds` what it took, about.
    """

    table: Floats | None
    points: Callable[[int, int], Floats]
    error: float = 0.0
    nanoseconds: float = 0.0


class Method:
    """A method on one pair of models, with everything that the rest of ropewalk asks of it.

    A method of its own derives from this class, has a `name`, `fit` and `describe`, and is registered once
    (`ropewalk.methods.register`). What is written here holds for a posterior of one number.
    """

    name: ClassVar[str]
    card: ClassVar[Any] = None  # the function or class whose docstring `ropewalk methods` shows
    references: ClassVar[str] = ""  # BibTeX entries that references.bib does not have
    default_for: ClassVar[Mapping[Kind, str]] = {}  # the reason, for kinds of data that it is the default of
    default_over: ClassVar[Mapping[TaskKind, str]] = {}  # the same over many tasks
    one_task: ClassVar[bool] = True
    many_tasks: ClassVar[bool] = False
    independent: ClassVar[bool] = False  # whether it assumes that folds are independent
    takes_runs: ClassVar[bool] = False
    takes_set_metrics: ClassVar[bool] = False
    about_rows: ClassVar[bool] = False  # of clusters: about the mean row, not about the mean cluster
    varies_training: ClassVar[bool] = False
    takes_identical: ClassVar[bool] = False  # whether it has an answer where the models never differ
    answers: ClassVar[tuple[Asks, ...]] = ()  # questions over tasks, the first by default
    read_by_another: ClassVar[bool] = False  # whether another method answers one of the other questions
    reads: ClassVar[Literal["value", "likeliest"]] = "value"  # what the probabilities are of, on one task
    is_quickest: ClassVar[bool] = False  # over many tasks, where only the mean of each is looked at
    grows_by: ClassVar[str] = ""  # what `plan` can add, where that takes seconds to find out

    # --- the choice, and the answer ---

    def suits(self, pair: Pair) -> Suitability:
        """Whether it is the default for this pair, and whether it can be used at all."""
        why = self.default_for.get(pair.kind, "").format(
            metric=pair.metric, unit=pair.design.unit, rho=pair.rho, design=pair.design.describe()
        )
        return Suitability(default=why, problem=self.problem(pair))

    def problem(self, pair: Pair) -> MethodError | None:
        """Why it cannot be used on this pair."""
        if pair.rho > 0 and self.independent:
            return MethodError(
                f"{self.name} assumes independent folds, but these folds share training data",
                hint="Use correlated_t; or, with one number per task, sign or signed_rank over the tasks.",
            )
        if pair.runs and not self.takes_runs:
            return MethodError(
                f"{self.name} compares one training run of each model, but there are several",
                hint="Use crossed, or compare one run of each model and leave out the seed column.",
            )
        if pair.whole and not self.takes_set_metrics:
            return MethodError(
                f"{self.name} needs a score for each example, but {pair.metric} is computed on the whole "
                "test set",
                hint="Use bootstrap, or replace the metric with a loss per example: loss= (--loss).",
            )
        return None

    def suits_tasks(self, over: TaskPairs, ask: Ask) -> Suitability:
        """The same for a pair on many tasks."""
        return Suitability(default=self.default_over.get(over.kind, ""))

    def fit(self, pair: Pair, ask: Ask) -> Answer:
        """The answer on one task."""
        raise NotImplementedError(self.name)

    def fit_tasks(self, over: TaskPairs, ask: Ask) -> Answer:
        """The answer over many tasks."""
        raise NotImplementedError(self.name)

    def under_prior(self, answer: Answer, prior_sd: float) -> Answer:
        """The same answer with a prior of the advantage, N(0, prior_sd²).

        What is written here holds for a posterior of the advantage under a flat prior.
        """
        of_advantage = self.reads == "value" and answer.rope.scale == "score"
        if not of_advantage or answer.estimate.kind != "advantage":
            raise MethodError(
                f"{self.name} has no prior on the advantage, so prior_sd cannot be used",
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
        """Over tasks: the answers to the questions other than the one that was asked."""
        return {}

    def describe(self, c: Comparison) -> MethodText:
        """Its description for a paper."""
        raise NotImplementedError(self.name)

    # --- what else the answer tells ---

    def follows(self, c: Comparison) -> bool:
        """Whether the answer follows the ROPE: it depends on one, and can be computed again in no time."""
        return c.rope.is_used

    def at(self, c: Comparison, low: Floats, high: Floats) -> Floats | None:
        """Better and worse with each of these ROPEs, 2 x ROPEs; None where that is not known."""
        posterior = cast("Posterior", c.posterior)
        now, then = probabilities(posterior, c.rope), c.verdict.probabilities
        if abs(now.better - then.better) + abs(now.worse - then.worse) > _SAME:
            return None  # another reading than the posterior's own
        return outside(posterior, c.rope.scale, low, high)

    def region_curve(
        self, c: Comparison, low: Floats, high: Floats, *, seed: int, budget: Budget
    ) -> RegionCurve | None:
        """The three regions at many ROPEs, for tests that have a posterior of them; None for the others."""
        return None

    def other_priors(self, c: Comparison) -> tuple[PriorAnswer, ...] | Note:
        """The answer under each prior, the one that was used first; or else why there is none to vary."""
        sceptical = priors.sceptical(cast("Posterior", c.posterior), c.rope)
        return (
            PriorAnswer(name="flat", why="flat in the advantage", p=c.verdict.probabilities),
            PriorAnswer(name="sceptical", why=CAUCHY, p=sceptical),
        )

    def at_once(self, c: Comparison) -> bool:
        """Whether all this takes no time, so that it can be done for hundreds of pairs."""
        return False

    def directions(self, c: Comparison) -> Directions:
        """Units that can be added to the data, and their effect on the answer."""
        note = (
            f"approximate: the posterior of {self.name} is assumed to narrow like that of a t-test with the "
            "same mean and standard deviation"
        )
        return one_direction(c, as_t(c), note)

    def plots(self, c: Comparison) -> list[str]:
        """The plots that are worth drawing, the one that says most first."""
        e = c.evidence
        found = ["posterior", *self._data_plots(c)]
        if isinstance(e, Differences) and e.d.size >= _QQ and bool(e.d.min() < e.d.max()):
            found.append("qq")
        return [*found, "hdi"]

    def _data_plots(self, c: Comparison) -> list[str]:
        return ["differences"] if isinstance(c.evidence, Differences | Outcomes | OverTasks) else []


def outside(posterior: Posterior, scale: str, low: Floats, high: Floats) -> Floats:
    """Better and worse for each ROPE, 2 x ROPEs, from a posterior of one number."""
    above, below = posterior.sf(high), posterior.cdf(np.nextafter(low, -np.inf))
    return np.stack([below, above] if scale == "phi" else [above, below])


_REGISTER: dict[str, Method] = {}


def register(method: Method) -> Method:
    """Make a method known by its name."""
    if method.name in _REGISTER:
        raise OptionError(f'a method named "{method.name}" already exists', hint="Choose another name.")
    _REGISTER[method.name] = method
    return method


def unregister(name: str) -> None:
    """Forget a method again."""
    del _REGISTER[name]


def known() -> Mapping[str, Method]:
    """Every method by its name."""
    return _REGISTER


def by_preference() -> Iterable[Method]:
    """The methods in the order in which they are asked whether they are the default: the latest first."""
    return reversed(_REGISTER.values())


def default_of(kind: Kind) -> Method:
    """The default for a kind of data on one task."""
    return next(method for method in by_preference() if kind in method.default_for)


def default_over(kind: TaskKind) -> Method:
    """The default for what there is on many tasks, where the ROPE does not matter for that."""
    return next(method for method in by_preference() if kind in method.default_over)


def quickest_over_tasks() -> Method:
    """The quickest method over tasks, for callers that read only the single tasks."""
    return next(method for method in by_preference() if method.is_quickest)


def method_of(c: Comparison) -> Method:
    """The method that gave this answer."""
    return _REGISTER[c.method]


def asks_of(method: Method, ask: Ask) -> Asks | None:
    """The question over tasks that a method answers: the one asked for, or else its first, if it has any."""
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
    """Whether the probabilities say which region is the likeliest, and not how likely each is."""
    return c.asks == "likeliest" if c.asks is not None else method_of(c).reads == "likeliest"


def plots_of(c: Comparison) -> list[str]:
    """The plots that are worth drawing of this answer; where nothing varies, those of any one number."""
    return Method.plots(method_of(c), c) if isinstance(c.posterior, Unvaried) else method_of(c).plots(c)
