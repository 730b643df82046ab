"""Differences that are plausible before seeing data: the prior under which plans draw their futures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ropewalk.data import bounded, direction
from ropewalk.outcomes import Outcomes

if TYPE_CHECKING:
    from ropewalk.results.comparison import Comparison

_POINTS = 1.5  # percentage points: the spread of plausible differences before seeing data
_OF_UNITS = 0.05  # the same as a share of the standard deviation of single units' differences,
_OF_MEANS = 0.5  # and of differences of tasks, folds or training runs, which are already means


@dataclass(frozen=True, slots=True, kw_only=True)
class Plausible:
    """The spread of a normal prior of the advantage around no difference, and where it comes from."""

    sd: float
    source: str

    @classmethod
    def given(cls, sd: float) -> Plausible:
        """Return the prior given by the user."""
        return cls(sd=sd, source="set by you")

    @classmethod
    def in_points(cls, point: float) -> Plausible:
        """Return the prior for a metric on which one percentage point has this size."""
        return cls(sd=_POINTS * point, source="1.5 percentage points")

    @classmethod
    def of_units(cls, sd: float, unit: str) -> Plausible:
        """Return the prior for scores without a known range, whose unit differences have this spread."""
        of = f"a twentieth of the standard deviation of the {unit}s' differences"
        return cls(sd=_OF_UNITS * sd, source=of)


def plausible(c: Comparison) -> Plausible:
    """Return the default spread of differences that a plan expects before seeing data.

    For a metric that runs from 0 to 1 it is 0.015, 1.5 percentage points: two of three
    differences between models worth comparing are smaller, and one in twenty is larger than three
    points. In percent it is 1.5. Other scores have no such unit: there it is a twentieth of the standard
    deviation of the differences, which is about the same for right and wrong answers (a standard deviation of
    0.3 where the models disagree on 9% of the examples), and half of it where each unit is a mean already.
    """
    means = [m for m in (c.evidence.mean_a, c.evidence.mean_b) if np.isfinite(m)]
    named = isinstance(c.evidence, Outcomes) or (direction(c.metric) is not None and bounded(c.metric))
    if named and means and min(means) >= 0 and max(means) <= 100:
        return Plausible.in_points(0.01 if max(means) <= 1 else 1.0)
    if c.unit in ("example", "cluster"):
        return Plausible.of_units(_spread(c), c.unit)
    return Plausible(
        sd=_OF_MEANS * _spread(c), source=f"half of the standard deviation of the {c.unit}s' differences"
    )


def _spread(c: Comparison) -> float:
    """Standard deviation of the units' differences, or an estimate from the posterior."""
    d = getattr(c.evidence, "d", np.empty(0))
    if d.size > 1 and np.ptp(d) > 0:
        return float(np.std(d, ddof=1))
    spread = float(getattr(c.posterior, "sd", np.inf))
    return spread * float(np.sqrt(c.n)) if spread > 0 else float("inf")
