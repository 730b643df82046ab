"""Options that several functions take, unknown ones with a suggestion, and random seeds."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from inspect import Parameter, cleandoc, signature
from typing import Any, Literal, ParamSpec, TypedDict, TypeVar

import numpy as np

from ropewalk.errors import OptionError, did_you_mean, short

_P = ParamSpec("_P")
_Result = TypeVar("_Result")


class ColumnOptions(TypedDict, total=False):
    """The roles of columns and how a file is read: the keywords that `read`, `compare` and `gate` share."""

    model: str | Sequence[str] | None
    task: str | None
    unit: str | None
    score: str | None
    truth: str | None
    cluster: str | None
    repeat: str | None
    fold: str | None
    seed: str | None
    higher_is_better: bool | None
    by_position: bool
    labels: Sequence[object] | None
    positive: object | None
    sheet: str | None


class ReadOptions(ColumnOptions, total=False):
    """`ColumnOptions` and options of some sources: the keywords that `read` and `compare` share."""

    query: str | None
    split: str | None
    statistics: Sequence[str] | None
    in_place: bool | None
    dask: str | None


class JudgeOptions(ColumnOptions, total=False):
    """The keywords of `ropewalk.gate.judge`, for functions that pass them on."""

    query: str | None
    models: Sequence[str | None]
    loss: Any
    metric: Any
    looks: int | None
    missing: Literal["drop", "worst"] | None
    rho: float | None
    runs: int | None
    specialists: bool
    rng: int | np.random.Generator


def with_options_of(
    other: Callable[..., Any], handed_on: type[Any]
) -> Callable[[Callable[_P, _Result]], Callable[_P, _Result]]:
    """Replace ``**options`` in a function's signature by the keywords of another function.

    `help` and completion then show the keywords with defaults and meanings wherever they are passed on. Type
    checkers see them through the annotation of ``**options``, the same dictionary.

    >>> class Paint(TypedDict, total=False):
    ...     colour: str
    >>> def paint(*, colour="red", size=1): ...
    >>> @with_options_of(paint, Paint)
    ... def frame(picture, *, size=2, **options): ...
    >>> str(signature(frame))
    "(picture, *, size=2, colour='red')"
    """

    def named(function: Callable[_P, _Result]) -> Callable[_P, _Result]:
        own = signature(function)
        kept = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        more = [p for p in signature(other).parameters.values() if p.name in handed_on.__optional_keys__]
        function.__signature__ = own.replace(parameters=[*kept, *more])  # type: ignore[attr-defined]
        return explained_by(other, handed_on)(function)

    return named


def explained_by(
    other: Callable[..., Any], shared: type[Any]
) -> Callable[[Callable[_P, _Result]], Callable[_P, _Result]]:
    """Append another function's docstring entries for shared keywords to the function's own.

    >>> class Paint(TypedDict, total=False):
    ...     colour: str
    >>> def paint():
    ...     '''Parameters
    ...     ----------
    ...     colour : str
    ...         Its colour.
    ...     '''
    >>> @explained_by(paint, Paint)
    ... def frame(*, size, colour):
    ...     '''Parameters
    ...     ----------
    ...     size : int
    ...
    ...     Returns
    ...     -------
    ...     None
    ...     '''
    >>> frame.__doc__.splitlines()[2:5]
    ['size : int', 'colour : str', '    Its colour.']
    """

    def explained(function: Callable[_P, _Result]) -> Callable[_P, _Result]:
        if function.__doc__ is None or other.__doc__ is None:  # python -OO
            return function
        section = cleandoc(other.__doc__).partition("Parameters\n----------\n")[2].partition("\n\n")[0]
        entries = re.findall(r"^\S.*(?:\n    .*)*", section, flags=re.MULTILINE)
        known = shared.__optional_keys__ & signature(function).parameters.keys()
        taken = [e for e in entries if set(e.partition(" : ")[0].split(", ")) <= known]
        before, returns, after = cleandoc(function.__doc__).partition("\n\nReturns\n-------\n")
        function.__doc__ = "\n".join([before, *taken]) + returns + after
        return function

    return explained


def shared_keywords(arguments: Mapping[str, Any], shared: type[Any]) -> dict[str, Any]:
    """The keywords that a function shares with others, from its arguments (`locals()`).

    >>> class Paint(TypedDict, total=False):
    ...     colour: str
    >>> def frame(*, size=1, colour="red"):
    ...     return shared_keywords(locals(), Paint)
    >>> frame()
    {'colour': 'red'}
    """
    return {name: arguments[name] for name in sorted(shared.__optional_keys__)}


# What scikit-learn and SciPy call our options.
_CALLED_ELSEWHERE = {
    "random_state": "rng",
    "y": "truth",
    "y_true": "truth",
    "labels": "truth",
    "scoring": "metric",
    "n_repeats": "runs",
    "baseline": "reference",
    "control": "reference",
}


def with_suggestions(function: Callable[_P, _Result]) -> Callable[_P, _Result]:
    """Make a function raise an `OptionError` with a suggestion for an unknown keyword.

    >>> @with_suggestions
    ... def double(*, number): return 2 * number
    >>> double(nubmer=1)
    Traceback (most recent call last):
        ...
    ropewalk.errors.OptionError: there is no option "nubmer"
    ...
    """
    parameters = signature(function).parameters
    known = [name for name in parameters if name != "self"]
    places = sum(p.kind is not p.KEYWORD_ONLY for p in parameters.values())
    takes_one = places == 1 and known[:1] == ["data"]

    @wraps(function)
    def checked(*arguments: _P.args, **options: _P.kwargs) -> _Result:
        if takes_one and len(arguments) > 1:
            raise OptionError(
                f"{function.__name__} takes all data as one argument, and {len(arguments)} were given",
                hint='Give a list of files or frames, such as ["a.csv", "b.csv"], or a dict {model: scores}; '
                "options by their names.",
            )
        for name in options:
            if name not in known:
                here = _CALLED_ELSEWHERE.get(name)
                hint = f'Here it is called "{here}".' if here in known else did_you_mean(name, known)
                raise OptionError(f'there is no option "{short(name)}"', hint=hint)
        return function(*arguments, **options)

    return checked


def seed_of(rng: int | np.random.Generator, called: str = "rng") -> int:
    """An integer seed that a report can store: `rng` itself, or one drawn from a Generator.

    >>> seed_of(7)
    7
    >>> seed_of(np.random.default_rng(0)) == seed_of(np.random.default_rng(0))
    True
    """
    if isinstance(rng, np.random.Generator):
        return int(rng.integers(2**32))
    if isinstance(rng, (bool, np.bool_)) or not isinstance(rng, (int, np.integer)) or rng < 0:
        raise OptionError(
            f"{called} is {short(repr(rng))}", hint="Give a whole number from 0, or a numpy.random.Generator."
        )
    return int(rng)
