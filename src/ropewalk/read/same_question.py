"""Whether rows that were paired hold the same question: ids that count rows say nothing about it."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from ropewalk.data.arrays import Strings
from ropewalk.errors import PairingError, short
from ropewalk.read.pairing import Paired
from ropewalk.read.roles import compact
from ropewalk.read.table import Column

# Columns with the models' input. A prompt may differ on purpose, but the question in it should not.
_QUESTIONS = frozenset((
    "document", "filename", "filepath", "image", "imagefile", "imagepath", "passage", "path", "premise",
    "problem", "query", "question", "sentence", "source", "text", "url",
))  # fmt: skip
_PROMPTS = frozenset((
    "conversation", "input", "inputs", "instruction", "message", "messages", "prompt", "prompts",
))  # fmt: skip
# Columns that name the part of the data. A unit is in only one part.
_DATA = frozenset((
    "datasetversion", "datasplit", "dataversion", "lang", "language", "locale", "partition", "split",
    "subset", "testset",
))  # fmt: skip
_HINT_DATA = "Compare the models on the same data; if these are the same examples, leave the column out."
_KNOWN = _QUESTIONS | _PROMPTS | _DATA
_MOST = 0.2  # up to this share of the questions may have been edited
_FEW = 0.01  # up to this share of the units, and at least two, may appear elsewhere by chance


def refuse_other_questions(paired: Paired) -> None:
    """Raise an error if questions differ under one id, or are the same under different ids."""
    for name, by_model in _asked(paired).items():
        (first, own), *others = by_model.items()
        for model, cells in others:
            both = np.flatnonzero((own != None) & (cells != None))  # noqa: E711  (of every element)
            differ = both[own[both] != cells[both]]
            known = set(own[both].tolist())
            moved = [u for u in differ if cells[u] in known]
            if len(moved) >= max(2, _FEW * len(both)):
                _refuse(paired, name, (first, own), (model, cells), np.array(moved), " under the same id")
            if compact(name) in _DATA and len(differ) >= max(2, _FEW * len(both)):
                _refuse(paired, name, (first, own), (model, cells), differ, " under the same id")
            if compact(name) in _QUESTIONS and len(differ) > _MOST * len(both):
                _refuse(paired, name, (first, own), (model, cells), differ, "")


def _asked(paired: Paired) -> dict[str, dict[str, Strings]]:
    """Return the columns with the models' input: each model's text per unit, None without one."""
    parts: dict[str, dict[str, dict[int, Column]]] = defaultdict(lambda: defaultdict(dict))
    for i, block in enumerate(paired.blocks):
        used = {*block.keys.values(), block.truth, block.cluster, block.split}
        used |= {c for columns in block.columns.values() for c in columns}
        for column, cells in block.table.columns.items():
            if column in used or cells.dtype != object or compact(column) not in _KNOWN:
                continue
            for model in block.columns if len(block.columns) == 1 else ():
                parts[column][model][i] = cells[block.rows]
    return {
        column: {model: paired.gather(cells) for model, cells in by_model.items()}
        for column, by_model in parts.items()
        if len(by_model) > 1
    }


def _refuse(
    paired: Paired,
    column: str,
    first: tuple[str, Strings],
    second: tuple[str, Strings],
    units: np.ndarray,
    where: str,
) -> None:
    (a, own), (b, cells) = first, second
    raise PairingError(
        f"{short(a)} and {short(b)} have different texts in `{short(column)}`{where} for {len(units):,} of "
        f"{len(paired.names):,} units",
        where=[f'"{short(paired.names[u])}": "{short(own[u])}" and "{short(cells[u])}"' for u in units[:5]],
        hint=_HINT_DATA
        if compact(column) in _DATA
        else "One unit must be one example. If the text identifies the example, pair on it: "
        f"--unit {short(column)} (unit={short(column)!r});\nif the texts differ on purpose, leave the column "
        "out.",
    )
