"""Large files and lazy frames opened where they lie: by DuckDB, by the engine of a frame, or on a cluster."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ropewalk.data import Predictions, Summed
from ropewalk.errors import OptionError, ReadError
from ropewalk.metrics import Metric
from ropewalk.read.cluster import connected
from ropewalk.read.database import failures
from ropewalk.read.files import MANY, named_files, size_of
from ropewalk.read.formats import File, format_of
from ropewalk.read.frame import as_frame, is_relation, lost_relation
from ropewalk.read.in_place import Relation, sum_in_place
from ropewalk.read.joined import collect
from ropewalk.read.roles import Options
from ropewalk.read.scan import dialect_of, scanned, scanner

_LARGE = 256 * 2**20  # files of at least this many bytes are aggregated in place
_READERS = {
    ".parquet": "read_parquet",
    ".pq": "read_parquet",
    ".csv": "read_csv",
    ".tsv": "read_csv",
    ".jsonl": "read_json",
    ".ndjson": "read_json",
}


def sum_frames(
    source: Any, options: Options, metric: Metric | None, *, always: bool = False
) -> Summed | Predictions | None:
    """Aggregate a lazy frame, a DuckDB relation or {model: one of these} if it is large or on a cluster.

    None for anything else, and for a design that needs every row.
    """
    import narwhals as nw

    named = source if isinstance(source, Mapping) else {None: source}
    frames = {}
    for name, native in named.items():
        frame = as_frame(native)
        if frame is None:
            return None
        if not isinstance(frame, nw.LazyFrame):
            if not always:
                return None
            frame = frame.lazy()
        frames[name] = frame
    if not frames:
        return None
    labels = ["the frame" if name is None else str(name) for name in frames]
    sources = [Relation(frame=f, name=n, stem=n) for n, f in zip(labels, frames.values(), strict=True)]
    try:
        if not (always or any(_stays(f) for f in frames.values())):
            return None
        return sum_in_place(sources, options, metric, always=always)
    except failures() as problem:
        if not any(is_relation(native) for native in named.values()):
            raise
        raise lost_relation(problem) from None


def _stays(frame: Any) -> bool:
    """Whether the rows are on a cluster, or are too many to fetch."""
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
    names_rows: bool = False,
) -> Summed | Predictions | None:
    """Aggregate large files with DuckDB, which spills to disk if memory runs out; None for small files.

    `dask` is the address of a cluster that reads and aggregates them instead. `names_rows` makes errors name
    rows.
    """
    if not {Path(p).suffix.lower() for p in paths} <= set(_READERS):
        return None
    files = named_files(paths)
    if not always and sum(map(size_of, paths)) < _LARGE and not _many_rows(files):
        return None
    if format_of(files[0]) is not None:
        return None  # logs of evaluation tools have their own reader
    if not all(any(part in f.head for part in (b"PAR1", b"\n", b"\r")) for f in files):
        return None  # DuckDB is slow on a pipe or on one endless line
    with _duckdb() if dask is None else _cluster(dask) as opened:
        frames = [opened(file) for file in files]
        if any(frame is None for frame in frames):
            return None
        sources = [
            Relation(frame=frame, name=f.name, stem=f.stem) for frame, f in zip(frames, files, strict=True)
        ]
        inputs = [f.source(is_text=not f.head.startswith(b"PAR1")) for f in files]
        return sum_in_place(sources, options, metric, inputs, always=always, names_rows=names_rows)


def _many_rows(files: Sequence[File]) -> bool:
    """Whether these are Parquet files with very many rows, according to their metadata."""
    if sum(size_of(f.path) for f in files) < MANY or not all(f.head.startswith(b"PAR1") for f in files):
        return False  # a row takes at least one byte
    try:
        with scanner() as connection:
            relations: list[Any] = [scanned(connection, f) for f in files]
            rows = sum(int(r.aggregate("count(*)").fetchall()[0][0]) for r in relations)
    except ReadError:
        return False  # the reader of the rows will report the problem
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
    """Connect to a Dask cluster, whose workers open the files under the same paths."""
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
            # Every cell is read as text, and only an empty one is missing: "NA" may be a label.
            how = {"sep": found.delimiter, "dtype": str, "keep_default_na": False, "na_values": [""]}
            how |= {"skiprows": found.skipped, "names": list(found.header), "header": 0}
            how |= {"skipinitialspace": found.delimiter != "\t"}
        return nw.from_native(getattr(dd, reader)(str(Path(file.path).absolute()), **how))

    with connected(address):
        yield opened
