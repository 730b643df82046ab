"""Results on disk that survive a crash at any moment.

A Parquet file cannot be appended to, so a finished fit is one line of `journal.jsonl`, written by one call;
now and then, and at the end of a run, the journal is folded into `results.parquet`, which is written beside
the old one and moved into its place. A fit that stands in both counts once; a line that a crash has cut off
was no finished fit.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from ropewalk.disk import write
from ropewalk.errors import OptionError, ReadError, short
from ropewalk.experiment.work import Fit
from ropewalk.read.content import content
from ropewalk.read.database import database, failures, first_line

_MANIFEST, _RESULTS, _JOURNAL, _LOCK, _OUTPUTS = (
    "experiment.json",
    "results.parquet",
    "journal.jsonl",
    "lock",
    "outputs",
)
_SCHEMA = "ropewalk-experiment/1"
_SOME = (
    5_000  # so many lines are folded; later as many as the Parquet file has, so that the work stays linear
)
_TYPES = {"int": "BIGINT", "float": "DOUBLE", "str": "VARCHAR"}
_COLUMNS = {f.name: _TYPES[str(f.type)] for f in fields(Fit) if str(f.type) in _TYPES}


class Store:
    """A folder with the fits of one experiment; one process at a time writes to it.

    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Store(folder.name, {"metrics": ["accuracy"]}) as store:
    ...     len(store.fits)
    0
    >>> folder.cleanup()
    """

    def __init__(self, folder: str | os.PathLike[str], manifest: dict[str, Any]) -> None:
        self.folder = Path(folder)
        self.manifest = {"schema": _SCHEMA, **manifest}
        self.metrics: tuple[str, ...] = tuple(manifest["metrics"])
        self.fits: dict[tuple[str, ...], Fit] = {}
        self._in_parquet = 0
        self._lines = 0
        self._journal = -1
        self._lock = -1

    def __enter__(self) -> Store:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(self.folder)
            known = read_manifest(self.folder)
            if known is not None:
                self.manifest = merged(known, self.manifest, self.folder)
            write(self.folder / _MANIFEST, json.dumps(self.manifest, indent=1) + "\n")
            self.fits, self._in_parquet, whole = _load(self.folder, self.metrics)
            # A line without its end was cut off by a crash: what is written now must not continue it.
            self._journal = os.open(self.folder / _JOURNAL, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
            os.ftruncate(self._journal, whole)
        except OSError as error:
            self._close()
            raise OptionError(
                f"results cannot be written to {short(self.folder)}: {error.strerror}",
                hint="Give a folder that you may write to.",
            ) from None
        except BaseException:
            self._close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.fold()
        finally:
            self._close()

    def add(self, fit: Fit) -> None:
        """Record a fit: from the moment this returns, a crash does not lose it."""
        if fit.outputs:
            folder = self.folder / _OUTPUTS
            folder.mkdir(exist_ok=True)
            save_outputs(folder / f"{_stem(fit)}.npz", fit.outputs)
        line = json.dumps(_row(fit), allow_nan=False) + "\n"
        os.write(self._journal, line.encode())
        self.fits[fit.identity] = fit
        self._lines += 1
        if self._lines >= max(_SOME, self._in_parquet):
            self.fold()

    def fold(self) -> None:
        """Write everything as Parquet, and start a new journal."""
        if not self.fits or (not self._lines and self._in_parquet == len(self.fits)):
            return
        write_parquet(self.folder / _RESULTS, self.fits.values(), self.metrics)
        os.ftruncate(self._journal, 0)
        self._in_parquet, self._lines = len(self.fits), 0

    def _close(self) -> None:
        for handle in (self._journal, self._lock):
            if handle >= 0:
                os.close(handle)
        self._journal = self._lock = -1


def load(folder: Path) -> tuple[dict[str, Any], list[Fit]]:
    """What a folder holds: the experiment, and its fits; also while somebody is writing to it."""
    manifest = read_manifest(folder)
    if manifest is None:
        raise ReadError(
            f"{short(folder)} holds no experiment", hint=f"A folder of results has a file {_MANIFEST}."
        )
    try:
        fits, _, _ = _load(folder, tuple(manifest["metrics"]))
    except OSError as error:
        raise ReadError(f"{short(folder)} cannot be read: {error.strerror}") from None
    return manifest, list(fits.values())


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """The experiment that a folder belongs to; None for a new one."""
    path = folder / _MANIFEST
    if not path.exists():
        if (folder / _RESULTS).exists() or (folder / _JOURNAL).exists():
            raise ReadError(
                f"{short(folder)} has results, but no {_MANIFEST} that says what they are of",
                hint="Give another folder.",
            )
        return None
    try:
        found = json.loads(content(path))
    except (OSError, ValueError, RecursionError) as error:
        raise ReadError(f"{short(path)} cannot be read: {short(error)}") from None
    if not isinstance(found, dict) or found.get("schema") != _SCHEMA or not _is_names(found.get("metrics")):
        raise ReadError(f"{short(path)} is no experiment of this version", hint="Give another folder.")
    return found


def merged(old: dict[str, Any], new: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Both: further algorithms and data sets may be added, nothing may differ."""
    for key in ("design", "stratified", "seed", "metrics", "calibrate", "keep"):
        if old.get(key) != new.get(key):
            raise _another(folder, f"{key} is {short(new.get(key))}, and was {short(old.get(key))}")
    out = {**old, **new}
    for key, what in (("algorithms", "algorithm"), ("datasets", "data set")):
        before, now = old.get(key, {}), new.get(key, {})
        for name in now.keys() & before.keys():
            if now[name]["digest"] != before[name]["digest"]:
                how = _difference(before[name].get("made of"), now[name].get("made of"))
                raise _another(folder, f'{what} "{short(name)}" is another one than before{how}')
        out[key] = {**before, **now}
    return out


def _difference(old: str | None, new: str | None) -> str:
    """Where two algorithms first differ, for a message."""

    def first(a: Any, b: Any, place: str) -> str:
        if isinstance(a, dict) and isinstance(b, dict) and a.keys() == b.keys():
            return next((first(a[k], b[k], str(k)) for k in a if a[k] != b[k]), "")
        if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
            return next((first(x, y, place) for x, y in zip(a, b, strict=True) if x != y), "")
        return f": {short(place)} is {short(b)}, and was {short(a)}"

    return "" if old is None or new is None else first(json.loads(old), json.loads(new), "it")


def _another(folder: Path, difference: str) -> OptionError:
    return OptionError(
        f"{short(folder)} holds the results of another experiment",
        where=[difference],
        hint="Results of two experiments are never mixed. Give another folder: store= (--store DIR).",
    )


def write_parquet(path: Path, fits: Iterable[Fit], metrics: Sequence[str]) -> None:
    """One row for each fit, one column for each metric."""
    types = _types(metrics)
    lines, table = path.with_suffix(".jsonl.new"), path.with_suffix(".parquet.new")
    with lines.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(_row(fit), allow_nan=False) + "\n" for fit in fits)
    with database() as connection:
        connection.read_json(str(lines), columns=types, format="newline_delimited").write_parquet(str(table))
    with table.open("rb+") as file:
        os.fsync(file.fileno())
    table.replace(path)
    lines.unlink()


def _load(folder: Path, metrics: tuple[str, ...]) -> tuple[dict[tuple[str, ...], Fit], int, int]:
    """The fits, how many of them are in the Parquet file, and where the last whole line ends."""
    found: dict[tuple[str, ...], Fit] = {}
    for row in _parquet_rows(folder / _RESULTS, metrics):
        fit = _fit(row, metrics)
        found[fit.identity] = fit
    in_parquet = len(found)
    journal = folder / _JOURNAL
    lines = content(journal) if journal.exists() else b""
    whole = lines.rfind(b"\n") + 1
    for number, line in enumerate(lines[:whole].splitlines(), start=1):
        try:
            row = json.loads(line)
            fit = _fit([row[name] for name in _types(metrics)], metrics)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise ReadError(
                f"{short(journal)}, line {number:,} is no finished fit", hint="Was the file edited?"
            ) from None
        found[fit.identity] = fit  # the last one counts: a fit that failed may have been tried again
    return found, in_parquet, whole


def _parquet_rows(path: Path, metrics: tuple[str, ...]) -> list[tuple[Any, ...]]:
    import duckdb

    if not path.exists():
        return []
    types = _types(metrics)
    try:
        with database() as connection:
            columns = connection.read_parquet(str(path)).select(*map(duckdb.ColumnExpression, types))
            return list(columns.fetchall())
    except failures() as error:
        raise ReadError(
            f"{short(path)} cannot be read as results",
            where=[first_line(error)],
        ) from None


def _types(metrics: Sequence[str]) -> dict[str, str]:
    return {**_COLUMNS, **dict.fromkeys(metrics, "DOUBLE")}


def _row(fit: Fit) -> dict[str, Any]:
    own = {name: getattr(fit, name) for name in _COLUMNS}
    return own | {m: v if math.isfinite(v) else None for m, v in fit.values.items()}


def _fit(row: Sequence[Any], metrics: tuple[str, ...]) -> Fit:
    """From the columns, then the metrics."""
    found = row[len(_COLUMNS) :]
    values = {m: math.nan if v is None else float(v) for m, v in zip(metrics, found, strict=True)}
    return Fit(**dict(zip(_COLUMNS, row, strict=False)), values=values)


def _stem(fit: Fit) -> str:
    """The name of a file: names of algorithms and data sets are no part of a path."""
    import hashlib

    return hashlib.sha256(json.dumps(fit.identity).encode()).hexdigest()[:24]


def save_outputs(path: Path, outputs: dict[str, Any]) -> None:
    """Arrays of one fit, whole or not at all."""
    beside = path.with_suffix(".new")
    with beside.open("wb") as file:
        np.savez(file, **outputs)
    beside.replace(path)


def read_outputs(folder: Path, fit: Fit) -> dict[str, Any]:
    """The arrays of one fit."""
    path = folder / _OUTPUTS / f"{_stem(fit)}.npz"
    try:
        with path.open("rb") as raw, np.load(raw, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except Exception as error:  # noqa: BLE001  # whatever NumPy and zipfile say of a broken file
        raise ReadError(f"the outputs {short(path)} cannot be read: {short(error)}") from None


def _is_names(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(v, str) and v for v in value)


def _locked(folder: Path) -> int:
    """Keep everybody else from writing; the lock goes with the process, however that ends."""
    handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        import fcntl

        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError:  # not on Windows
        pass
    except OSError:
        os.close(handle)
        raise OptionError(
            f"another run is writing to {short(folder)}", hint="Wait for it, or give another folder."
        ) from None
    return handle
