"""How the three probabilities follow the ROPE, as small tables that a page can carry.

The ROPE of every comparison is moved by one factor: position k stands for k/20 of the ROPE as computed, from
0 to 5 times. A ROPE of no width has nothing to multiply; there a position is a twentieth of a unit.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ropewalk.report.comparison import Comparison, Hierarchy

if TYPE_CHECKING:
    from ropewalk.decide import Rope
    from ropewalk.posterior import JointPosterior, Posterior

Floats = NDArray[np.float64]

POSITIONS = 101
ONE = 20  # the position of the ROPE as computed
_Z = np.linspace(-3.5, 3.5, 29)  # standard normal quantiles at which a smooth posterior is tabled
_CLOSE = 3e-4  # an interpolated probability that is this close needs no more points
_CLIP = 1e-7
_SIGNED_RANK_DRAWS = 20_000


def edges(rope: Rope, k: ArrayLike, unit: float) -> tuple[Floats, Floats]:
    """The edges of the ROPE at position k; on phi it is wide around 1/2, and a probability."""
    t = np.asarray(k, dtype=np.float64) / ONE
    if rope.scale == "phi":
        low, high = 0.5 - (0.5 - rope.low) * t, 0.5 + (rope.high - 0.5) * t
        return np.maximum(low, 0.0), np.minimum(high, 1.0)
    low, high = (-unit, unit) if rope.is_point else (rope.low, rope.high)
    return low * t, high * t


def quantiles(posterior: Posterior) -> Floats:
    """A smooth posterior by its quantiles at 29 standard normal ones.

    Between them the page takes x -> z as a monotone cubic: for a bell shape that is nearly a straight line,
    and the probability is good to 1e-4.
    """
    from scipy.special import ndtr

    return np.asarray(np.maximum.accumulate(posterior.quantile(ndtr(_Z))))


def by_posterior(c: Comparison, unit: float) -> Floats:
    """Better and worse at every position, 2 x positions, from a posterior of one number."""
    posterior: Posterior = c.posterior  # type: ignore[assignment]  # the caller looked
    low, high = edges(c.rope, np.arange(POSITIONS), unit)
    above, below = posterior.sf(high), posterior.cdf(np.nextafter(low, -np.inf))
    return np.stack([below, above] if c.rope.scale == "phi" else [above, below])


def by_regions(c: Comparison, unit: float, seed: int) -> Floats | None:
    """The same for the tests over three regions; None for those whose verdict is read off a posterior."""
    if isinstance(c.evidence, Hierarchy) and c.method == "hierarchical_t":
        next_task = c.evidence.fitted.next_task
        return _adaptive(lambda k: next_task(_pair(c, k, unit)).most_probable)
    d = getattr(c.evidence, "d", None)
    if c.method == "sign" and d is not None:
        from ropewalk.bayes import sign

        return _each(lambda k: sign(d, _pair(c, k, unit)).most_probable, np.arange(POSITIONS))
    if c.method == "signed_rank" and d is not None:
        from ropewalk.bayes import signed_rank

        def at(k: int) -> object:
            return signed_rank(d, _pair(c, k, unit), draws=_SIGNED_RANK_DRAWS, rng=seed).most_probable

        k = np.unique(np.concatenate([np.arange(0, 40, 2), np.arange(40, POSITIONS, 5)]))
        table = _each(at, k)
        return np.array([np.interp(np.arange(POSITIONS), k, row) for row in table])
    return None


def _pair(c: Comparison, k: int, unit: float) -> tuple[float, float]:
    low, high = edges(c.rope, k, unit)
    return float(low), float(high)


def _each(at: Callable[[int], object], positions: NDArray[np.intp]) -> Floats:
    found = [at(int(k)) for k in positions]
    return np.array([[getattr(p, side) for p in found] for side in ("better", "worse")])


def _adaptive(at: Callable[[int], object]) -> Floats:
    """At every position, computed only where neighbours do not say it already.

    Between the points that are computed the probit of a probability is taken as a monotone cubic; halves of
    gaps are tried until what was expected there was right.
    """
    from scipy.interpolate import PchipInterpolator
    from scipy.special import ndtr, ndtri

    known: dict[int, tuple[float, float]] = {}

    def table(k: NDArray[np.intp]) -> Floats:
        have = np.array(sorted(known))
        p = np.clip(np.array([known[int(j)] for j in have]).T, _CLIP, 1 - _CLIP)
        return np.asarray(ndtr(PchipInterpolator(have, ndtri(p), axis=1)(k)))

    def compute(k: int) -> tuple[float, float]:
        if k not in known:
            p = at(k)
            known[k] = p.better, p.worse  # type: ignore[attr-defined]
        return known[k]

    for k in (0, 3, 6, 10, 15, 20, 25, 32, 40, 55, 75, 100):
        compute(k)
    gaps = list(zip(sorted(known), sorted(known)[1:], strict=False))
    while gaps:
        low, high = gaps.pop()
        if high - low < 2:
            continue
        middle = (low + high) // 2
        expected = table(np.array([middle]))[:, 0]
        if np.max(np.abs(expected - compute(middle))) > _CLOSE:
            gaps += [(low, middle), (middle, high)]
    return table(np.arange(POSITIONS))


def best(posterior: JointPosterior, rope: Rope, unit: float) -> tuple[Floats, Floats]:
    """P(within the ROPE of the best) and, in that order, P(the first so many hold one): positions x models."""
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
    return {"m": middle, "u": unit, "x": b64encode(((values - middle) / unit).astype("<f4").tobytes()).decode()}
