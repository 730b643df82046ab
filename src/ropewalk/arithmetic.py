"""NumPy's floating-point errors as it ships them, whatever a program has set with `numpy.seterr`.

Tails of distributions underflow to zero, and are meant to: under `np.seterr(all="raise")` they would stop a
comparison.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

import numpy as np

_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def usual_arithmetic(function: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
    """Let a function compute under NumPy's own settings, and leave the program's as they are.

    >>> with np.errstate(all="raise"):
    ...     float(usual_arithmetic(np.exp)(-1e4))
    0.0
    """

    @wraps(function)
    def computed(*arguments: _Given.args, **options: _Given.kwargs) -> _Answer:
        with np.errstate(divide="warn", over="warn", under="ignore", invalid="warn"):
            return function(*arguments, **options)

    return computed
