"""Which columns are the scores, of which models, and of which metric."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ropewalk.data import SEVERAL, direction
from ropewalk.data.scores import distinct_models
from ropewalk.errors import ColumnError, DataError, did_you_mean, listed, short
from ropewalk.read.block import Place
from ropewalk.read.odd_columns import (
    refuse_counts,
    refuse_odd,
    refuse_other_things,
    refuse_row_per_model,
    refuse_transposed,
    refuse_words,
)
from ropewalk.read.roles import Options, Roles, compact, no_column, written
from ropewalk.read.table import Table, has_numbers, text


@dataclass(frozen=True, slots=True, kw_only=True)
class OneMetric:
    """The tables with the rows of one metric, if a column names metrics.

    `signs` is for tables in which every task has its own metric: +1 if higher is better, -1 if lower is,
    judged by the name of the metric.
    """

    tables: Sequence[Table]
    options: Options
    name: str | None = None
    signs: Mapping[str, float] = field(default_factory=dict)


def one_metric(tables: Sequence[Table], options: Options) -> OneMetric:
    """If a column names metrics, keep the rows of one: the only one, or the one that `score` names."""
    roles = [Roles(t, replace(options, score=None)) for t in tables]
    if not all(r.found["metric"] for r in roles):
        return OneMetric(tables=tables, options=options)
    columns = [r.one("metric") or "" for r in roles]
    for table, column in zip(tables, columns, strict=True):
        text(table, column)  # check that every cell is filled
    each = [[name for (name,) in t.distinct(c)] for t, c in zip(tables, columns, strict=True)]
    metrics = list(dict.fromkeys(m for names in each for m in names))
    known = {*metrics, *(c for t in tables for c in t.columns)}
    if options.score is not None and options.score not in known:
        raise ColumnError(
            f"{short(tables[0].name)} has no column and no metric `{short(options.score)}`",
            hint=did_you_mean(options.score, sorted(known)),
        )
    if options.score in metrics:
        chosen = options.score
        options = replace(options, score=None)
    elif len(metrics) == 1:
        chosen = metrics[0]
    elif options.score is None and _one_a_task(roles, columns):
        return OneMetric(tables=tables, options=options, name=SEVERAL, signs=_signs(metrics))
    else:
        raise ColumnError(
            f"{short(tables[0].name)} has several metrics: {listed(metrics, most=12)}",
            hint=f"Say which: {written('score', metrics[0])}.",
        )
    kept = [
        t if names == [chosen] else t.only(c, chosen)
        for t, c, names in zip(tables, columns, each, strict=True)
        if chosen in names
    ]
    return OneMetric(tables=kept, options=options, name=chosen)


def _one_a_task(roles: Sequence[Roles], metrics: Sequence[str]) -> bool:
    """Whether every task has exactly one metric and the tasks have different ones."""
    if not all(r.found["task"] for r in roles):
        return False
    pairs = {p for r, m in zip(roles, metrics, strict=True) for p in r.table.distinct(r.one("task") or "", m)}
    return len({task for task, _ in pairs}) == len(pairs)


def _signs(metrics: Sequence[str]) -> dict[str, float]:
    """Return the signs that negate metrics where lower is better."""
    signs = {}
    for metric in metrics:
        higher = direction(metric)
        if higher is None:
            raise ColumnError(
                f"the metric differs by task, and the name `{short(metric)}` does not say whether "
                "higher is better",
                hint="Compare the tasks of one metric at a time, or rename it: accuracy, error, loss, ...",
            )
        signs[metric] = 1.0 if higher else -1.0
    return signs


def score_columns(roles: Roles) -> tuple[str, ...]:
    """Return the column of scores of a long table, or of a file with one model."""
    named = roles.one("score")
    if named is not None:
        refuse_counts(roles.table, named)
        refuse_words(roles.table, named)
        return (named,)
    rest = [c for c in roles.rest(without=("truth",)) if has_numbers(roles.table.columns[c])]
    if len(rest) > 1:
        refuse_row_per_model(roles.table, roles.one("model"), rest, keyed=bool(roles.keys()))
        raise ColumnError(
            f"{short(roles.table.name)} has several columns that could be the score: "
            + ", ".join(f"`{short(c)}`" for c in rest[:12]),
            hint=f"Say which: {written('score', rest[0])}.",
        )
    if not rest:
        no_column([roles.table], "the score", "score")
    return (rest[0],)


def wide_scores(roles: Roles) -> tuple[Place, list[str]]:
    """Read a table whose columns are the models, and note the columns left out."""
    table, listed_models = roles.table, roles.options.model_columns
    metrics, rest = roles.found["score"], roles.rest(without=("score",))
    words = [c for c in rest if not has_numbers(table.columns[c])]
    models = list(listed_models) if listed_models is not None else [c for c in rest if c not in words]
    if listed_models is None and len(models) >= 2 and metrics:
        raise ColumnError(
            f"{short(table.name)} has columns named like metrics ({listed(metrics)}) and others "
            f"({listed(models)}): which are the models?",
            hint='List the models\' columns: model=["svm", "forest"] (--model svm --model forest).\n'
            f"If `{short(metrics[0])}` is the truth, name it: {written('truth', metrics[0])}.",
        )
    if len(models) < 2:
        if not models and not metrics:
            no_column([table], "a score", "score")
        if len(words) > 1 and metrics:
            refuse_words(table, metrics[0])
        columns = [*models, *metrics]
        example = columns if len(columns) > 1 else ["svm", "forest"]
        listing = ", ".join(f'"{short(c)}"' for c in example[:3])
        typed = " ".join(f"--model {shlex.quote(short(c))}" for c in example[:3])
        several = len(columns) > 1
        raise DataError(
            f"it is not clear which columns of {short(table.name)} are models: {listed(columns)}"
            if several
            else f"{short(table.name)} has scores of only one model: {listed(columns)}",
            hint="A comparison needs two models: give both models' files, or a column with their names;\n"
            f"if the columns are the models, list them: {typed} (model=[{listing}]).",
        )
    distinct_models(tuple(models))
    notes = ["models: columns " + ", ".join(f"`{short(m)}`" for m in models[:8])]
    if len(models) > 8:
        notes = [f"models: {len(models)} columns"]
    if words and listed_models is None:
        notes.append("left out: " + ", ".join(f"`{short(c)}`" for c in words[:8]) + " (no numbers)")
    if listed_models is None:
        refuse_transposed(table, models, keyed=not roles.weak.issuperset(roles.keys().values()))
        refuse_other_things(table, models)
        refuse_odd(table, models)
    return roles.place({m: (m,) for m in models}), notes


def metric_of(places: Sequence[Place]) -> str:
    """Return the name of the score column; a wide table does not have one."""
    if any(p.model is None and len(p.columns) > 1 for p in places):
        return ""
    names = list(dict.fromkeys(column for p in places for (column,) in p.columns.values()))
    if len({compact(n) for n in names}) > 1:
        if all(direction(n) is None for n in names):
            return ""  # each file names its scores after its model
        raise ColumnError(
            "the files have different scores: " + ", ".join(f"`{short(n)}`" for n in names[:12]),
            hint=f"Give files with the same metric, or say which column: {written('score', names[0])}.",
        )
    return names[0]
