"""The edges of a ROPE once there are more data."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ropewalk.decide import Rope
from ropewalk.posterior.base import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Edges:
    """The ROPE from `low` to `high` on the advantage.

    With `relative` they are shares of a standard deviation, which further data will estimate anew: that of
    the differences, or sqrt(phi (1 - phi)) around phi = 1/2.
    """

    low: float
    high: float
    relative: bool = False

    @classmethod
    def of(cls, rope: Rope, sd: float) -> Edges:
        """The edges behind the ROPE of a comparison, whose standard deviation was `sd`."""
        if rope.scale == "phi":  # a positive advantage means phi below 1/2, so the edges swap sides
            return cls(low=(0.5 - rope.high) / sd, high=(0.5 - rope.low) / sd, relative=True)
        if rope.origin == "sd" and sd > 0:
            return cls(low=rope.low / sd, high=rope.high / sd, relative=True)
        return cls(low=rope.low, high=rope.high)

    def at(self, sd: Floats) -> tuple[Floats, Floats]:
        """Both edges, one for each standard deviation."""
        times = sd if self.relative else np.ones_like(sd)
        return self.low * times, self.high * times


def three(better: Floats, worse: Floats) -> Floats:
    """Rows for better, equivalent and worse, with negative rounding errors set to zero."""
    return np.stack([better, np.maximum(1.0 - better - worse, 0.0), worse])
