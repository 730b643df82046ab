"""A posterior over (better, equivalent, worse) as a probability vector, and its two readings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ropewalk.posterior.base import Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class Probabilities:
    """Three probabilities by name: A practically better than B, equivalent, worse.

    Parameters
    ----------
    better, equivalent, worse : float
        The probabilities, which add up to one.

    Examples
    --------
    >>> from ropewalk.posterior import Probabilities
    >>> Probabilities(better=0.9, equivalent=0.08, worse=0.02).mirrored.worse
    0.9
    """

    better: float
    equivalent: float
    worse: float

    def __post_init__(self) -> None:
        total = self.better + self.equivalent + self.worse
        assert abs(total - 1) < 1e-6, f"probabilities add up to {total}"  # our own invariant

    @property
    def mirrored(self) -> Probabilities:
        """The same answer with A and B swapped."""
        return Probabilities(better=self.worse, equivalent=self.equivalent, worse=self.better)


class Regions(Protocol):
    """Posterior over the shares theta = (better, equivalent, worse), which add up to one.

    See Also
    --------
    ropewalk.bayes.sign : A test with such a posterior.
    ropewalk.bayes.signed_rank : Another one, known by draws.

    Notes
    -----
    It can be read in two ways. `mean` is the expected theta: the probability that the next unit falls into
    each region (Williams 2026). `most_probable` is the probability that each region is the largest entry of
    theta (Benavoli et al. 2017).

    Examples
    --------
    >>> from ropewalk.posterior import DirichletRegions, Regions
    >>> found: Regions = DirichletRegions(better=12, equivalent=3, worse=5)
    >>> round(found.mean.better, 2), round(found.most_probable.better, 2)
    (0.6, 0.96)
    """

    @property
    def mean(self) -> Probabilities:
        """Expected theta: the probability that the next unit falls into each region."""

    @property
    def most_probable(self) -> Probabilities:
        """Probability that each region is the largest entry of theta."""

    @property
    def error(self) -> float:
        """Monte Carlo standard error of these probabilities; zero where the answer is exact."""

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        """Draw theta.

        Parameters
        ----------
        n : int
            Number of draws.
        rng : int or numpy.random.Generator, default 0
            Random seed or generator.

        Returns
        -------
        ndarray
            One row per draw: better, equivalent, worse.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DirichletRegions:
    """Dirichlet posterior over the three regions.

    Parameters
    ----------
    better, equivalent, worse : float
        Parameters of the Dirichlet distribution: prior plus counts. Zero is allowed: the region is then
        empty.

    Notes
    -----
    `mean` is a closed form, and `most_probable` one integral over gamma densities.

    Examples
    --------
    >>> from ropewalk.posterior import DirichletRegions
    >>> DirichletRegions(better=12, equivalent=3, worse=5).mean.better
    0.6
    """

    better: float
    equivalent: float
    worse: float

    @property
    def mean(self) -> Probabilities:
        """Expected theta: each parameter over their sum."""
        total = self.better + self.equivalent + self.worse
        b, w = self.better / total, self.worse / total
        return Probabilities(better=b, equivalent=self.equivalent / total, worse=w)

    @property
    def most_probable(self) -> Probabilities:
        """Probability that each region is the largest entry of theta, by one integral."""
        better, equivalent, worse = largest(self._alpha)
        return Probabilities(better=better, equivalent=equivalent, worse=worse)

    @property
    def error(self) -> float:
        """Zero: nothing is sampled."""
        return 0.0

    @property
    def _alpha(self) -> tuple[float, float, float]:
        return self.better, self.equivalent, self.worse

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        """Draw theta.

        Parameters
        ----------
        n : int
            Number of draws.
        rng : int or numpy.random.Generator, default 0
            Random seed or generator.

        Returns
        -------
        ndarray
            One row per draw: better, equivalent, worse.
        """
        draws = np.random.default_rng(rng).standard_gamma(self._alpha, size=(n, 3))
        return np.asarray(draws / draws.sum(axis=1, keepdims=True))


def largest(alpha: Sequence[float]) -> list[float]:
    """Pr(theta_k is the largest) for each k, theta ~ Dirichlet(alpha). An entry of zero is never the largest.

    theta is a vector of independent gamma variables over their sum, so this is one integral over the k-th:
    ∫ gamma(x; alpha_k) ∏_{j≠k} Pr(gamma_j < x) dx. In y = log x the integrand is smooth and falls off at
    both ends, where the trapezoidal rule converges faster than any power of the step. Equal entries have
    equal probabilities, so each distinct one is integrated once.

    >>> [round(p, 6) for p in largest([2.0, 2.0, 0.0])]
    [0.5, 0.5, 0.0]
    """
    values, group, times = np.unique(np.asarray(alpha), return_inverse=True, return_counts=True)
    p = np.array([_first(values, times, k) if a > 0 else 0.0 for k, a in enumerate(values)])
    each = p[group.ravel()]
    return [float(x) for x in each / each.sum()]  # the sum is one up to rounding of the integrals


def _first(values: Floats, times: NDArray[np.intp], k: int) -> float:
    """Pr(one of the entries with the k-th value is the largest)."""
    from scipy.special import gammainc, gammainccinv, gammaincinv, gammaln

    a = values[k]
    low, high = np.log(max(gammaincinv(a, 1e-18), 1e-300)), np.log(gammainccinv(a, 1e-18))
    y = np.linspace(low, high, 4001)
    x = np.exp(y)
    f = np.exp(a * y - x - gammaln(a))
    for j, (other, many) in enumerate(zip(values, times, strict=True)):
        if other > 0 and many > (j == k):
            f = f * gammainc(other, x) ** (many - (j == k))
    return float(f.sum() * (y[1] - y[0]))


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WeightedRegions:
    """Posterior over the three regions as weighted points: draws, or the nodes of a quadrature.

    Parameters
    ----------
    mean : Probabilities
        Expected theta.
    most_probable : Probabilities
        Probability that each region is the largest entry of theta.
    error : float
        Monte Carlo standard error of these probabilities.
    points : ndarray
        Some of the points, kept for plots: better, equivalent, worse.
    weights : ndarray
        Weight of each point; they add up to one.

    Notes
    -----
    Both readings are taken while the points are made, so that a long run of draws needs no memory.

    Examples
    --------
    >>> from ropewalk import bayes
    >>> found = bayes.signed_rank([0.02, 0.03, -0.01, 0.04, 0.02, 0.05], 0.01)
    >>> type(found).__name__, found.sample(2).shape
    ('WeightedRegions', (2, 3))
    """

    mean: Probabilities
    most_probable: Probabilities
    error: float
    points: Floats
    weights: Floats

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        """Draw theta from the points.

        Parameters
        ----------
        n : int
            Number of draws.
        rng : int or numpy.random.Generator, default 0
            Random seed or generator.

        Returns
        -------
        ndarray
            One row per draw: better, equivalent, worse.
        """
        pick = np.random.default_rng(rng).choice(len(self.points), size=n, p=self.weights)
        return np.asarray(self.points[pick])
