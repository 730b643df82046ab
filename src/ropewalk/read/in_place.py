"""A layout applied where the data are -> Summed, or Predictions that were counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ropewalk.data import Input, Predictions, Summed
from ropewalk.data.known_direction import way_of
from ropewalk.data.metrics import is_resource
from ropewalk.errors import CellError, OptionError, PairingError, short
from ropewalk.metrics import Metric
from ropewalk.read.block import Place
from ropewalk.read.cells import counted, why_not
from ropewalk.read.joined import Joined, Part, collect, distinct, joined, side_by_side
from ropewalk.read.labels import are_fractions, truth_labels
from ropewalk.read.layout import Layout, decide
from ropewalk.read.outputs import class_of
from ropewalk.read.pushdown import summed
from ropewalk.read.roles import Options
from ropewalk.read.same_labels import right_or_wrong
from ropewalk.read.same_question import questions, refuse_in_place
from ropewalk.read.scores import metric_name
from ropewalk.read.second_look import with_rows
from ropewalk.read.table import SAMPLE, Table, parsed, table_of
from ropewalk.sums import differences

_KEYS = ("task", "unit")  # other designs need every row


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Relation:
    """Rows that are not loaded: a lazy frame, with the questions that the layout asks (`Columns`)."""

    frame: Any
    name: str
    stem: str
    is_part: bool = False  # only some rows of the file, so that they cannot be counted

    def sample(self) -> Table:
        """Return the first rows."""
        first = table_of(collect(self.frame.head(SAMPLE)), name=self.name, stem=self.stem)
        return first.first(first.columns, self)

    def distinct(self, *columns: str) -> list[tuple[str, ...]]:
        """Return the distinct values, in order of first appearance."""
        return distinct(self.frame, *columns)

    def comes_back(self, column: str) -> bool:
        """Whether a value of the column occurs in more than one row."""
        import narwhals as nw

        found = collect(self.frame.select(n=nw.len(), values=nw.col(column).n_unique()))
        return int(found["values"][0]) < int(found["n"][0])

    def apart(self, column: str, others: Sequence[tuple[Relation, str]]) -> bool:
        """Whether no value of the column occurs in more than one of this table and the others."""
        import narwhals as nw

        every = [r.frame.select(v=nw.col(c).cast(nw.String)) for r, c in ((self, column), *others)]
        count = [int(collect(f.select(n=nw.col("v").n_unique()))["n"][0]) for f in (*every, nw.concat(every))]
        return sum(count[:-1]) == count[-1]

    def only(self, column: str, value: str) -> Table:
        """Return the first of the rows with this value in the column."""
        import narwhals as nw

        rows = self.frame.filter(nw.col(column).cast(nw.String) == value)
        return replace(self, frame=rows, is_part=True).sample()


def sum_in_place(
    sources: Sequence[Relation],
    options: Options,
    metric: Metric | None,
    inputs: Sequence[Input] = (),
    *,
    always: bool,
    names_rows: bool = False,
) -> Summed | Predictions | None:
    """Join each model's rows and aggregate them, or count them for a metric of the whole test set.

    None for a design that needs every row. A metric that needs every row is an error if aggregation in place
    was requested. If requested, errors about cells and units name rows, which takes another pass over the
    files.
    """
    layout = decide([s.sample() for s in sources], options)
    if _needs_rows(layout, metric):
        return None
    try:
        return _carried_out(layout, metric, inputs, always=always)
    except (CellError, PairingError) as error:
        if not names_rows:
            raise
        raise with_rows(error, layout) from None


def _carried_out(
    layout: Layout, metric: Metric | None, inputs: Sequence[Input], *, always: bool
) -> Summed | Predictions | None:
    predictions = layout.content == "predictions"
    parts, frame = _parts(layout)
    why = None if not predictions or metric is None else why_not(metric, parts)
    if why is not None and metric is not None:
        if not always:
            return None
        raise OptionError(
            f"{metric.name} needs every row: {why}",
            hint="Read the rows into memory: in_place=False (--in-memory); or compare by another metric.",
        )
    first = layout.places[0]
    has_tasks = "task" in first.keys
    data = joined(parts, has_tasks=has_tasks) if frame is None else side_by_side(frame, len(parts))
    refuse_in_place(data, parts)
    if len(data.tasks) > 1 and np.all(data.rows == len(data.tasks)):
        return None  # one score per task: the tasks are the units, and their ids are not used
    if predictions and metric is not None:
        return counted(
            data,
            parts,
            metric,
            names={name: c for p in reversed(layout.places) for name, c in _named(p).items()},
            options=replace(layout.options, positive=_positive(layout)),
            inputs=inputs,
            always=always,
        )
    return _sums(layout, data, parts, inputs)


def _sums(layout: Layout, data: Joined, parts: Sequence[Part], inputs: Sequence[Input]) -> Summed | None:
    first, way = layout.places[0], None
    binary = all(p.binary for p in parts) and not is_resource(layout.metric)
    if layout.content == "predictions":
        data = right_or_wrong(data, parts, layout.options)
        said = f"truth: `{short(first.truth or '')}`"
        name, worst = "accuracy", ""
    else:
        way = way_of(
            layout.metric,
            models=[p.model for p in parts] if layout.is_wide else (),
            given=layout.options.higher_is_better,
            right_or_wrong=binary,
        )
        said = way.note
        worst = layout.metric or "score"
        name = metric_name(worst, right_or_wrong=binary)
    cluster = next((p.cluster for p in layout.places if p.cluster is not None), None)
    clusters = [] if cluster is None else [f"clusters: `{short(cluster)}`"]
    return summed(
        data,
        parts,
        metric=name,
        way=way,
        notes=(*layout.notes, f"paired on `{short(first.keys['unit'])}`", said, *clusters),
        inputs=inputs,
        could_be_truth=bool(inputs) and layout.is_wide and layout.content == "scores",
        worst=worst if layout.options.missing == "worst" else None,
    )


def _needs_rows(layout: Layout, metric: Metric | None) -> bool:
    """Whether every row is needed: folds, seeds, attempts, rows without an id, gaps."""
    if layout.content in ("counts", "statistics") or layout.options.by_position or layout.signs:
        return True
    for sample, place in zip(layout.samples, layout.places, strict=True):
        if "unit" not in place.keys or set(place.keys) - set(_KEYS) or place.split is not None:
            return True
        # The truth is in a separate file, or there is a column of probabilities for each class.
        if not place.columns or any(len(columns) != 1 for columns in place.columns.values()):
            return True
        if place.model is not None and sample.columns[place.model].dtype == np.float64:
            return True
    if len({p.cluster is None for p in layout.places if p.model is not None}) > 1:
        return True
    return layout.content == "predictions" and metric is None and not _are_labels(layout)


def _are_labels(layout: Layout) -> bool:
    """Whether truth and predictions are words or whole numbers; other values need a loss for every row."""
    looked_at = [
        sample.columns[c]
        for sample, p in zip(layout.samples, layout.places, strict=True)
        for c in {*(c for columns in p.columns.values() for c in columns), p.truth}
        if c is not None
    ]
    return not any(are_fractions([cells]) for cells in looked_at)


def _named(place: Place) -> dict[str, str]:
    """Return the names after the join of all columns other than the scores."""
    more = {"y": place.truth, "cluster": place.cluster}
    return place.keys | {name: c for name, c in more.items() if c is not None}


def _parts(layout: Layout) -> tuple[list[Part], Any]:
    """Return each model's rows; for a table with a column per model, all rows, because they are joined."""
    import narwhals as nw

    truth = layout.content == "predictions"
    if layout.is_wide:
        (sample,), (place,) = layout.samples, layout.places
        outputs = [c for (c,) in place.columns.values()]
        parts = [_part(m, m, None, sample, c, truth) for m, c in zip(place.columns, outputs, strict=True)]
        here = {f"p{i}": nw.lit(1) for i in range(len(parts))}
        there = {f"x{i}": nw.col(c) for i, c in enumerate(outputs)}
        agreed = {n + "0" * (n in ("y", "cluster")): nw.col(c) for n, c in _named(place).items()}
        return parts, sample.whole.frame.select(**there, **here, **agreed)
    asked = [
        {f"q_{c}_": c for c in questions(s, {p.model, *p.used})}
        for s, p in zip(layout.samples, layout.places, strict=True)
    ]
    if layout.places[0].model is not None:  # tables below each other need the same columns
        shared = set.intersection(*map(set, asked))
        asked = [{q: c for q, c in columns.items() if q in shared} for columns in asked]
    frames = [_selected(s, p, q) for s, p, q in zip(layout.samples, layout.places, asked, strict=True)]
    if layout.places[0].model is None:
        parts = [
            _part(model, s.name, frame, s, column, truth)
            for s, p, frame in zip(layout.samples, layout.places, frames, strict=True)
            for model, (column,) in p.columns.items()
        ]
        return parts, None
    whole = _below_each_other(frames)
    nameless = int(collect(whole.select(n=nw.col("model").null_count()))["n"][0])
    if nameless:
        raise CellError(f"{nameless:,} rows have no model", hint="Every row needs its model.")
    parts = []
    for model in dict.fromkeys(m for p in layout.places for m in p.columns):
        sample, place = next(
            (s, p) for s, p in zip(layout.samples, layout.places, strict=True) if model in p.columns
        )
        own = whole.filter(nw.col("model") == model).drop("model")
        parts.append(_part(model, model, own, sample, place.columns[model][0], truth))
    return parts, None


def _selected(sample: Table, place: Place, asked: Mapping[str, str]) -> Any:
    """Select columns and rename them to their roles."""
    import narwhals as nw

    ((column,), *_) = place.columns.values()
    columns = {name: nw.col(c) for name, c in _named(place).items()} | {"x": nw.col(column)}
    columns |= {name: nw.col(c).cast(nw.String) for name, c in asked.items()}
    if place.task is not None:
        columns["task"] = nw.lit(place.task)
    if place.model is not None:
        columns["model"] = nw.col(place.model).cast(nw.String)
    return sample.whole.frame.select(**columns)


def _below_each_other(frames: Sequence[Any]) -> Any:
    """Concatenate several files; columns of different types become numbers or text."""
    import narwhals as nw

    if len(frames) == 1:
        return frames[0]
    schemas = [f.collect_schema() for f in frames]
    columns = dict.fromkeys(c for schema in schemas for c in schema)
    cast = {}
    for c in columns:
        kinds = {schema[c] for schema in schemas if c in schema}
        if len(kinds) > 1:
            numeric = all(k.is_numeric() for k in kinds)
            cast[c] = nw.col(c).cast(nw.Float64 if numeric else nw.String)
    alike = {c: cast.get(c, nw.col(c)) for c in columns}
    return nw.concat([f.select(**alike) for f in frames], how="vertical")


def _part(model: str, label: str, frame: Any, sample: Table, column: str, truth: bool) -> Part:
    values = parsed(sample.columns[column])
    values = values[np.isfinite(values)]
    return Part(
        model=model,
        label=label,
        frame=frame,
        head=values if truth else differences(values),  # or they are too large to square
        binary=truth or bool(np.isin(values, (0.0, 1.0)).all()),
    )


def _positive(layout: Layout) -> object | None:
    """Return the positive class, if it was given or a probability column is named after it: p_spam."""
    pairs = list(zip(layout.samples, layout.places, strict=True))
    classes = truth_labels([(s, p.truth) for s, p in pairs if p.truth is not None], layout.options)
    columns = [c for _, p in pairs for outputs in p.columns.values() for c in outputs]
    told = {class_of(c, classes) for c in columns} - {None}
    given = layout.options.positive
    return told.pop() if given is None and len(told) == 1 else given
