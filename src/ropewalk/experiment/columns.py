"""A fit as a row of a table: its own columns, then one for each metric."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from ropewalk.experiment.work import Fit

_TYPES = {"int": "BIGINT", "float": "DOUBLE", "str": "VARCHAR"}
_OWN = {f.name: _TYPES[str(f.type)] for f in fields(Fit) if str(f.type) in _TYPES}


def columns(metrics: Sequence[str]) -> dict[str, str]:
    """Return the names of the columns and their SQL types."""
    return {**_OWN, **dict.fromkeys(metrics, "DOUBLE")}


def row_of(fit: Fit) -> dict[str, Any]:
    """Convert a fit to JSON values."""
    own = {name: getattr(fit, name) for name in _OWN}
    return own | {m: v if math.isfinite(v) else None for m, v in fit.values.items()}


def fit_of(row: Sequence[Any], metrics: Sequence[str]) -> Fit:
    """Convert a row, with the columns in this order, to a fit."""
    found = row[len(_OWN) :]
    values = {m: math.nan if v is None else float(v) for m, v in zip(metrics, found, strict=True)}
    return Fit(**dict(zip(_OWN, row, strict=False)), values=values)
