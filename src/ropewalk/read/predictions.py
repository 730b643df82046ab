"""Blocks of predictions -> Predictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import Strings
from ropewalk.data.predictions import absent
from ropewalk.data.scores import distinct_models
from ropewalk.errors import DataError, short
from ropewalk.read.block import Block
from ropewalk.read.gaps import not_run, without_empty_cells, without_empty_tasks
from ropewalk.read.kinds import outputs_of
from ropewalk.read.labels import truth_labels
from ropewalk.read.odd_columns import refuse_odd
from ropewalk.read.outputs import class_columns
from ropewalk.read.pairing import Paired, pair
from ropewalk.read.roles import Options, Roles
from ropewalk.read.runs import one_run_each, split_runs
from ropewalk.read.same_content import same_content
from ropewalk.read.scores import clusters_of
from ropewalk.read.table import Table, as_text, has_numbers, numbers, text
from ropewalk.read.worst import fill_predictions


def wide_predictions(roles: Roles) -> tuple[Block, list[str]]:
    """A table with the truth and one column per model, and what was left out of it."""
    table, listed_models = roles.table, roles.options.model_columns
    scores = roles.found["score"]
    truth = roles.one("truth")
    assert truth is not None
    classes = truth_labels([(table, truth)], roles.options)
    by_class = class_columns(roles.rest(without=("truth",)), classes)
    single = [*roles.found["prediction"], *roles.found["probability"], *by_class.values()]
    models = list(listed_models) if listed_models is not None else roles.rest(without=("truth", "score"))
    words = [] if listed_models is not None else [c for c in models if _is_no_prediction(table, c, classes)]
    if len(models) - len(words) >= 2:
        models = [c for c in models if c not in words]
    if listed_models is None and (single or len(models) < 2):
        raise DataError(
            f"{short(table.name)} has predictions of one model only, in {_columns(single or models)}"
            if single or models
            else f"{short(table.name)} has a truth and no predictions",
            hint="A comparison needs two models: give the other model's file too, or a table with the truth\n"
            'and one column per model; list those with model=["svm", "forest"] (--model svm --model forest).',
        )
    distinct_models(tuple(models))
    if listed_models is None:
        refuse_odd(table, [m for m in models if has_numbers(table.columns[m])], of="the predictions")
    notes = []
    aside = [] if listed_models is not None else [*scores, *(c for c in words if c not in models)]
    if aside:
        notes.append("left out: " + ", ".join(f"`{short(c)}`" for c in aside[:8]) + " (no predictions)")
    block = Block(
        table=table,
        rows=np.arange(table.height),
        label=table.name,
        columns={m: (m,) for m in models},
        keys=roles.keys(),
        cluster=roles.one("cluster"),
        truth=truth,
        split=roles.one("split"),
    )
    return block, notes


def _is_no_prediction(table: Table, column: str, classes: Sequence[str]) -> bool:
    """Words of which none is a label of the truth, however it is spelled, say nothing about the truth."""
    cells = table.columns[column]
    if has_numbers(cells):
        return False
    known = {c.strip().lower() for c in classes}
    return not any(c.strip().lower() in known for c in dict.fromkeys(as_text(cells).tolist()))


def _columns(names: Sequence[str]) -> str:
    return ", ".join(f"`{short(n)}`" for n in names[:5]) + (", …" if len(names) > 5 else "")


def read_predictions(blocks: list[Block], options: Options, *, notes: Sequence[str]) -> Predictions:
    """Find out what the predictions are, and pair them."""
    blocks = without_empty_tasks(blocks)
    blocks, runs = split_runs(blocks if options.missing is None else without_empty_cells(blocks))
    outputs = outputs_of(blocks, options)
    paired = pair(
        blocks,
        examples=True,
        by_position=options.by_position,
        runs=runs,
        worst=options.missing == "worst",
        complete=options.complete,
    )
    if len(paired.names) < 2:
        raise DataError(
            f'there is one unit only: "{short(paired.names[0])}"',
            hint="A comparison needs several examples that both models predicted.",
        )
    clusters, cluster_note = clusters_of(paired)
    truth = next(b.truth for b in blocks if b.truth is not None)
    models = tuple(outputs.values)
    said = {m: paired.gather(outputs.values[m]) for m in models}
    true = paired.agreed("truth", outputs.truth)
    filled = fill_predictions(said, paired.lacking, true, outputs.kind, outputs.classes)
    tasks = paired.parts.get("task")
    gaps = not_run({m: absent(x) for m, x in said.items()}, tasks, {m: r.model for m, r in runs.items()})
    tables = dict.fromkeys(b.table for b in blocks)
    return Predictions(
        models=models,
        units=paired.names,
        truth=true,
        outputs=said,
        kind=outputs.kind,
        classes=outputs.classes,
        clusters=clusters,
        tasks=tasks,
        split=_split(paired),
        runs=runs,
        audit=Audit(
            paired=len(paired.names),
            dropped=paired.dropped,
            notes=(f"truth: `{short(truth)}`", *notes, *outputs.notes, paired.note, *filled, *cluster_note),
            warnings=(
                *paired.warnings,
                *same_content(blocks),
                *gaps,
                *outputs.warnings,
                *one_run_each(blocks, runs),
            ),
            inputs=tuple(t.input for t in tables if t.input is not None),
            pairing=paired.how,
        ),
    )


def _split(paired: Paired) -> Strings | None:
    """What each row is for, where a column says so."""
    having = {i: b for i, b in enumerate(paired.blocks) if b.split is not None}
    if not having:
        return None
    cells = {i: text(b.table, b.split or "", b.rows) for i, b in having.items()}
    return paired.agreed("split", cells)


def read_statistics(blocks: list[Block], options: Options, columns: Sequence[str]) -> Predictions:
    """Columns that add up over the segments, such as the matches and lengths behind BLEU."""
    paired = pair(blocks, examples=False, by_position=options.by_position)
    clusters, cluster_note = clusters_of(paired)
    models = tuple(dict.fromkeys(m for b in blocks for m in b.columns))
    outputs = {
        m: paired.gather(
            {
                i: np.column_stack([numbers(b.table, c, b.rows) for c in columns])
                for i, b in enumerate(blocks)
                if m in b.columns
            }
        )
        for m in models
    }
    tasks = paired.parts.get("task")
    gaps = not_run({m: absent(x) for m, x in outputs.items()}, tasks)
    tables = dict.fromkeys(b.table for b in blocks)
    listing = ", ".join(f"`{short(c)}`" for c in columns[:12])
    return Predictions(
        models=models,
        units=paired.names,
        truth=np.zeros(len(paired.names)),  # it is in the statistics already
        outputs=outputs,
        kind="statistics",
        clusters=clusters,
        tasks=tasks,
        audit=Audit(
            paired=len(paired.names),
            dropped=paired.dropped,
            notes=(f"statistics of each segment: {listing}", paired.note, *cluster_note),
            warnings=(*paired.warnings, *gaps),
            inputs=tuple(t.input for t in tables if t.input is not None),
        ),
    )
