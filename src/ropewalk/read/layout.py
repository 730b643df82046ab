"""How tables are laid out: long, wide, or one file per model; counts, predictions or scores.

Decided once, from the names of the columns, the first rows, and a few questions about all rows that every
engine answers (`Columns`). The result, a `Layout`, is applied in memory or where the data are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, NoReturn

from ropewalk.data.scores import distinct_models
from ropewalk.errors import ColumnError, DataError, OptionError, listed, short
from ropewalk.read.block import Place, same_keys
from ropewalk.read.counts import has_counts
from ropewalk.read.labels import truth_labels
from ropewalk.read.metric_choice import choose_metrics
from ropewalk.read.odd_columns import refuse_output_next_to_truth, refuse_training_rows
from ropewalk.read.pick import picked
from ropewalk.read.prediction_layout import prediction_columns, wide_predictions
from ropewalk.read.roles import Options, Roles, check_given, no_column, written
from ropewalk.read.score_layout import metric_of, one_metric, score_columns, wide_scores
from ropewalk.read.table import Table, text
from ropewalk.read.unread import refuse_unread_tables

Content = Literal["scores", "predictions", "statistics", "counts"]
Find = Callable[[Roles], tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Layout:
    """The kind of the tables, and the roles of the columns of each.

    `metric` is the name of the scores, if they have one. `signs` negates scores if the metric differs by
    task. `told` is whether higher is better and `groups` maps a task to its collection, as far as a log says
    so. `instead` is a column of scores next to predictions.
    """

    content: Content
    samples: Sequence[Table]
    places: Sequence[Place]
    options: Options
    metric: str = ""
    signs: Mapping[str, float] = field(default_factory=dict)
    notes: Sequence[str] = ()
    warnings: Sequence[str] = ()
    told: bool | None = None
    groups: Mapping[str, str] | None = None
    instead: str | None = None

    @property
    def is_wide(self) -> bool:
        """Whether the columns of a single table are the models."""
        return len(self.places) == 1 and self.places[0].model is None


_WEIGHTS = ("weight", "weights", "sampleweight", "sampleweights", "exampleweight", "importanceweight")


def decide(samples: Sequence[Table], options: Options) -> Layout:
    """Detect the layout of the tables."""
    layout = _decided(samples, options)
    return replace(layout, notes=(*layout.notes, *_unused_weights(layout)))


def _unused_weights(layout: Layout) -> list[str]:
    """Return a note on each column of weights: examples count equally, whatever it contains."""
    used = {name for p in layout.places for columns in p.columns.values() for name in columns}
    found = dict.fromkeys(
        name
        for sample in layout.samples
        for name in sample.columns
        if re.sub(r"[\W_]", "", name).casefold() in _WEIGHTS and name not in used
    )
    return [f"`{short(name)}` is not used: every row counts the same" for name in found]


def _decided(samples: Sequence[Table], options: Options) -> Layout:
    if any(t.log is not None for t in samples):
        return _log(samples, options)
    check_given(samples, options)
    refuse_unread_tables(samples)
    for sample in samples:
        refuse_training_rows(sample, options.given.values())
    roles = [Roles(t, options) for t in samples]
    if all(has_counts(t) for t in samples):
        place = Place(columns={}, keys=_only_task(roles))
        return Layout(content="counts", samples=samples, places=[place], options=options)
    if options.statistics is not None:
        return _statistics(samples, roles, options)
    if _are_predictions(roles, options):
        return _predictions(samples, roles, options)
    if options.score is None:
        refuse_output_next_to_truth(roles)
    found = one_metric(samples, picked(samples, options, predictions=False))
    roles = [Roles(t, found.options) for t in found.tables]
    if _is_wide(roles, found.options):
        place, notes = wide_scores(roles[0])
        places = [place]
    else:
        places, notes = _places(roles, score_columns, truth=False), []
    return Layout(
        content="scores",
        samples=found.tables,
        places=places,
        options=found.options,
        metric=found.name or metric_of(places),
        signs=found.signs,
        notes=notes,
    )


def _only_task(roles: Sequence[Roles]) -> dict[str, str]:
    task = roles[0].one("task") if len(roles) == 1 else None
    return {} if task is None else {"task": task}


def _log(samples: Sequence[Table], options: Options) -> Layout:
    """Read long tables of an evaluation tool, with one metric for each task."""
    tables: list[Table] = [s.whole for s in samples]  # logs are in memory
    choice = choose_metrics(tables, picked(tables, options, predictions=False))
    check_given(choice.tables, choice.options)
    chosen = [t.sample() for t in choice.tables]
    return Layout(
        content="scores",
        samples=chosen,
        places=_places([Roles(t, choice.options) for t in chosen], score_columns, truth=False),
        options=choice.options,
        metric=choice.metric,
        notes=choice.notes,
        warnings=choice.warnings,
        told=choice.higher_is_better,
        groups=choice.groups,
    )


def _are_predictions(roles: list[Roles], options: Options) -> bool:
    """Whether there is a truth, and values to compare with it that are not scores."""
    if options.score is not None and options.truth is None:
        return False
    truth, predicted, score = (
        any(r.found[role] for r in roles for role in group)
        for group in (("truth",), ("prediction", "probability"), ("score",))
    )
    if predicted and not truth and not score:
        no_column([r.table for r in roles], "the truth", "truth")
    return truth and (predicted or not score or options.truth is not None)


def _statistics(samples: Sequence[Table], roles: list[Roles], options: Options) -> Layout:
    if _is_wide(roles, options):
        raise ColumnError(
            f"{short(roles[0].table.name)} has no column of models next to the statistics of each segment",
            hint="Give one row per model and segment, or one file per model.",
        )
    columns = tuple(map(str, options.statistics or ()))
    places = _places(roles, lambda _: columns, truth=False)
    return Layout(content="statistics", samples=samples, places=places, options=options)


def _predictions(samples: Sequence[Table], roles: list[Roles], options: Options) -> Layout:
    if _is_wide(roles, options):
        place, notes = wide_predictions(roles[0])
        return Layout(content="predictions", samples=samples, places=[place], options=options, notes=notes)
    classes = truth_labels([(r.table, c) for r in roles if (c := r.one("truth")) is not None], options)
    return Layout(
        content="predictions",
        samples=samples,
        places=_places(roles, lambda r: prediction_columns(r, classes), truth=True),
        options=options,
        instead=next(iter(roles[0].found["score"]), None),
    )


def _is_wide(roles: list[Roles], options: Options) -> bool:
    """Whether it is one table without a column of models, so that its columns are the models."""
    if options.model_columns is not None:
        if len(roles) > 1:
            raise OptionError(
                f"columns were listed as models, but there are {len(roles)} files",
                hint="Only in a single file can columns be models. Name the one column that holds "
                "the models' names.",
            )
        return True
    return len(roles) == 1 and not roles[0].found["model"]


def _places(roles: list[Roles], outputs: Find, *, truth: bool) -> list[Place]:
    """Locate the columns in files with one model each, or in long tables."""
    having = [r for r in roles if r.found["model"]]
    if having and len(having) < len(roles):
        without = next(r for r in roles if not r.found["model"])
        raise ColumnError(
            f"{short(having[0].table.name)} has a column of models, {short(without.table.name)} has none",
            hint="Give files of one kind.",
        )
    places = (_long if having else _files)(roles, outputs, truth=truth)
    labels = [r.table.name for r in roles]
    # A file with the truth alone has one row per item, regardless of the number of attempts.
    attempts = {r: c for p in places for r, c in p.keys.items() if r == "attempt"}
    known = [
        (label, p.keys if p.columns else attempts | p.keys) for label, p in zip(labels, places, strict=True)
    ]
    same_keys(known, roles[0].options.by_position)
    return places


def _files(roles: list[Roles], outputs: Find, *, truth: bool) -> list[Place]:
    """Read one model per file, named after the file; a file with nothing but the truth is not a model."""
    places = []
    for r in roles:
        columns = outputs(r)
        label = r.one("truth") if truth else None
        if not columns and label is None:
            _no_prediction(r.table)
        places.append(r.place({r.table.stem: columns} if columns else {}, truth=label))
    _different_names([r.table for r in roles], places)
    return places


def _different_names(tables: Sequence[Table], places: Sequence[Place]) -> None:
    """Check that the names of the files, which name the models, are different."""
    names = [m for p in places for m in p.columns]
    if not names:
        raise DataError(
            "the files have a truth and no predictions",
            where=[short(t.name) for t in tables[:5]],
            hint="Give each model's predictions in a file of its own, in a column `prediction`.",
        )
    twice = next((m for m in names if names.count(m) > 1), None)
    if twice is not None:
        raise DataError(
            f'two models are called "{short(twice)}"',
            where=[short(t.name) for t, p in zip(tables, places, strict=True) if twice in p.columns],
            hint="A model is named after its file: rename one of the files.",
        )
    distinct_models(tuple(names))


def _no_prediction(table: Table) -> NoReturn:
    raise ColumnError(
        f"{short(table.name)} has no column that is known as the prediction",
        where=[f"columns: {listed(table.columns, most=12)}"],
        hint="Call the column `prediction`, or name it together with the truth: "
        f"{written('truth')} with {written('score')}.",
    )


def _long(roles: list[Roles], outputs: Find, *, truth: bool) -> list[Place]:
    """Read long tables, where a column names the models; several files are tasks or parts of one table."""
    columns = [r.one("model") or "" for r in roles]
    names = [[m for (m,) in r.table.distinct(c) if m] for r, c in zip(roles, columns, strict=True)]
    tasks = _are_tasks(roles, names)
    places = []
    for r, model, models in zip(roles, columns, names, strict=True):
        found, label = outputs(r), r.one("truth") if truth else None
        if not found:
            _no_prediction(r.table)
        if truth and label is None:
            no_column([r.table], "the truth", "truth")
        text(r.table, model, hint="Every row needs its model.")
        keys = {"task": "task", **r.keys()} if tasks else r.keys()
        places.append(
            r.place(
                dict.fromkeys(models, found),
                keys=_without_row_counter(r, keys, len(models)),
                model=model,
                task=r.table.stem if tasks else None,
                truth=label,
            )
        )
    everyone = list(dict.fromkeys(m for models in names for m in models))
    if len(everyone) == 1 and len(roles) > 1:
        column = short(columns[0])
        raise DataError(
            f"the {len(roles)} files have the same model name: {listed(everyone)}",
            hint=f"Give each model its own name in the column `{column}`. Without that column, each file\n"
            "is one model, named after its file.",
        )
    if len(everyone) < 2:
        raise DataError(
            f"{short(roles[0].table.name)} has only one model: {listed(everyone)}",
            hint="A comparison needs at least two models: give the other model's file too.",
        )
    distinct_models(tuple(everyone))  # refuse a very large number of models before they are paired
    return places


def _are_tasks(roles: list[Roles], models: Sequence[Sequence[str]]) -> bool:
    """Whether several long files without a task column have the same models, so that each file is a task."""
    if len(roles) == 1 or any(r.found["task"] for r in roles):
        return False
    if sum(map(len, models)) == len({m for names in models for m in names}):
        return False  # no model occurs in two files: the files are parts of one table
    numbered = len({re.sub(r"\d+", "#", r.table.stem) for r in roles}) == 1  # part-0, part-1, ...
    return not (numbered and _share_no_unit(roles))


def _share_no_unit(roles: list[Roles]) -> bool:
    """Whether every unit occurs in only one of the files."""
    if not all(r.found["unit"] for r in roles):
        return False
    first, *others = ((r.table, r.one("unit") or "") for r in roles)
    return first[0].apart(first[1], others)


def _without_row_counter(roles: Roles, keys: dict[str, str], models: int) -> dict[str, str]:
    """Drop a saved row number (0, 1, 2, ... down a whole long table): no two models share it."""
    unit = keys.get("unit")
    if unit is None or unit in roles.options.given.values() or models < 2:
        return keys
    others = any(role in keys for role in ("task", "repeat", "fold", "seed"))
    if (unit in roles.weak or others) and not roles.table.comes_back(unit):
        return {role: column for role, column in keys.items() if role != "unit"}
    return keys
