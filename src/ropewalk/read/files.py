"""Paths, folders and patterns -> Tables: which files are meant, and what is in them."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from glob import glob
from pathlib import Path

from ropewalk.errors import OptionError, ReadError, did_you_mean, listed, short
from ropewalk.read.csv import from_csv
from ropewalk.read.formats import File, format_of
from ropewalk.read.formats.file import EXPORT, decoded
from ropewalk.read.formats.folder import logs_of
from ropewalk.read.jsonl import from_json
from ropewalk.read.parquet import from_parquet
from ropewalk.read.roles import Options
from ropewalk.read.table import Table
from ropewalk.read.typed import typed_csv
from ropewalk.read.unread import refuse_unread_document

_KINDS = {
    ".csv": "csv",
    ".tsv": "csv",
    ".tab": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".pq": "parquet",
    ".jsonl": "json",
    ".ndjson": "json",
    ".json": "json",
    ".xlsx": "workbook",
    ".xlsm": "workbook",
}
_PACKED = ".gz"  # may follow any suffix of a text file
_LOGS = (".arff", ".eval")  # only files of known tools
_PARQUET = b"PAR1"
_ZIP = b"PK\x03\x04"
# Lazy frames and Parquet files with at least this many rows are aggregated in place.
MANY = 2_000_000
_LONGEST = 60  # most characters of a path in a message


def from_paths(
    source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]], options: Options | None = None
) -> list[Table]:
    """Read all given files. The options name the sheet of a workbook and the key columns."""
    options = options or Options()
    sheet = options.sheet
    paths = expanded(source)
    if any(Path(p).suffix.lower() == ".zip" for p in paths):
        from ropewalk.read.unpacked import unpacked  # most calls do not need it

        opened: AbstractContextManager[dict[str, str]] = unpacked(paths)
    else:
        opened = nullcontext({})
    with opened as folders:
        inside = [p for path in paths for p in (_expand(_top(folders[path])) if path in folders else [path])]
        files = named_files(inside, {folder: archive for archive, folder in folders.items()})
        workbooks = [f.head.startswith(_ZIP) and _is_workbook(f) for f in files]
        if sheet is not None and not any(workbooks):
            raise OptionError(
                f'the sheet "{short(sheet)}" was given, and no file is a workbook', hint="Leave it out."
            )
        if not any(workbooks) and (tables := _of_known_formats(files)):
            return tables
        return [
            _workbook(f, sheet) if w else _read(f, options) for f, w in zip(files, workbooks, strict=True)
        ]


def _top(folder: str) -> str:
    from ropewalk.read.unpacked import top_folder

    return top_folder(folder)


def _is_workbook(file: File) -> bool:
    from ropewalk.read.workbook import is_workbook

    return is_workbook(file.path)


def _workbook(file: File, sheet: str | None) -> Table:
    from ropewalk.read.workbook import from_workbook

    return from_workbook(Path(file.path), name=file.name, stem=file.stem, sheet=sheet, source=file.source())


def named_files(paths: Sequence[str], archives: Mapping[str, str] | None = None) -> list[File]:
    """Name the files for messages, and the model of each file.

    `archives` maps each unpacked folder to its archive.
    """
    shown = [_in_archive(p, archives or {}) for p in paths]
    names = [
        p if len(p) <= _LONGEST else f"…/{t}" for p, t in zip(shown, _tails(shown, suffix=True), strict=True)
    ]
    stems = _tails(shown, suffix=False)
    return [
        File(path=p, name=n, stem=s, shown=whole)
        for p, n, s, whole in zip(paths, names, stems, shown, strict=True)
    ]


def _in_archive(path: str, archives: Mapping[str, str]) -> str:
    for folder, archive in archives.items():
        if path.startswith(folder + os.sep):
            return archive + path[len(folder) :]
    return path


def expanded(source: str | os.PathLike[str] | Sequence[str | os.PathLike[str]]) -> list[str]:
    """Expand folders, patterns and lists to files, each once."""
    sources = [source] if isinstance(source, (str, os.PathLike)) else list(source)
    paths = [path for item in sources for path in _expand(os.fspath(item))]
    _no_file_twice(paths)
    return paths


def size_of(path: str) -> int:
    """Return the size of a file in bytes."""
    try:
        return Path(path).stat().st_size
    except OSError:  # the file is gone: opening it will report that
        return 0


def _of_known_formats(files: list[File]) -> list[Table]:
    """Return the tables of files written by a known tool; none if they are plain tables."""
    formats = [format_of(f) for f in files]
    known = {f.NAME: f for f in formats if f is not None}
    if not known:
        return []
    if len(known) > 1 or None in formats:
        shown = {
            ("a plain table" if f is None else f.NAME): file.name
            for f, file in zip(formats, files, strict=True)
        }
        raise ReadError(
            "the files are of several kinds",
            where=[f"{kind}: {short(name)}" for kind, name in shown.items()],
            hint="Give files of one kind.",
        )
    (only,) = known.values()
    return only.tables(files)


def _expand(source: str) -> list[str]:
    """Return a file as it is, the tables of a folder, or the files that match a pattern."""
    if not source:
        raise ReadError("the path is empty", hint="Give the path of a file.")
    path = Path(source)
    try:
        folder, file = path.is_dir(), path.is_file() or path.is_fifo()
        entries = sorted(path.iterdir()) if folder else []
    except (OSError, ValueError) as problem:  # no permission, a name that is too long, or a zero byte in it
        why = getattr(problem, "strerror", None) or problem
        raise ReadError(f"{_shown(source)} cannot be opened: {short(why)}") from None
    if file:
        return [source]
    if folder:
        return logs_of(path) or _tables_of(path, entries)
    if any(c in source for c in "*?["):
        # Path.glob does not accept an absolute pattern.
        found = sorted(p for p in glob(source, recursive=True) if Path(p).is_file())  # noqa: PTH207
        if not found:
            raise ReadError(f"no file matches {_shown(source)}", hint="Check the pattern and the folder.")
        return found
    if path.exists():
        raise ReadError(f"{_shown(source)} is not a file", hint="Give a file, a folder or a pattern.")
    raise ReadError(f"there is no file {_shown(source)}", hint=_near(path))


def _near(path: Path) -> str:
    folder = path.parent
    try:
        names = sorted(p.name for p in folder.iterdir() if not p.name.startswith("."))
    except OSError:
        return f"There is no folder {_shown(folder)} either, or it cannot be read."
    return did_you_mean(path.name, names) if names else f"The folder {_shown(folder)} is empty."


def _tables_of(folder: Path, entries: list[Path]) -> list[str]:
    """Return the tables of a folder, which must all be of one kind; other files are ignored."""
    files = [p for p in entries if p.is_file() and not p.name.startswith(".")]
    tables = [p for p in files if _suffix(p) in _KINDS]
    if not tables:
        inner = f" Inner folders need a pattern: {_shown(folder)}/*/*.csv." if entries else ""
        raise ReadError(
            f"the folder {_shown(folder)} {'has no tables' if entries else 'is empty'}",
            where=[f"files: {listed([p.name for p in files])}"] if files else [],
            hint=EXPORT + inner,
        )
    kinds = sorted({_suffix(p) for p in tables})
    if len({_KINDS[k] for k in kinds}) > 1:
        raise ReadError(
            f"the folder {_shown(folder)} has files of several kinds: {', '.join(kinds)}",
            where=[f"files: {listed([p.name for p in tables])}"],
            hint=f"Name the files, or give a pattern such as {_shown(folder)}/*{kinds[0]}.",
        )
    return [str(p) for p in tables]


def _no_file_twice(paths: list[str]) -> None:
    seen: set[str] = set()
    for path in paths:
        real = os.path.realpath(path)
        if real in seen:
            raise ReadError(f"{_shown(path)} is given twice", hint="Give each file once.")
        seen.add(real)


def _tails(paths: Sequence[str], *, suffix: bool) -> list[str]:
    """Return the files' names, preceded by as many folders as needed to tell them apart."""
    full = [Path(p).absolute() for p in paths]
    last = [p.name if suffix else _stem(p) for p in full]
    parts = [(*p.parent.parts, name) for p, name in zip(full, last, strict=True)]
    names = [p[-1] for p in parts]
    for depth in range(2, max(map(len, parts)) + 1):
        shared = {name for name, times in Counter(names).items() if times > 1}
        if not shared:
            break
        names = ["/".join(p[-depth:]) if n in shared else n for p, n in zip(parts, names, strict=True)]
    return names if len(set(names)) == len(names) else [p[-1] for p in parts]


def _suffix(path: Path) -> str:
    """Return the kind of a file by its suffix, packed or not."""
    return Path(path.stem).suffix.lower() if path.suffix.lower() == _PACKED else path.suffix.lower()


def _stem(path: Path) -> str:
    """Return the name without the suffixes of tables and logs."""
    if _suffix(path) not in {*_KINDS, *_LOGS}:
        return path.name
    return Path(path.stem).stem if path.suffix.lower() == _PACKED else path.stem


def _shown(path: str | Path) -> str:
    """Shorten a path for a message: a long one keeps its end, which tells files apart."""
    text = str(path)
    return short(text) if len(text) <= _LONGEST else "…" + short(text[1 - _LONGEST :])


def _read(file: File, options: Options) -> Table:
    """Open one file, judging by its content and not by its suffix alone."""
    if file.head.startswith(_PARQUET):
        return from_parquet(Path(file.path), name=file.name, stem=file.stem, source=file.source())
    refuse_unread_document(file)
    content, source = file.content()
    if content.startswith(_PARQUET):
        raise ReadError(
            f"{short(file.name)} is a pipe, and Parquet cannot be read from one", hint="Give the file itself."
        )
    if (table := typed_csv(content, file, source, options)) is not None:
        return table
    text = decoded(content, file.name)
    start = text.lstrip()[:1]
    if not start:
        raise ReadError(f"{short(file.name)} is empty", hint="Was the file written?")
    read_text = from_json if start in "{[" else from_csv
    return read_text(text, name=file.name, stem=file.stem, source=source)


def is_paths(source: object) -> bool:
    """Whether the source is a path or a list of paths."""
    if isinstance(source, (list, tuple)):
        return len(source) > 0 and all(isinstance(item, (str, os.PathLike)) for item in source)
    return isinstance(source, (str, os.PathLike))
