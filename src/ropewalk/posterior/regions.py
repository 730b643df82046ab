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
    """Three probabilities by name: A practically better than B, equivalent, worse."""

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
    """A posterior over the vector theta = (better, equivalent, worse), which adds up to one.

    `mean` is the expected theta: the probability that the next unit falls into each region (Williams 2026).
    `most_probable` is the probability that each region is the largest entry of theta (Benavoli et al. 2017).
    `error` is the Monte Carlo standard error of these probabilities; zero where the answer is exact.
    """

    @property
    def mean(self) -> Probabilities: ...

    @property
    def most_probable(self) -> Probabilities: ...

    @property
    def error(self) -> float: ...

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        """n draws of theta, one row each: better, equivalent, worse."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class DirichletRegions:
    """theta ~ Dirichlet(better, equivalent, worse): both readings in closed form or by one integral."""

    better: float
    equivalent: float
    worse: float

    @property
    def mean(self) -> Probabilities:
        total = self.better + self.equivalent + self.worse
        b, w = self.better / total, self.worse / total
        return Probabilities(better=b, equivalent=self.equivalent / total, worse=w)

    @property
    def most_probable(self) -> Probabilities:
        better, equivalent, worse = largest(self._alpha)
        return Probabilities(better=better, equivalent=equivalent, worse=worse)

    @property
    def error(self) -> float:
        return 0.0

    @property
    def _alpha(self) -> tuple[float, float, float]:
        return self.better, self.equivalent, self.worse

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        draws = np.random.default_rng(rng).standard_gamma(self._alpha, size=(n, 3))
        return np.asarray(draws / draws.sum(axis=1, keepdims=True))


def largest(alpha: Sequence[float]) -> list[float]:
    """Pr(theta_k is the largest) for each k, theta ~ Dirichlet(alpha). An entry of zero is never the largest.

    theta is a vector of independent gamma variables over their sum, so it is one integral over the k-th:
    ∫ gamma(x; alpha_k) ∏_{j≠k} Pr(gamma_j < x) dx. In y = log x the integrand is smooth and falls off at
    both ends, where the trapezoidal rule converges faster than any power of the step. Equal entries have
    equal probabilities, so each distinct one is integrated once.

    >>> [round(p, 6) for p in largest([2.0, 2.0, 0.0])]
    [0.5, 0.5, 0.0]
    """
    values, group, times = np.unique(np.asarray(alpha), return_inverse=True, return_counts=True)
    p = np.array([_first(values, times, k) if a > 0 else 0.0 for k, a in enumerate(values)])
    each = p[group.ravel()]
    return [float(x) for x in each / each.sum()]  # the sum is one up to the rounding of the integrals


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
    """theta as weighted points: draws, or the nodes of a quadrature.

    Both readings are taken while the points are made, so a long run of draws needs no memory; `points`
    (with `weights` that add up to one) are kept for pictures.
    """

    mean: Probabilities
    most_probable: Probabilities
    error: float
    points: Floats
    weights: Floats

    def sample(self, n: int, rng: int | np.random.Generator = 0) -> Floats:
        pick = np.random.default_rng(rng).choice(len(self.points), size=n, p=self.weights)
        return np.asarray(self.points[pick])
