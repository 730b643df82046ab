"""Blocks of scores -> Scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ropewalk.data import SEVERAL, Audit, Scores
from ropewalk.data.arrays import zeros_and_ones
from ropewalk.data.known_direction import way_of
from ropewalk.data.odd_pairs import flags_and_grades
from ropewalk.data.task_scores import by_task
from ropewalk.errors import DataError, short
from ropewalk.read.alignment import alignment
from ropewalk.read.attempts import averaged
from ropewalk.read.block import Block
from ropewalk.read.fold_design import designs_of
from ropewalk.read.gaps import not_run, without_empty_cells, without_empty_tasks
from ropewalk.read.odd_columns import likely_truth, read_as_scores
from ropewalk.read.odd_rows import doubts_on_rows, other_settings
from ropewalk.read.pairing import pair
from ropewalk.read.roles import Options, compact
from ropewalk.read.runs import one_run_each, split_runs
from ropewalk.read.same_content import same_content, same_scores
from ropewalk.read.same_question import refuse_other_questions
from ropewalk.read.table import Column, numbers
from ropewalk.read.unit_groups import belong_together, clusters_of
from ropewalk.read.worst import fill_scores

_NAMELESS = ("score", "scores", "testscore", "value", "metricvalue")
_RIGHT = ("correct", "iscorrect")


def read_scores(
    blocks: list[Block],
    options: Options,
    *,
    metric: str = "",
    notes: Sequence[str] = (),
    warnings: Sequence[str] = (),
    told: bool | None = None,
    groups: Mapping[str, str] | None = None,
) -> Scores:
    """Pair the blocks' scores; `metric` is the name of the scores, if they were given one.

    `told` is whether higher is better and `groups` maps a task to its collection, if the file says so.
    """
    wide = any(len(b.columns) > 1 for b in blocks)
    inputs = tuple(dict.fromkeys(b.table.input for b in blocks if b.table.input is not None))
    name = metric or "score"
    blocks, attempts = averaged(without_empty_tasks(blocks))
    blocks, runs = split_runs(blocks if options.missing is None else without_empty_cells(blocks))
    paired = pair(blocks, options, examples=False, runs=runs)
    aligned, misaligned = alignment(paired)
    refuse_other_questions(paired)
    parts: dict[str, dict[int, Column]] = {}
    for i, b in enumerate(blocks):
        for m, (column, *_) in b.columns.items():
            parts.setdefault(m, {})[i] = numbers(b.table, column, b.rows)
    models = tuple(parts)
    values = np.array([paired.gather(columns) for columns in parts.values()]).T  # a model has one piece
    tasks = paired.parts.get("task") if paired.key.kind != "task" else None
    if len(values) < 2:
        raise DataError(
            f'there is one unit only: "{short(paired.names[0])}"',
            hint="A comparison needs several units that both models were scored on: examples, folds, tasks.",
        )
    right_or_wrong = zeros_and_ones(values)
    way = None
    said = "the metric differs from task to task; scores of metrics where lower is better count as negative"
    if name != SEVERAL:
        way = way_of(
            metric,
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
    higher = way is None or way.higher
    doubts = () if clusters is not None else belong_together(paired, values)
    doubts += () if attempts else flags_and_grades(values, models)
    doubts += doubts_on_rows(paired, values, metric, higher=higher)
    design, own, odd = designs_of(paired)
    if design.unit == "fold" and paired.dropped:
        odd.append("the models do not have the same folds: were they cross-validated on the same splits?")
    maybe: list[str] = []
    if inputs and wide and design.unit == "example" and np.array_equal(values, values.round()):
        few = len(models) == 2 and right_or_wrong
        truth = likely_truth(blocks[0].table, models) if len(blocks) == 1 else None
        if truth is not None:
            maybe.append(read_as_scores(truth, models))
        else:
            (odd if few else maybe).append(maybe_a_truth(models))
    scores = Scores(
        models=models,
        tasks=tuple(
            replace(t, design=own.get(t.name), group=(groups or {}).get(t.name)) if t.name else t
            for t in by_task(tasks, paired.names, values, clusters)
        ),
        metric=metric_name(name, right_or_wrong=right_or_wrong),
        higher_is_better=higher,
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
            inputs=inputs,
            cautions=(*(() if way is None else way.caution), *maybe, *other_settings(paired)),
            doubts=doubts,
            pairing=paired.how,
            not_run=paired.not_run,
        ),
    )
    return scores.by_model(runs)


def maybe_a_truth(models: Sequence[str]) -> str:
    """Return the caution about whole numbers in all columns of a wide file."""
    shown = ", ".join(f"`{short(m)}`" for m in models[:4]) + (", …" if len(models) > 4 else "")
    return (
        f"the whole numbers in {shown} are read as scores; if one of these columns is the truth, say "
        "which: --truth COLUMN (truth=COLUMN)"
    )


def metric_name(column: str, *, right_or_wrong: bool) -> str:
    """Return the name of a column's scores in a report."""
    if compact(column) in _RIGHT and right_or_wrong:
        return "accuracy"
    return "score" if compact(column) in _NAMELESS else column
