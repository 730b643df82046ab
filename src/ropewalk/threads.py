"""Threads of the numerical libraries, and our own."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import lru_cache
from threading import Lock, local
from typing import Any, TypeVar

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")
_within = local()  # thread-local state
_holding, _held = Lock(), list[Any]()  # the active limits, oldest first
_MOST = 4  # more threads would wait for the interpreter


@contextmanager
def one_thread() -> Iterator[None]:
    """Limit BLAS and OpenMP to one thread within this block.

    Our matrices are small: threads that wait for each other cost more than they save, several times more
    if other programs run. Sums then also do not depend on the number of threads. The limit applies to the
    whole process, so among overlapping blocks the first sets it and the last lifts it.
    """
    with _holding:
        limit = _libraries(len(sys.modules)).limit(limits=1)
        limit.__enter__()
        _held.append(limit)
    try:
        yield
    finally:
        with _holding:
            _held.pop().__exit__(None, None, None)  # the oldest limit last


@lru_cache(maxsize=1)
def _libraries(modules: int) -> Any:
    """The numerical libraries that are loaded; searched again only after an import."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def side_by_side(
    function: Callable[[_Item], _Answer],
    items: Sequence[_Item],
    steps: Callable[[Sequence[_Item]], Iterable[_Item]] = iter,
    *,
    most: int = _MOST,
) -> list[_Answer]:
    """Apply the function to every item on several threads; `steps` shows the progress.

    Nested calls use no further threads, which would only wait for each other.
    """
    if len(items) < 2 or getattr(_within, "threads", False):
        return [function(item) for item in steps(items)]
    with ThreadPoolExecutor(min(os.cpu_count() or 1, most), initializer=_no_more) as pool:
        answers = pool.map(function, items)
        return [next(answers) for _ in steps(items)]


def _no_more() -> None:
    _within.threads = True
