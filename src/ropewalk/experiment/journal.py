"""The journal of a store: one line for each finished fit, with a checksum, written by one call.

A line cut off by a crash is not a finished fit. A line that does not match its checksum loses only its own
fit.
"""

from __future__ import annotations

import json
import os
import re
import time
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ropewalk.disk import write_all
from ropewalk.experiment.columns import columns, fit_of, row_of
from ropewalk.experiment.work import Fit
from ropewalk.read.content import content

_OFTEN = 1.0  # seconds of work that a power failure may cost
_CHECKED = re.compile(rb'(.*), "check": "([0-9a-f]{8})"\}', re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class JournalContent:
    """Content of a journal: the fits, the numbers of damaged lines, and the end of the last complete line."""

    fits: tuple[Fit, ...] = ()
    damaged: tuple[int, ...] = ()
    end: int = 0


def line(fit: Fit) -> bytes:
    """Format a fit as a line of JSON whose last entry is the checksum of the rest."""
    content = json.dumps(row_of(fit), allow_nan=False).encode()
    return content[:-1] + f', "check": "{zlib.crc32(content):08x}"}}\n'.encode()


def read_journal(path: Path, metrics: Sequence[str]) -> JournalContent:
    """Read all complete lines of a journal."""
    data = content(path) if path.exists() else b""
    end = data.rfind(b"\n") + 1
    fits, damaged = [], []
    for number, text in enumerate(data[:end].split(b"\n")[:-1], start=1):
        fit = _fit(text, metrics)
        if fit is None:
            damaged.append(number)
        else:
            fits.append(fit)
    return JournalContent(fits=tuple(fits), damaged=tuple(damaged), end=end)


def _fit(text: bytes, metrics: Sequence[str]) -> Fit | None:
    """Parse the fit of a line; None if the line is damaged."""
    found = _CHECKED.fullmatch(text)
    if found is None or zlib.crc32(found[1] + b"}") != int(found[2], 16):
        return None
    try:
        row = json.loads(text)
        return fit_of([row[name] for name in columns(metrics)], metrics)
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


class Journal:
    """A journal that is open for writing."""

    def __init__(self, path: Path, end: int) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o666)
        self._synced = time.monotonic()
        self._end = end
        os.ftruncate(self._handle, end)  # new lines must not continue a truncated line

    def append(self, fit: Fit) -> None:
        """Write a complete line or nothing; it is on disk after at most a second."""
        data = line(fit)
        try:
            write_all(self._handle, data)
        except OSError:
            with suppress(OSError):  # half a line does no harm, because it has no end
                os.ftruncate(self._handle, self._end)
            raise
        self._end += len(data)
        if time.monotonic() - self._synced > _OFTEN:
            self.sync()

    def sync(self) -> None:
        """Wait until every line is on disk."""
        os.fsync(self._handle)
        self._synced = time.monotonic()

    def clear(self) -> None:
        """Delete all lines."""
        os.ftruncate(self._handle, 0)
        self._end = 0

    def close(self) -> None:
        os.close(self._handle)
