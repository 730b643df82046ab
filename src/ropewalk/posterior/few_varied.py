"""The posterior of a mean after differences that are nearly all the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.posterior.base import Floats
from ropewalk.posterior.grid import Grid

_PRIOR_AT_ENDS, _PRIOR_AT_MODE = 1.0, 2.0  # as in `Unvaried`
_X = 160  # number of points of the density
_FALL = 60.0  # the density is computed down to e^-60 of its middle
_OUT = np.concatenate(  # points as shares of the way to an end of the range
    [np.geomspace(1e-5, 0.5, 140), 1 - np.geomspace(0.5, 1e-9, 60)]
)
_CLOSE = np.sinh(np.linspace(-7.0, 7.0, _X // 2 + 1)) / np.sinh(7.0)
_ARC = np.linspace(0.0, 11.0, 240)  # asinh of standard deviations along the path of the integral
_HALVINGS = 60


class FewVaried(Grid):
    """Posterior of a mean when most observed differences are the same and a few are not.

    Parameters
    ----------
    values : array_like
        Distinct differences that were seen.
    counts : array_like
        Number of units with each of them.
    low, high : float
        Lowest and highest difference that is possible.
    at : float, optional
        What most differences are; the most frequent one by default.

    Notes
    -----
    The next difference may be one of those seen, or anything else. As in `Unvaried`, the case that says least
    about the mean is an end of the range, so the shares of all differences have a Dirichlet distribution:

        p ~ Dirichlet(counts; 1 at `low`, 1 at `high`, 2 more at `at`), mean = Σ p_k v_k.

    With gamma variables G_k of shape alpha_k, mean <= x exactly if Q = Σ G_k (v_k - x) <= 0. The density of
    the mean at x follows from the generating function of Q, K(s) = -Σ alpha_k log(1 - s (v_k - x)):

        f(x) = 1/(2π) ∫ exp(K(s + iu)) Σ alpha_k/(1 - (s + iu)(v_k - x)) du

    along a path through the point s with K'(s) = 0, where nothing cancels, so that small tails keep their
    digits. It tends to that of `Unvaried` where nothing varies, and to the Bayesian bootstrap with many
    units.

    Examples
    --------
    >>> from ropewalk.posterior import FewVaried
    >>> one_loss = FewVaried([0.0, -0.7], [199, 1], low=-1.0, high=1.0)
    >>> round(float(one_loss.cdf(0.02) - one_loss.cdf(-0.02)), 2)
    0.97
    """

    def __init__(
        self, values: ArrayLike, counts: ArrayLike, *, low: float, high: float, at: float | None = None
    ) -> None:
        v, n = (np.asarray(x, dtype=np.float64) for x in (values, counts))
        at = v[n.argmax()] if at is None else at
        self.at, self.low, self.high = float(at), float(low), float(high)
        v = np.concatenate([v, [low, high, at]])
        alpha = np.concatenate([n, [_PRIOR_AT_ENDS, _PRIOR_AT_ENDS, _PRIOR_AT_MODE]])
        v, place = np.unique(v, return_inverse=True)
        weights = np.bincount(place, weights=alpha).astype(np.float64)
        x = _points(v, weights, self.at)
        super().__init__(x, _log_density(x, v, weights))


def _points(v: Floats, alpha: Floats, at: float) -> Floats:
    """Points where the density is within e^-60 of its middle, denser near the most frequent value."""
    middle = float(alpha @ v / alpha.sum())
    away = np.concatenate([(end - middle) * _OUT for end in (v[0], v[-1])])
    top, *height = _saddle(middle + np.concatenate([[0.0], away]), v, alpha)[1]
    within = away[np.array(height) > top - _FALL]
    low, high = middle + within.min(), middle + within.max()
    even = np.linspace(low, high, _X // 2)
    close = at + np.where(_CLOSE < 0, at - low, high - at) * _CLOSE
    x = np.unique(np.clip(np.concatenate([even, close]), low, high))
    # Points that differ only by rounding count once.
    return np.asarray(x[np.append(True, np.diff(x) > 1e-6 * (high - low))])


def _saddle(x: Floats, v: Floats, alpha: Floats) -> tuple[Floats, Floats]:
    """The point s with K'(s) = 0 for each x, where the path of the integral crosses the axis, and K there."""
    c = v - x[:, None]
    low, high = 1 / c.min(axis=1), 1 / c.max(axis=1)
    low, high = low * (1 - 1e-12), high * (1 - 1e-12)
    for _ in range(_HALVINGS):
        s = 0.5 * (low + high)
        rising = np.sum(alpha * c / (1 - s[:, None] * c), axis=1) < 0
        low, high = np.where(rising, s, low), np.where(rising, high, s)
    s = 0.5 * (low + high)
    return s, -np.sum(alpha * np.log1p(-s[:, None] * c), axis=1)


def _log_density(x: Floats, v: Floats, alpha: Floats) -> Floats:
    s, k = _saddle(x, v, alpha)
    c = v - x[:, None]
    second = np.sum(alpha * (c / (1 - s[:, None] * c)) ** 2, axis=1)
    width = 1 / np.sqrt(second)
    u = width[:, None] * np.sinh(_ARC)
    ratio = 1 - (s[:, None] + 1j * u)[:, :, None] * c[:, None, :]
    exponent = -np.sum(alpha * np.log(ratio), axis=2) - k[:, None]
    f = np.real(np.exp(exponent) * np.sum(alpha / ratio, axis=2)) * width[:, None] * np.cosh(_ARC)
    step = _ARC[1] - _ARC[0]
    return np.asarray(k + np.log(step / np.pi * (f.sum(axis=1) - 0.5 * f[:, 0])))
