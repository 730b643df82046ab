"""The rows of a large file that an error is about, looked up after the failure, where the data are.

Files that fit into memory are read again by the reader of text, which also knows the lines.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ropewalk.data.arrays import strings
from ropewalk.errors import CellError, PairingError, short
from ropewalk.read.block import Place
from ropewalk.read.database import quoted
from ropewalk.read.frame import is_relation
from ropewalk.read.kinds import other_spelling
from ropewalk.read.labels import label_text, truth_labels
from ropewalk.read.layout import Layout
from ropewalk.read.table import Table, shown_cell

_SHOWN = 5
_ROW = quoted("row of the file")


def with_rows(error: CellError | PairingError, layout: Layout) -> CellError | PairingError:
    """Add the first rows concerned to an error, if DuckDB reads the files; otherwise leave it unchanged."""
    import narwhals as nw

    found: list[str] = []
    for sample, place in zip(layout.samples, layout.places, strict=True):
        native = nw.to_native(sample.whole.frame)
        if not is_relation(native) or sample.whole.is_part:
            return error
        rows = native.project(f"*, row_number() over () as {_ROW}")
        look = _cells if isinstance(error, CellError) else _twice
        found += [f"{short(sample.name)} {line}" for line in look(rows, sample, place, layout)]
    return type(error)(error.what, where=[*error.where, *found[:_SHOWN]], hint=error.hint)


def _cells(rows: Any, sample: Table, place: Place, layout: Layout) -> Iterator[str]:
    """Yield the cells that are empty, not numbers, or not labels."""
    filled = [c for c in (place.model, *place.keys.values(), place.cluster, place.truth) if c is not None]
    outputs = list(dict.fromkeys(c for columns in place.columns.values() for c in columns))
    wanted = {c: _is_empty(c) for c in filled if c in sample.columns}
    if layout.content == "scores":
        wanted |= {c: _is_no_number(c) for c in outputs}
    for column, wrong in wanted.items():
        yield from _shown(rows, column, wrong)
    if layout.content == "predictions":
        pairs = zip(layout.samples, layout.places, strict=True)
        classes = truth_labels([(s, p.truth) for s, p in pairs if p.truth is not None], layout.options)
        for column in outputs:
            yield from _no_labels(rows, column, classes)


def _is_empty(column: str) -> str:
    return f"{quoted(column)} is null or {quoted(column)}::varchar = ''"


def _is_no_number(column: str) -> str:
    cell = quoted(column)
    number = f"try_cast({cell} as double)"
    word = f"lower(trim({cell}::varchar)) in ('true', 'false')"
    return f"not coalesce(isfinite({number}) or {word}, false)"


def _shown(rows: Any, column: str, wrong: str) -> list[str]:
    first = rows.filter(wrong).project(f"{_ROW}, {quoted(column)}").limit(_SHOWN).fetchall()
    return [f"row {n:,}, `{short(column)}`: {shown_cell(_plain(cell))}" for n, cell in first]


def _no_labels(rows: Any, column: str, classes: list[str]) -> list[str]:
    """Return the first row of each label that the truth does not have."""
    known, spell = set(classes), other_spelling(classes)
    seen = rows.aggregate(f"{quoted(column)}::varchar as cell, min({_ROW}) as n").order("n").fetchall()
    labels = label_text(strings("" if cell is None else cell for cell, _ in seen))
    return [
        f"row {n:,}, `{short(column)}`: {shown_cell(_plain(cell))}"
        for (cell, n), label in zip(seen, labels, strict=True)
        if spell.get(label, label) not in known
    ]


def _twice(rows: Any, sample: Table, place: Place, layout: Layout) -> Iterator[str]:
    """Yield the units that have more than one row of a model."""
    del layout
    by = [c for c in (place.model, *place.keys.values()) if c in sample.columns]
    names = ", ".join(map(quoted, (c for c in by if c is not None)))
    groups = rows.aggregate(f"{names}, list({_ROW} order by {_ROW}) as places, count(*) as n")
    for *unit, places, _ in groups.filter("n > 1").order("places").limit(_SHOWN).fetchall():
        named = "/".join(str(_plain(u)) for u in unit)
        yield f'rows {", ".join(f"{p:,}" for p in places[:_SHOWN])}: "{short(named)}"'


def _plain(cell: object) -> object:
    return "" if cell is None else cell
