"""One fit: train on some rows, predict the others, measure; what goes wrong is recorded, not raised."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from numpy.typing import NDArray

from ropewalk.data.arrays import Strings
from ropewalk.experiment.rows import Rows
from ropewalk.experiment.work import Fit, Work, message, one_line, record
from ropewalk.threads import one_thread


def fit(X: Any, y: NDArray[Any], groups: Strings | None, work: Work) -> Fit:
    """Train, predict and measure, with one thread for the libraries inside."""
    done: dict[str, Any] = {}
    seen: list[str] = []
    try:
        with one_thread(), _warnings(seen):
            done = Rows(X, y, groups, work).result()
    except (Exception, SystemExit) as error:  # noqa: BLE001  # whatever an algorithm raises is recorded
        done["error"] = message(error)
    return record(work, **done, warning=seen[0] if seen else "")


@contextmanager
def _warnings(seen: list[str]) -> Iterator[None]:
    """Collect the warnings of an algorithm, instead of printing them a thousand times."""
    if threading.current_thread() is not threading.main_thread():  # all threads share the warning filters
        yield
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            yield
        finally:
            seen += [one_line(f"{w.category.__name__}: {w.message}") for w in caught[:1]]
