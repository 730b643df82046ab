"""Options of every function: those handed on by name, unknown ones with a suggestion, and random seeds."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, TypeVar

import numpy as np

from ropewalk.errors import OptionError, did_you_mean, short

_P = ParamSpec("_P")
_Result = TypeVar("_Result")


def with_options_of(other: Callable[..., Any]) -> Callable[[Callable[_P, _Result]], Callable[_P, _Result]]:
    """The function, with the keywords of another one by name in place of its ``**options``.

    They are written down once, where they are used, and `help` shows them wherever they are handed on.

    >>> def paint(*, colour="red", size=1): ...
    >>> @with_options_of(paint)
    ... def frame(picture, *, size=2, **options): ...
    >>> str(signature(frame))
    "(picture, *, size=2, colour='red')"
    """

    def named(function: Callable[_P, _Result]) -> Callable[_P, _Result]:
        own = signature(function)
        kept = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        more = [
            p
            for p in signature(other).parameters.values()
            if p.kind is Parameter.KEYWORD_ONLY and p.name not in own.parameters
        ]
        function.__signature__ = own.replace(parameters=[*kept, *more])  # type: ignore[attr-defined]
        return function

    return named


def with_suggestions(function: Callable[_P, _Result]) -> Callable[_P, _Result]:
    """The function, for which a keyword that it does not have is an `OptionError` with a suggestion.

    >>> @with_suggestions
    ... def double(*, number): return 2 * number
    >>> double(nubmer=1)
    Traceback (most recent call last):
        ...
    ropewalk.errors.OptionError: there is no option "nubmer"
    ...
    """
    known = [name for name in signature(function).parameters if name != "self"]

    @wraps(function)
    def checked(*arguments: _P.args, **options: _P.kwargs) -> _Result:
        for name in options:
            if name not in known:
                raise OptionError(f'there is no option "{short(name)}"', hint=did_you_mean(name, known))
        return function(*arguments, **options)

    return checked


def seed_of(rng: int | np.random.Generator) -> int:
    """A whole number that a report can keep: `rng` itself, or one drawn from a Generator.

    >>> seed_of(7)
    7
    >>> seed_of(np.random.default_rng(0)) == seed_of(np.random.default_rng(0))
    True
    """
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**32))
    if isinstance(rng, (bool, np.bool_)) or not isinstance(rng, (int, np.integer)) or rng < 0:
        raise OptionError(
            f"rng is {short(repr(rng))}", hint="Give a whole number from 0, or a numpy.random.Generator."
        )
    return int(rng)
