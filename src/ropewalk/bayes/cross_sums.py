"""The sums that a joint posterior of many models needs: how many units, means, and cross-products."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, DataError
from ropewalk.posterior.base import Floats
from ropewalk.posterior.own_pairs import OwnPairs
from ropewalk.sums import ROUNDING, numeric

_LARGEST = 1e150  # its square is still finite
_CANCELLED = 1e-13  # S_ii + S_jj - 2 S_ij this small relative to its terms is rounding


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CrossSums:
    """Number of units, means of the models, and their cross products M2 = Σ_u (z_u - mean)(z_u - mean)'.

    Parameters
    ----------
    n : int
        Number of units.
    mean : ndarray
        Mean of each model; NaN for a model that was not run.
    m2 : ndarray
        Cross products, models x models.

    Examples
    --------
    >>> from ropewalk.bayes import CrossSums
    >>> CrossSums.of([[1.0, 2.0], [2.0, 4.0], [3.0, 3.0]]).m2
    array([[2., 1.],
           [1., 2.]])
    """

    n: int
    mean: Floats
    m2: Floats

    @classmethod
    def of(cls, z: ArrayLike, *, missing: bool = False) -> CrossSums:
        """Sum up scores.

        Parameters
        ----------
        z : array_like
            Scores, units x models.
        missing : bool, default False
            Whether a column of NaN is a model that was not run, rather than an error.

        Returns
        -------
        CrossSums
            Their sums.
        """
        x = _table(z, missing)
        mean = x.mean(axis=0)
        r = x - mean
        r[:, np.ptp(x, axis=0) <= ROUNDING * np.abs(x).max(axis=0)] = 0.0  # this spread is rounding error
        # The second term removes the rounding error of the mean (Chan, Golub & LeVeque 1983).
        total = r.sum(axis=0)
        return cls(n=len(x), mean=mean, m2=r.T @ r - np.outer(total, total) / len(x))

    def __add__(self, other: CrossSums) -> CrossSums:
        """The sums of both parts combined (Chan, Golub & LeVeque 1983)."""
        n, gap = self.n + other.n, other.mean - self.mean
        return CrossSums(
            n=n,
            mean=self.mean + gap * other.n / n,
            m2=self.m2 + other.m2 + np.outer(gap, gap) * self.n * other.n / n,
        )

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which models were run."""
        return np.asarray(~np.isnan(self.mean))

    def only(self, models: NDArray[np.intp]) -> CrossSums:
        """Sums of some of the models.

        Parameters
        ----------
        models : ndarray of int
            Numbers of the models, in the order wanted.

        Returns
        -------
        CrossSums
            Their sums.
        """
        return CrossSums(n=self.n, mean=self.mean[models], m2=self.m2[np.ix_(models, models)])

    def same(self) -> NDArray[np.bool_]:
        """Which pairs of models have the same mean and differences that never vary, or were both not run.

        Returns
        -------
        ndarray of bool
            Models x models.
        """
        own = self.m2.diagonal()
        both = own[:, None] + own
        run = self.present
        with np.errstate(invalid="ignore"):
            alike = np.abs(self.mean[:, None] - self.mean) <= ROUNDING * np.abs(self.mean)
            alike &= both - 2 * self.m2 <= _CANCELLED * both
        return np.asarray(alike | ~(run[:, None] | run))


def as_cross_sums(
    z: ArrayLike | CrossSums, *, at_least: int = 2, missing: bool = False, what: str = "the table"
) -> CrossSums:
    """Convert a table of units x models, or its sums, to sums of at least 2 models; errors call it `what`."""
    sums = z if isinstance(z, CrossSums) else CrossSums.of(z, missing=missing)
    k = sums.mean.size
    if sums.mean.ndim != 1 or sums.m2.shape != (k, k):
        raise DataError(
            f"{what} has means of shape {sums.mean.shape} and cross-products of shape {sums.m2.shape}",
            hint="Give one mean per model, and M2 as models x models.",
        )
    run = np.flatnonzero(sums.present)
    m2 = sums.m2 if run.size == k else sums.m2[np.ix_(run, run)]
    if not (np.isfinite(sums.mean[run]).all() and np.isfinite(m2).all() and (m2.diagonal() >= 0).all()):
        raise CellError(
            f"{what} has sums that are not those of finite numbers",
            hint="Give finite means and M2 = Σ(z - mean)(z - mean)'.",
        )
    if not missing and run.size < k:
        raise CellError(f"{what} has no mean for {k - run.size} of {k} models", hint="Remove these models.")
    if sums.n < at_least or k < 2:
        raise DataError(
            f"{what} has {sums.n} units and {k} models, at least {at_least} and 2 are needed",
            hint="Give one row per unit and one column per model.",
        )
    return sums


def distinct(tables: Sequence[CrossSums]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The distinct models, lowest mean first, and the index among them of each model.

    Models that are the same in every table are one model, because their draws must tie. The order does not
    depend on how the models were given, so that a model gets the same draws from a seed in every position.
    """
    same = np.logical_and.reduce([s.same() for s in tables])
    first = np.argmax(same, axis=1)
    apart = np.unique(first)
    with np.errstate(invalid="ignore"):
        level = np.array([s.mean - np.nanmean(s.mean[s.present]) for s in tables if s.present.any()])
        spread = np.array([s.m2.diagonal() for s in tables])
    squares, means = (np.nansum(v[:, apart], axis=0) for v in (spread, level))
    total = float(squares.sum())
    order = apart[np.lexsort([_tied(squares, total), _tied(means, np.sqrt(total))])]
    place = np.empty(first.size, dtype=np.intp)
    place[order] = np.arange(order.size)
    return order, place[first]


def _tied(values: Floats, unit: float) -> Floats:
    """Round to nine digits of the scores' spread, so that rounding errors do not order models that tie."""
    return np.round(values / unit, 9) if unit > 0 else values


def own_pairs(s: CrossSums, c: float) -> OwnPairs:
    """Every pair on its own, as in `t`; c is the variance of a mean divided by that of one score."""
    own = np.diag(s.m2)
    both = own[:, None] + own
    square = both - 2 * s.m2
    square = np.where(square > _CANCELLED * both, square, 0.0)
    return OwnPairs(
        advantage=s.mean[:, None] - s.mean,
        scale=np.sqrt(c * square / (s.n - 1)),
        df=np.full(both.shape, float(s.n - 1)),
        mean=s.mean,
        mean_scale=np.sqrt(c * own / (s.n - 1)),
        mean_df=float(s.n - 1),
    )


def _table(z: ArrayLike, missing: bool) -> Floats:
    x = numeric(
        z,
        "this is not a table of numbers, one row per unit and one column per model",
        "Give a 2-D array of floats.",
    )
    if x.ndim != 2 or x.size == 0:
        raise DataError(
            f"the table has the shape {x.shape}, units x models were expected",
            hint="Give one row per unit and one column per model.",
        )
    bad = ~np.isfinite(x)
    if missing:
        bad &= ~np.all(np.isnan(x), axis=0)
    if np.any(bad):
        cells = np.argwhere(bad)
        also = " A model that was not run on a task is a whole column of NaN." if missing else ""
        raise CellError(
            f"{len(cells)} of {x.size} cells are NaN or infinite",
            where=[f"unit {i}, model {j}: {x[i, j]}" for i, j in cells[:5]],
            hint=f"Drop the unit for every model, or find out why it has no score.{also}",
        )
    largest = np.max(np.abs(x), initial=0.0, where=np.isfinite(x))
    if largest > _LARGEST:
        raise CellError(
            f"a score is {largest:.3g}, and its square overflows",
            hint=f"Scale values beyond {_LARGEST:g} down first.",
        )
    return x
