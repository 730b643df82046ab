"""The ROPE as the nonparametric tests need it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.errors import OptionError


def edges(rope: float | Sequence[float]) -> tuple[float, float]:
    """Convert a half width or a (low, high) pair to (low, high).

    >>> edges(0.01)
    (-0.01, 0.01)
    """
    pair = (-float(rope), float(rope)) if isinstance(rope, int | float) else tuple(map(float, rope))
    if len(pair) != 2 or not np.all(np.isfinite(pair)) or pair[0] > pair[1]:
        raise OptionError(
            f"the ROPE is {rope}", hint="Give a half width >= 0, such as 0.01, or a pair (low, high)."
        )
    return pair[0], pair[1]
