"""All comparisons of one question, with where they came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.errors import OptionError
from ropewalk.results.comparison import Comparison

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.data import Audit, Predictions
    from ropewalk.decide import SeedSummary
    from ropewalk.nhst import TestResult
    from ropewalk.report.checklist import Item
    from ropewalk.results.all_models import Leaderboard
    from ropewalk.results.asks import Asks
    from ropewalk.results.mean_ranks import RankedModels
    from ropewalk.results.task_table import TaskTable
    from ropewalk.variation import Variation

Question = Literal["Q1", "Q2", "Q3"]
QUESTIONS: dict[Question, str] = {
    "Q1": "which of these trained models predicts better on this task",
    "Q2": "which learning algorithm is better on this task",
    "Q3": "which model is better over tasks of this kind",
}
_FALSE = 0.05  # false claims, as a share of all


@dataclass(frozen=True, slots=True, kw_only=True)
class Model:
    """One model: its mean score with a 95% interval, and its chances among all models, where known.

    Attributes
    ----------
    name : str
        The model.
    mean, low, high : float
        Mean score and its 95% interval.
    p_best, p_within_rope : float or None
        Probability that it is the best, and that it is within the ROPE of the best.
    rank : (int, int) or None
        Ends of the 95% interval of its rank; 1 is best.
    practically_best : bool or None
        Whether it is in the smallest set that holds a model within the ROPE of the best.
    """

    name: str
    mean: float
    low: float
    high: float
    p_best: float | None = None
    p_within_rope: float | None = None
    rank: tuple[int, int] | None = None
    practically_best: bool | None = None

    @property
    def interval(self) -> tuple[float, float]:
        return self.low, self.high


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """So many verdicts can be claimed together (`settled`) with at most `rate` of them expected to be false.

    That treats the models as drawn from one population where `pooled`. Of so many classical `tests` so many
    p-values are `held` at that rate after Holm's correction.
    """

    settled: int
    pooled: bool
    tests: int
    held: int
    rate: float = _FALSE


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Report:
    """The answer: `comparisons` (one per pair and task), `overall` (one per pair over all tasks), `models`.

    `groups` lies between the two: where tasks are parts of collections, one per pair over each of these.
    `classical` are the tests of all models at once (Friedman, Nemenyi, analysis of variance, model confidence
    set), `board` has their joint posterior, `mean_ranks` the Bayesian Friedman test over tasks; `seeds`
    describes the training runs of each model that has several, `variation` where their results come from if
    several sources were varied together; `probabilities` are those that were compared, with those before
    calibration in front.

    It renders itself: `to_text()`, `to_markdown()`, `to_latex()`, `to_html()`, `to_json()`, `save(path)`.
    As tables: `to_frame()`, `models_frame()`, `scores_frame()`, `scores_latex()`; as a figure: `plot()`.
    For a paper: `methods_text()`, `results_text()`, `checklist()`, `to_bibtex()`. In a notebook it shows as a
    table.
    """

    question: Question
    metric: str
    higher_is_better: bool
    unit: str  # what was paired: examples, folds, seeds or tasks
    design: str
    audit: Audit
    models: list[Model]
    comparisons: list[Comparison]
    overall: list[Comparison] = field(default_factory=list)
    groups: dict[str, list[Comparison]] = field(default_factory=dict)
    classical: list[TestResult] = field(default_factory=list)
    board: Leaderboard | None = None
    mean_ranks: RankedModels | None = None
    reference: str | None = None  # every other model was compared with this one only
    seeds: dict[str, SeedSummary] = field(default_factory=dict)
    variation: dict[tuple[str, str], Variation] = field(default_factory=dict)  # by data set and model
    by_task: TaskTable | None = None  # the score of each model on each of several tasks
    probabilities: tuple[Predictions, ...] = ()
    threshold: float
    seed: int
    command: str | None = None  # what was typed, where that was a command

    def __post_init__(self) -> None:
        """The model that is ahead in the answer for a pair is named in all comparisons of these two."""
        ahead: dict[frozenset[str], str] = {}
        for c in self.answers:
            ahead.setdefault(frozenset((c.a, c.b)), c.a if c.leads_a else c.b)

        def named(found: list[Comparison]) -> list[Comparison]:
            leaders = [(c, ahead.get(frozenset((c.a, c.b)), c.leader)) for c in found]
            return [c if c.leader == leader else replace(c, leader=leader) for c, leader in leaders]

        for name in ("comparisons", "overall"):
            object.__setattr__(self, name, named(getattr(self, name)))
        object.__setattr__(self, "groups", {group: named(found) for group, found in self.groups.items()})

    @property
    def answers(self) -> list[Comparison]:
        """What the report answers: over all tasks where there are many, else each pair."""
        return self.overall or self.comparisons

    @property
    def asks(self) -> Asks | None:
        """The question over tasks that the report answers; None on one task."""
        return next((c.asks for c in self.overall if c.asks is not None), None)

    @property
    def together(self) -> Together:
        """What holds for all pairs together."""
        from ropewalk.decide import false_discovery
        from ropewalk.nhst import adjust

        board, decided = self.board, [c for c in self.answers if c.verdict.name != "undecided"]
        pooled = board is not None and board.posterior.pulled > 0
        if board is not None and pooled:
            at = {name: i for i, name in enumerate(board.names)}
            errors = [1 - float(board.together[at[c.a], at[c.b]]) for c in decided]
        else:
            errors = [1 - max(c.verdict.better, c.verdict.equivalent, c.verdict.worse) for c in decided]
        tests = [c.classical[0].p_value for c in self.answers if c.classical]
        return Together(
            settled=len(false_discovery(errors, q=_FALSE).claims),
            pooled=pooled,
            tests=len(tests),
            held=int(sum(p <= _FALSE for p in adjust(tests, method="holm"))) if tests else 0,
        )

    def to_text(self, *, width: int = 80) -> str:
        """For a terminal, plain."""
        from ropewalk.report import text
        from ropewalk.report.compose import document

        return text.render(document(self), width=width)

    def to_markdown(self) -> str:
        """In full: with the methods paragraph, the checklist, references and provenance."""
        from ropewalk.report import markdown
        from ropewalk.report.compose import document

        return markdown.render(document(self, full=True))

    def to_latex(self) -> str:
        """Tables set with booktabs, to be set with \\input; methods and results are macros."""
        from ropewalk.report import latex
        from ropewalk.report.compose import document

        return latex.render(document(self, full=True))

    @usual_arithmetic
    def to_html(self) -> str:
        """A page of its own, in which the ROPE and the threshold can be moved."""
        from ropewalk.report import html

        return html.page(self)

    def to_json(self) -> str:
        """The document that scripts rely on: schema ropewalk/1."""
        from ropewalk.report import json

        return json.render(self)

    def to_bibtex(self) -> str:
        """The references of the methods used."""
        from ropewalk.report.prose import sources
        from ropewalk.report.references import bibtex

        return bibtex(sources(self))

    def methods_text(self) -> str:
        """The methods paragraph of a paper."""
        from ropewalk.report.prose import methods_paragraph

        return methods_paragraph(self)

    def results_text(self) -> str:
        """The results, to paste into a paper."""
        from ropewalk.report.prose import results_sentence

        return results_sentence(self)

    def checklist(self) -> tuple[Item, ...]:
        """What a careful comparison answers for: "yes", "no", or "ask" for what only the authors know."""
        from ropewalk.report.checklist import checklist

        return checklist(self)

    def to_frame(self, *, backend: str | None = None) -> Any:
        """Return one row for each pair over all tasks, over each group and on each task.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Kind of frame; by default the first of them that is installed.

        Returns
        -------
        DataFrame or Table
            Models, scores, estimate with its 95% interval, ROPE, the three probabilities, verdict, winner,
            the question over tasks, method, effect size, and the first classical test.

        Examples
        --------
        >>> import ropewalk as rw
        >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
        >>> report.to_frame()[["a", "b", "verdict"]].values.tolist()
        [['forest', 'svm', 'undecided']]
        """
        from ropewalk.report import frames

        return frames.frame(frames.comparisons(self), backend)

    def models_frame(self, *, backend: str | None = None) -> Any:
        """Return one row for each model: mean, 95% interval, probability to be the best, ranks.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Kind of frame; by default the first of them that is installed.

        Returns
        -------
        DataFrame or Table
            The models, the best first.
        """
        from ropewalk.report import frames

        return frames.frame(frames.models(self), backend)

    def scores_frame(self, *, backend: str | None = None) -> Any:
        """Return the score of each model on each data set, then the means and the mean ranks.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, optional
            Kind of frame; by default the first of them that is installed.

        Returns
        -------
        DataFrame or Table
            One row for each data set and one column for each model; the last two rows are over the data
            sets that all models were run on.
        """
        from ropewalk.report import frames

        return frames.frame(frames.scores(self), backend)

    def scores_latex(self, *, digits: int = 3) -> str:
        """Return the same table for LaTeX (booktabs), with a caption and the best of each row in bold."""
        from ropewalk.report import frames

        return frames.scores_latex(self, digits=digits)

    def plot(self, *, style: str = "screen", ax: Axes | None = None) -> Figure:
        """Draw what answers the question best: of many models the leaderboard, else the first pair.

        Parameters
        ----------
        style : {"screen", "paper"}, default "screen"
            Size and amount of text.
        ax : matplotlib.axes.Axes, optional
            Axes to draw a pair into; a leaderboard has a figure of its own.

        Returns
        -------
        Figure
            A matplotlib figure.
        """
        if self.board is not None and len(self.board.names) > 2 and ax is None:
            return self.board.plot(self.metric, style=style)
        from ropewalk.plot import kinds

        first = self.answers[0]
        return first.plot(kinds(first)[0], ax=ax, style=style)

    def save(self, path: str | Path) -> Path:
        """Write the report; the suffix picks the form.

        .txt, .md, .tex, .html, .json and .bib hold the report, .csv the comparisons as a table, and .xlsx a
        workbook with comparisons, models and, over data sets, scores.
        """
        from ropewalk.disk import write
        from ropewalk.report import frames

        target = Path(path)
        forms: dict[str, Callable[[], str | bytes]] = {
            ".txt": self.to_text,
            ".md": self.to_markdown,
            ".tex": self.to_latex,
            ".html": self.to_html,
            ".json": self.to_json,
            ".bib": self.to_bibtex,
            ".csv": lambda: frames.to_csv(frames.comparisons(self)),
            ".xlsx": lambda: frames.to_xlsx(self),
        }
        if target.suffix.lower() not in forms:
            raise OptionError(
                f'the report cannot be saved as "{target.name}"',
                hint=f"The suffix picks the form: {', '.join(forms)}.",
            )
        return write(target, forms[target.suffix.lower()]())

    def plot_reliability(self, model: str, *, style: str = "screen") -> Figure:
        """How often a class came true against the probability given, also before calibration."""
        from ropewalk.plot import reliability

        if not self.probabilities:
            raise OptionError(
                "there are no probabilities to hold against what came true",
                hint="Compare probabilities, or calibrate scores: calibrate= (--calibrate).",
            )
        first, *after = self.probabilities
        return reliability(first, model, after=after[0] if after else None, style=style)

    def __repr__(self) -> str:
        from ropewalk.results.headline import headline

        first = "".join(f"warning: {text} " for text in self.audit.cautions)
        return f"<ropewalk report: {first}{headline(self)}>"

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        from ropewalk.report import html
        from ropewalk.report.compose import document

        return html.fragment(document(self))
