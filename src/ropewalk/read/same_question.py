"""Whether rows that were paired hold the same question: ids that count rows say nothing about it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from ropewalk.errors import PairingError, short
from ropewalk.read.joined import Joined, Part, collect
from ropewalk.read.pairing import Paired
from ropewalk.read.roles import compact
from ropewalk.read.table import Table

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


def questions(table: Table, used: Collection[str | None]) -> list[str]:
    """Return the columns of text with the models' input, apart from those that are used otherwise."""
    return [
        c for c, x in table.columns.items() if c not in used and x.dtype == object and compact(c) in _KNOWN
    ]


def refuse_other_questions(paired: Paired) -> None:
    """Raise an error if questions differ under one id, or are the same under different ids."""
    for name, by_model in paired.by_model(lambda block: questions(block.table, block.used)):
        (first, own), *others = by_model.items()
        for model, cells in others:
            both = np.flatnonzero((own != None) & (cells != None))  # noqa: E711  (of every element)
            differ = both[own[both] != cells[both]]
            known = set(own[both].tolist())
            moved = np.array([u for u in differ if cells[u] in known], dtype=np.intp)
            doubt = _doubt(name, len(both), len(differ), partial(len, moved))
            if doubt is not None:
                units = moved if doubt.moved else differ
                shown = [(paired.names[u], own[u], cells[u]) for u in units[:5]]
                raise doubt.error((first, model), len(units), len(paired.names), shown)


def refuse_in_place(data: Joined, parts: Sequence[Part]) -> None:
    """Do the same where the rows are; columns with questions are called `q_NAME_0`, one for each part."""
    import narwhals as nw

    names = dict.fromkeys(c.rpartition("_")[0] for c in data.frame.columns if c.startswith("q_"))
    for name in names:
        having = [i for i in range(len(parts)) if f"{name}_{i}" in data.frame.columns]
        for i in having[1:]:
            first, second = (nw.col(f"{name}_{k}").fill_null("") for k in (having[0], i))
            both = data.frame.filter(nw.col(f"p{having[0]}") == 1, nw.col(f"p{i}") == 1)
            both = both.select("unit", own=first, cell=second)
            differ = both.filter(nw.col("own") != nw.col("cell"))
            known = both.select(cell="own").unique()
            moved = differ.join(known, on="cell", how="semi")
            n, odd = _count(both), _count(differ)
            doubt = _doubt(name.removeprefix("q_"), n, odd, partial(_count, moved))
            if doubt is not None:
                units = moved if doubt.moved else differ
                few = collect(units.sort("unit", "own", "cell").head(5))
                shown = list(zip(few["unit"], few["own"], few["cell"], strict=True))
                raise doubt.error((parts[having[0]].model, parts[i].model), _count(units), n, shown)


def _count(frame: Any) -> int:
    import narwhals as nw

    return int(collect(frame.select(n=nw.len()))["n"][0])


@dataclass(frozen=True, slots=True)
class _Doubt:
    """Texts that differ; `moved` if only those count that the first model has under another id."""

    column: str
    moved: bool
    where: str

    def error(
        self, models: tuple[str, str], units: int, of: int, shown: Sequence[tuple[Any, Any, Any]]
    ) -> PairingError:
        (a, b), column = map(short, models), short(self.column)
        return PairingError(
            f"{a} and {b} have different texts in `{column}`{self.where} for {units:,} of {of:,} units",
            where=[f'"{short(u)}": "{short(own)}" and "{short(cell)}"' for u, own, cell in shown],
            hint=_HINT_DATA
            if compact(self.column) in _DATA
            else "One unit must be one example. If the text identifies the example, pair on it: "
            f"--unit {column} (unit={column!r});\nif the texts differ on purpose, leave the column out.",
        )


def _doubt(column: str, both: int, differ: int, moved: Callable[[], int]) -> _Doubt | None:
    """Return the doubt that so many different texts raise, of the units that both models have."""
    few = max(2, _FEW * both)
    if differ >= few and moved() >= few:
        return _Doubt(column, moved=True, where=" under the same id")
    if compact(column) in _DATA and differ >= few:
        return _Doubt(column, moved=False, where=" under the same id")
    if compact(column) in _QUESTIONS and differ > _MOST * both:
        return _Doubt(column, moved=False, where="")
    return None
