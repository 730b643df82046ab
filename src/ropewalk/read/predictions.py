"""Blocks of predictions -> Predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import Strings, strings
from ropewalk.data.odd_predictions import are_class_ids
from ropewalk.data.prediction_checks import absent
from ropewalk.errors import DataError, short
from ropewalk.read.block import Block
from ropewalk.read.gaps import not_run, without_empty_cells, without_empty_tasks
from ropewalk.read.kinds import outputs_of
from ropewalk.read.labels import sort_labels
from ropewalk.read.odd_rows import other_settings, shifted
from ropewalk.read.outputs import Outputs
from ropewalk.read.pairing import Paired, pair
from ropewalk.read.roles import Options
from ropewalk.read.runs import one_run_each, split_runs
from ropewalk.read.same_content import same_content
from ropewalk.read.same_question import refuse_other_questions
from ropewalk.read.table import Column, as_text, numbers, text
from ropewalk.read.unit_groups import belong_together, clusters_of
from ropewalk.read.worst import fill_predictions


def read_predictions(blocks: list[Block], options: Options, *, notes: Sequence[str]) -> Predictions:
    """Decide the kind of the predictions, and pair them."""
    blocks = without_empty_tasks(blocks)
    blocks, runs = split_runs(blocks if options.missing is None else without_empty_cells(blocks))
    outputs = outputs_of(blocks, options)
    paired = pair(blocks, options, examples=True, runs=runs)
    if len(paired.names) < 2:
        raise DataError(
            f'there is one unit only: "{short(paired.names[0])}"',
            hint="A comparison needs several examples that both models predicted.",
        )
    refuse_other_questions(paired)
    clusters, cluster_note = clusters_of(paired)
    truth = next(b.truth for b in blocks if b.truth is not None)
    models = tuple(outputs.values)
    said = {m: paired.gather(outputs.values[m]) for m in models}
    true = paired.agreed("truth", outputs.truth)
    if outputs.kind == "numbers" and are_class_ids(true, said.values()):
        true, said = _names(true), {m: _names(x) for m, x in said.items()}
        outputs = _as_labels(outputs, {t for x in (true, *said.values()) for t in x if t is not None}, truth)
    doubts: tuple[str, ...] = ()
    if clusters is None and outputs.kind == "labels":
        right = np.column_stack([np.asarray(x == true, dtype=np.float64) for x in said.values()])
        doubts = belong_together(paired, right)
    doubts += shifted(paired)
    filled = fill_predictions(said, paired.lacking, true, outputs.kind, outputs.classes)
    tasks = as_text(paired.parts["task"]) if "task" in paired.parts else None
    gaps = not_run({m: absent(x) for m, x in said.items()}, tasks, {m: r.model for m, r in runs.items()})
    tables = dict.fromkeys(b.table for b in blocks)
    return Predictions(
        models=models,
        units=as_text(paired.names),
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
                *one_run_each(blocks, runs),
            ),
            inputs=tuple(t.input for t in tables if t.input is not None),
            cautions=tuple(other_settings(paired)),
            doubts=doubts,
            pairing=paired.how,
            not_run=paired.not_run,
        ),
    )


def _as_labels(outputs: Outputs, labels: set[str], name: str) -> Outputs:
    """Convert whole numbers to the class labels that they name."""
    note = f"predictions are labels: whole numbers that equal `{short(name)}` exactly or are far from it"
    return replace(outputs, kind="labels", classes=tuple(sort_labels(labels)), notes=[note])


def _names(x: Column) -> Strings:
    return strings(f"{v:.0f}" if np.isfinite(v) else None for v in x)


def _split(paired: Paired) -> Strings | None:
    """Return the purpose of each row, if a column states it."""
    having = {i: b for i, b in enumerate(paired.blocks) if b.split is not None}
    if not having:
        return None
    cells = {i: text(b.table, b.split or "", b.rows) for i, b in having.items()}
    return paired.agreed("split", cells)


def read_statistics(blocks: list[Block], options: Options, columns: Sequence[str]) -> Predictions:
    """Read columns that add up over the segments, such as the matches and lengths behind BLEU."""
    paired = pair(blocks, replace(options, missing=None), examples=False)
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
    tasks = as_text(paired.parts["task"]) if "task" in paired.parts else None
    gaps = not_run({m: absent(x) for m, x in outputs.items()}, tasks)
    tables = dict.fromkeys(b.table for b in blocks)
    listing = ", ".join(f"`{short(c)}`" for c in columns[:12])
    return Predictions(
        models=models,
        units=as_text(paired.names),
        truth=np.zeros(len(paired.names)),  # the truth is part of the statistics
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
