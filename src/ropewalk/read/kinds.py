"""Labels, probabilities or numbers: what the predictions are, decided by looking at them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ropewalk.data.arrays import Ints, Strings, strings
from ropewalk.errors import CellError, listed, short
from ropewalk.read.block import Block
from ropewalk.read.labels import are_fractions, given_labels, label_text, sort_labels
from ropewalk.read.outputs import Outputs
from ropewalk.read.probabilities import (
    class_matrices,
    known_pair,
    positive_column,
    positive_last,
)
from ropewalk.read.roles import Options
from ropewalk.read.table import numbers, parsed, text

_NO_TYPO = 0.1  # if more than this share lies outside 0 to 1, the numbers were not meant as probabilities
_NO_PREDICTION = (
    "Every row needs a prediction. If the model gave none, say what to do with the example: --missing worst\n"
    "counts it as wrong, --missing drop leaves it out (missing=)."
)
_MANY_CLASSES = 20  # whole numbers with more different values than this are quantities, not classes


def outputs_of(blocks: list[Block], options: Options) -> Outputs:
    """Decide what the predictions are, and read them as that."""
    told = {i: (b, b.truth) for i, b in enumerate(blocks) if b.truth is not None}
    models = {m: {i: b for i, b in enumerate(blocks) if m in b.columns} for b in blocks for m in b.columns}
    name = next(column for _, column in told.values())
    one_each = all(len(columns) == 1 for b in blocks for columns in b.columns.values())
    if one_each and are_fractions([b.table.columns[column][b.rows] for b, column in told.values()]):
        return _numbers(told, models, name)

    truth = {i: label_text(text(b.table, column, b.rows)) for i, (b, column) in told.items()}
    classes = sort_labels({t for cells in truth.values() for t in cells} | set(given_labels(options)))
    if not one_each:
        return class_matrices(blocks, truth, models, classes, name, options)
    said = {m: {i: _said(b, m, classes) for i, b in parts.items()} for m, parts in models.items()}
    known = set(classes)
    if all(set(cells.tolist()) <= known for parts in said.values() for cells in parts.values()):
        note = f"predictions are labels, from the {len(classes)} classes of `{short(name)}`"
        ordered = positive_last(classes, options)
        return Outputs(kind="labels", classes=ordered, truth=truth, values=said, notes=[note])

    found = np.concatenate([parsed(cells) for parts in said.values() for cells in parts.values()])
    finite = np.isfinite(found)
    if finite.mean() > 0.5:  # mostly numbers; reading them reports the cells that are not
        found = found[finite]
        numeric = bool(np.isfinite(parsed(strings(classes))).all())
        fractions = bool(np.any(found != np.floor(found)))
        inside = bool(found.min() >= 0 and found.max() <= 1)
        two = len(classes) == 2 or known_pair(classes) is not None
        # For a truth of yes and no, scores of 1.7 are bad probabilities; for one of 1 and 2 they are numbers.
        meant = known <= {"0", "1"} or not numeric or options.positive is not None
        if fractions and two and (inside or meant):
            # Probabilities of one model cannot be compared with scores of another: an error, below.
            scores = all(_share_outside(parts.values()) > _NO_TYPO for parts in said.values())
            return positive_column(truth, models, classes, name, options, scores=scores)
        if numeric and (fractions or len(classes) > _MANY_CLASSES):
            return _numbers(told, models, name)
    raise _unknown_label(blocks, said, classes)


def _share_outside(columns: Iterable[Strings]) -> float:
    """Return the share of numbers that cannot be probabilities."""
    values = np.concatenate([parsed(cells) for cells in columns])
    return float(np.mean((values < 0) | (values > 1)))


def _numbers(
    told: Mapping[int, tuple[Block, str]], models: Mapping[str, Mapping[int, Block]], name: str
) -> Outputs:
    return Outputs(
        kind="numbers",
        truth={i: numbers(b.table, column, b.rows) for i, (b, column) in told.items()},
        values={
            m: {i: numbers(b.table, b.columns[m][0], b.rows) for i, b in parts.items()}
            for m, parts in models.items()
        },
        notes=[f"predictions are numbers: `{short(name)}` is not a set of classes"],
    )


def _said(block: Block, model: str, classes: list[str]) -> Strings:
    """Return a model's answers as labels, spelling true and false as the truth does."""
    cells = label_text(text(block.table, block.columns[model][0], block.rows, hint=_NO_PREDICTION))
    spell = other_spelling(classes)
    return cells if spell.keys().isdisjoint(cells) else strings(spell.get(c, c) for c in cells)


def other_spelling(classes: list[str]) -> dict[str, str]:
    """Return a model's spelling of true and false if the truth has 1 and 0, and vice versa."""
    if set(classes) <= {"0", "1"}:
        return {"True": "1", "False": "0"}
    return {"1": "True", "0": "False"} if set(classes) <= {"True", "False"} else {}


def _unknown_label(
    blocks: list[Block], said: Mapping[str, Mapping[int, Strings]], classes: list[str]
) -> CellError:
    known = set(classes)
    for model, parts in said.items():
        for i, cells in parts.items():
            bad: Ints = np.flatnonzero([c not in known for c in cells])
            if bad.size:
                b, label = blocks[i], str(cells[bad[0]])
                hint = f"The truth has {listed(classes)}. {_near(label, classes)}".strip()
                hint += (
                    f'\nIf it is a class nevertheless: labels=["{short(label)}"] (--labels {short(label)}).'
                )
                if len(b.columns) > 1:
                    hint += f"\nIf `{short(model)}` is not a model, list those that are: "
                    hint += 'model=["A", "B"] (--model A --model B).'
                return b.table.bad_cells(
                    b.columns[model][0], b.rows[bad], "a label that does not occur in the truth", hint
                )
    raise AssertionError("every prediction is a label of the truth")


def _near(label: str, classes: list[str]) -> str:
    same = next((c for c in classes if c.lower().strip() == label.lower().strip()), None)
    return f'Did you mean "{short(same)}"?' if same is not None else ""
