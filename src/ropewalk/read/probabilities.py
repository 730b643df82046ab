"""Probabilities: one column for the positive class of two, or one column per class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ropewalk.data.arrays import Floats, strings
from ropewalk.errors import CellError, ColumnError, OptionError, did_you_mean, listed, short
from ropewalk.read.block import Block
from ropewalk.read.labels import label_text, sort_labels
from ropewalk.read.outputs import Outputs, class_columns, class_of
from ropewalk.read.roles import Options, written
from ropewalk.read.table import Column, numbers

# Pairs of labels; the second one is the positive class.
_PAIRS = [
    ("0", "1"),
    ("False", "True"),
    ("no", "yes"),
    ("n", "y"),
    ("neg", "pos"),
    ("negative", "positive"),
    ("-1", "1"),
]
_SUM_TOLERANCE = 1e-3


def positive_column(
    truth: dict[int, Column],
    raw: Mapping[str, Mapping[int, Block]],
    classes: list[str],
    name: str,
    options: Options,
    *,
    scores: bool,
) -> Outputs:
    """Return one number per example: the positive class's probability, or a score that is higher for it."""
    columns = [b.columns[m][0] for m, parts in raw.items() for b in parts.values()]
    pair = _two_classes(classes, columns, name, options)

    def read(block: Block, column: str) -> Column:
        if scores:
            return numbers(block.table, column, block.rows)
        p = _probabilities(block, column)
        return np.column_stack([1 - p, p])

    values = {m: {i: read(b, b.columns[m][0]) for i, b in parts.items()} for m, parts in raw.items()}
    positive = f'"{short(pair[1])}"'
    note = (
        f"decision scores for {positive}: many predictions lie outside 0 to 1"
        if scores
        else f"probabilities of {positive}: the predictions lie between 0 and 1"
    )
    return Outputs(
        kind="scores" if scores else "probabilities", classes=pair, truth=truth, values=values, notes=[note]
    )


def class_matrices(
    blocks: list[Block],
    truth: dict[int, Column],
    raw: Mapping[str, Mapping[int, Block]],
    classes: list[str],
    name: str,
    options: Options,
) -> Outputs:
    """Read one column of probabilities per class."""
    by_block = {i: class_columns(list(b.table.columns), classes) for i, b in enumerate(blocks) if b.columns}
    every = set(classes).union(*by_block.values())
    order = positive_last(sort_labels(every), options)
    values: dict[str, dict[int, Column]] = {}
    for model, parts in raw.items():
        values[model] = {}
        for i, b in parts.items():
            missing = [c for c in order if c not in by_block[i]]
            if missing or len(b.columns[model]) == 1:
                raise ColumnError(
                    f"{short(b.table.name)} has no column of probabilities for {listed(missing or order)}",
                    hint="Give one column per class in every file: p_CLASS.",
                )
            p = np.column_stack([_probabilities(b, by_block[i][c]) for c in order])
            _adds_up(b, p)
            values[model][i] = p
    note = f"probabilities: one column for each of the {len(order)} classes of `{short(name)}`"
    return Outputs(kind="probabilities", classes=order, truth=truth, values=values, notes=[note])


def _probabilities(block: Block, column: str) -> Floats:
    p = numbers(block.table, column, block.rows)
    bad = np.flatnonzero((p < 0) | (p > 1))
    if bad.size:
        raise block.table.bad_cells(
            column,
            block.rows[bad],
            "no probability",
            "Probabilities lie between 0 and 1; turn scores into probabilities, or into labels, first.",
        )
    return p


def _adds_up(block: Block, p: Floats) -> None:
    totals = p.sum(axis=1)
    bad = np.flatnonzero(np.abs(totals - 1) > _SUM_TOLERANCE)
    if bad.size:
        lines = [f"{block.table.places([block.rows[k]])}: {totals[k]:.6g}" for k in bad[:5]]
        more = [f"and {bad.size - 5:,} more"] if bad.size > 5 else []
        raise CellError(
            f"{short(block.table.name)}: the probabilities of {bad.size:,} row{'s' if bad.size > 1 else ''} "
            "do not add up to 1",
            where=[*lines, *more],
            hint="Is a class missing, or are these scores rather than probabilities?",
        )


def _two_classes(classes: list[str], columns: list[str], name: str, options: Options) -> tuple[str, str]:
    """Return the two classes; a single column has the probability of the second."""
    two = known_pair(classes) or (classes[0], classes[1])
    positive = positive_of(two, options)
    told = {c for column in columns if (c := class_of(column, two)) is not None}
    if len(told) == 1 and options.positive is None:
        positive = told.pop()
    if positive is None:
        raise ColumnError(
            f"the predictions are probabilities, but of which class of `{short(name)}`: {listed(classes)}?",
            hint=f"Say which class is the positive one: {written('positive', classes[-1])}.",
        )
    return next(c for c in two if c != positive), positive


def positive_of(classes: Sequence[str], options: Options) -> str | None:
    """Return the positive class: the one given, or the second of a well-known pair."""
    if options.positive is not None:
        positive = str(label_text(strings([options.positive]))[0])
        if positive not in classes:
            raise OptionError(
                f'the positive class "{short(positive)}" does not occur', hint=did_you_mean(positive, classes)
            )
        return positive
    pair = known_pair(classes)
    return None if pair is None else pair[1]


def positive_last(classes: Sequence[str], options: Options) -> tuple[str, ...]:
    """Return the classes in order, with the positive class, if any, last."""
    positive = positive_of(classes, options)
    rest = tuple(c for c in classes if c != positive)
    return rest if positive not in classes else (*rest, str(positive))


def known_pair(classes: Sequence[str]) -> tuple[str, str] | None:
    """Return a well-known pair of labels that contains these classes, in their spelling."""
    lower = {c.lower(): c for c in classes}
    for negative, positive in _PAIRS:
        if classes and set(lower) <= {negative.lower(), positive.lower()}:
            return lower.get(negative.lower(), negative), lower.get(positive.lower(), positive)
    return None
