"""Results on disk that survive a crash at any moment, and a power failure.

A Parquet file cannot be appended to, so a finished fit is one line of `journal.jsonl`; now and then, and at
the end of a run, the journal is folded into `results.parquet`, which is written next to the old one and moved
into its place when it is on the disk. A fit in both files counts once.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ropewalk.disk import locked, replace, sync_folder
from ropewalk.errors import OptionError, ReadError, short
from ropewalk.experiment.journal import Journal, read_journal
from ropewalk.experiment.kept import OUTPUTS, is_whole, outputs_path, save_outputs, unfinished_outputs
from ropewalk.experiment.manifest import MANIFEST, REPAIR, SCHEMA, DamagedError, merged, read_manifest
from ropewalk.experiment.results_file import read_parquet, unfinished, write_parquet
from ropewalk.experiment.work import Fit

_RESULTS, _JOURNAL, _LOCK = "results.parquet", "journal.jsonl", "lock"
_DAMAGED = ".damaged"
_SOME = 5_000  # lines in the journal before folding; later as many as the Parquet file has, for linear work
_SHOWN = 5  # most line numbers in a message about damage

Fits = dict[tuple[str, ...], Fit]


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The content of a folder, and descriptions of its damage."""

    fits: Fits
    in_parquet: int
    journal_end: int
    damage: tuple[str, ...]


class Store:
    """A folder with the fits of one experiment; one process at a time writes to it.

    Parameters
    ----------
    folder : path
        Where the results are or will be.
    manifest : dict
        The experiment; one that differs from what the folder holds is refused.
    repair : bool
        Set aside files that cannot be read, instead of raising an error, and look at every byte that is kept.

    Attributes
    ----------
    fits : dict
        The fits that are whole, by their identity.
    damage : tuple of str
        What was damaged, in words. Fits that were lost are not in `fits`, so that they are made again.

    Examples
    --------
    >>> import tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> with Store(folder.name, {"metrics": ["accuracy"]}) as store:
    ...     len(store.fits)
    0
    >>> folder.cleanup()
    """

    def __init__(
        self, folder: str | os.PathLike[str], manifest: dict[str, Any], *, repair: bool = False
    ) -> None:
        self.folder = Path(folder)
        self.manifest = {"schema": SCHEMA, **manifest}
        self.metrics: tuple[str, ...] = tuple(manifest["metrics"])
        self.fits: Fits = {}
        self.damage: tuple[str, ...] = ()
        self._repair = repair
        self._in_parquet = 0
        self._lines = 0
        self._journal: Journal | None = None
        self._lock = -1

    def __enter__(self) -> Store:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            sync_folder(self.folder.parent)
            _refuse_links(self.folder)
            self._lock = _locked(self.folder)
            self._open()
        except OSError as error:
            self._close()
            raise self._unwritable(error) from None
        except BaseException:
            self._close()
            raise
        return self

    def _open(self) -> None:
        _remove_leftovers(self.folder)
        known, found = self._known(), []
        if known is not None:
            self.manifest = merged(known, self.manifest, self.folder)
        replace(self.folder / MANIFEST, (json.dumps(self.manifest, indent=1) + "\n").encode())
        if self._repair:
            found += self._set_aside(_RESULTS, lambda: read_parquet(self.folder / _RESULTS, self.metrics))
        loaded = _load(self.folder, self.metrics)
        self.fits, self._in_parquet = loaded.fits, loaded.in_parquet
        found += [*loaded.damage, *self._without_outputs()]
        self.damage = (*self.damage, *found)
        self._journal = Journal(self.folder / _JOURNAL, loaded.journal_end)
        sync_folder(self.folder)
        if loaded.damage:
            self._lines += 1
            self.fold()  # removes the damaged lines

    def _known(self) -> dict[str, Any] | None:
        """Return the manifest of the folder; a damaged one is set aside if requested."""
        if self._repair:
            self.damage = tuple(self._set_aside(MANIFEST, lambda: read_manifest(self.folder)))
        known = read_manifest(self.folder)
        if known is None and any((self.folder / name).exists() for name in (_RESULTS, _JOURNAL)):
            if not self._repair:
                raise ReadError(
                    f"{short(self.folder)} has results, but no {MANIFEST} that describes them",
                    hint=f"Give another folder. If they belong to this experiment: {REPAIR}",
                )
            self.damage += (f"{MANIFEST} was missing and was written again from this experiment",)
        return known

    def _set_aside(self, name: str, read: Callable[[], object]) -> list[str]:
        """Move an unreadable file out of the way, and describe that."""
        try:
            read()
        except DamagedError as error:
            path = self.folder / name
            path.replace(path.with_name(name + _DAMAGED))
            return [f"{error.what}; it was moved to {name}{_DAMAGED}"]
        return []

    def _without_outputs(self) -> list[str]:
        """Forget the fits whose outputs are damaged, so that they are made again."""
        if not self.manifest.get("keep"):
            return []
        lost = [
            key
            for key, fit in self.fits.items()
            if not fit.error and not is_whole(self.folder, fit, thoroughly=self._repair)
        ]
        for key in lost:
            del self.fits[key]
        return [f"the predictions of {len(lost):,} fits are missing or damaged"] if lost else []

    def __exit__(self, kind: object, *_: object) -> None:
        try:
            self.fold()
        except OptionError:
            if kind is None:  # otherwise the first error matters
                raise
        finally:
            self._close()

    def add(self, fit: Fit) -> None:
        """Record a fit; after this returns, a crash cannot lose it.

        Raises
        ------
        OptionError
            If it cannot be written, such as on a full disk. What was recorded before is kept.
        """
        if self._journal is None:
            raise ValueError("the store is not open")
        try:
            if fit.outputs:
                (self.folder / OUTPUTS).mkdir(exist_ok=True)
                save_outputs(outputs_path(self.folder, fit), fit.outputs)
            self._journal.append(fit)
        except OSError as error:
            raise self._unwritable(error) from error
        self.fits[fit.identity] = fit
        self._lines += 1
        if self._lines >= max(_SOME, self._in_parquet):
            self.fold()

    def fold(self) -> None:
        """Write everything as Parquet and start a new journal."""
        if self._journal is None or not (self._lines or self._in_parquet != len(self.fits)):
            return
        try:
            if (self.folder / OUTPUTS).exists():
                sync_folder(self.folder / OUTPUTS)
            if self.fits:
                write_parquet(self.folder / _RESULTS, self.fits.values(), self.metrics)
            else:
                (self.folder / _RESULTS).unlink(missing_ok=True)
            self._journal.clear()
        except OSError as error:
            raise self._unwritable(error) from error
        self._in_parquet, self._lines = len(self.fits), 0

    def _unwritable(self, error: OSError) -> OptionError:
        return OptionError(
            f"results cannot be written to {short(self.folder)}: {error.strerror}",
            hint="Finished fits are kept; the same command resumes where it stopped."
            if self._journal is not None
            else "Give a folder with write permission.",
        )

    def _close(self) -> None:
        if self._journal is not None:
            with suppress(OSError):
                self._journal.sync()
            self._journal.close()
            self._journal = None
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1


def load(folder: Path) -> tuple[dict[str, Any], Loaded]:
    """Load the experiment and the fits of a folder, even while another process writes to it."""
    manifest = read_manifest(folder)
    if manifest is None:
        raise ReadError(
            f"{short(folder)} does not contain an experiment",
            hint=f"A folder of results contains a file {MANIFEST}.",
        )
    for key in ("design", "stratified", "algorithms", "datasets"):
        if key not in manifest:
            raise ReadError(f"{short(folder / MANIFEST)} lacks {key!r}", hint="Give another folder.")
    try:
        return manifest, _load(folder, tuple(manifest["metrics"]))
    except OSError as error:
        raise ReadError(f"{short(folder)} cannot be read: {error.strerror}") from None


def _load(folder: Path, metrics: tuple[str, ...]) -> Loaded:
    # The journal is read first: lines folded meanwhile are then in both files rather than in neither.
    lines = read_journal(folder / _JOURNAL, metrics)
    fits = {fit.identity: fit for fit in read_parquet(folder / _RESULTS, metrics)}
    in_parquet = len(fits)
    fits |= {fit.identity: fit for fit in lines.fits}  # a failed fit may have been repeated
    damage: tuple[str, ...] = ()
    if lines.damaged:
        numbers = ", ".join(f"{n:,}" for n in lines.damaged[:_SHOWN])
        more = ", …" if len(lines.damaged) > _SHOWN else ""
        damage = (f"{len(lines.damaged):,} damaged lines in {_JOURNAL} (line {numbers}{more})",)
    return Loaded(fits=fits, in_parquet=in_parquet, journal_end=lines.end, damage=damage)


def _remove_leftovers(folder: Path) -> None:
    """Remove unfinished files of an interrupted run, and nothing else in the folder."""
    for path in (*unfinished(folder / _RESULTS), *unfinished_outputs(folder)):
        path.unlink(missing_ok=True)


def _refuse_links(folder: Path) -> None:
    """Refuse links in the folder, which may be a stranger's: writing could change a file elsewhere."""
    for name in (MANIFEST, _RESULTS, _JOURNAL, _LOCK, OUTPUTS):
        try:
            mode = (folder / name).lstat().st_mode
        except FileNotFoundError:
            continue
        wanted, kind = (stat.S_ISDIR, "folder") if name == OUTPUTS else (stat.S_ISREG, "regular file")
        if not wanted(mode):
            found = "a symbolic link" if stat.S_ISLNK(mode) else f"not a {kind}"
            raise OptionError(
                f"{name} in {short(folder)} is {found}",
                hint="Results are written to the folder itself. Remove it or name another folder: --store",
            )


def _locked(folder: Path) -> int:
    """Keep other processes from writing; the lock ends with the process."""
    handle = os.open(folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o666)
    try:
        free = locked(handle)
    except OSError:
        os.close(handle)
        raise
    if not free:
        os.close(handle)
        raise OptionError(
            f"another run is writing to {short(folder)}", hint="Wait for it, or give another folder."
        )
    return handle
