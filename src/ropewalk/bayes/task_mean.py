"""The posterior of one task's mean, on points that lie where its mass is."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ropewalk.posterior import Grid
from ropewalk.posterior.base import Floats, check_level
from ropewalk.posterior.mixture import inverted, scanned

_HALVINGS = 12
_STRAIGHT = 3e-4  # a spline is far closer than this bound for straight lines


def refined(log_density: Callable[[Floats], Floats], x: Floats) -> tuple[Floats, Floats]:
    """Points, with intervals halved wherever there is mass and the log density is not linear."""
    f = log_density(x)
    for _ in range(_HALVINGS):
        middle = 0.5 * (x[1:] + x[:-1])
        mass = np.diff(x) * np.exp(np.maximum(f[1:], f[:-1]) - f.max())
        slope = np.diff(f) / np.diff(x)
        bend = np.abs(np.diff(slope, prepend=slope[0])) + np.abs(np.diff(slope, append=slope[-1]))
        wanted = np.flatnonzero(mass * bend * np.diff(x) > _STRAIGHT * mass.sum())
        if not wanted.size:
            break
        x, f = np.append(x, middle[wanted]), np.append(f, log_density(middle[wanted]))
        order = np.argsort(x)
        x, f = x[order], f[order]
    seen = f > f.max() - 35
    return x[seen], f[seen]


class TaskMean(Grid):
    """The posterior of one task's mean, with a quick `hdi`: there may be many tasks."""

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        check_level(level)
        below, above, f = self._below / self._total, self._above / self._total, self.pdf(self._x)
        table = self._x, np.log(below), np.log(above), f / below, -f / above
        return scanned(lambda p: inverted(p, *table), level, self.pdf)
