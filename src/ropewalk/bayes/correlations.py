"""The correlation between the units of a task, one for all tasks or one for each."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats


def correlations(rho: float | Sequence[float], n: int) -> Floats:
    """Check one correlation for all n tasks, or one for each task."""
    each = np.asarray(rho, dtype=np.float64)
    if each.shape not in ((), (n,)):
        raise OptionError(
            f"rho has {each.size} values for {n} tasks", hint="Give one number, or one for each task."
        )
    if not np.all((each >= 0) & (each < 1)):
        raise OptionError(f"rho is {rho}", hint="Give a correlation in [0, 1), such as 1/10 for ten folds.")
    return np.broadcast_to(each, (n,))
