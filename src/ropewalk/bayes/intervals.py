"""Differences that are known only to lie between two numbers, as those of censored run times do."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.errors import CellError, DataError
from ropewalk.posterior.base import Floats
from ropewalk.sums import differences


@dataclass(frozen=True, slots=True, kw_only=True)
class Intervals:
    """The advantage of A over B on each unit: `low` if low = high, else strictly between `low` and `high`."""

    low: Floats
    high: Floats

    @classmethod
    def of(cls, low: ArrayLike, high: ArrayLike) -> Intervals:
        """Check two vectors of bounds; -inf and inf mean no bound."""
        try:
            x, y = np.asarray(low, dtype=np.float64), np.asarray(high, dtype=np.float64)
        except (TypeError, ValueError):
            raise DataError("the bounds are not numbers", hint="Give two 1-D arrays of floats.") from None
        if x.ndim != 1 or x.shape != y.shape or not x.size:
            raise DataError(
                f"the bounds have the shapes {x.shape} and {y.shape}",
                hint="Give a lower and an upper bound of the difference for each unit.",
            )
        bad = np.flatnonzero(np.isnan(x) | np.isnan(y) | (x > y) | ((x == y) & np.isinf(x)))
        if bad.size:
            raise CellError(
                f"{bad.size} of {x.size} units have impossible bounds",
                where=[f"position {i}: {x[i]} to {y[i]}" for i in bad[:5]],
                hint="The lower bound must not exceed the upper one; -inf and inf stand for no bound.",
            )
        for bound in (x, y):
            if np.isfinite(bound).any():
                differences(bound[np.isfinite(bound)])  # rejects numbers whose squares overflow
        return cls(low=x, high=y)

    @property
    def known(self) -> NDArray[np.bool_]:
        return np.asarray(self.low == self.high)

    def may_be(self, low: float, high: float) -> dict[str, NDArray[np.bool_]]:
        """For each region, the units whose difference may lie in its interior."""
        inside = (self.high > low) & (self.low < high)
        if low == high:  # without width, only a known difference can be in the ROPE
            inside = np.zeros_like(self.known)
        return {"better": self.high > high, "equivalent": inside, "worse": self.low < low}


def censored_differences(
    a: ArrayLike,
    b: ArrayLike,
    *,
    censored_a: ArrayLike,
    censored_b: ArrayLike,
    higher_is_better: bool = False,
) -> Intervals:
    """Intervals of the advantage of A from values of which some are censored at a limit.

    A censored value v means that the true value is larger than v, such as the time of a run that was stopped.

    >>> a, b = [10, 3600, 3600], [3600, 40, 3600]
    >>> i = censored_differences(a, b, censored_a=[0, 1, 1], censored_b=[1, 0, 1])
    >>> i.low, i.high
    (array([3590.,  -inf,  -inf]), array([   inf, -3560.,    inf]))
    """
    x, y = differences(a), differences(b)
    hit_a, hit_b = np.asarray(censored_a, dtype=np.bool_), np.asarray(censored_b, dtype=np.bool_)
    if not x.shape == y.shape == hit_a.shape == hit_b.shape:
        raise DataError(
            f"{x.size} and {y.size} values are given with {hit_a.size} and {hit_b.size} marks",
            hint="Give one value and one mark for each unit and model.",
        )
    # b - a has no upper bound where b is censored, and no lower bound where a is.
    d = y - x
    low, high = np.where(hit_a, -np.inf, d), np.where(hit_b, np.inf, d)
    if higher_is_better:
        low, high = -high, -low
    return Intervals(low=low, high=high)
