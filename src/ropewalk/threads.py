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
_within = local()  # what a thread knows of itself
_holding, _held = Lock(), list[Any]()  # the limits that were set, the first of all first
_MOST = 4  # more wait for the interpreter rather than for the processor


@contextmanager
def one_thread() -> Iterator[None]:
    """Hold BLAS and OpenMP to one thread, here and not in the rest of the process's life.

    Our matrices are small: threads that wait for each other cost more than they save, several times more
    where other programs run. And sums do not depend on their number. The limit is the process's own, so of
    several that overlap the first sets it and the last lifts it.
    """
    with _holding:
        limit = _libraries(len(sys.modules)).limit(limits=1)
        limit.__enter__()
        _held.append(limit)
    try:
        yield
    finally:
        with _holding:
            _held.pop().__exit__(None, None, None)  # the first goes last: it knows what was before


@lru_cache(maxsize=1)
def _libraries(modules: int) -> Any:
    """The numerical libraries that are loaded: looked for again only after something was imported."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def side_by_side(
    function: Callable[[_Item], _Answer],
    items: Sequence[_Item],
    steps: Callable[[Sequence[_Item]], Iterable[_Item]] = iter,
    *,
    most: int = _MOST,
) -> list[_Answer]:
    """The function of every item, on several threads; `steps` shows how far the answers have come.

    Within such a function there are no further threads: they would only wait for each other.
    """
    if len(items) < 2 or getattr(_within, "threads", False):
        return [function(item) for item in steps(items)]
    with ThreadPoolExecutor(min(os.cpu_count() or 1, most), initializer=_no_more) as pool:
        answers = pool.map(function, items)
        return [next(answers) for _ in steps(items)]


def _no_more() -> None:
    _within.threads = True
