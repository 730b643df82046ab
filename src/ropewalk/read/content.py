"""The bytes of an untrusted file: all of them, or an OSError with the reason."""

from __future__ import annotations

import errno
import os
import re
import select
import stat
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any

MOST_TOML = 1 << 20  # bytes: it is written by hand
_MOST_PARTS = 50  # of a dotted key in TOML
_DOTTED = re.compile(
    rf"""(?<![\w-])((?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{_MOST_PARTS}}}""", re.ASCII
)
_CHUNK = 1 << 24
_LONGEST_LINE = 1 << 26  # bytes; no row of a table is that long
_LONGEST_JSON = 1 << 27  # bytes; whole documents often stand on one line
_LIST, _DICT, _VALUE = 56, 64, 32  # bytes that an empty list, an empty dict and a place for a value take
_MOST_PACKED = 1 << 31  # bytes that packed JSON may take as Python values
_PATIENCE = 2.0  # seconds within which a pipe must have a writer
_SHARE = 4  # a file may take one part in this many of the memory: as Python values it is several times larger


def content(path: str | os.PathLike[str], *, most: int | None = None) -> bytes:
    """All of a file or pipe, of at most `most` bytes (else: a quarter of the memory), and no endless line."""
    most = room() if most is None else most
    parts: list[bytes] = []
    size = line = 0
    for part in _parts(Path(path)):
        if not parts:
            longest = _LONGEST_JSON if part.lstrip()[:1] in (b"[", b"{") else _LONGEST_LINE
        parts.append(part)
        size += len(part)
        ends = [at for end in (b"\n", b"\r") if (at := part.rfind(end)) >= 0]
        line = len(part) - max(ends) if ends else line + len(part)
        if size > most:
            raise OSError(errno.EFBIG, f"it has more than {most:,} bytes")
        if line > longest:
            raise OSError(errno.EFBIG, f"it has a line of more than {longest:,} bytes")
    return b"".join(parts)


def toml(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a file of TOML. Python's own parser takes memory with the square of the parts of a dotted key.

    Raises
    ------
    OSError
        If it cannot be read.
    ValueError, RecursionError
        If it is not TOML.
    """
    import tomllib

    text = content(path, most=MOST_TOML).decode("utf-8")
    if _DOTTED.search(text):
        raise ValueError(f"a key has more than {_MOST_PARTS} parts")
    return tomllib.loads(text)


def _parts(path: Path) -> Iterator[bytes]:
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISDIR(mode)):
        raise OSError(errno.EINVAL, "it is not a file")  # a device may never end
    if stat.S_ISFIFO(mode) and hasattr(os, "O_NONBLOCK") and hasattr(select, "poll"):
        # Opening a pipe waits for a writer, forever if there is none.
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        with os.fdopen(handle, "rb", buffering=0) as pipe:
            first = _first(handle)
            os.set_blocking(handle, True)  # type: ignore[attr-defined,unused-ignore]
            while first:
                yield first
                first = pipe.read(_CHUNK)
        return
    with path.open("rb", buffering=0) as file:
        while part := file.read(_LONGEST_LINE):  # most files at once, so that there is nothing to join
            yield part


def _first(handle: int) -> bytes:
    """The first bytes of a pipe: its writer may be slow, but there must be one."""
    for wait in (0.0, _PATIENCE):
        opened = select.poll()  # type: ignore[attr-defined,unused-ignore]
        opened.register(handle, select.POLLIN)  # type: ignore[attr-defined,unused-ignore]
        ready = opened.poll(wait * 1000)
        try:
            found = os.read(handle, _CHUNK)
        except BlockingIOError:  # there is a writer, and nothing is written yet
            os.set_blocking(handle, True)  # type: ignore[attr-defined,unused-ignore]
            return os.read(handle, _CHUNK)
        if found or ready:
            return found
    raise OSError(errno.ETIMEDOUT, "it is a pipe to which no process writes")


def check_regular(path: Path) -> None:
    """Refuse anything but a regular file: opening a pipe waits for a writer, and a device may never end.

    Raises
    ------
    OSError
        If it is something else, or is not there.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is not a file")


def parsed_size(text: bytes | str) -> int:
    """About how many bytes JSON takes as Python values: `[],[],…` takes twenty times what it has.

    Every value follows a bracket, a brace, a comma or a colon; those inside of strings are counted too,
    which only makes the estimate larger. Strings take about what they take in the file.
    """
    marks = {"[": _LIST, "{": _DICT, ",": _VALUE, ":": _VALUE}
    if isinstance(text, str):
        return len(text) + sum(cost * text.count(mark) for mark, cost in marks.items())
    return len(text) + sum(cost * text.count(mark.encode()) for mark, cost in marks.items())


def room_for_values() -> int:
    """Bytes of memory that the values of one file may take: half of the machine's."""
    return _SHARE // 2 * room()


def room_for_packed_values() -> int:
    """Bytes of memory that the values of a packed file may take: a small file must not take gigabytes."""
    return min(_MOST_PACKED, room_for_values())


def broken_zip() -> tuple[type[Exception], ...]:
    """What Python raises over a broken zip archive, whichever way its members are packed.

    A name that is not UTF-8 is a ValueError, a member that is encrypted or packed in an unknown way a
    RuntimeError. Pythons may be built without some ways to pack.
    """
    found: list[type[Exception]] = [
        zipfile.BadZipFile,
        zlib.error,
        EOFError,
        OSError,
        RuntimeError,
        ValueError,
    ]
    for module, name in (("lzma", "LZMAError"), ("compression.zstd", "ZstdError")):
        with suppress(ImportError):
            found.append(getattr(import_module(module), name))
    return tuple(found)


def is_json(text: bytes) -> bool:
    """Whether a text looks like JSON from its first letter."""
    return text[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{")


def room() -> int:
    """Bytes of memory that one file may take."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _SHARE  # type: ignore[attr-defined,no-any-return,unused-ignore]
    except (AttributeError, ValueError, OSError):  # not on Windows
        return 1 << 32
