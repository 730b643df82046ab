"""Which units belong together: the clusters that a column names, and columns that may name some."""

from __future__ import annotations

import re

import numpy as np

from ropewalk.data.arrays import Floats, Strings, coded, strings
from ropewalk.errors import ColumnError, short
from ropewalk.read.pairing import Paired
from ropewalk.read.roles import shared_by_rows, written
from ropewalk.read.table import as_text, text

_FEWEST = 3  # smallest number of clusters
_LOOKED_AT = 5_000  # ids
_PART = re.compile(r"(.*?\d)[ _/.:#|-]+[A-Za-z]*[ _-]?\d+")  # a numbered thing, and the number of its part
_RARE = 0.001  # so small a p-value of an F test is not chance, even though several columns are tested


def clusters_of(paired: Paired) -> tuple[Strings | None, list[str]]:
    """Return the cluster of each unit: from a column, or the example that recurs in several repeats."""
    having = {i: b.cluster for i, b in enumerate(paired.blocks) if b.cluster is not None}
    if having:
        cells = {i: text(paired.blocks[i].table, c, paired.blocks[i].rows) for i, c in having.items()}
        name = next(iter(having.values()))
        if len(np.unique(np.concatenate([paired.places[i] for i in having]))) < len(paired.names):
            lacking = next(b.label for b in paired.blocks if b.cluster is None)
            raise ColumnError(
                f"{short(lacking)} has no column `{short(name)}` with the clusters of its units",
                hint="Give the cluster of every unit.",
            )
        return paired.agreed("cluster", cells), [f"clusters: `{short(name)}`"]
    if paired.key.repeats_examples:
        column = paired.blocks[0].keys["unit"]
        return as_text(paired.parts["unit"]), [
            f"clusters: `{short(column)}`, because each of its values occurs several times"
        ]
    return None, [
        f"`{short(c)}` is not used; if rows with the same value belong together, set {written('cluster', c)}"
        for c in _idle(paired)
    ]


def belong_together(paired: Paired, values: Floats) -> tuple[str, ...]:
    """Return doubts about columns not named as clusters within which the differences are alike.

    The test is an F test of the differences between two models, for each model against the first.
    """
    if "task" in paired.parts:
        return ()
    for column in _idle(paired):
        having = {i: b for i, b in enumerate(paired.blocks) if column in b.table.columns}
        cells = {i: as_text(b.table.columns[column][b.rows]) for i, b in having.items()}
        if any(None in c or "" in c for c in cells.values()):
            continue
        codes, names = coded(paired.gather(cells))
        p = min((_f_test(values[:, 0] - v, codes) for v in values.T[1:]), default=1.0)
        if p < _RARE and len(names) >= _FEWEST:
            return (
                f"rows with the same `{short(column)}` have similar differences between the models, "
                "but count as independent, so the answer is too certain. "
                f"Name the clusters: {written('cluster', column)}.",
            )
    return _ids_that_begin_alike(paired, values)


def _ids_that_begin_alike(paired: Paired, values: Floats) -> tuple[str, ...]:
    """Return a doubt if ids are made of a numbered thing and its part, such as doc3_sentence4."""
    names = paired.names[:_LOOKED_AT]
    if names.dtype != object or len(paired.key.roles) != 1:
        return ()
    found = [_PART.fullmatch(name) for name in names.tolist()]
    if not found or None in found:
        return ()
    codes, wholes = coded(strings(m[1] for m in found if m is not None))
    if not _FEWEST <= len(wholes) <= len(names) / 2:
        return ()
    values = values[:_LOOKED_AT]
    if min((_f_test(values[:, 0] - v, codes) for v in values.T[1:]), default=1.0) >= _RARE:
        return ()
    return (
        f'ids that begin alike, such as "{short(names[0])}" and others of "{short(wholes[0])}", have similar '
        "differences between the models, but count as independent, so the answer is too certain. Put what "
        'they share into a column of its own, and name it: cluster="COLUMN" (--cluster COLUMN).',
    )


def _f_test(d: Floats, codes: np.ndarray) -> float:
    """Return the p-value of a one-way analysis of variance; 1 if it cannot be computed.

    >>> _f_test(np.array([1.0, 1.1, 2.0, 2.1, 3.0, 3.1]), np.array([0, 0, 1, 1, 2, 2])) < 0.001
    True
    """
    from scipy.special import fdtrc  # few files have such a column

    d, codes = d[np.isfinite(d)], codes[np.isfinite(d)]
    n = np.bincount(codes)
    groups, rest = np.count_nonzero(n) - 1, len(d) - np.count_nonzero(n)
    if groups < 1 or rest < 1:
        return 1.0
    means = np.bincount(codes, weights=d) / np.maximum(n, 1)
    within = float(((d - means[codes]) ** 2).sum())
    between = float((n * (means - d.mean()) ** 2).sum())
    if within <= 0:  # no variation within clusters, and perhaps much between them
        return 1.0 if between <= 0 else 0.0
    return float(fdtrc(groups, rest, between / groups / (within / rest)))


def _idle(paired: Paired) -> list[str]:
    """Return unused columns that are named like a property that rows share."""
    used = {c for b in paired.blocks for c in (*b.keys.values(), *(c for m in b.columns.values() for c in m))}
    return list(dict.fromkeys(c for b in paired.blocks for c in shared_by_rows(b.table) if c not in used))
