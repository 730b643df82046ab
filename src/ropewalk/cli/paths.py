"""Paths in reports: relative to the working directory, so that a report reveals nothing about a machine."""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar

import click

from ropewalk.data import Audit
from ropewalk.disk import check_replaceable
from ropewalk.errors import OptionError, short

verbose_option = click.option(
    "--verbose",
    is_flag=True,
    help="Print all details, and name files as they were given, absolute paths included.",
)


class _Audited(Protocol):
    @property
    def audit(self) -> Audit: ...


_Found = TypeVar("_Found", bound=_Audited)


def from_here(found: _Found, *, keep: bool) -> _Found:
    """Return a report or decision with input paths relative to the working directory, unless `keep`."""
    if keep:
        return found
    inputs = tuple(replace(i, path=relative(i.path)) for i in found.audit.inputs)
    return replace(found, audit=replace(found.audit, inputs=inputs))  # type: ignore[type-var]


def command_from_here(typed: str | None, *, keep: bool) -> str | None:
    """Return the typed command without passwords and, unless `keep`, with absolute paths made relative.

    None if the command was called from Python instead of being typed.
    """
    if typed is None:
        return None
    parts = map(_without_password, shlex.split(typed))
    return shlex.join(parts if keep else map(_relative_value, parts))


def _without_password(argument: str) -> str:
    """Return a database address without its password, which must not be in a report.

    >>> _without_password("postgresql://me:secret@host/db?password=secret&sslmode=require")
    'postgresql://me@host/db?password=&sslmode=require'
    """
    if "://" not in argument:
        return argument
    return re.sub(r"(?i)(password=)[^&\s]*", r"\1", re.sub(r"(://[^/?#:@\s]*):[^/?#\s]*@", r"\1@", argument))


def check_outputs(outputs: Iterable[Path | None], inputs: Sequence[str | Path]) -> None:
    """Refuse to write a report over a file that was read, or two reports to one file.

    Raises
    ------
    OptionError
        If that would happen, also by a link.
    """
    seen = set()
    for path in outputs:
        # These functions return False if a folder cannot be read; writing then reports the reason.
        if path is None or (os.path.exists(path) and not os.path.isfile(path)):  # noqa: PTH110, PTH113
            continue
        check_replaceable(path, inputs)
        place = os.path.realpath(path)
        if place in seen:
            raise OptionError(f"{short(path)} is given for two outputs", hint="Name a file for each of them.")
        seen.add(place)


def _relative_value(argument: str) -> str:
    option, equals, value = argument.partition("=")
    if option.startswith("--") and equals:
        return f"{option}={relative(value)}"
    return relative(argument)


def relative(text: str) -> str:
    """Return an absolute path relative to the working directory; on another drive, only its name.

    >>> relative("scores.csv")
    'scores.csv'
    """
    if not Path(text).is_absolute() or text.startswith(("/dev/", "/proc/")):
        return text
    try:
        return os.path.relpath(text)
    except ValueError:  # another drive on Windows
        return Path(text).name
