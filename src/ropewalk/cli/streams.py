"""Handling of a standard output that is closed, full or cannot encode a name, and of internal errors."""

from __future__ import annotations

import codecs
import errno
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout, suppress
from pathlib import Path
from traceback import extract_tb
from typing import IO

import click

from ropewalk.errors import OptionError, RopewalkError, short

# Replacements of letters that a stream cannot encode. On Windows a pipe encodes about 250 letters.
_PLAIN = {"─": "-", "═": "=", "█": "#", "░": ".", "±": "+-", "…": "...", "×": "x", "–": "-", "Δ": "Delta"}
_REPLACED, _ESCAPED = "ropewalk.replaced", "ropewalk.escaped"


def _unwritable(error: UnicodeError) -> str:
    assert isinstance(error, UnicodeEncodeError)
    return error.object[error.start : error.end]


codecs.register_error(_REPLACED, lambda e: ("".join(_PLAIN.get(c, "?") for c in _unwritable(e)), e.end))  # type: ignore[attr-defined]
codecs.register_error(_ESCAPED, lambda e: (json.dumps(_unwritable(e))[1:-1], e.end))  # type: ignore[attr-defined]


def write_any_letter() -> None:
    """Replace letters that standard output cannot encode instead of failing."""
    if isinstance(sys.stdout, io.TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors=_REPLACED)


def show_content(content: str, *, as_json: bool) -> None:
    """Print an answer; in a JSON document, letters that standard output cannot encode are escaped."""
    if as_json:
        encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
        content = content.encode(encoding, _ESCAPED).decode(encoding)
    with standard_output():
        click.echo(content, nl=False)


def say(text: object, *, err: bool = False) -> None:
    """Print a line that may contain untrusted names, without terminal control characters."""
    shown = "".join(c if c.isprintable() or c == "\n" else "\N{REPLACEMENT CHARACTER}" for c in str(text))
    try:
        click.echo(shown, err=err)
    except OSError:
        if not err:
            raise
        _silence(sys.stderr)  # it cannot be reported, and does not change the answer


@contextmanager
def standard_output() -> Iterator[None]:
    """Context in which an answer is printed: if printing fails, raise an error."""
    try:
        yield
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        if _is_broken_pipe(error):
            raise
        raise OptionError(f"standard output cannot be written: {error.strerror}") from error


@contextmanager
def printing_to_standard_error() -> Iterator[None]:
    """Redirect what estimators print, in Python or C, to standard error, to keep standard output clean."""
    if sys.stdout is not None:
        sys.stdout.flush()
    try:
        ours = os.dup(1)
        os.dup2(2, 1)
    except OSError:  # one of the streams is closed
        ours = -1
    try:
        with redirect_stdout(sys.stderr):
            yield
    finally:
        if ours >= 0:
            _flush_c()
            os.dup2(ours, 1)
            os.close(ours)


def _flush_c() -> None:
    """Flush the C buffers while output still goes to standard error."""
    with suppress(ImportError, OSError, AttributeError, TypeError):
        import ctypes

        library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
        library.fflush(None)


def settle_streams() -> None:
    """Flush the streams before Python exits: a failure at exit would change the exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except (OSError, ValueError):
            _silence(stream)


def silence_standard_output() -> None:
    """Prevent further writes to a standard output that fails."""
    _silence(sys.stdout)


def _silence(stream: IO[str]) -> None:
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


class ReaderGoneError(Exception):
    """The reader of standard output has closed it."""


@contextmanager
def reader() -> Iterator[None]:
    """Detect a closed reader, which rich and click would turn into exit code 1."""
    try:
        yield
    except (OSError, SystemExit) as error:
        if _is_broken_pipe(error.__context__ if isinstance(error, SystemExit) else error):
            raise ReaderGoneError from error
        raise


def _is_broken_pipe(error: BaseException | None) -> bool:
    # Windows reports EINVAL for a pipe whose reader is closed.
    return isinstance(error, BrokenPipeError) or (
        sys.platform == "win32" and isinstance(error, OSError) and error.errno == errno.EINVAL
    )


def failed(error: BaseException) -> RopewalkError:
    """Return the message for an unexpected exception: the disk behind standard output may be full."""
    if isinstance(error, OSError) and any(frame.name == "echo" for frame in extract_tb(error.__traceback__)):
        return OptionError(f"standard output cannot be written: {error.strerror}")
    return internal(error)


def internal(error: BaseException) -> RopewalkError:
    """Return an internal error of ropewalk as one message."""
    if isinstance(error, MemoryError):
        return RopewalkError("out of memory", hint="This says nothing about the models.")
    frames = extract_tb(error.__traceback__)
    return RopewalkError(
        f"ropewalk itself failed: {type(error).__name__}: {short(error, 200)}",
        where=[f"{Path(f.filename).name}, line {f.lineno}, in {f.name}" for f in frames[-1:]],
        hint="This says nothing about the models. Please report it.",
    )
