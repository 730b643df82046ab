"""A posterior known by weighted draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ropewalk.errors import OptionError
from ropewalk.posterior.base import Floats, Posterior, check_level


@dataclass(frozen=True, slots=True, eq=False)
class Draws(Posterior):
    """Posterior known by weighted draws.

    Parameters
    ----------
    x : ndarray
        Draws, sorted.
    weights : ndarray
        Weight of each draw; they add up to one.

    Notes
    -----
    The distribution function is that of the draws. The density is a Gaussian kernel estimate, for plots only.

    Examples
    --------
    >>> from ropewalk.posterior import Draws
    >>> Draws.of([3.0, 1.0, 2.0, 2.0]).sf(1.5)
    array(0.75)
    """

    x: Floats
    weights: Floats

    @classmethod
    def of(cls, x: ArrayLike, weights: ArrayLike | None = None) -> Draws:
        """Sort draws and scale their weights.

        Parameters
        ----------
        x : array_like
            Draws in any order.
        weights : array_like, optional
            Weight of each draw, not negative. By default all draws weigh the same.

        Returns
        -------
        Draws
            Their distribution.

        Raises
        ------
        OptionError
            If there are no draws, if one is not finite, or if the weights do not fit.
        """
        values = np.asarray(x, dtype=np.float64).ravel()
        w = np.ones(values.size) if weights is None else np.asarray(weights, dtype=np.float64).ravel()
        if values.size == 0 or w.shape != values.shape or not np.all(np.isfinite(values)):
            raise OptionError("draws must be finite numbers, with one weight each")
        if np.any(w < 0) or not np.isfinite(w.sum()) or w.sum() <= 0:
            raise OptionError("weights must not be negative and must not all be zero")
        order = np.argsort(values, kind="stable")
        return cls(x=values[order], weights=w[order] / w.sum())

    @property
    def mean(self) -> float:
        return float(self.weights @ self.x)

    @property
    def sd(self) -> float:
        return float(np.sqrt(self.weights @ (self.x - self.mean) ** 2))

    @property
    def effective_size(self) -> float:
        """Number of equally weighted draws that these are worth."""
        return float(1.0 / np.sum(self.weights**2))

    def error(self, probability: float) -> float:
        """Monte Carlo standard error of a probability read off these draws.

        Parameters
        ----------
        probability : float
            The probability.

        Returns
        -------
        float
            Its standard error.
        """
        return float(np.sqrt(probability * (1 - probability) / self.effective_size))

    def pdf(self, x: ArrayLike) -> Floats:
        at = np.asarray(x, dtype=np.float64)
        spread = min(self.sd, float(np.diff(self.quantile([0.25, 0.75]))[0]) / 1.349 or self.sd)
        width = 0.9 * spread * self.effective_size**-0.2  # Silverman (1986), eq. 3.31
        if width == 0:
            return np.where(at == self.x[0], np.inf, 0.0)
        # With a fine histogram the cost does not grow with draws times points.
        edges = np.linspace(self.x[0] - 4 * width, self.x[-1] + 4 * width, 2049)
        mass, _ = np.histogram(self.x, bins=edges, weights=self.weights)
        centre = 0.5 * (edges[1:] + edges[:-1])
        z = (at[..., None] - centre) / width
        return np.asarray(np.exp(-0.5 * z**2) @ mass / (width * np.sqrt(2 * np.pi)))

    def cdf(self, x: ArrayLike) -> Floats:
        total = np.concatenate([[0.0], np.cumsum(self.weights)])
        return np.asarray(np.minimum(total[np.searchsorted(self.x, x, side="right")], 1.0))

    def sf(self, x: ArrayLike) -> Floats:
        above = np.concatenate([np.cumsum(self.weights[::-1])[::-1], [0.0]])
        return np.asarray(np.minimum(above[np.searchsorted(self.x, x, side="right")], 1.0))

    def quantile(self, p: ArrayLike) -> Floats:
        total = np.cumsum(self.weights)
        k = np.searchsorted(total, np.asarray(p, dtype=np.float64) * total[-1], side="left")
        return np.asarray(self.x[np.minimum(k, self.x.size - 1)])

    def hdi(self, level: float = 0.95) -> tuple[float, float]:
        """Shortest interval between two draws that contains `level`.

        Parameters
        ----------
        level : float, default 0.95
            Probability inside.

        Returns
        -------
        tuple of float
            Lower and upper end.
        """
        check_level(level)
        total = np.concatenate([[0.0], np.cumsum(self.weights)])
        start = np.flatnonzero(total[:-1] + level <= total[-1] * (1 + 1e-12))
        if start.size == 0:
            return float(self.x[0]), float(self.x[-1])
        end = np.searchsorted(total, total[start] + level * (1 - 1e-12), side="left") - 1
        end = np.minimum(np.maximum(end, start), self.x.size - 1)
        best = int(np.argmin(self.x[end] - self.x[start]))
        return float(self.x[start[best]]), float(self.x[end[best]])

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        return np.asarray(np.random.default_rng(rng).choice(self.x, size=n, p=self.weights))
