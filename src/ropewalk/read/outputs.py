"""A model's outputs: what they are once read, and which columns are called after classes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ropewalk.data.losses import Kind
from ropewalk.read.roles import compact
from ropewalk.read.table import Column

_PREFIX = re.compile(r"(?i)(p|prob|proba|probability|confidence)[ _.\-]+(.+)")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Outputs:
    """The kind of the predictions, with the truth and the outputs of each block in that form."""

    kind: Kind
    truth: dict[int, Column]  # block -> truth
    values: dict[str, dict[int, Column]]  # model -> block -> outputs
    classes: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)


def class_columns(columns: list[str], classes: list[str]) -> dict[str, str]:
    """Return the probability columns by class: named after the class, or p_CLASS, prob_CLASS, proba_CLASS.

    A column p_CLASS of a class that is not in the truth counts too, if another column names one that is.

    >>> class_columns(["id", "p_cat", "p_dog", "p_emu"], ["cat", "dog"])
    {'cat': 'p_cat', 'dog': 'p_dog', 'emu': 'p_emu'}
    """
    known = {compact(c): c for c in classes}
    plain = {known[compact(c)]: c for c in columns if compact(c) in known}
    if len(plain) == len(classes):
        return plain
    prefixed: dict[str, dict[str, str]] = {}
    for column in columns:
        match = _PREFIX.fullmatch(column)
        if match:
            label = known.get(compact(match[2]), match[2])
            prefixed.setdefault(match[1].lower(), {})[label] = column
    fitting = [found for found in prefixed.values() if any(c in found for c in classes)]
    return max(fitting, key=len, default={})


def class_of(column: str, classes: Sequence[str]) -> str | None:
    """Return the class of a single column of probabilities, if the column's name contains it.

    >>> class_of("p_spam", ["ham", "spam"])
    'spam'
    """
    match = _PREFIX.fullmatch(column)
    known = {compact(c): c for c in classes}
    return known.get(compact(match[2])) if match else None
