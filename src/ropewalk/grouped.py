"""Sums of squares by group: seeds crossed with examples, and units in clusters.

What `sums` is for one column of differences: all that the methods for grouped data need of it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, DataError, PairingError
from ropewalk.sums import ROUNDING, Floats, differences, numeric


@dataclass(frozen=True, slots=True, kw_only=True)
class CrossedSums:
    """Mean and sums of squares of a table seeds x examples.

    Parameters
    ----------
    seeds, examples : int
        Number of rows and columns.
    mean : float
        Mean of all.
    seed, example, residual : float
        Sums of squares of seeds, of examples, and of what is left.

    Notes
    -----
    With `d_s.`, `d_.j` and `d..` the means of a row, of a column and of all::

        seed = J·Σ(d_s. - d..)², example = S·Σ(d_.j - d..)², residual = Σ(d_sj - d_s. - d_.j + d..)²

    Examples
    --------
    >>> from ropewalk.data import CrossedSums
    >>> CrossedSums.of([[1.0, 2.0], [3.0, 6.0]])
    CrossedSums(seeds=2, examples=2, mean=3.0, seed=9.0, example=4.0, residual=1.0)
    """

    seeds: int
    examples: int
    mean: float
    seed: float
    example: float
    residual: float

    @classmethod
    def of(cls, d: ArrayLike) -> CrossedSums:
        """Sum up a table: means first, then squares around them, so that values around 1e9 keep their digits.

        Parameters
        ----------
        d : array_like
            Seeds x examples.

        Returns
        -------
        CrossedSums
            Their sums.
        """
        x = table(d)
        mean = float(x.mean())
        r = x - mean
        row, column = r.mean(axis=1), r.mean(axis=0)
        rest = r - row[:, None] - column + r.mean()
        row, column = row - row.mean(), column - column.mean()
        s, j = x.shape
        # 0.9 - 0.8 and 0.8 - 0.7 differ in the last digit, but a spread of rounding errors is not a spread.
        least = x.size * (ROUNDING * float(np.abs(x).max())) ** 2
        squares = (j * float(row @ row), s * float(column @ column), float((rest**2).sum()))
        seed, example, residual = (q if q > least else 0.0 for q in squares)
        return cls(seeds=s, examples=j, mean=mean, seed=seed, example=example, residual=residual)

    @property
    def df(self) -> tuple[int, int, int]:
        """Degrees of freedom of seeds, examples and the residual."""
        s, j = self.seeds - 1, self.examples - 1
        return s, j, s * j


def table(d: ArrayLike) -> Floats:
    """Check a table of seeds x examples: two dimensions, numbers, finite, at least one seed, two examples."""
    x = numeric(
        d,
        "this is not a table of numbers, one row per seed and one column per example",
        "Give a 2-D array of floats; a missing cell makes the rows unequal.",
    )
    if x.ndim != 2:
        raise DataError(
            f"the table has {x.ndim} dimension{'s' if x.ndim != 1 else ''}, 2 were expected",
            hint="Give one row per seed and one column per example.",
        )
    if x.shape[0] < 1 or x.shape[1] < 2:
        raise DataError(
            f"the table has {x.shape[0]} seeds and {x.shape[1]} examples, at least 1 and 2 are needed",
            hint="Give one row per seed and one column per example of the common test set.",
        )
    bad = np.argwhere(~np.isfinite(x))
    if bad.size:
        raise CellError(
            f"{len(bad)} of {x.size} cells are NaN or infinite",
            where=[f"seed {s}, example {j}: {x[s, j]}" for s, j in bad[:5]],
            hint="Drop the example for every seed, or find out why it has no score.",
        )
    differences(x.ravel())  # rejects values too large to be squared
    return x


def same_examples(a: ArrayLike | CrossedSums, b: ArrayLike) -> tuple[Floats, Floats]:
    """Check the tables of two models on the same examples, whose seeds are not paired."""
    if isinstance(a, CrossedSums):
        raise DataError(
            "sums of A cannot be combined with scores of B",
            hint="Give the scores of both models, seeds x examples.",
        )
    x, y = table(a), table(b)
    if x.shape[1] != y.shape[1]:
        raise PairingError(
            f"A was scored on {x.shape[1]} examples and B on {y.shape[1]}",
            hint="Score every seed of both models on the same examples, in the same order.",
        )
    return x, y


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ClusterSums:
    """Size and mean of each cluster, and M2 = Σ(d - mean of its cluster)² over all units.

    Parameters
    ----------
    sizes : ndarray
        Number of units in each cluster.
    means : ndarray
        Mean of each cluster.
    within : float
        M2 within the clusters.

    Examples
    --------
    >>> from ropewalk.data import ClusterSums
    >>> sums = ClusterSums.of([1.0, 3.0, 5.0], ["p", "p", "q"])
    >>> sums.sizes, sums.means, sums.within
    (array([2., 1.]), array([2., 5.]), 2.0)
    """

    sizes: Floats
    means: Floats
    within: float

    @classmethod
    def of(cls, d: ArrayLike, clusters: ArrayLike, *, at_least: int = 2) -> ClusterSums:
        """Sum up differences by cluster, in the order of the sorted names.

        Parameters
        ----------
        d : array_like
            Differences.
        clusters : array_like
            Cluster of each of them.
        at_least : int, default 2
            Number of clusters that there must be.

        Returns
        -------
        ClusterSums
            Their sums.

        Raises
        ------
        DataError
            If there are too few clusters, or the lengths differ.
        """
        x = differences(d, at_least=at_least)
        code = codes(clusters, x.size, at_least=at_least)
        sizes = np.bincount(code).astype(np.float64)
        centre = float(x.mean())
        means = centre + np.bincount(code, weights=x - centre) / sizes
        r = x - means[code]
        return cls(sizes=sizes, means=means, within=float(r @ r)).rounded(float(np.abs(x).max()))

    def rounded(self, largest: float) -> ClusterSums:
        """The same without what is only rounding.

        Means that differ by rounding errors alone are the same, and a spread of such is none.

        Parameters
        ----------
        largest : float
            Size of the differences, or of what they are differences of.

        Returns
        -------
        ClusterSums
            New sums.
        """
        rounding, centre = ROUNDING * largest, self.mean
        means = np.where(np.abs(self.means - centre) <= rounding, centre, self.means)
        within = self.within if self.within > self.n * rounding**2 else 0.0
        return ClusterSums(sizes=self.sizes, means=means, within=within)

    @property
    def n(self) -> int:
        """Number of units."""
        return int(self.sizes.sum())

    @property
    def mean(self) -> float:
        """Mean of all units: each cluster counts by its size."""
        centre = float(self.means.mean())
        return centre + float(self.sizes @ (self.means - centre)) / self.n


def as_cluster_sums(d: ArrayLike | ClusterSums, clusters: ArrayLike | None) -> ClusterSums:
    """Convert differences with their clusters, or their sums, to sums of at least two clusters."""
    if not isinstance(d, ClusterSums):
        if clusters is None:
            raise DataError("no clusters were given", hint="Give the cluster of every unit, or ClusterSums.")
        return ClusterSums.of(d, clusters)
    if d.sizes.size < 2:
        raise _one_cluster(d.n)
    return d


def _one_cluster(n: int) -> DataError:
    return DataError(
        f"all {n} units are in one cluster",
        hint="A single cluster is a single observation. Give at least two, or compare without clusters.",
    )


def codes(clusters: ArrayLike, n: int, *, at_least: int = 2) -> NDArray[np.intp]:
    """The cluster of each of n units as an integer code from 0."""
    names = np.asarray(clusters)
    if names.ndim != 1 or names.size != n:
        raise PairingError(
            f"there are {n} differences and {names.size} clusters",
            hint="Give the cluster of every unit.",
        )
    missing = (
        np.array([c is None or c != c for c in names]) if names.dtype.kind in "fO" else np.zeros(n, bool)
    )
    if missing.any():
        raise CellError(
            f"{int(missing.sum())} of {n} units have no cluster",
            where=[f"position {i}" for i in np.flatnonzero(missing)[:5]],
            hint="Name the cluster of every unit; a unit on its own is a cluster of one.",
        )
    found, code = np.unique(names.astype(str) if names.dtype.kind == "O" else names, return_inverse=True)
    if found.size < at_least:
        raise _one_cluster(n)
    return np.asarray(code, dtype=np.intp)
