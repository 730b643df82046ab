"""How the three probabilities follow the ROPE, as small tables that a page can carry.

The ROPE of every comparison is moved by one factor: position k stands for k/20 of the ROPE as computed, from
0 to 5 times. A ROPE of no width has nothing to multiply; there a position is a twentieth of a unit.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.bayes import sign
from ropewalk.bayes.signed_rank import DRAWS, sample
from ropewalk.methods import other_ropes
from ropewalk.methods.other_ropes import follows
from ropewalk.posterior import DirichletRegions, WeightedRegions
from ropewalk.results.comparison import Comparison, Hierarchy

if TYPE_CHECKING:
    from ropewalk.decide import Rope
    from ropewalk.posterior import JointPosterior, Posterior

Floats = NDArray[np.float64]

POSITIONS = 101
ONE = 20  # the position of the ROPE as computed
KNOTS = (0, 6, 12, 20, 30, 42, 60, 80, 100)  # positions with a picture of their own
_Z = np.linspace(-3.5, 3.5, 29)  # standard normal quantiles at which a smooth posterior is tabled
_NEAR = 3e-4
_BUDGET = 60e9  # nanoseconds of one processor, about: 45 signed-rank tests of 50 units
_FEWER = 20_000  # draws of those for which there is no time left


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
    return other_ropes.by_posterior(posterior, c.rope.scale, *edges(c.rope, np.arange(POSITIONS), unit))


class Moving:
    """A test over three regions at every position of the ROPE; `draws` are those of the signed-rank test."""

    def __init__(self, c: Comparison, unit: float, seed: int, draws: int = DRAWS) -> None:
        self.c, self.seed, self.draws = c, seed, draws
        self.low, self.high = edges(c.rope, np.arange(POSITIONS), unit)
        self.start = 0 if unit else ONE  # the position of the ROPE as computed

    @property
    def error(self) -> float:
        """The Monte Carlo standard error of a probability, at most, where Python has more draws."""
        return 0.5 / float(np.sqrt(self.draws)) if self.draws < DRAWS else 0.0

    @cached_property
    def _sampled(self) -> list[WeightedRegions]:
        """The signed-rank test at every position, from the draws that it makes at any one of them."""
        return [found for (found,) in sample(self._d, self._ropes, draws=self.draws, rng=self.seed)]

    @property
    def _ropes(self) -> list[tuple[float, float]]:
        return [*zip(self.low.tolist(), self.high.tolist(), strict=True)]

    @property
    def _d(self) -> Floats:
        return np.asarray(self.c.evidence.d)  # type: ignore[union-attr]  # the caller looked

    def table(self) -> Floats | None:
        """Better and worse at every position; None where the verdict is read off a posterior."""
        if self.c.method == "hierarchical_t":
            return self.c.evidence.fitted.most_probable(self.low, self.high)  # type: ignore[no-any-return,union-attr]
        if self.c.method == "signed_rank":
            found = [regions.most_probable for regions in self._sampled]
            return np.array([[p.better for p in found], [p.worse for p in found]])
        return other_ropes.by_sign(self._d, None, self.low, self.high) if self.c.method == "sign" else None

    def clouds(self, positions: Sequence[int], points: int) -> dict[int, str]:
        """Points (better, worse) at some positions; a point has its successor at the next one."""
        return {k: shares(self._points(k, points)[:, [0, 2]].ravel()) for k in positions}

    def _points(self, k: int, n: int) -> Floats:
        low, high = float(self.low[k]), float(self.high[k])
        if self.c.method == "signed_rank":
            return self._sampled[k].points[:n]
        if self.c.method == "sign":
            return _dirichlet(sign(self._d, (low, high)), n)
        fitted = self.c.evidence.fitted  # type: ignore[union-attr]
        if self.c.method == "hierarchical_t":
            return fitted.points(low, high, n)  # type: ignore[no-any-return]
        return fitted.next_task((low, high)).sample(n, 0)  # type: ignore[no-any-return]


def _dirichlet(regions: DirichletRegions, n: int) -> Floats:
    """Draws that move little when the counts do: gamma variables by their quantiles."""
    from scipy.special import gammaincinv

    alpha = np.array([regions.better, regions.equivalent, regions.worse])
    u = np.random.default_rng(0).random((n, 3))
    draws = np.where(alpha > 0, gammaincinv(np.maximum(alpha, 1e-3), u), 0.0)  # an empty region stays empty
    return np.asarray(draws / draws.sum(axis=1, keepdims=True))


def moving(pairs: Sequence[Comparison], units: Sequence[float], seed: int) -> list[Moving | None]:
    """For the tests over three regions, unless they are sampled from too many units to do it again.

    The signed-rank test has as many draws as in Python while there is time for it, then fewer.
    """
    left = _BUDGET
    out: list[Moving | None] = []
    for c, unit in zip(pairs, units, strict=True):
        regions = isinstance(c.posterior, DirichletRegions | WeightedRegions) and follows(c)
        if not regions and not isinstance(c.evidence, Hierarchy):
            out.append(None)
            continue
        draws = DRAWS
        if c.method == "signed_rank":
            each = _nanoseconds(c.n)
            draws = DRAWS if each * DRAWS <= left else int(min(max(_BUDGET / 20 / each, 1_000), _FEWER))
            left -= each * draws
        out.append(Moving(c, unit, seed, draws))
    return out


def _nanoseconds(n: int) -> float:
    """What a draw of the signed-rank test takes at all positions: every pair of units is passed once."""
    return 33.0 * POSITIONS + 2.0 * n * min(2 * POSITIONS, n)


def best(posterior: JointPosterior, rope: Rope, unit: float) -> tuple[Floats, Floats]:
    """P(within the ROPE of the best) and, in its order, P(the first so many hold one): positions x models."""
    low, _ = edges(rope, np.arange(POSITIONS), 0.0 if rope.origin == "none" else unit)
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
