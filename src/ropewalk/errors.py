"""The errors and warnings of ropewalk.

RopewalkError                 everything that ropewalk raises on purpose
├── OptionError               an option has a value that makes no sense        (also ValueError)
├── DataError                 the data cannot be used                          (also ValueError)
│   ├── ReadError             a file or frame cannot be read as a table
│   ├── ColumnError           a column is missing, ambiguous or of a wrong kind
│   ├── CellError             a cell holds NaN, infinity, text, an impossible value
│   └── PairingError          the units of two models do not match
├── MethodError               the method does not suit these data              (also ValueError)
└── MissingExtraError         an optional package is not installed             (also ImportError)
RopewalkWarning               the answer is valid, but read this as well      (UserWarning)
"""

from __future__ import annotations

from collections.abc import Iterable

__all__ = [
    "CellError",
    "ColumnError",
    "DataError",
    "MethodError",
    "MissingExtraError",
    "OptionError",
    "PairingError",
    "ReadError",
    "RopewalkError",
    "RopewalkWarning",
]


def __dir__() -> list[str]:
    return sorted(__all__)


# Names come from users' files: a 10,000-character model name must not fill the screen.
_LONGEST_NAME = 60
_LONGEST_CHOICE, _MOST_CHOICES = 200, 2_000


class RopewalkError(Exception):
    """Everything that ropewalk raises on purpose: what went wrong, where, and what to try.

    Parameters
    ----------
    what : str
        What went wrong.
    where : iterable of str, default ()
        Where: rows, columns, files.
    hint : str, default ""
        What was expected, and what to type.

    Examples
    --------
    >>> import ropewalk as rw
    >>> try:
    ...     rw.compare({"a": [1, 0, 1], "b": [1, 0]})
    ... except rw.RopewalkError as error:
    ...     print(type(error).__name__)
    PairingError
    """

    def __init__(self, what: str, *, where: Iterable[str] = (), hint: str = "") -> None:
        self.what = what
        self.where = tuple(where)
        self.hint = hint
        super().__init__(what)

    def __str__(self) -> str:
        parts = [self.what]
        if self.where:
            parts.append("\n".join(f"  {line}" for line in self.where))
        if self.hint:
            parts.append("\n".join(f"  {line}" for line in self.hint.splitlines()))
        return "\n\n".join(parts)


class OptionError(RopewalkError, ValueError):
    """An option has a value that makes no sense; also a ValueError.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.compare({"a": [1, 0, 1], "b": [1, 0, 0]}, threshold=2)
    Traceback (most recent call last):
        ...
    ropewalk.errors.OptionError: ...
    """


class DataError(RopewalkError, ValueError):
    """The data cannot be used; also a ValueError.

    Examples
    --------
    >>> from ropewalk.errors import DataError, PairingError
    >>> issubclass(PairingError, DataError)
    True
    """


class ReadError(DataError):
    """A file or frame cannot be read as a table.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.read("no-such-file.csv")
    Traceback (most recent call last):
        ...
    ropewalk.errors.ReadError: ...
    """


class ColumnError(DataError):
    """A column is missing, ambiguous or of a wrong kind.

    Examples
    --------
    >>> from ropewalk.errors import ColumnError, DataError
    >>> issubclass(ColumnError, DataError)
    True
    """


class CellError(DataError):
    """A cell holds NaN, infinity, text or an impossible value.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.Sums.of([0.1, float("inf")])
    Traceback (most recent call last):
        ...
    ropewalk.errors.CellError: ...
    """


class PairingError(DataError):
    """The units of two models do not match.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.read({"a": [1, 0, 1], "b": [1, 0]})
    Traceback (most recent call last):
        ...
    ropewalk.errors.PairingError: ...
    """


class MethodError(RopewalkError, ValueError):
    """The method does not suit these data; also a ValueError.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.compare({"a": [0.1, 0.2, 0.3], "b": [0.2, 0.2, 0.4]}, method="mcnemar")
    Traceback (most recent call last):
        ...
    ropewalk.errors.MethodError: ...
    """


class MissingExtraError(RopewalkError, ImportError):
    """An optional package is not installed; also an ImportError. The hint is the pip command.

    Examples
    --------
    >>> from ropewalk.errors import MissingExtraError
    >>> issubclass(MissingExtraError, ImportError)
    True
    """


class RopewalkWarning(UserWarning):
    """The answer is valid, but read it together with this warning.

    Examples
    --------
    >>> import warnings
    >>> import ropewalk as rw
    >>> warnings.simplefilter("error", rw.RopewalkWarning)  # treat them as errors
    """


def short(name: object, longest: int = _LONGEST_NAME) -> str:
    """A name from a user's file as it may be shown: one line, printable, not longer than `longest`.

    A long one loses its middle: names of models differ at the end as often as at the beginning.

    >>> short("forest")
    'forest'
    >>> short("x" * 10_000, longest=8)
    'xxxx…xxx'
    """
    text = str(name)
    if not text.isprintable():
        text = "".join(c if c.isprintable() else "�" for c in text)
    if len(text) <= longest:
        return text
    head, tail = longest // 2, (longest - 1) // 2
    return f"{text[:head]}…{text[len(text) - tail :]}"


def listed(names: Iterable[object], most: int = 5) -> str:
    """Quoted names for a message, cut after `most`.

    >>> listed(["a", "b", "c"], most=2)
    '"a", "b", … (3 in all)'
    """
    all_names = list(names)
    shown = ", ".join(f'"{short(n)}"' for n in all_names[:most])
    return shown if len(all_names) <= most else f"{shown}, … ({len(all_names):,} in all)"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A hint with the nearest known name, or with all of them.

    >>> did_you_mean("forrest", ["svm", "forest"])
    'Did you mean "forest"?'
    """
    from difflib import get_close_matches

    choices = list(known)
    # The cost grows with the square of the length, and names in a file may have any length.
    likely = [c for c in choices[:_MOST_CHOICES] if len(c) <= _LONGEST_CHOICE]
    close = get_close_matches(name[:_LONGEST_CHOICE], likely, n=1)
    return f'Did you mean "{short(close[0])}"?' if close else f"Known: {listed(choices, most=12)}."
