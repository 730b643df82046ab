"""Blocks of scores -> Scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ropewalk.data import SEVERAL, Audit, Scores, direction
from ropewalk.data.arrays import Strings
from ropewalk.data.scores import by_task, distinct_models
from ropewalk.data.way import way_of
from ropewalk.errors import ColumnError, DataError, did_you_mean, listed, short
from ropewalk.read.alignment import alignment
from ropewalk.read.attempts import averaged
from ropewalk.read.block import Block
from ropewalk.read.design import designs_of
from ropewalk.read.gaps import not_run, without_empty_cells, without_empty_tasks
from ropewalk.read.odd_columns import refuse_odd, refuse_row_per_model, refuse_transposed
from ropewalk.read.pairing import Paired, pair
from ropewalk.read.roles import Options, Roles, compact, no_column, shared_by_rows, written
from ropewalk.read.runs import one_run_each, split_runs
from ropewalk.read.same_content import same_content, same_scores
from ropewalk.read.table import Column, Table, has_numbers, numbers, text
from ropewalk.read.worst import fill_scores

_NAMELESS = ("score", "scores", "testscore", "value", "metricvalue")
_RIGHT = ("correct", "iscorrect")


def one_metric(tables: list[Table], options: Options) -> tuple[list[Table], Options, str | None]:
    """Where a column names metrics, keep the rows of one: the only one, or the one that `score` names."""
    roles = [Roles(t, replace(options, score=None)) for t in tables]
    if not all(r.found["metric"] for r in roles):
        return tables, options, None
    names = [text(r.table, r.one("metric") or "") for r in roles]
    metrics = list(dict.fromkeys(m for column in names for m in column))
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
    elif options.score is None and _one_a_task(roles, names):
        return [_upward(r, m) for r, m in zip(roles, names, strict=True)], options, SEVERAL
    else:
        raise ColumnError(
            f"{short(tables[0].name)} has several metrics: {listed(metrics, most=12)}",
            hint=f"Say which: {written('score', metrics[0])}.",
        )
    kept = [t.filtered(np.flatnonzero(m == chosen)) for t, m in zip(tables, names, strict=True)]
    return [t for t in kept if t.height], options, chosen


def _one_a_task(roles: Sequence[Roles], metrics: Sequence[Strings]) -> bool:
    """Whether every task has a metric of its own, and no task two."""
    if not all(r.found["task"] for r in roles):
        return False
    tasks = [text(r.table, r.one("task") or "") for r in roles]
    pairs = {pair for t, m in zip(tasks, metrics, strict=True) for pair in zip(t, m, strict=True)}
    return len({task for task, _ in pairs}) == len(pairs)


def _upward(roles: Roles, metrics: Strings) -> Table:
    """The scores with those of metrics that are better when lower counted negative."""
    (column,) = score_columns(roles)
    sign = np.ones(len(metrics))
    for metric in dict.fromkeys(metrics):
        higher = direction(metric)
        if higher is None:
            raise ColumnError(
                f"the metric differs by task, and the name `{short(metric)}` does not say which way is up",
                hint="Compare the tasks of one metric at a time, or rename it: accuracy, error, loss, ...",
            )
        sign[metrics == metric] = 1.0 if higher else -1.0
    values = sign * numbers(roles.table, column)
    return replace(roles.table, columns={**roles.table.columns, column: values})


def score_columns(roles: Roles) -> tuple[str, ...]:
    """The column of scores of a long table, or of one model's file."""
    named = roles.one("score")
    if named is not None:
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


def wide_scores(roles: Roles) -> tuple[Block, list[str]]:
    """A table whose columns are the models, and what was left out of it."""
    table, listed_models = roles.table, roles.options.model_columns
    metrics, rest = roles.found["score"], roles.rest(without=("score",))
    words = [c for c in rest if not has_numbers(table.columns[c])]
    models = list(listed_models) if listed_models is not None else [c for c in rest if c not in words]
    if listed_models is None and len(models) >= 2 and metrics:
        raise ColumnError(
            f"{short(table.name)} has columns named like metrics ({listed(metrics)}) and others "
            f"({listed(models)}): which are the models?",
            hint='List the models\' columns: model=["svm", "forest"] (--model svm --model forest).',
        )
    if len(models) < 2:
        if not models and not metrics:
            no_column([table], "a score", "score")
        columns = [*models, *metrics]
        example = columns if len(columns) > 1 else ["svm", "forest"]
        listing = ", ".join(f'"{short(c)}"' for c in example[:3])
        raise DataError(
            f"{short(table.name)} has scores of one model only: {listed(columns)}",
            hint="A comparison needs two models: give both models' files, or a column with their names;\n"
            f"if the columns are the models, list them: model=[{listing}] (--model once for each).",
        )
    distinct_models(tuple(models))
    notes = ["models: columns " + ", ".join(f"`{short(m)}`" for m in models[:8])]
    if len(models) > 8:
        notes = [f"models: {len(models)} columns"]
    if words and listed_models is None:
        notes.append("left out: " + ", ".join(f"`{short(c)}`" for c in words[:8]) + " (no numbers)")
    if listed_models is None:
        refuse_transposed(table, models, keyed=bool(roles.keys()))
        refuse_odd(table, models)
    block = Block(
        table=table,
        rows=np.arange(table.height),
        label=table.name,
        columns={m: (m,) for m in models},
        keys=roles.keys(),
        cluster=roles.one("cluster"),
    )
    return block, notes


def read_scores(
    blocks: list[Block],
    roles: Sequence[Roles],
    options: Options,
    *,
    metric: str | None,
    notes: Sequence[str],
    warnings: Sequence[str] = (),
    told: bool | None = None,
    groups: Mapping[str, str] | None = None,
    nameless: bool = False,
) -> Scores:
    """Pair the blocks' scores; `told` is whether higher is better, `groups` of what a task is a part,
    where the file said so. `nameless` says that nobody named the scores.
    """
    wide = _is_wide(blocks)
    written_name = metric or ("" if nameless else metric_of(blocks))
    name = written_name or "score"
    blocks, attempts = averaged(without_empty_tasks(blocks))
    blocks, runs = split_runs(blocks if options.missing is None else without_empty_cells(blocks))
    paired = pair(
        blocks,
        examples=False,
        by_position=options.by_position,
        runs=runs,
        worst=options.missing == "worst",
        complete=options.complete,
    )
    aligned, misaligned = alignment(paired)
    parts: dict[str, dict[int, Column]] = {}
    for i, b in enumerate(blocks):
        for m, (column, *_) in b.columns.items():
            parts.setdefault(m, {})[i] = numbers(b.table, column, b.rows)
    models = tuple(parts)
    values = np.column_stack([paired.gather(columns) for columns in parts.values()])
    tasks = paired.parts.get("task") if paired.key.kind != "task" else None
    if len(values) < 2:
        raise DataError(
            f'there is one unit only: "{short(paired.names[0])}"',
            hint="A comparison needs several units that both models were scored on: examples, folds, tasks.",
        )
    right_or_wrong = bool(np.isin(values[~np.isnan(values)], (0.0, 1.0)).all())
    way = None
    said = "the metric differs from task to task; those that are better when lower count negative"
    if name != SEVERAL:
        way = way_of(
            written_name,
            models=models if wide else (),
            given=options.higher_is_better,
            told=told,
            right_or_wrong=right_or_wrong,
        )
        said = way.note
    copies = [*same_content(blocks), *same_scores(values, distinct_units=paired.key.kind == "example")]
    filled = fill_scores(values, models, paired.lacking, name, higher=way is None or way.higher)
    absent = dict(zip(models, np.isnan(values).T, strict=True))
    gaps = not_run(absent, tasks, {name: run.model for name, run in runs.items()})
    clusters, cluster_note = clusters_of(paired)
    design, own, odd = designs_of(paired, roles)
    if design.unit == "fold" and paired.dropped:
        odd.append("the models do not have the same folds: were they cross-validated on the same splits?")
    maybe: list[str] = []
    from_files = any(r.table.input is not None for r in roles)
    if from_files and wide and design.unit == "example" and np.array_equal(values, values.round()):
        few = len(models) == 2 and right_or_wrong
        (odd if few else maybe).append(maybe_a_truth(models))
    scores = Scores(
        models=models,
        tasks=tuple(
            replace(t, design=own.get(t.name or ""), group=(groups or {}).get(t.name or ""))
            for t in by_task(tasks, paired.names, values, clusters)
        ),
        metric=metric_name(name, right_or_wrong=right_or_wrong),
        higher_is_better=way is None or way.higher,
        way=way,
        design=design,
        audit=Audit(
            paired=len(values),
            dropped=paired.dropped,
            notes=(*notes, paired.note, *attempts, *aligned, said, *filled, *cluster_note),
            warnings=(
                *warnings,
                *paired.warnings,
                *misaligned,
                *odd,
                *copies,
                *gaps,
                *one_run_each(blocks, runs),
            ),
            inputs=tuple(r.table.input for r in roles if r.table.input is not None),
            cautions=(*(() if way is None else way.caution), *maybe),
            pairing=paired.how,
        ),
    )
    return scores.by_model(runs)


def maybe_a_truth(models: Sequence[str]) -> str:
    """What is said of whole numbers in all columns of a wide file."""
    shown = ", ".join(f"`{short(m)}`" for m in models[:4]) + (", …" if len(models) > 4 else "")
    return (
        f"the whole numbers in {shown} are taken for scores; if one of these columns is the truth, say "
        "which: --truth COLUMN (truth=COLUMN)"
    )


def metric_of(blocks: list[Block]) -> str:
    """The name of the column of scores; that of a wide table is not written anywhere."""
    if _is_wide(blocks):
        return ""
    names = list(dict.fromkeys(column for b in blocks for (column,) in b.columns.values()))
    if len({compact(n) for n in names}) > 1:
        if all(direction(n) is None for n in names):
            return ""  # each file calls its scores after its model
        raise ColumnError(
            "the files have different scores: " + ", ".join(f"`{short(n)}`" for n in names[:12]),
            hint=f"Give files with the same metric, or say which column: {written('score', names[0])}.",
        )
    return names[0]


def metric_name(column: str, *, right_or_wrong: bool) -> str:
    """What the scores of a column are called in a report."""
    if compact(column) in _RIGHT and right_or_wrong:
        return "accuracy"
    return "score" if compact(column) in _NAMELESS else column


def _is_wide(blocks: list[Block]) -> bool:
    return any(len(b.columns) > 1 for b in blocks)


def clusters_of(paired: Paired) -> tuple[Strings | None, list[str]]:
    """The cluster of each unit: a column's, or the example that comes back in several repeats."""
    having = {i: b.cluster for i, b in enumerate(paired.blocks) if b.cluster is not None}
    if having:
        cells = {i: text(paired.blocks[i].table, c, paired.blocks[i].rows) for i, c in having.items()}
        name = next(iter(having.values()))
        if len(np.unique(np.concatenate([paired.places[i] for i in having]))) < len(paired.names):
            lacking = next(b.label for b in paired.blocks if b.cluster is None)
            raise ColumnError(
                f"{short(lacking)} has no column `{short(name)}` with the clusters of its units",
                hint="Give the cluster of every unit.",
            )
        return paired.agreed("cluster", cells), [f"clusters: `{short(name)}`"]
    if paired.key.repeats_examples:
        column = paired.blocks[0].keys["unit"]
        return paired.parts["unit"], [f"clusters: `{short(column)}`, each of which comes back several times"]
    used = {c for b in paired.blocks for c in (*b.keys.values(), *(c for m in b.columns.values() for c in m))}
    idle = dict.fromkeys(c for b in paired.blocks for c in shared_by_rows(b.table) if c not in used)
    return None, [
        f"`{short(c)}` is not used; if rows with the same one belong together: {written('cluster', c)}"
        for c in idle
    ]
