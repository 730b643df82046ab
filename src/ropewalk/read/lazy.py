"""Frames and files whose rows stay where they are -> Summed, or Predictions that were counted.

The first rows say which column is what; then only names of columns are used.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from ropewalk.data import Input, Predictions, Summed
from ropewalk.data.scores import distinct_models
from ropewalk.data.way import way_of
from ropewalk.errors import OptionError, ReadError, short
from ropewalk.metrics import Metric
from ropewalk.read.block import same_keys
from ropewalk.read.cells import counted, why_not
from ropewalk.read.cluster import connected
from ropewalk.read.counts import has_counts
from ropewalk.read.files import MANY, named_files, size_of
from ropewalk.read.formats import File, format_of
from ropewalk.read.joined import Part, collect, joined, side_by_side
from ropewalk.read.labels import are_fractions, truth_labels
from ropewalk.read.layout import are_predictions, are_shards, file_blocks, no_prediction, no_votes
from ropewalk.read.outputs import class_of, prediction_columns
from ropewalk.read.pick import picked
from ropewalk.read.predictions import wide_predictions
from ropewalk.read.pushdown import summed
from ropewalk.read.roles import Options, Roles, check_given
from ropewalk.read.same_labels import right_or_wrong
from ropewalk.read.scan import dialect_of, scanned, scanner
from ropewalk.read.scores import metric_name, metric_of, score_columns, wide_scores
from ropewalk.read.table import Table, as_text, parsed, table_of
from ropewalk.sums import differences

_HEAD = 10_000  # the rows that are looked at
_LARGE = 256 * 2**20  # bytes of files from which on the rows stay in them
_CHUNK = 1 << 24
_OTHER_DESIGNS = ("repeat", "fold", "seed", "attempt", "split", "metric")
_READERS = {
    ".parquet": "read_parquet",
    ".pq": "read_parquet",
    ".csv": "read_csv",
    ".tsv": "read_csv",
    ".jsonl": "read_json",
    ".ndjson": "read_json",
}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Lazy:
    """A frame, its first rows, and where it came from."""

    frame: Any
    head: Table


def sum_frames(
    source: Any, options: Options, metric: Metric | None, *, always: bool = False
) -> Summed | Predictions | None:
    """A lazy frame, a DuckDB relation or {model: one of these}, with many rows or on a cluster.

    None where it is something else, or has a design for which every row is needed.
    """
    import narwhals as nw

    named = source if isinstance(source, Mapping) else {None: source}
    frames = {}
    for name, native in named.items():
        try:
            frame = nw.from_native(native)
        except TypeError:
            return None
        if not isinstance(frame, nw.LazyFrame):
            if not always:
                return None
            frame = frame.lazy()
        frames[name] = frame
    if not frames or not (always or any(_stays(f) for f in frames.values())):
        return None
    lazies = [
        Lazy(frame=f, head=_head(f, "the frame" if name is None else str(name))) for name, f in frames.items()
    ]
    return _summed(lazies, options, metric, always=always)


def _stays(frame: Any) -> bool:
    """Whether the rows are on a cluster, or too many to be fetched."""
    import narwhals as nw

    if frame.implementation in (nw.Implementation.DASK, nw.Implementation.PYSPARK):
        return True
    return int(collect(frame.select(n=nw.len()))["n"][0]) > MANY


def sum_files(
    paths: Sequence[str],
    options: Options,
    metric: Metric | None,
    *,
    always: bool = False,
    dask: str | None = None,
) -> Summed | Predictions | None:
    """Large files by DuckDB, which goes to disk where memory does not suffice; None where they are small.

    `dask` is the address of a cluster that reads and sums them instead.
    """
    if not {Path(p).suffix.lower() for p in paths} <= set(_READERS):
        return None
    files = named_files(paths)
    if not always and sum(map(size_of, paths)) < _LARGE and not _many_rows(files):
        return None
    if format_of(files[0]) is not None:
        return None  # the log of a tool, which has its own reader
    if not all(any(part in f.head for part in (b"PAR1", b"\n", b"\r")) for f in files):
        return None  # a pipe, or one endless line, over which DuckDB takes its time
    with _duckdb() if dask is None else _cluster(dask) as opened:
        frames = [opened(file) for file in files]
        if any(frame is None for frame in frames):
            return None
        lazies = [
            Lazy(frame=frame, head=_head(frame, f.name, f.stem))
            for frame, f in zip(frames, files, strict=True)
        ]
        return _summed(lazies, options, metric, inputs=paths, always=always)


def _many_rows(files: Sequence[File]) -> bool:
    """Whether these are Parquet files, which say how many rows they have, with very many of them."""
    if sum(size_of(f.path) for f in files) < MANY or not all(f.head.startswith(b"PAR1") for f in files):
        return False  # a row takes a byte at least
    try:
        with scanner() as connection:
            relations: list[Any] = [scanned(connection, f) for f in files]
            rows = sum(int(r.aggregate("count(*)").fetchall()[0][0]) for r in relations)
    except ReadError:
        return False  # who reads the rows will say what is wrong
    return rows > MANY


@contextmanager
def _duckdb() -> Iterator[Callable[[File], Any]]:
    import narwhals as nw

    def opened(file: File) -> Any:
        relation = scanned(connection, file)
        return None if relation is None else nw.from_native(relation)

    with scanner() as connection:
        yield opened


@contextmanager
def _cluster(address: str) -> Iterator[Callable[[File], Any]]:
    """A Dask cluster; its workers open the files under the same paths."""
    import narwhals as nw

    try:
        import dask.dataframe as dd
    except ImportError:
        raise OptionError(
            "Dask is not installed here", hint="Install it: pip install 'ropewalk[dask]'."
        ) from None

    def opened(file: File) -> Any:
        reader = _READERS[Path(file.path).suffix.lower()]
        how: dict[str, Any] = {"lines": True, "convert_dates": False} if reader == "read_json" else {}
        if reader == "read_csv":
            found = dialect_of(file)
            if found is None:
                return None
            # Every cell as text, and only an empty one is missing: "NA" may be a label.
            how = {"sep": found.delimiter, "dtype": str, "keep_default_na": False, "na_values": [""]}
            how |= {"skiprows": found.skipped, "names": list(found.header), "header": 0}
            how |= {"skipinitialspace": found.delimiter != "\t"}
        return nw.from_native(getattr(dd, reader)(str(Path(file.path).absolute()), **how))

    with connected(address):
        yield opened


def _head(frame: Any, name: str, stem: str | None = None) -> Table:
    return table_of(collect(frame.head(_HEAD)), name=name, stem=stem or name)


def _summed(
    lazies: list[Lazy], options: Options, metric: Metric | None, inputs: Sequence[str] = (), *, always: bool
) -> Summed | Predictions | None:
    """The parts of each model, joined and summed, or counted for a metric of the whole test set.

    None for a design that needs every row; a metric that does is an error if it has to be in place.
    """
    heads = [z.head for z in lazies]
    check_given(heads, options)
    no_votes(heads)
    roles = [Roles(t, options) for t in heads]
    if options.by_position or options.statistics is not None or any(has_counts(t) for t in heads):
        return None
    truth = are_predictions(roles, options)
    options = picked(heads, options, predictions=truth)
    roles = [Roles(t, options) for t in heads]
    blocked = _OTHER_DESIGNS if truth and metric is not None else (*_OTHER_DESIGNS, "probability")
    if any(r.found[role] for r in roles for role in blocked):
        return None
    if not all(r.found["unit"] for r in roles):
        return None
    is_wide = options.model_columns is not None or (len(roles) == 1 and not roles[0].found["model"])
    found = (_wide if is_wide else _long if roles[0].found["model"] else _files)(lazies, roles, truth)
    if found is None:
        return None
    if truth and metric is None and not _are_labels(found, heads):
        return None
    parts, named = found.parts, found.named
    distinct_models(tuple(p.model for p in parts))
    why = None if not truth or metric is None else why_not(metric, parts)
    if why is not None and metric is not None:
        if not always:
            return None
        raise OptionError(
            f"{metric.name} needs every row: {why}",
            hint="Have the rows read: in_place=False (--in-memory); or compare by another metric.",
        )
    data = (
        joined(parts, has_tasks="task" in named)
        if found.frame is None
        else side_by_side(found.frame, len(parts))
    )
    if data.tasks > 1 and np.all(data.rows == data.tasks):
        return None  # one score for each task: the tasks are the units, and their ids are not used
    files = [_input(p) for p in inputs]
    if truth and metric is not None:
        told = replace(options, positive=_positive(roles, found.columns))
        return counted(data, parts, metric, names=named, options=told, inputs=files, always=always)
    if truth:
        data = right_or_wrong(data, parts, options)
    clusters = [f"clusters: `{short(named['cluster'])}`"] if "cluster" in named else []
    binary = all(p.binary for p in parts)
    way = None
    if not truth:
        way = way_of(
            found.score,
            models=[p.model for p in parts] if found.frame is not None else (),
            given=options.higher_is_better,
            right_or_wrong=binary,
        )
    said = f"truth: `{short(named['y'])}`" if way is None else way.note
    return summed(
        data,
        parts,
        metric="accuracy" if truth else metric_name(found.score or "score", right_or_wrong=binary),
        way=way,
        notes=(said, f"paired on `{short(named['unit'])}`", *clusters),
        inputs=files,
        could_be_truth=bool(inputs) and found.frame is not None and not truth,
    )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class _Found:
    """Each model's part, and the columns that all share by what they are called once they are joined."""

    parts: list[Part]
    columns: list[str]  # with the scores or predictions
    named: dict[str, str]
    score: str = ""  # the name of the scores; that of a wide table is not written anywhere
    frame: Any = None  # of a table that has a column for each model: the rows are joined already


def _wide(lazies: list[Lazy], roles: list[Roles], truth: bool) -> _Found:
    """A table whose columns are the models."""
    import narwhals as nw

    block, _ = wide_predictions(roles[0]) if truth else wide_scores(roles[0])
    columns = {m: c for m, (c,) in block.columns.items()}
    parts = [_part(m, m, lazies[0], c, {}, truth) for m, c in columns.items()]
    here = {f"p{i}": nw.lit(1) for i in range(len(parts))}
    there = {f"x{i}": nw.col(c) for i, c in enumerate(columns.values())}
    named = _named(roles[0], truth)
    agreed = {name + "0" * (name in ("y", "cluster")): nw.col(c) for name, c in named.items()}
    frame = lazies[0].frame.select(**there, **here, **agreed)
    return _Found(parts=parts, columns=list(columns.values()), named=named, frame=frame)


def _files(lazies: list[Lazy], roles: list[Roles], truth: bool) -> _Found | None:
    """One model per file, called like the file."""
    classes = _classes(roles) if truth else []
    blocks = file_blocks(
        roles, lambda r: prediction_columns(r, classes) if truth else score_columns(r), truth=truth
    )
    same_keys(blocks, by_position=False)
    if not all(len(b.columns) == 1 and len(c) == 1 for b in blocks for c in b.columns.values()):
        return None  # the truth in a file of its own, or a column for each class
    columns = [c for b in blocks for (c,) in b.columns.values()]
    parts = [
        _part(z.head.stem, z.head.name, z, c, _named(r, truth), truth)
        for z, r, c in zip(lazies, roles, columns, strict=True)
    ]
    named = {name: c for r in reversed(roles) for name, c in _named(r, truth).items()}
    return _Found(parts=parts, columns=columns, named=named, score="" if truth else metric_of(blocks))


def _long(lazies: list[Lazy], roles: list[Roles], truth: bool) -> _Found | None:
    """The models' names stand in a column; several files are tasks, or parts of one table."""
    import narwhals as nw

    columns = _columns(roles[:1], truth)
    if columns is None:
        return None
    model, named = str(roles[0].one("model")), _named(roles[0], truth)
    frames, head = [z.frame for z in lazies], lazies[0].head
    if len(lazies) > 1 and "task" not in named and not are_shards([z.head.stem for z in lazies]):
        frames = [z.frame.with_columns(task=nw.lit(z.head.stem)) for z in lazies]
        named["task"] = "task"
    used = [model, *columns, *named.values()]
    whole = nw.concat([f.select(used) for f in frames], how="vertical") if len(frames) > 1 else frames[0]
    first_seen = dict.fromkeys(as_text(head.columns[model]).tolist())
    found = {str(m) for m in collect(whole.group_by(model).agg(n=nw.len()))[model]}
    parts = []
    for name in [*(m for m in first_seen if m in found), *sorted(found - set(first_seen))]:
        own = Lazy(frame=whole.filter(nw.col(model).cast(nw.String) == name), head=head)
        parts.append(_part(name, name, own, columns[0], named, truth))
    return _Found(parts=parts, columns=columns, named=named, score=columns[0])


def _columns(roles: Sequence[Roles], truth: bool) -> list[str] | None:
    """The column of scores, or of predictions, in each table; None where there is one for each class."""
    if not truth:
        return [score_columns(r)[0] for r in roles]
    classes = _classes(roles)
    found = [prediction_columns(r, classes) or no_prediction(r.table) for r in roles]
    return [c for (c,) in found] if all(len(columns) == 1 for columns in found) else None


def _named(roles: Roles, truth: bool) -> dict[str, str]:
    """The columns beside the scores, by what they are called once they are joined."""
    more = {"y": roles.one("truth") if truth else None, "cluster": roles.one("cluster")}
    return roles.keys() | {name: c for name, c in more.items() if c is not None}


def _part(model: str, label: str, lazy: Lazy, column: str, named: dict[str, str], truth: bool) -> Part:
    """One model's rows, with the columns under the names of their roles."""
    import narwhals as nw

    values = parsed(lazy.head.columns[column])
    values = values[np.isfinite(values)]
    columns = {name: nw.col(c) for name, c in named.items()} | {"x": nw.col(column)}
    return Part(
        model=model,
        label=label,
        frame=lazy.frame.select(**columns) if named else None,
        head=values if truth else differences(values),  # or they are too large to be squared
        binary=truth or bool(np.isin(values, (0.0, 1.0)).all()),
    )


def _positive(roles: Sequence[Roles], columns: Sequence[str]) -> object | None:
    """The positive class, where it was given or a column of probabilities is called after it: p_spam."""
    given = roles[0].options.positive
    told = {class_of(c, _classes(roles)) for c in columns} - {None}
    return told.pop() if given is None and len(told) == 1 else given


def _classes(roles: Sequence[Roles]) -> list[str]:
    truths = [(r.table, c) for r in roles if (c := r.one("truth")) is not None]
    return truth_labels(truths, roles[0].options)


def _are_labels(found: _Found, heads: Sequence[Table]) -> bool:
    """Whether truth and predictions are words or whole numbers: others need a loss of every row."""
    looked_at = {*found.columns, found.named["y"]}
    return not any(are_fractions([t.columns[c]]) for t in heads for c in looked_at if c in t.columns)


def _input(path: str) -> Input:
    """A file's hash; a zero byte in a text makes it a binary file, which is not read."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        is_text = not file.read(4).startswith(b"PAR1")
        file.seek(0)
        while part := file.read(_CHUNK):
            if is_text and b"\x00" in part:
                raise ReadError(f"{short(Path(path).name)} is a binary file, not a table of text")
            digest.update(part)
    return Input(path=path, sha256=digest.hexdigest())
