"""Data -> how they are interpreted and what would be compared, without comparing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Unpack

from ropewalk.data import Audit, Counts, Predictions, Scores, Summed
from ropewalk.data.dependence import repeated
from ropewalk.data.scale import range_of_scores
from ropewalk.data.vetting import vetted, vetted_for_gate
from ropewalk.errors import RopewalkError, listed
from ropewalk.options import ColumnOptions, with_options_of, with_suggestions
from ropewalk.questions import SETTINGS
from ropewalk.read import read
from ropewalk.report.document import DataNotes, Document, Facts, Headline, Warnings, cautions
from ropewalk.report.json import json_text
from ropewalk.results.rendered import Rendered

if TYPE_CHECKING:
    from ropewalk.data.coverage import Missing

_MOST = 12  # largest number of names listed


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood(Rendered):
    """Result of `check`: how the data are interpreted.

    Parameters
    ----------
    holds : str
        What the data are.
    models : tuple of str
        Names of the models.
    metric : str
        What was measured.
    direction : str
        Whether higher is better, and why.
    scale : str
        What a score can be.
    unit, design : str
        What one unit is, and how the units were drawn.
    tasks : tuple of str
        Names of the tasks.
    clusters : int
        Number of clusters.
    question : str
        Question that the comparison would answer, in words.
    method, why : str
        Method that `compare` would choose by default, and why.
    gate : str
        Why `ropewalk gate` would refuse these data; "" where it would not.
    audit : Audit
        What happened while the data were read.

    See Also
    --------
    ropewalk.check : Makes it.

    Examples
    --------
    >>> import ropewalk as rw
    >>> found = rw.check({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    >>> found.models, found.unit
    (('forest', 'svm'), 'example')
    """

    holds: str
    models: tuple[str, ...]
    metric: str
    direction: str
    scale: str
    unit: str
    design: str
    tasks: tuple[str, ...]
    clusters: int
    question: str
    method: str
    why: str
    gate: str
    audit: Audit

    def to_json(self) -> str:
        """Render it as JSON: schema ropewalk-check/1.

        Returns
        -------
        str
            A JSON document.
        """
        audit = self.audit
        content = {
            "schema": "ropewalk-check/1",
            "holds": self.holds,
            "models": list(self.models),
            "metric": self.metric,
            "direction": self.direction,
            "scale": self.scale,
            "unit": self.unit,
            "design": self.design,
            "tasks": list(self.tasks),
            "clusters": self.clusters,
            "question": self.question,
            "method": self.method,
            "why": self.why,
            "gate_would_refuse": self.gate,
            "audit": {
                "paired": audit.paired,
                "pairing": audit.pairing,
                "dropped": [{"reason": d.reason, "units": d.units} for d in audit.dropped],
                "cautions": list(audit.cautions),
                "warnings": list(audit.warnings),
                "notes": list(audit.notes),
            },
            "inputs": [{"path": i.path, "sha256": i.sha256} for i in audit.inputs],
        }
        return json_text(content)

    @property
    def _tasks(self) -> str:
        if not self.tasks:
            return "one"
        names = listed(self.tasks, most=_MOST)
        return names if len(self.tasks) > _MOST else f"{len(self.tasks)}: {names}"

    def _document(self) -> Document:
        from ropewalk.report.audit_lines import audit_lines

        head = f"{self.holds} of {len(self.models):,} models: {listed(self.models, most=_MOST)}"
        facts = [
            ("metric", self.metric),
            ("direction", self.direction),
            ("scale", self.scale),
            ("unit", self.unit if self.design.endswith(f"{self.unit}s") else f"{self.unit} ({self.design})"),
            ("tasks", self._tasks),
            ("clusters", f"{self.clusters:,}" if self.clusters else "none"),
            ("question", self.question),
            ("method", f"{self.why} ({self.method})" if self.why else self.method),
            ("gate", f"would refuse: {self.gate}" if self.gate else "would accept these data"),
        ]
        lines = audit_lines(self.audit, unit=self.unit, tasks=len(self.tasks), design=self.design)
        warned = [Warnings(lines=tuple(f"warning: {w}" for w in self.audit.warnings))]
        return Document(
            blocks=(
                *cautions(self.audit.cautions),
                Headline(text=head),
                DataNotes(lines=lines),
                Facts(rows=tuple((label, text) for label, text in facts if text)),
                *(warned if self.audit.warnings else []),
            )
        )


@with_suggestions
@with_options_of(read, ColumnOptions)
def check(
    data: Any,
    *,
    loss: Any = None,
    metric: str | None = None,
    rho: float | None = None,
    runs: int | None = None,
    missing: Missing | None = None,
    query: str | None = None,
    **options: Unpack[ColumnOptions],
) -> Understood:
    """Say how the data are interpreted and what would be compared, without comparing.

    What `compare` refuses is refused here with the same error.

    Parameters
    ----------
    data : path, list of paths, frame, dict, array, connection, Scores, Predictions, Counts or Summed
        Anything that `ropewalk.read` takes or returns.
    loss : str or dict, optional
        How a prediction would be scored, as for `compare`.
    metric : str, optional
        Metric of the whole test set, or one that the data hold.
    rho : float, optional
        Correlation between the scores of two folds. By default 1/k for k folds.
    runs : int, optional
        Number of repetitions of cross-validation, for scores without ids.
    missing : {"drop", "worst"}, optional
        What to do with units that a model lacks: leave them out ("drop") or count them as wrong ("worst").
    query : str, optional
        SQL query whose rows are the data; `data` is then a connection, the path of a database, or None where
        the query names files.

    Returns
    -------
    Understood
        Columns and their roles, direction, scale, units, tasks, the question and the method.

    Examples
    --------
    >>> found = check({"forest": [1, 1, 0, 1], "svm": [0, 1, 0, 0]})
    >>> found.holds, found.direction, found.method
    ('Scores', 'higher is better (1 is read as right, 0 as wrong)', 'mcnemar')
    """
    read_already = isinstance(data, (Scores, Predictions, Counts, Summed))
    source = read(data, query, missing=missing, pick=None if read_already else metric, **options)
    scored = loss is not None or metric is not None
    source = vetted(repeated(source, runs, rho), missing, rho, scored=scored)
    if isinstance(source, Predictions):
        return _of_predictions(source, loss, metric, missing)
    return _of_scores(source, "Counts" if isinstance(source, Counts) else "Scores", missing, rho)


def _of_predictions(
    source: Predictions, loss: Any, metric: str | None, missing: Missing | None
) -> Understood:
    from dataclasses import replace

    from ropewalk.analysis.wanted import metric_or_loss
    from ropewalk.methods import default_of, default_over
    from ropewalk.metrics import Metric

    holds = f"Predictions ({source.kind})"
    by = loss if metric is None else metric_or_loss(metric, "auto")
    if not isinstance(by, Metric) and source.kind not in ("scores", "statistics") and source.counts is None:
        return replace(_of_scores(source.scores(by), holds, missing, None), gate=_gate(source, missing))
    tasks = () if source.tasks is None else tuple(dict.fromkeys(source.tasks.tolist()))
    name = by.name if isinstance(by, Metric) else ""
    up = f"{'higher' if by.higher_is_better else 'lower'} is better" if isinstance(by, Metric) else ""
    method = default_over("scores") if len(tasks) > 1 else default_of("set metric")
    return Understood(
        holds=holds,
        models=source.models,
        metric=name or "none; choose one with metric= (--metric)",
        direction=up,
        scale="",
        unit="example",
        design="test examples",
        tasks=tasks,
        clusters=0 if source.clusters is None else len(set(source.clusters.tolist())),
        question=SETTINGS["Q3" if len(tasks) > 1 else "Q1"],
        method=method.name if name else "",
        why=""
        if not name
        else f"{method.title}, because the metric is computed on the whole test set"
        f"{' of each task' if len(tasks) > 1 else ''}",
        gate=_gate(source, missing),
        audit=source.audit,
    )


def _of_scores(
    source: Scores | Summed | Counts, holds: str, missing: Missing | None, rho: float | None
) -> Understood:
    from ropewalk.analysis.reporting import question_of

    method, why = _method(source, rho)
    way = None if isinstance(source, Counts) else source.way
    up = f"{'higher' if source.higher_is_better else 'lower'} is better"
    names = [t.name for t in source.tasks if t.name is not None]
    if isinstance(source, Scores) and source.design.unit == "task":
        names = [str(unit) for unit in source.tasks[0].units]
    return Understood(
        holds=holds,
        models=source.models,
        metric=source.metric,
        direction=up if way is None else way.note,
        scale="right or wrong" if isinstance(source, Counts) else _scale(source),
        unit=source.design.unit,
        design=source.describe_design(),
        tasks=tuple(names),
        clusters=_clusters(source),
        question=SETTINGS[question_of(source)],
        method=method,
        why=why,
        gate="" if isinstance(source, (Counts, Summed)) else _gate(source, missing, rho),
        audit=source.audit,
    )


def _scale(source: Scores | Summed) -> str:
    if source.is_binary:
        return "right or wrong (1 or 0)"
    return {1.0: "fractions, 0 to 1", 100.0: "percent, 0 to 100"}.get(
        range_of_scores(source), "range unknown"
    )


def _clusters(source: Scores | Summed | Counts) -> int:
    if isinstance(source, Counts):
        return 0
    if isinstance(source, Summed):
        return sum(len(t.clusters.names) for t in source.tasks if t.clusters is not None)
    return sum(len(set(t.clusters.tolist())) for t in source.tasks if t.clusters is not None)


def _method(source: Scores | Summed | Counts, rho: float | None) -> tuple[str, str]:
    """The method that a comparison of the first two models would choose, and why."""
    from ropewalk.analysis.default_method import default_method

    try:
        return default_method(source, source.models[:2], rho)
    except RopewalkError as problem:
        return "none", problem.what


def _gate(source: Scores | Predictions, missing: Missing | None, rho: float | None = None) -> str:
    try:
        vetted_for_gate(source, missing, rho)
    except RopewalkError as problem:
        return problem.what
    return ""
