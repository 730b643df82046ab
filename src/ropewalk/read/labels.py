"""Labels in one spelling, whichever way a file writes them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.data.arrays import Strings, strings
from ropewalk.read.roles import Options
from ropewalk.read.table import FLOATED, Column, Table, parsed


def truth_labels(columns: Sequence[tuple[Table, str]], options: Options) -> list[str]:
    """Return the distinct labels of the truth and of the option, sorted; none if the truth has fractions."""
    if are_fractions([table.columns[column] for table, column in columns]):
        return []
    cells = strings(cell for table, column in columns for (cell,) in table.distinct(column))
    return sort_labels(({*label_text(cells)} | set(given_labels(options))) - {""})


def are_fractions(columns: Sequence[Column]) -> bool:
    """Whether these are numbers that are not all whole: 0.37 is not the name of a class."""
    values = np.concatenate([parsed(cells) for cells in columns])
    return bool(np.isfinite(values).all() and np.any(values != np.floor(values)))


def given_labels(options: Options) -> list[str]:
    """Return the labels that the user added."""
    return [] if options.labels is None else list(label_text(strings(options.labels)))


def sort_labels(labels: set[str]) -> list[str]:
    """Sort labels by value if all are numbers, otherwise by name."""
    names = sorted(labels)
    values = parsed(strings(names))
    return [names[i] for i in np.argsort(values, kind="stable")] if np.isfinite(values).all() else names


def label_text(cells: Strings) -> Strings:
    """Normalize the spelling of labels: 1.0 becomes 1; true and TRUE become True.

    >>> label_text(strings(["1.0", "1", "true", "cat"]))
    array(['1', '1', 'True', 'cat'], dtype=object)
    """
    spelled = {c: _spelled(c) for c in set(cells.tolist())}
    return strings(map(spelled.__getitem__, cells.tolist()))


def _spelled(cell: str) -> str:
    whole = FLOATED.fullmatch(cell)
    if whole:
        return whole[1]
    return cell.capitalize() if cell.lower() in ("true", "false") else cell
