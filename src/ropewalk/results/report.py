"""All comparisons of one question, with where they came from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ropewalk.arithmetic import usual_arithmetic
from ropewalk.errors import OptionError, did_you_mean, short
from ropewalk.results.comparison import Comparison
from ropewalk.results.model import Model
from ropewalk.results.rendered import Rendered
from ropewalk.results.together import Together

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ropewalk.data import Audit, Predictions
    from ropewalk.decide import SeedSummary
    from ropewalk.nhst import TestResult
    from ropewalk.questions import Asks, Setting
    from ropewalk.report.checklist import Item
    from ropewalk.report.document import Document
    from ropewalk.results.all_models import Leaderboard
    from ropewalk.results.mean_ranks import RankedModels
    from ropewalk.results.task_table import TaskTable
    from ropewalk.variation import Variation


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Report(Rendered):
    """The answer to a comparison: every pair, every model, and what was done with the data.

    It renders itself: `to_text()`, `to_markdown()`, `to_latex()`, `to_html()`, `to_json()`, `save(path)`. As
    tables: `to_frame()`, `models_frame()`, `scores_frame()`, `scores_latex()`; as a figure: `plot()`. For a
    paper: `methods_text()`, `results_text()`, `checklist()`, `to_bibtex()`. In a notebook it shows itself as
    a table.

    Parameters
    ----------
    question : str
        Question that the comparison answers, in words.
    metric : str
        What was measured.
    higher_is_better : bool
        Whether a higher score is better.
    unit : str
        What was paired: examples, folds, seeds or tasks.
    design : str
        How the units were drawn, in words.
    audit : Audit
        What happened while the data were read.
    models : list of Model
        The models, the best first.
    comparisons : list of Comparison
        One for each pair and task.
    overall : list of Comparison, optional
        One for each pair over all tasks.
    groups : dict, optional
        Where tasks are parts of collections, one comparison for each pair over each collection.
    classical : list of TestResult, optional
        Tests of all models at once: Friedman, Nemenyi, analysis of variance, model confidence set.
    board : Leaderboard, optional
        Joint posterior of all models.
    mean_ranks : RankedModels, optional
        Bayesian Friedman test over tasks.
    reference : str, optional
        Model that every other one was compared with.
    seeds : dict, optional
        Description of the training runs of each model that has several.
    variation : dict, optional
        By data set and model, where the variance of the results comes from, if several sources were varied.
    by_task : TaskTable, optional
        Score of each model on each of several tasks.
    probabilities : tuple of Predictions, default ()
        Probabilities that were compared, with those before calibration first.
    threshold : float
        Probability that a verdict needs.
    seed : int
        Random seed.
    command : str, optional
        What was typed, where that was a command.

    See Also
    --------
    ropewalk.compare : Makes reports.

    Examples
    --------
    >>> import ropewalk as rw
    >>> report = rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    >>> report.answers[0].verdict.name, report.unit
    ('undecided', 'example')
    >>> report.to_json().startswith("{")
    True
    """

    question: Setting
    metric: str
    higher_is_better: bool
    unit: str
    design: str
    audit: Audit
    models: list[Model]
    comparisons: list[Comparison]
    overall: list[Comparison] = field(default_factory=list)
    groups: dict[str, list[Comparison]] = field(default_factory=dict)
    classical: list[TestResult] = field(default_factory=list)
    board: Leaderboard | None = None
    mean_ranks: RankedModels | None = None
    reference: str | None = None
    seeds: dict[str, SeedSummary] = field(default_factory=dict)
    variation: dict[tuple[str, str], Variation] = field(default_factory=dict)
    by_task: TaskTable | None = None
    probabilities: tuple[Predictions, ...] = ()
    threshold: float
    seed: int
    command: str | None = None

    def __post_init__(self) -> None:
        """Tell every comparison of two models which one is ahead in the answer, and their places."""
        ahead: dict[frozenset[str], str] = {}
        for c in self.answers:
            ahead.setdefault(frozenset((c.a, c.b)), c.a if c.leads_a else c.b)
        place = {m.name: i for i, m in enumerate(self.models)} if len(self.models) > 2 else {}

        def one(c: Comparison) -> Comparison:
            leader = ahead.get(frozenset((c.a, c.b)), c.leader)
            places = (place[c.a], place[c.b]) if c.a in place and c.b in place else None
            if (c.leader, c.places) == (leader, places):
                return c
            return replace(c, leader=leader, places=places)

        def named(found: list[Comparison]) -> list[Comparison]:
            return [one(c) for c in found]

        for name in ("comparisons", "overall"):
            object.__setattr__(self, name, named(getattr(self, name)))
        if self.board is not None and self.board.scores_by_task is None:
            object.__setattr__(self, "board", self._with_scores(self.board))
        object.__setattr__(self, "groups", {group: named(found) for group, found in self.groups.items()})

    def _with_scores(self, board: Leaderboard) -> Leaderboard:
        """Return the leaderboard with the score of each model on each task, if known."""
        table = self.by_task
        if table is None or table.tasks != tuple(board.tasks) or not set(board.names) <= set(table.models):
            return board
        columns = [table.models.index(name) for name in board.names]
        return replace(board, scores_by_task=table.values[:, columns].T)

    @property
    def answers(self) -> list[Comparison]:
        """Comparisons that answer the question: over all tasks where there are several, else each pair."""
        return self.overall or self.comparisons

    @property
    def asks(self) -> Asks | None:
        """Question over tasks that the report answers; None on one task."""
        return next((c.asks for c in self.overall if c.asks is not None), None)

    @property
    def together(self) -> Together:
        """Claims about all pairs together: false discovery rate, and Holm's correction."""
        return Together.of(self.answers, self.board)

    def _document(self) -> Document:
        from ropewalk.report.compose import document

        return document(self)

    def to_markdown(self) -> str:
        """Render the whole report as Markdown, with methods paragraph, checklist, references and provenance.

        Returns
        -------
        str
            A Markdown document.
        """
        from ropewalk.report import markdown
        from ropewalk.report.compose import document

        return markdown.render(document(self, full=True))

    def to_latex(self) -> str:
        r"""Render the tables for LaTeX (booktabs), for \input; methods and results are macros.

        Returns
        -------
        str
            LaTeX source.
        """
        from ropewalk.report import latex
        from ropewalk.report.compose import document

        return latex.render(document(self, full=True))

    @usual_arithmetic
    def to_html(self) -> str:
        """Render a self-contained page with sliders for the ROPE and the threshold.

        Returns
        -------
        str
            An HTML document that loads nothing from elsewhere.
        """
        from ropewalk.report import html

        return html.page(self)

    def to_json(self) -> str:
        """Render the JSON document that scripts rely on: schema ropewalk/1.

        Returns
        -------
        str
            A JSON document.
        """
        from ropewalk.report import json

        return json.render(self)

    def to_bibtex(self) -> str:
        """References of the methods used.

        Returns
        -------
        str
            BibTeX entries.
        """
        from ropewalk.report.prose import sources
        from ropewalk.report.references import bibtex

        return bibtex(sources(self))

    def methods_text(self) -> str:
        """Methods paragraph of a paper.

        Returns
        -------
        str
            Text that names method, ROPE, threshold and software, with citations.
        """
        from ropewalk.report.prose import methods_paragraph

        return methods_paragraph(self)

    def results_text(self) -> str:
        """Results, to paste into a paper.

        Returns
        -------
        str
            Effect, interval, probabilities and verdict of each pair.
        """
        from ropewalk.report.prose import results_sentence

        return results_sentence(self)

    def checklist(self) -> tuple[Item, ...]:
        """Questions that a careful comparison answers.

        Returns
        -------
        tuple
            Each item has `name`, `text` and `state`, its answer: "yes", "no", or "ask" for what only the
            authors know.
        """
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
        DataFrame or pyarrow.Table
            Models, scores, estimate with its 95% interval, ROPE, the three probabilities, verdict, winner,
            the question over tasks, method, effect size, and the first classical test.

        Raises
        ------
        MissingExtraError
            If the backend is not installed.

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
        DataFrame or pyarrow.Table
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
        DataFrame or pyarrow.Table
            One row for each data set and one column for each model; the last two rows are over the data
            sets that all models were run on.
        """
        from ropewalk.report import frames

        return frames.frame(frames.scores(self), backend)

    def scores_latex(self, *, digits: int = 3) -> str:
        """Return the scores of each model on each data set for LaTeX (booktabs), with a caption.

        Parameters
        ----------
        digits : int, default 3
            Digits after the decimal point.

        Returns
        -------
        str
            LaTeX source, with the best score of each row in bold.

        Raises
        ------
        OptionError
            If the report has only one data set.
        """
        from ropewalk.report import frames

        return frames.scores_latex(self, digits=digits)

    def plot(self, kind: str | None = None, *, style: str = "screen", ax: Axes | None = None) -> Figure:
        """Draw all models, or with two models the pair.

        Parameters
        ----------
        kind : str, optional
            With several models "leaderboard" (the default), "verdict_matrix", "ranks", "task_matrix" or
            "critical_difference", as far as the data allow; with two models a plot of
            `ropewalk.plot.kinds(comparison)`, by default the one that says most.
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.
        ax : matplotlib.axes.Axes, optional
            Axes to draw a pair into; a leaderboard has a figure of its own.

        Returns
        -------
        Figure
            A matplotlib figure.

        Raises
        ------
        OptionError
            If there is no such plot of this report.
        """
        from ropewalk.plot import KINDS, kinds
        from ropewalk.results.report_plots import of_all_models

        together, first = of_all_models(self, style), self.answers[0]
        if kind in together and ax is None:
            return together[kind]()
        if kind is None and together and ax is None:
            return together["leaderboard"]()
        if kind is None:
            return first.plot(kinds(first)[0], ax=ax, style=style)
        if len(self.answers) == 1 and kind in KINDS:
            return first.plot(kind, ax=ax, style=style)
        if kind in KINDS:
            raise OptionError(
                f'"{kind}" shows one pair, and this report has {len(self.answers):,}',
                hint=f'Draw one of them: report.answers[0].plot("{kind}").',
            )
        if kind in together:
            raise OptionError(f'"{kind}" has a figure of its own', hint="Leave out ax.")
        drawn = list(together) or kinds(first)
        raise OptionError(f'this report has no plot "{short(kind)}"', hint=did_you_mean(kind, drawn))

    def save(self, path: str | Path) -> Path:
        """Write the report in the format that the suffix of the file names.

        Parameters
        ----------
        path : str or Path
            .txt, .md, .tex, .html, .json and .bib hold the report, .csv the comparisons as a table, and .xlsx
            a workbook with comparisons, models and, over data sets, scores.

        Returns
        -------
        Path
            The file that was written.

        Raises
        ------
        OptionError
            If the suffix is not one of these, or the file is one of those that were compared.
        """
        from ropewalk.disk import check_replaceable, write
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
                hint=f"The file name decides the format: {', '.join(forms)}.",
            )
        check_replaceable(target, [i.path for i in self.audit.inputs])
        return write(target, forms[target.suffix.lower()]())

    def plot_reliability(self, model: str, *, style: str = "screen") -> Figure:
        """Plot how often a class came true against the probability given, also before calibration.

        Parameters
        ----------
        model : str
            The model.
        style : {"screen", "paper"}, default "screen"
            "paper" has the width of a column and no title.

        Returns
        -------
        Figure
            A matplotlib figure.

        Raises
        ------
        OptionError
            If there is no such model, or the report has no probabilities.
        """
        from ropewalk.plot import reliability

        if not self.probabilities:
            raise OptionError(
                "a reliability diagram needs predicted probabilities",
                hint="Compare predicted probabilities, or turn scores into probabilities: calibrate= "
                "(--calibrate).",
            )
        first, *after = self.probabilities
        return reliability(first, model, after=after[0] if after else None, style=style)

    def __repr__(self) -> str:
        from ropewalk.results.headline import headline

        first = "".join(f"warning: {text} " for text in self.audit.cautions)
        return f"<ropewalk report: {first}{headline(self)}>"

    def _repr_html_(self) -> str:
        from ropewalk.report import html

        return html.fragment(self._document())
