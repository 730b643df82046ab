"""How the three probabilities follow the ROPE, as small tables that a page can carry.

The ROPE of every comparison is moved by one factor: position k stands for k/20 of the ROPE as computed, from
0 to 5 times. A ROPE of no width has nothing to multiply; there a position is a twentieth of a unit.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.posterior import DirichletRegions, Point, WeightedRegions
from ropewalk.report.comparison import Comparison, Hierarchy

if TYPE_CHECKING:
    from ropewalk.decide import Rope
    from ropewalk.posterior import JointPosterior, Posterior, Probabilities, Regions

Floats = NDArray[np.float64]

POSITIONS = 101
ONE = 20  # the position of the ROPE as computed
KNOTS = (0, 6, 12, 20, 30, 42, 60, 80, 100)  # positions at which to begin
_Z = np.linspace(-3.5, 3.5, 29)  # standard normal quantiles at which a smooth posterior is tabled
_CLOSE = 4e-4  # where the middle of a gap was expected this well, its halves are known better still
_MOST = 0.8  # of the change across a gap
_CLIP = 1e-7
_NEAR = 3e-4
_MOST_UNITS = 5_000  # the signed-rank test of more units takes too long to be done for many ROPEs


def edges(rope: Rope, k: ArrayLike, unit: float) -> tuple[Floats, Floats]:
    """The edges of the ROPE at position k; on phi it is wide around 1/2, and a probability."""
    t = np.asarray(k, dtype=np.float64) / ONE
    if rope.scale == "phi":
        low, high = 0.5 - (0.5 - rope.low) * t, 0.5 + (rope.high - 0.5) * t
        return np.maximum(low, 0.0), np.minimum(high, 1.0)
    one = (-unit, unit) if rope.is_point else (rope.low, rope.high)
    return one[0] * t, one[1] * t


def quantiles(posterior: Posterior) -> Floats:
    """A smooth posterior by its quantiles at 29 standard normal ones.

    Between them the page takes x -> z as a monotone cubic, as `below` does: for a bell shape that is nearly a
    straight line, and the probability is good to 1e-4.
    """
    from scipy.special import ndtr

    return np.asarray(np.maximum.accumulate(posterior.quantile(ndtr(_Z))))


def below(x: Floats, at: ArrayLike) -> Floats:
    """Pr(X < at) from quantiles at equally spaced z, the way that the page computes it (curves.js)."""
    from scipy.interpolate import CubicHermiteSpline
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
    inside = CubicHermiteSpline(points, z, slope)(np.clip(place, points[0], points[-1]))
    outside = np.minimum(place - points[0], 0) * slope[0] + np.maximum(place - points[-1], 0) * slope[-1]
    return np.asarray(ndtr(inside + outside))


def is_close(c: Comparison, x: Floats, unit: float) -> bool:
    """Whether the quantiles give the probabilities of every position."""
    low, high = edges(c.rope, np.arange(POSITIONS), unit)
    above, under = 1 - below(x, high), below(x, low)
    table = np.stack([under, above] if c.rope.scale == "phi" else [above, under])
    return bool(np.max(np.abs(table - by_posterior(c, unit))) < _NEAR)


def by_posterior(c: Comparison, unit: float) -> Floats:
    """Better and worse at every position, 2 x positions, from a posterior of one number."""
    posterior: Posterior = c.posterior  # type: ignore[assignment]  # the caller looked
    low, high = edges(c.rope, np.arange(POSITIONS), unit)
    above, below = posterior.sf(high), posterior.cdf(np.nextafter(low, -np.inf))
    return np.stack([below, above] if c.rope.scale == "phi" else [above, below])


class Moving:
    """A test over three regions at other ROPEs; each position is computed once."""

    def __init__(self, c: Comparison, unit: float, seed: int) -> None:
        self.c, self.unit, self.seed = c, unit, seed
        self.d: Floats = np.asarray(getattr(c.evidence, "d", ()))
        self.draws = int(min(20_000, max(1_000, 2e6 / max(self.d.size, 1))))
        self.at = cache(self._at)

    @property
    def start(self) -> int:
        """The position of the ROPE as computed."""
        return 0 if self.unit else ONE

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of a probability, at most."""
        return 0.5 / float(np.sqrt(self.draws)) if self.c.method == "signed_rank" else 0.0

    def _at(self, k: int) -> Regions:
        low, high = (float(x) for x in edges(self.c.rope, k, self.unit))
        if isinstance(self.c.evidence, Hierarchy):
            if k == self.start:
                return self.c.evidence.next_task
            return self.c.evidence.fitted.next_task((low, high))
        from ropewalk.bayes import sign, signed_rank

        if self.c.method == "sign":
            return sign(self.d, (low, high))
        return signed_rank(self.d, (low, high), draws=self.draws, rng=self.seed)

    def table(self) -> Floats | None:
        """Better and worse at every position; None where the verdict is read off a posterior."""
        if self.c.method == "hierarchical_t":
            return _adaptive(lambda k: self.at(k).most_probable)
        if self.c.method == "sign":  # jumps wherever an edge passes a difference
            return _each(lambda k: self.at(k).most_probable, np.arange(POSITIONS))
        if self.c.method == "signed_rank":
            k = np.unique(np.concatenate([np.arange(0, 40, 2), np.arange(40, POSITIONS, 5)]))
            known = _each(lambda k: self.at(k).most_probable, k)
            return np.array([np.interp(np.arange(POSITIONS), k, row) for row in known])
        return None

    def clouds(self, positions: Sequence[int], points: int) -> dict[int, str]:
        """Draws of (better, worse) at some positions."""
        return {k: shares(self.at(k).sample(points, 0)[:, [0, 2]].ravel()) for k in positions}


def moving(c: Comparison, unit: float, seed: int) -> Moving | None:
    """For the tests over three regions, unless they are sampled from too many units to do it again."""
    regions = isinstance(c.posterior, DirichletRegions | WeightedRegions) and follows(c)
    return Moving(c, unit, seed) if regions or isinstance(c.evidence, Hierarchy) else None


def follows(c: Comparison) -> bool:
    """Whether the answer follows the ROPE: it depends on one, and can be computed again in no time."""
    if c.rope.scale not in ("score", "phi") or c.rope.source == "not needed":
        return False
    return c.method != "signed_rank" or isinstance(c.posterior, Point) or c.n <= _MOST_UNITS


def _each(at: Callable[[int], Probabilities], positions: NDArray[np.intp]) -> Floats:
    found = [at(int(k)) for k in positions]
    return np.array([[p.better for p in found], [p.worse for p in found]])


def _adaptive(at: Callable[[int], Probabilities]) -> Floats:
    """At every position, computed only where neighbours do not say it already.

    Between the points that are computed the probit of a probability is taken as a cubic spline; halves of
    gaps, the widest first, are tried until what was expected there was right. That says nothing of a cliff,
    whose foot is easily foreseen: a half with nearly all of the change is tried as well. Both probabilities
    fall as the ROPE grows.
    """
    from scipy.interpolate import CubicSpline
    from scipy.special import ndtr, ndtri

    known: dict[int, tuple[float, float]] = {}

    def table(k: NDArray[np.intp]) -> Floats:
        have = np.array(sorted(known))
        p = np.clip(np.array([known[int(j)] for j in have]).T, _CLIP, 1 - _CLIP)
        return np.asarray(ndtr(CubicSpline(have, ndtri(p), axis=1)(k)))

    def compute(k: int) -> tuple[float, float]:
        if k not in known:
            p = at(k)
            known[k] = p.better, p.worse
        return known[k]

    def change(low: int, high: int) -> float:
        return float(np.max(np.abs(np.subtract(known[low], known[high]))))

    for k in KNOTS:
        compute(k)
    gaps = list(zip(sorted(known), sorted(known)[1:], strict=False))
    while gaps:
        gaps.sort(key=lambda gap: gap[1] - gap[0])
        low, high = gaps.pop()
        if high - low < 2:
            continue
        middle = (low + high) // 2
        expected = table(np.array([middle]))[:, 0]
        wrong = np.max(np.abs(expected - compute(middle))) > _CLOSE
        all_of_it = max(_MOST * change(low, high), _CLOSE)
        gaps += [half for half in ((low, middle), (middle, high)) if wrong or change(*half) > all_of_it]
    return np.minimum.accumulate(table(np.arange(POSITIONS)), axis=1)


def best(posterior: JointPosterior, rope: Rope, unit: float) -> tuple[Floats, Floats]:
    """P(within the ROPE of the best) and, in its order, P(the first so many hold one): positions x models."""
    low, _ = edges(rope, np.arange(POSITIONS), 0.0 if rope.source == "ranks have none" else unit)
    x = posterior.draws
    top = x.max(axis=1, keepdims=True)
    gap = top - x - 1e-12 * np.abs(top)  # 0.9 - 0.89 must count as within 0.01
    within, held = [], []
    for r in -low:
        inside = gap <= r * (1 + 1e-12)
        p = inside.mean(axis=0)
        order = np.argsort(-p, kind="stable")
        first = np.bincount(np.argmax(inside[:, order], axis=1), minlength=p.size)
        within.append(p)
        held.append(np.cumsum(first) / len(x))
    return np.array(within), np.array(held)


# --- numbers as text -----------------------------------------------------------------------------------


def shares(p: ArrayLike) -> str:
    """Probabilities with 16 bits each, good to 1e-5."""
    whole = np.round(np.clip(np.asarray(p, dtype=np.float64), 0, 1) * 65535)
    return b64encode(whole.astype("<u2").tobytes()).decode()


def floats(x: ArrayLike) -> dict[str, object]:
    """Numbers with 24 bits each, from their own middle and in their own unit."""
    values = np.asarray(x, dtype=np.float64)
    middle = float(values[values.size // 2])
    unit = float(np.median(np.abs(values - middle))) or 1.0
    middle, unit = float(f"{middle:.12g}"), float(f"{unit:.6g}")
    return {
        "m": middle,
        "u": unit,
        "x": b64encode(((values - middle) / unit).astype("<f4").tobytes()).decode(),
    }
