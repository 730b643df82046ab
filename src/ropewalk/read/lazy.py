"""Frames and files whose rows stay where they are -> Summed.

The first rows say which column is what; then only names of columns are used.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ropewalk.data import Input, Summed
from ropewalk.data.scores import distinct_models
from ropewalk.errors import OptionError, ReadError, short
from ropewalk.read.counts import has_counts
from ropewalk.read.database import database
from ropewalk.read.formats import File, format_of
from ropewalk.read.layout import are_shards, no_prediction
from ropewalk.read.predictions import wide_predictions
from ropewalk.read.pushdown import Joined, Part, collect, joined, side_by_side, summed
from ropewalk.read.roles import Options, Roles, check_given
from ropewalk.read.scores import direction_of, metric_name, score_columns, wide_scores
from ropewalk.read.table import Table, as_text, parsed, table_of

_HEAD = 10_000  # the rows that are looked at
_LARGE = 256 * 2**20  # bytes of files from which on the rows stay in them
_MANY = 2_000_000  # rows of a lazy frame, the same
_MEMORY = "1200MB"  # that DuckDB may take before it goes to disk
_OTHER_DESIGNS = ("repeat", "fold", "seed", "split", "metric", "cluster", "probability")
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


def sum_frames(source: Any, options: Options, *, always: bool = False) -> Summed | None:
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
    return _summed(lazies, options)


def _stays(frame: Any) -> bool:
    """Whether the rows are on a cluster, or too many to be fetched."""
    import narwhals as nw

    if frame.implementation in (nw.Implementation.DASK, nw.Implementation.PYSPARK):
        return True
    return int(collect(frame.select(n=nw.len()))["n"][0]) > _MANY


def sum_files(
    paths: Sequence[str], options: Options, *, always: bool = False, dask: str | None = None
) -> Summed | None:
    """Large files by DuckDB, which goes to disk where memory does not suffice; None where they are small.

    `dask` is the address of a cluster that reads and sums them instead.
    """
    if not {Path(p).suffix.lower() for p in paths} <= set(_READERS):
        return None
    if not always and sum(Path(p).stat().st_size for p in paths) < _LARGE:
        return None
    if format_of(File(path=paths[0], name=Path(paths[0]).name, stem=Path(paths[0]).stem)) is not None:
        return None  # the log of a tool, which has its own reader
    with _duckdb() if dask is None else _cluster(dask) as opened:
        frames = [opened(path) for path in paths]
        lazies = [
            Lazy(frame=f, head=_head(f, Path(p).name, Path(p).stem))
            for f, p in zip(frames, paths, strict=True)
        ]
        return _summed(lazies, options, inputs=paths)


@contextmanager
def _duckdb() -> Iterator[Callable[[str], Any]]:
    """A database of its own, with a folder for what does not fit into memory."""
    import duckdb
    import narwhals as nw

    with (
        tempfile.TemporaryDirectory(prefix="ropewalk-") as folder,
        database(memory_limit=_MEMORY, temp_directory=folder) as connection,
    ):

        def opened(path: str) -> Any:
            # Brackets keep DuckDB from reading the characters of a file's name as a pattern.
            exact = "".join(f"[{c}]" if c in "*?[" else c for c in str(Path(path).absolute()))
            return nw.from_native(getattr(connection, _READERS[Path(path).suffix.lower()])(exact))

        try:
            yield opened
        except duckdb.Error as problem:
            raise ReadError(
                "the files cannot be read",
                where=[short(str(problem).splitlines()[0], longest=200)],
                hint="Is the file whole, and does every row have the same columns?",
            ) from None


@contextmanager
def _cluster(address: str) -> Iterator[Callable[[str], Any]]:
    """A Dask cluster; its workers open the files under the same paths."""
    import narwhals as nw

    try:
        import dask.dataframe as dd
        from distributed import Client
    except ImportError:
        raise OptionError(
            "Dask is not installed here", hint="Install it: pip install 'ropewalk[dask]'."
        ) from None

    def opened(path: str) -> Any:
        lines = {"lines": True} if _READERS[Path(path).suffix.lower()] == "read_json" else {}
        tabs = {"sep": "\t"} if Path(path).suffix.lower() == ".tsv" else {}
        full = str(Path(path).absolute())
        return nw.from_native(getattr(dd, _READERS[Path(path).suffix.lower()])(full, **lines, **tabs))

    try:
        client = Client(address, timeout="10s")  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as problem:
        raise OptionError(
            f"no Dask cluster answers at {short(address)}",
            where=[short(problem)],
            hint="Give the address of its scheduler, such as tcp://host:8786.",
        ) from None
    with client:
        yield opened


def _head(frame: Any, name: str, stem: str | None = None) -> Table:
    return table_of(collect(frame.head(_HEAD)), name=name, stem=stem or name)


def _summed(lazies: list[Lazy], options: Options, inputs: Sequence[str] = ()) -> Summed | None:
    """The parts of each model, joined and summed; None for a design that needs every row."""
    heads = [z.head for z in lazies]
    check_given(heads, options)
    roles = [Roles(t, options) for t in heads]
    if options.by_position or options.statistics is not None or any(has_counts(t) for t in heads):
        return None
    if any(r.found[role] for r in roles for role in _OTHER_DESIGNS):
        return None
    if not all(r.found["unit"] for r in roles):
        return None
    truth = options.score is None and any(r.found["truth"] for r in roles)
    if truth and not _are_labels(roles):
        return None
    if options.model_columns is not None or (len(roles) == 1 and not roles[0].found["model"]):
        data, parts, name = _wide(lazies[0], roles[0], truth)
    else:
        parts, name = (_long if roles[0].found["model"] else _files)(lazies, roles, truth)
        data = joined(parts, has_tasks=bool(roles[0].found["task"]) or "task" in parts[0].frame.columns)
    models = [p.model for p in parts]
    distinct_models(tuple(models))
    higher, said = (True, f"truth: `{short(name)}`") if truth else direction_of(name, models, options, None)
    keys = " and ".join(f"`{short(c)}`" for role, c in roles[0].keys().items() if role != "task")
    return summed(
        data,
        parts,
        metric="accuracy" if truth else metric_name(name, right_or_wrong=all(p.binary for p in parts)),
        higher_is_better=higher,
        notes=(said, f"paired on {keys}"),
        inputs=[Input(path=p, sha256=_hash(p)) for p in inputs],
    )


def _wide(lazy: Lazy, roles: Roles, truth: bool) -> tuple[Joined, list[Part], str]:
    """A table whose columns are the models: its rows are joined already."""
    import narwhals as nw

    block, _ = wide_predictions(roles) if truth else wide_scores(roles)
    columns = {m: c for m, (c,) in block.columns.items()}
    parts = [_part(m, m, lazy, c, {}, block.truth) for m, c in columns.items()]
    keys = {role: nw.col(c) for role, c in block.keys.items()}
    here = {f"p{i}": nw.lit(1) for i in range(len(parts))}
    there = {f"x{i}": nw.col(c) for i, c in enumerate(columns.values())}
    y = {} if block.truth is None else {"y0": nw.col(block.truth)}
    data = side_by_side(lazy.frame.select(**keys, **there, **here, **y), parts)
    return data, parts, block.truth or "score"


def _files(lazies: list[Lazy], roles: list[Roles], truth: bool) -> tuple[list[Part], str]:
    """One model per file, called like the file."""
    columns = [_column(r, truth) for r in roles]
    parts = [
        _part(z.head.stem, z.head.name, z, c, r.keys(), r.one("truth") if truth else None)
        for z, r, c in zip(lazies, roles, columns, strict=True)
    ]
    label = next((c for r in roles if (c := r.one("truth")) is not None), "") if truth else ""
    return parts, label or columns[0]


def _long(lazies: list[Lazy], roles: list[Roles], truth: bool) -> tuple[list[Part], str]:
    """The models' names stand in a column; several files are tasks, or parts of one table."""
    import narwhals as nw

    first, column = roles[0], _column(roles[0], truth)
    model, label = str(first.one("model")), first.one("truth") if truth else None
    frames = [z.frame for z in lazies]
    if len(lazies) > 1 and not first.found["task"] and not are_shards([z.head.stem for z in lazies]):
        frames = [z.frame.with_columns(task=nw.lit(z.head.stem)) for z in lazies]
    used = [c for c in (model, column, label, *first.keys().values()) if c]
    used += ["task"] if "task" in frames[0].columns and "task" not in used else []
    whole = nw.concat([f.select(used) for f in frames], how="vertical") if len(frames) > 1 else frames[0]
    first_seen = dict.fromkeys(as_text(lazies[0].head.columns[model]).tolist())
    found = {str(m) for m in collect(whole.group_by(model).agg(n=nw.len()))[model]}
    names = [*(m for m in first_seen if m in found), *sorted(found - set(first_seen))]
    head = lazies[0].head
    keys = {**({"task": "task"} if "task" in used else {}), **first.keys()}
    parts = []
    for name in names:
        own = Lazy(frame=whole.filter(nw.col(model).cast(nw.String) == name), head=head)
        parts.append(_part(name, name, own, column, keys, label))
    return parts, label or column


def _column(roles: Roles, truth: bool) -> str:
    """The column of scores, or of predictions."""
    if not truth:
        return score_columns(roles)[0]
    return roles.one("prediction") or no_prediction(roles.table)


def _part(model: str, label: str, lazy: Lazy, column: str, keys: dict[str, str], truth: str | None) -> Part:
    """One model's rows, with the columns under the names of their roles."""
    import narwhals as nw

    named = {role: nw.col(c) for role, c in keys.items()} | {"x": nw.col(column)}
    if truth is not None:
        named["y"] = nw.col(truth)
    values = parsed(lazy.head.columns[column])
    values = values[np.isfinite(values)] if values.size else np.zeros(1)
    binary = truth is not None or bool(np.isin(values, (0.0, 1.0)).all())
    return Part(
        model=model,
        label=label,
        frame=lazy.frame.select(**named) if keys else lazy.frame,
        # Whole numbers stay whole: right and wrong are counted exactly.
        centre=0.0 if binary or not values.size else float(values.mean()),
        spread=1.0 if binary or not values.size else float(values.std()),
        binary=binary,
    )


def _are_labels(roles: Sequence[Roles]) -> bool:
    """Whether truth and predictions are words or whole numbers: others need a loss of every row."""
    columns = [(r, c) for r in roles for role in ("truth", "prediction") for c in r.found[role]]
    return all(r.table.columns[c].dtype.kind != "f" for r, c in columns)


def _hash(path: str) -> str:
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
