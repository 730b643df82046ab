"""The sums that most methods need: the number of differences, their mean, and their spread.

A method that takes `Sums` as well as an array lets the sums be computed where the data are.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, DataError, short

Floats: TypeAlias = NDArray[np.float64]

_LARGEST = 1e150
_MOST = 2**53  # largest count that a float holds exactly
LEAST_VARIED = 30  # with fewer varying units the sample mean may not be nearly normal
_JITTER = 1e-6  # relative to the scores
ROUNDING = 1e-12  # a spread this small relative to the values is rounding


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Number, mean and M2 = Σ(d - mean)² of the advantages d of A over B.

    Most methods need nothing else of the data, and take `Sums` in place of an array.

    Parameters
    ----------
    n : int
        Number of units.
    mean : float
        Mean advantage.
    m2 : float
        Sum of squared deviations from the mean.

    Examples
    --------
    >>> import ropewalk as rw
    >>> rw.Sums.of([1.0, 2.0, 3.0])
    Sums(n=3, mean=2.0, m2=2.0)
    >>> rw.Sums.of([1.0]) + rw.Sums.of([2.0, 3.0])
    Sums(n=3, mean=2.0, m2=2.0)
    """

    n: int
    mean: float
    m2: float

    @classmethod
    def of(cls, d: ArrayLike) -> Sums:
        """Sum up differences, in two passes, so that a million values around 1e9 keep their digits.

        Parameters
        ----------
        d : array_like
            Advantages of A over B.

        Returns
        -------
        Sums
            Their number, mean and M2.

        Raises
        ------
        DataError
            If these are not finite numbers, at least one.
        """
        x = differences(d)
        # 0.9 - 0.8 and 0.8 - 0.7 differ in the last digit, but a spread of rounding errors is not a spread.
        if np.ptp(x) <= ROUNDING * np.abs(x).max():
            return cls(n=x.size, mean=float(x[0]), m2=0.0)
        mean = float(np.mean(x))
        r = x - mean
        # The second term removes the rounding error of the mean (Chan, Golub & LeVeque 1983).
        return cls(n=x.size, mean=mean, m2=float(r @ r - r.sum() ** 2 / x.size))

    def __add__(self, other: Sums) -> Sums:
        """The sums of both parts combined (Chan, Golub & LeVeque 1983)."""
        n = self.n + other.n
        gap = other.mean - self.mean
        return Sums(
            n=n,
            mean=self.mean + gap * other.n / n,
            m2=self.m2 + other.m2 + gap**2 * self.n * other.n / n,
        )

    @property
    def sd(self) -> float:
        """Standard deviation, with n - 1 in the denominator."""
        return float(np.sqrt(self.m2 / (self.n - 1)))


def numeric(values: ArrayLike, problem: str, hint: str) -> Floats:
    """The values as an array of numbers, or an error with the given message."""
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(problem, hint=hint) from None


def differences(d: ArrayLike, *, at_least: int = 1) -> Floats:
    """Check a vector of differences: one dimension, numbers, finite, enough of them."""
    x = numeric(d, "the differences are not numbers", "Give a 1-D array of floats.")
    if x.ndim != 1:
        raise DataError(
            f"the differences have {x.ndim} dimensions, 1 was expected",
            hint="Give one number per unit: the advantage of A over B.",
        )
    bad = np.flatnonzero(~np.isfinite(x))
    if bad.size:
        raise CellError(
            f"{bad.size} of {x.size} differences are NaN or infinite",
            where=[f"position {i}: {x[i]}" for i in bad[:5]],
            hint="Drop these units for both models, or find out why they have no score.",
        )
    if x.size and np.abs(x).max() > _LARGEST:
        raise CellError(
            f"a difference is {np.abs(x).max():.3g}, and its square overflows",
            hint=f"Scale values beyond {_LARGEST:g} down first.",
        )
    if x.size < at_least:
        raise DataError(
            f"{x.size} difference{'s' if x.size != 1 else ''} given, at least {at_least} needed",
            hint="A comparison needs several units on which both models were scored.",
        )
    return x


def without_rounding(d: Floats, largest: float) -> Floats:
    """Subtract scores up to `largest`, and remove the rounding error of the subtraction.

    0.9 - 0.8 and 0.8 - 0.7 differ in the last digit, which would affect ranks, ties and zeros. Differences
    are rounded to the first decimal place that exceeds four units in the last place of the largest score.
    """
    if largest == 0:
        return d
    digits = -int(np.ceil(np.log10(4 * np.spacing(largest))))
    return np.asarray(np.round(d, digits)) if digits < 300 else d


def nearly_alike(d: Floats, counts: ArrayLike | None = None, within: float = 0.0) -> bool:
    """Whether nine of ten differences are the same, give or take `within`, and fewer than 30 are not.

    False if they are all exactly the same.

    >>> nearly_alike(np.array([0.0] * 9 + [-0.5])), nearly_alike(np.array([0.0] * 8 + [0.1, -0.5]))
    (True, False)
    >>> nearly_alike(np.array([0.001, 0.002, 0.0])), nearly_alike(np.array([0.001, 0.002, 0.0]), within=0.005)
    (False, True)
    """
    if not d.size:
        return False
    # If all but 29 differences are near their median, the median of any 59 of them is near it too.
    first = np.sort(d[: 2 * LEAST_VARIED - 1])
    if counts is None and _far(d, first[first.size // 2], 2 * within):
        return False
    values, times = tallied(d, counts)
    return values.size > 1 and not _far(values, middle(values, times), within, times)


def close(points: float, *means: float) -> float:
    """Differences this close say no more about an unseen one than equal differences would.

    Half a percentage point if the scores have a range, and at least a millionth of their means, which is
    what rounding on another computer can change.

    >>> close(0.01, 0.8, 0.7), close(0.0, 2000.0, -3000.0)
    (0.005, 0.003)
    """
    return max(0.5 * points, _JITTER * float(np.abs(means).max()))


def _far(d: Floats, centre: float, within: float, times: Floats | None = None) -> bool:
    """Whether 30 differences, or more than one in ten, are further from the center."""
    away = np.abs(d - centre) > within
    others, n = (np.count_nonzero(away), d.size) if times is None else (times[away].sum(), times.sum())
    return bool(others >= LEAST_VARIED or 10 * others > n)


def middle(values: Floats, times: Floats) -> float:
    """The median of counted values in ascending order; the midpoint if two values qualify.

    >>> middle(np.array([0.0, 1.0, 5.0]), np.array([2.0, 1.0, 1.0]))
    0.5
    """
    below, half = np.cumsum(times), 0.5 * np.sum(times)
    return float(0.5 * (values[np.searchsorted(below, half)] + values[np.searchsorted(below, half, "right")]))


def tallied(d: ArrayLike, counts: ArrayLike | None, *, at_least: int = 1) -> tuple[Floats, Floats]:
    """Distinct differences in ascending order, and their counts.

    `counts` is given if the differences were counted before, in a database or in bins.

    >>> tallied([0.5, 0.0, 0.5], None)
    (array([0. , 0.5]), array([1., 2.]))
    >>> tallied([0.5, 0.0], [2, 1])
    (array([0. , 0.5]), array([1., 2.]))
    """
    if counts is None:
        values, found = np.unique(differences(d, at_least=at_least), return_counts=True)
        return values, found.astype(np.float64)
    x, n = differences(d), np.asarray(counts)
    if n.shape != x.shape or n.dtype.kind not in "iuf" or not np.all((n >= 0) & (n == np.floor(n))):
        raise CellError(
            "the counts are not one whole number for each difference",
            hint="Give as many counts as differences, each 0 or more.",
        )
    if np.all(n > 0) and np.all(x[1:] > x[:-1]):  # already in the form of a table of counts
        values, times = x, n.astype(np.float64)
    else:
        values, place = np.unique(x[n > 0], return_inverse=True)
        times = np.asarray(np.bincount(place, weights=n[n > 0], minlength=values.size), dtype=np.float64)
    if times.sum() < at_least:
        raise DataError(
            f"{times.sum():.0f} differences given, at least {at_least} needed",
            hint="A comparison needs several units on which both models were scored.",
        )
    return values, times


def as_sums(d: ArrayLike | Sums, *, at_least: int = 2) -> Sums:
    """Convert differences, or their sums, to sums."""
    sums = d if isinstance(d, Sums) else Sums.of(differences(d, at_least=at_least))
    if not (np.isfinite(sums.mean) and np.isfinite(sums.m2) and sums.m2 >= 0):
        raise CellError(
            f"the sums are not those of finite numbers: mean {sums.mean}, M2 {sums.m2}",
            hint="Give a finite mean and M2 = Σ(d - mean)² >= 0.",
        )
    if sums.n < at_least:
        raise DataError(
            f"{sums.n} difference{'s' if sums.n != 1 else ''} given, at least {at_least} needed",
            hint="A comparison needs several units on which both models were scored.",
        )
    return sums


def whole(**counts: object) -> list[int]:
    """Convert counts to int; a count is a nonnegative whole number, such as 12.0 or a NumPy integer."""
    found = []
    for name, value in counts.items():
        try:
            count = int(value)  # type: ignore[call-overload]  # anything may come in here
        except (TypeError, ValueError, OverflowError):  # text, NaN, infinity
            count = -1
        if not 0 <= count <= _MOST or count != value:
            raise CellError(
                f"{name} is {short(value)}",
                hint=f"A count is a whole number of examples, 0 or more, up to {_MOST:,}.",
            )
        found.append(count)
    return found
