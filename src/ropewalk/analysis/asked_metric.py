"""A requested metric: whether it is known, and whether these data have the columns that it needs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ropewalk.data import Predictions
from ropewalk.errors import OptionError
from ropewalk.metrics import metric_for


def is_known(metric: str) -> bool:
    """Whether a metric has this name."""
    try:
        metric_for(metric)
    except OptionError:
        return False
    return True


def cannot_compute(data: Any, metric: Any, columns: dict[str, Any]) -> OptionError | None:
    """Why a metric cannot be computed: its name is unknown, or it needs columns that add up (BLEU)."""
    if metric is None:
        return None
    try:
        found = metric_for(metric)
    except OptionError as problem:
        return problem
    if found.takes != "statistics" or isinstance(data, Predictions) or columns.get("statistics"):
        return None
    return OptionError(
        f"{found.name} is computed from statistics per segment, but their columns were not named",
        hint=f"Name the columns of {_these(found.columns)}:\nstatistics=[...] (--statistics A,B,...)."
        + (f" `ropewalk.metrics.{found.counted_by}` counts them." if found.counted_by else ""),
    )


def _these(columns: Sequence[str]) -> str:
    """Return what the statistics columns count, in order."""
    shown = ", ".join(columns[:12]) + (", ..." if len(columns) > 12 else "")
    return f"{shown}, in this order" if columns else "these statistics, in their order"
