"""Predictions compared with the truth where the data are, by the same rules as in memory.

The distinct labels of each model are fetched first: a label that the truth does not have is an error, and
labels with another spelling (1.0 for 1, true for True) are compared by their meaning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from ropewalk.data.arrays import strings
from ropewalk.errors import CellError, DataError, listed, short
from ropewalk.read.joined import Joined, Part, collect, numbers
from ropewalk.read.kinds import other_spelling
from ropewalk.read.labels import given_labels, label_text, sort_labels
from ropewalk.read.roles import Options
from ropewalk.read.table import FLOATED

_MOST = 1_000_000  # most pairs of truth and prediction that are examined


def right_or_wrong(data: Joined, parts: Sequence[Part], options: Options) -> Joined:
    """Score predictions as right (1) or wrong (0) against the truth; every label must be known."""
    import narwhals as nw

    schema = data.frame.collect_schema()
    compared = ["y", *(f"x{i}" for i in range(len(parts)))]
    whole = all(schema[c].is_integer() for c in compared)
    spelled = _checked(data, parts, options)
    kind = nw.Int64 if whole else nw.String
    columns = {c: nw.col(c).cast(kind) for c in compared}
    if not whole:
        columns = {c: _spelled(e, spelled) for c, e in columns.items()}
    right = {c: (e == columns["y"]).cast(nw.Float64) for c, e in columns.items() if c != "y"}
    return replace(data, frame=data.frame.with_columns(**right))


def _checked(data: Joined, parts: Sequence[Part], options: Options) -> dict[str, str]:
    """Return the labels whose spelling differs from their meaning; unknown ones are an error."""
    truth: set[str] = set()
    said: list[dict[str, float]] = []
    for frame, x in _frames(data, parts):
        labels = _distinct(frame, x)
        if "y" in labels:
            truth |= set(labels["y"])
        said.append(labels["x"])
    if "" in truth:
        raise CellError("some examples have no truth", hint="Fill these cells, or drop these rows.")
    meant = dict(zip(truth, label_text(strings(truth)), strict=True))
    classes = sort_labels({*meant.values(), *given_labels(options)})
    spell = other_spelling(classes)
    known = set(classes)
    for part, counts in zip(parts, said, strict=True):
        own = dict(zip(counts, label_text(strings(counts)), strict=True))
        own = {raw: spell.get(label, label) for raw, label in own.items()}
        unknown = {raw: counts[raw] for raw, label in own.items() if label not in known}
        if unknown:
            rows = sum(unknown.values())
            raise CellError(
                f"{short(part.label)}: {rows:,.0f} prediction{'s' if rows > 1 else ''} "
                f"{'have labels' if rows > 1 else 'has a label'} that {'do' if rows > 1 else 'does'} "
                "not occur in the truth",
                where=[
                    f'"{short(raw)}": {n:,.0f} row{"s" if n > 1 else ""}' if raw else f"empty: {n:,.0f}"
                    for raw, n in list(unknown.items())[:5]
                ],
                hint=f"The truth has {listed(classes)}.\n"
                "If these are classes nevertheless, name them: labels= (--labels).",
            )
        meant |= own
    return {raw: label for raw, label in meant.items() if raw != label}


def _frames(data: Joined, parts: Sequence[Part]) -> Iterator[tuple[Any, str]]:
    """Yield the rows of each model and their column of predictions."""
    for i, part in enumerate(parts):
        yield (data.frame, f"x{i}") if part.frame is None else (part.frame, "x")


def _distinct(frame: Any, x: str) -> dict[str, dict[str, float]]:
    """Return the distinct labels of a model and of the truth as text, with counts."""
    import narwhals as nw

    columns = {"x": nw.col(x).cast(nw.String)}
    if "y" in frame.columns:
        columns["y"] = nw.col("y").cast(nw.String)
    groups = frame.select(**columns).with_columns(*(nw.col(c).fill_null("") for c in columns))
    answer = collect(groups.group_by(list(columns)).agg(n=nw.len()).head(_MOST + 1))
    if len(answer["n"]) > _MOST:
        raise DataError(
            f"there are more than {_MOST:,} different pairs of truth and prediction: these are not labels",
            hint="Read the rows into memory: in_place=False (--in-memory).",
        )
    out: dict[str, dict[str, float]] = {}
    for name in columns:
        counts: dict[str, float] = {}
        for label, n in zip(answer[name], numbers(answer["n"]), strict=True):
            counts[str(label)] = counts.get(str(label), 0.0) + float(n)
        out[name] = counts
    return out


def _spelled(cells: Any, spelled: dict[str, str]) -> Any:
    """Return an expression in the spelling that is compared."""
    import narwhals as nw

    whole = {raw: FLOATED.sub(r"\1", raw) for raw in spelled}
    words = {whole[raw]: label for raw, label in spelled.items() if whole[raw] != label}
    if any(raw != cut for raw, cut in whole.items()):
        floated = cells.str.contains(f"^{FLOATED.pattern}$")
        cells = nw.when(floated).then(cells.str.replace_all(r"\.0+$", "")).otherwise(cells)
    return reduce(
        lambda e, pair: nw.when(e == pair[0]).then(nw.lit(pair[1])).otherwise(e), words.items(), cells
    )
