"""The three probabilities as functions of the ROPE, in tables small enough for a page.

The ROPE of every comparison is moved by one factor: position k stands for k/20 of the ROPE as computed, from
0 to 5 times. A ROPE of zero width cannot be multiplied; its positions are twentieths of a unit.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.methods import method_of
from ropewalk.methods.method import Budget, RegionCurve, outside
from ropewalk.posterior import Unvaried
from ropewalk.results.comparison import Comparison

if TYPE_CHECKING:
    from ropewalk.decide import Rope
    from ropewalk.posterior import JointPosterior, Posterior

Floats = NDArray[np.float64]

POSITIONS = 101
ONE = 20  # the position of the ROPE as computed
KNOTS = (0, 6, 12, 20, 30, 42, 60, 80, 100)  # positions that have their own plot
_REACH, _POINTS = (
    3.5,
    29,
)  # standard normal quantiles at which a smooth posterior is tabulated: the largest, and their number
_Z = np.linspace(-_REACH, _REACH, _POINTS)
_NEAR = 3e-4
_BUDGET = 5e9  # approximate CPU nanoseconds: three or four signed-rank tests of 50 units


def edges(rope: Rope, k: ArrayLike, unit: float) -> tuple[Floats, Floats]:
    """Return the edges of the ROPE at position k; on phi and shares of tasks it is centered at 1/2."""
    t = np.asarray(k, dtype=np.float64) / ONE
    if rope.centre:
        low, high = 0.5 - (0.5 - rope.low) * t, 0.5 + (rope.high - 0.5) * t
        return np.maximum(low, 0.0), np.minimum(high, 1.0)
    one = (-unit, unit) if rope.is_point else (rope.low, rope.high)
    return one[0] * t, one[1] * t


def quantiles(posterior: Posterior, points: int = _POINTS) -> Floats:
    """Return a smooth posterior as its quantiles at 29 or fewer standard normal quantiles.

    Between them the page takes x -> z as a monotone cubic, as `below` does: for a bell shape that is nearly a
    straight line, and the probability is good to 1e-4.
    """
    from scipy.special import ndtr

    return np.asarray(np.maximum.accumulate(posterior.quantile(ndtr(np.linspace(-_REACH, _REACH, points)))))


def below(x: Floats, at: ArrayLike) -> Floats:
    """Pr(X < at) from quantiles at equally spaced z, computed as on the page (curves.js)."""
    from scipy.special import ndtr

    new = np.append(True, np.diff(x) > 0)
    z, points, whole = _Z[new], x[new], bool(new.all())
    step = np.diff(points)
    rise = np.diff(z) / step
    slope = [rise[0]]
    for i in range(1, points.size - 1):
        rate = 0.0
        if whole and 1 < i < points.size - 2:
            rate = (8 * (points[i + 1] - points[i - 1]) - (points[i + 2] - points[i - 2])) / 3
        before, after = 2 * step[i] + step[i - 1], step[i] + 2 * step[i - 1]
        mean = (before + after) / (before / rise[i - 1] + after / rise[i])
        slope.append(min(1 / rate, 3 * rise[i - 1], 3 * rise[i]) if rate > 0 else mean)
    slope.append(rise[-1])
    place = np.asarray(at, dtype=np.float64)
    held = np.clip(place, points[0], points[-1])
    k = np.clip(np.searchsorted(points, held, side="right") - 1, 0, step.size - 1)
    s, start, end = (held - points[k]) / step[k], np.array(slope)[k], np.array(slope)[k + 1]
    bend = 3 * rise[k] - 2 * start - end + s * (start + end - 2 * rise[k])
    inside = z[k] + step[k] * s * (start + s * bend)  # cubic Hermite interpolation
    outside = np.minimum(place - points[0], 0) * slope[0] + np.maximum(place - points[-1], 0) * slope[-1]
    return np.asarray(ndtr(inside + outside))


def is_close(c: Comparison, x: Floats, unit: float) -> bool:
    """Whether the quantiles reproduce the probabilities at every position."""
    low, high = edges(c.rope, np.arange(POSITIONS), unit)
    above, under = 1 - below(x, high), below(x, low)
    table = np.stack([under, above] if c.rope.scale == "phi" else [above, under])
    return bool(np.max(np.abs(table - by_posterior(c, unit))) < _NEAR)


def by_posterior(c: Comparison, unit: float) -> Floats:
    """Probabilities of better and worse at every position, 2 x positions, from a posterior of one number."""
    posterior: Posterior = c.posterior  # type: ignore[assignment]  # the caller looked
    return outside(posterior, c.rope.scale, *edges(c.rope, np.arange(POSITIONS), unit))


def moving(pairs: Sequence[Comparison], units: Sequence[float], seed: int) -> list[RegionCurve | None]:
    """The three regions at every position, for the methods that have a posterior of them.

    Sampled methods use as many draws as in Python until time is short, then fewer: together they
    take at most twice that time.
    """
    left, least = _BUDGET, min(_BUDGET / 20, 2 * _BUDGET / max(len(pairs), 1))
    out: list[RegionCurve | None] = []
    for c, unit in zip(pairs, units, strict=True):
        found: RegionCurve | None = None
        if not isinstance(c.posterior, Unvaried):
            low, high = edges(c.rope, np.arange(POSITIONS), unit)
            found = method_of(c).region_curve(c, low, high, seed=seed, budget=Budget(left=left, least=least))
        left -= found.nanoseconds if found is not None else 0.0
        out.append(found)
    return out


def clouds(found: RegionCurve, positions: Sequence[int], points: int) -> dict[int, str]:
    """Points (better, worse) at some positions; points correspond in order between positions."""
    return {k: shares(found.points(k, points)[:, [0, 2]].ravel()) for k in positions}


def best(posterior: JointPosterior, rope: Rope, unit: float) -> tuple[Floats, Floats]:
    """P(within the ROPE of the best), and P(the first k by it contain such a model): positions x models."""
    low, _ = edges(rope, np.arange(POSITIONS), 0.0 if rope.origin == "none" else unit)
    found = [posterior.held(float(r)) for r in -low]
    return np.array([within for within, _, _ in found]), np.array([held for _, _, held in found])


# --- numbers as text -----------------------------------------------------------------------------------


def shares(p: ArrayLike) -> str:
    """Probabilities packed in 16 bits each, accurate to 2e-5; 0 and 1 only for certainty."""
    found = np.clip(np.asarray(p, dtype=np.float64), 0, 1)
    whole = np.round(found * 65535)
    whole = np.where((found > 0) & (found < 1), np.clip(whole, 1, 65534), whole)
    return b64encode(whole.astype("<u2").tobytes()).decode()


def floats(x: ArrayLike) -> dict[str, object]:
    """Numbers packed in 24 bits each, relative to their midpoint and in their own unit."""
    values = np.asarray(x, dtype=np.float64)
    middle = float(values[values.size // 2])
    unit = float(np.median(np.abs(values - middle))) or 1.0
    middle, unit = float(f"{middle:.12g}"), float(f"{unit:.6g}")
    return {
        "m": middle,
        "u": unit,
        "x": b64encode(((values - middle) / unit).astype("<f4").tobytes()).decode(),
    }
