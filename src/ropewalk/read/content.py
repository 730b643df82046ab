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

MOST_TOML = 1 << 20  # bytes; TOML files are written by hand
_MOST_PARTS = 50  # largest number of parts of a dotted key in TOML
_DOTTED = re.compile(
    rf"""(?<![\w-])((?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*){{{_MOST_PARTS}}}""", re.ASCII
)
_CHUNK = 1 << 24
_LONGEST_LINE = 1 << 26  # bytes; no row of a table is that long
_LONGEST_JSON = 1 << 27  # bytes; whole documents often stand on one line
_LIST, _DICT, _VALUE = 56, 64, 32  # bytes of an empty list, an empty dict and a slot for a value
_MOST_PACKED = 1 << 31  # bytes that packed JSON may take as Python values
SMALL = 1 << 20  # bytes; anything smaller is harmless
_MOST_RATIO = 250  # no ordinary text compresses better, and neither do logs and sheets
_PATIENCE = 2.0  # seconds to wait for a writer to a pipe
_SHARE = 4  # a file may use 1/4 of the memory, because as Python values it is several times larger


def content(path: str | os.PathLike[str], *, most: int | None = None) -> bytes:
    """Read a file or pipe of at most `most` bytes (default: a quarter of the memory); no endless line."""
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
    """Read a TOML file. Limits dotted keys, for which Python's parser needs memory quadratic in their parts.

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
        while part := file.read(_LONGEST_LINE):  # one piece for most files
            yield part


def _first(handle: int) -> bytes:
    """Read the first bytes of a pipe. Its writer may be slow, but there must be one."""
    for wait in (0.0, _PATIENCE):
        opened = select.poll()  # type: ignore[attr-defined,unused-ignore]
        opened.register(handle, select.POLLIN)  # type: ignore[attr-defined,unused-ignore]
        ready = opened.poll(wait * 1000)
        try:
            found = os.read(handle, _CHUNK)
        except BlockingIOError:  # there is a writer, but it has not written anything yet
            os.set_blocking(handle, True)  # type: ignore[attr-defined,unused-ignore]
            return os.read(handle, _CHUNK)
        if found or ready:
            return found
    raise OSError(errno.ETIMEDOUT, "it is a pipe to which no process writes")


def check_regular(path: Path) -> None:
    """Refuse anything but a regular file: opening a pipe can block, and a device may never end.

    Raises
    ------
    OSError
        If it is something else, or is not there.
    """
    if not stat.S_ISREG(path.stat().st_mode):
        raise OSError(errno.EINVAL, "it is not a file")


def parsed_size(text: bytes | str) -> int:
    """Estimate the bytes that JSON takes as Python values: `[],[],…` takes twenty times its size.

    Every value follows a bracket, a brace, a comma or a colon. Those inside strings are counted too, which
    only increases the estimate. Strings take about as many bytes as in the file.
    """
    marks = {"[": _LIST, "{": _DICT, ",": _VALUE, ":": _VALUE}
    if isinstance(text, str):
        return len(text) + sum(cost * text.count(mark) for mark, cost in marks.items())
    return len(text) + sum(cost * text.count(mark.encode()) for mark, cost in marks.items())


def room_for_values() -> int:
    """Return the bytes of memory that the values of one file may take: half of the machine's memory."""
    return _SHARE // 2 * room()


def room_for_packed_values() -> int:
    """Return the bytes of memory that the values of a packed file may take; a small file must not fill it."""
    return min(_MOST_PACKED, room_for_values())


def broken_zip() -> tuple[type[Exception], ...]:
    """Return the exceptions that Python raises for a broken zip archive, whatever its compression.

    A name that is not UTF-8 raises ValueError. An encrypted member, or one with an unknown compression,
    raises RuntimeError. Some builds of Python lack some compression modules.
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
    """Whether the first character of a text looks like JSON."""
    return text[:1000].lstrip(b"\xef\xbb\xbf \t\r\n")[:1] in (b"[", b"{")


def room_unpacked(packed: int) -> int:
    """Return the bytes to which a file of this size may unpack."""
    return min(room(), max(SMALL, _MOST_RATIO * packed))


def room() -> int:
    """Return the bytes of memory that one file may take."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // _SHARE  # type: ignore[attr-defined,no-any-return,unused-ignore]
    except (AttributeError, ValueError, OSError):  # not available on Windows
        return 1 << 32
