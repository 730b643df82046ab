"""Keywords that nobody knows: an error with the one that was probably meant."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import ParamSpec, TypeVar

from ropewalk.errors import OptionError, did_you_mean, short

_P = ParamSpec("_P")
_Result = TypeVar("_Result")


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
