"""Writing files: whole or not at all, on the disk before they get their name, and never over a device."""

from __future__ import annotations

import errno
import io
import os
import secrets
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from ropewalk.errors import OptionError, short

_SUFFIX = ".ropewalk-new"
_LONGEST_STEM = 40
_FOLDER, _LOCK = "ropewalk-", "lock"
_PATIENCE = 5.0  # seconds within which a pipe must have a reader
_LONG, _OFTEN = 60.0, 0.05  # seconds until a wait is given up, and between two checks
_OPEN = {"/dev/stdout": 1, "/dev/stderr": 2}  # file descriptors that the shell has opened


def write(path: Path, content: str | bytes) -> Path:
    """Write a file that a user named.

    A regular file is replaced in one step, so that a crash leaves the old one as it was; a symbolic link is
    followed. A device, a pipe or a socket is written to, never replaced; a named pipe needs a reader within
    seconds. A new file has the mode that the umask leaves; an existing one keeps its own.

    Parameters
    ----------
    path : Path
        Where the file goes.
    content : str or bytes
        What it holds; text is written as UTF-8.

    Returns
    -------
    Path
        The path that was given.

    Raises
    ------
    OptionError
        If it cannot be written; the message has the reason.
    BrokenPipeError
        If the path is that of standard output or standard error, and it no longer has a reader.
    """
    data = content.encode() if isinstance(content, str) else content
    try:
        if str(path) in _OPEN:
            write_all(_OPEN[str(path)], data)
        elif _is_regular(path):
            replace(Path(os.path.realpath(path)), data)
        else:
            with open(path, "ab", buffering=0, opener=_opened) as file:
                write_all(file.fileno(), data)
    except ValueError as error:  # a null character
        raise OptionError(
            f"{short(path)} cannot be written: {error}", hint="Give a path without null characters."
        ) from error
    except OSError as error:
        if isinstance(error, BrokenPipeError) and str(path) in _OPEN:
            raise
        exists = path.parent.is_dir()
        raise OptionError(
            f"{path} cannot be written: {error.strerror}",
            hint="" if exists else "Give a path in an existing folder with write permission.",
        ) from error
    return path


def _opened(path: str, flags: int) -> int:
    """Open a file that is not regular. A pipe must have a reader, or the system would wait forever."""
    end = time.monotonic() + _PATIENCE
    while True:
        try:
            handle = os.open(path, flags | getattr(os, "O_NONBLOCK", 0), 0o666)
        except OSError as error:
            if error.errno != errno.ENXIO:
                raise
            if time.monotonic() > end:
                raise OSError(errno.ENXIO, "no process reads from it") from None
            time.sleep(_OFTEN)
        else:
            if hasattr(os, "O_NONBLOCK"):
                os.set_blocking(handle, True)  # type: ignore[attr-defined,unused-ignore]
            return handle


def replace(path: Path, data: bytes) -> None:
    """Replace a regular file in one step, so that a power failure leaves either the old or the new file."""
    old = path.stat() if path.exists() else None
    if old is not None and not os.access(path, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))
    remove_leftovers(path.parent, _prefix(path))
    with _beside(path) as (file, name):
        write_all(file.fileno(), data)
        if old is not None:
            _like(name, old)
        os.fsync(file.fileno())
        if sys.platform == "win32":
            file.close()  # an open file cannot be moved there
        name.replace(path)
    sync_folder(path.parent)


def check_replaceable(path: Path, inputs: Iterable[str | Path]) -> None:
    """Refuse to write to a file that was read.

    Raises
    ------
    OptionError
        If the path is one of the inputs, directly or through a link.
    """
    for given in inputs:
        if _is_same(path, given):
            raise OptionError(
                f"{short(path)} is an input file and would be overwritten",
                hint="Give the output another name.",
            )


def _is_same(path: Path, other: str | Path) -> bool:
    try:
        return path.is_file() and path.samefile(other)
    except (OSError, ValueError):  # one of them does not exist, or is not a path
        return False


def write_all(handle: int, data: bytes) -> None:
    """Write every byte; the system may accept fewer bytes at a time, such as on a nearly full disk."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]


def sync_file(path: Path) -> None:
    """Wait until the content of a file is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk, if the platform can open folders."""
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:  # Windows cannot open folders, and writes the names itself
        return
    try:
        with suppress(OSError):  # some network file systems do not support it
            os.fsync(handle)
    finally:
        os.close(handle)


def locked(handle: int) -> bool:
    """Lock an open file without waiting; False if another process holds the lock.

    The lock ends with the process, even if it is killed. A file system or a platform without locks raises
    OSError.
    """
    try:
        if sys.platform == "win32":
            import msvcrt

            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except ImportError as error:  # neither Windows nor POSIX
        raise OSError(errno.ENOSYS, "this platform has no file locks") from error
    except OSError as error:
        if error.errno in (errno.EAGAIN, errno.EACCES, errno.EDEADLK):
            return False
        raise
    return True


@contextmanager
def alone_in(folder: Path) -> Iterator[None]:
    """Wait for other processes that lock this folder, then lock it, if folders can be locked.

    Windows cannot open folders, and some file systems have no locks: then it does not wait.

    Raises
    ------
    OptionError
        If another process has held the lock for a minute.
    """
    try:
        handle = os.open(folder, os.O_RDONLY)
    except OSError:
        yield
        return
    try:
        with suppress(OSError):
            _wait_for(handle, folder)
        yield
    finally:
        os.close(handle)


def _wait_for(handle: int, folder: Path) -> None:
    end = time.monotonic() + _LONG
    while not locked(handle):
        if time.monotonic() > end:
            raise OptionError(
                f"another run has been writing to {short(folder)} for a minute",
                hint="Wait for it, or give a file in another folder.",
            )
        time.sleep(_OFTEN)


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Make a folder in the system's temporary directory, and remove it at the end.

    Folders of killed runs are removed as well; folders in use are locked.
    """
    _remove_left_folders()
    with tempfile.TemporaryDirectory(prefix=_FOLDER) as base:
        inside = Path(base) / "content"
        inside.mkdir()
        with (Path(base) / _LOCK).open("wb") as lock:
            with suppress(OSError):
                locked(lock.fileno())
            yield inside


def _remove_left_folders() -> None:
    with suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(_FOLDER) and entry.is_dir(follow_symlinks=False) and _is_ours(entry):
                with suppress(OSError), (Path(entry.path) / _LOCK).open("rb+") as lock:
                    if locked(lock.fileno()):
                        shutil.rmtree(entry.path, ignore_errors=True)


def _is_ours(entry: os.DirEntry[str]) -> bool:
    return not hasattr(os, "getuid") or entry.stat(follow_symlinks=False).st_uid == os.getuid()


def remove_leftovers(folder: Path, prefix: str) -> None:
    """Remove files that a killed run left next to its target; a file being written is locked and stays."""
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and entry.name.endswith(_SUFFIX):
                with suppress(OSError):
                    _remove_if_left(Path(entry.path))


def _remove_if_left(path: Path) -> None:
    handle = os.open(path, os.O_RDWR | getattr(os, "O_NOFOLLOW", 0))
    try:
        if locked(handle):
            path.unlink()
    finally:
        os.close(handle)


@contextmanager
def _beside(path: Path) -> Iterator[tuple[io.FileIO, Path]]:
    """Create a locked file in the same folder; it is removed at the end unless it was moved."""
    file, name = _created(path)
    try:
        with file:
            yield file, name
    finally:
        name.unlink(missing_ok=True)


def _created(path: Path) -> tuple[io.FileIO, Path]:
    while True:
        name = path.parent / f"{_prefix(path)}{secrets.token_hex(4)}{_SUFFIX}"
        file = io.FileIO(name, "xb")
        with suppress(OSError):  # without locks there is no cleanup either
            locked(file.fileno())
        if name.exists():  # else another process removed it as a leftover before it was locked
            return file, name
        file.close()


def _prefix(path: Path) -> str:
    return f".{path.name[:_LONGEST_STEM]}."


def _like(name: Path, old: os.stat_result) -> None:
    """Give a new file the owner and the mode of the one that it replaces."""
    if hasattr(os, "chown"):
        with suppress(OSError):  # only root may give a file away
            os.chown(name, old.st_uid, old.st_gid)
    name.chmod(stat.S_IMODE(old.st_mode))


def _is_regular(path: Path) -> bool:
    """Whether a path is a regular file or does not exist yet."""
    # These lead to files that the shell has opened; replacing them would disconnect the shell.
    if str(path).startswith(("/dev/fd/", "/proc/")):
        return False
    try:
        return stat.S_ISREG(path.stat().st_mode)
    except FileNotFoundError:
        return True
