"""The three probabilities of a pair of published accuracies."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ropewalk.bayes import accuracy_difference
from ropewalk.claims.margins import Margins
from ropewalk.posterior import Beta, Probabilities, ProportionDifference
from ropewalk.posterior.base import Floats

_STEPS = 1000  # quantiles of the distribution of one accuracy: the error is about 1e-5


def on_the_same_examples(margins: Margins, both: int, rope: tuple[float, float]) -> Probabilities:
    """Return the probabilities from a Dirichlet over the four outcomes, as `bayes.accuracy_difference`."""
    return _three(accuracy_difference(*margins.table(both)), rope)


def _three(posterior: ProportionDifference, rope: tuple[float, float]) -> Probabilities:
    better, worse = _above(posterior, rope[1]), 1 - _above(posterior, rope[0])
    return Probabilities(better=better, equivalent=max(0.0, 1 - better - worse), worse=worse)


def _above(posterior: ProportionDifference, edge: float) -> float:
    """Pr(advantage > edge). At zero it depends only on phi, which is beta, so no integral is needed."""
    if edge == 0:
        return float(Beta(a=posterior.a01, b=posterior.a10).cdf(0.5))
    return float(posterior.sf(edge))


def on_different_examples(
    right_a: int, n_a: int, right_b: int, n_b: int, rope: tuple[float, float]
) -> Probabilities:
    """Probabilities from independent Beta posteriors of two accuracies: mean of B's cdf over A's quantiles.

    The quantiles are the midpoints of equal shares of A's distribution.
    """
    a = Beta(a=1 + right_a, b=1 + n_a - right_a)
    b = Beta(a=1 + right_b, b=1 + n_b - right_b)
    at = _midpoints(a)
    better, worse = float(np.mean(b.cdf(at - rope[1]))), float(np.mean(b.sf(at - rope[0])))
    return Probabilities(better=better, equivalent=max(0.0, 1 - better - worse), worse=worse)


def _midpoints(a: Beta) -> Floats:
    """Return the midpoints of equal shares of a distribution."""
    return np.asarray(a.quantile((np.arange(_STEPS) + 0.5) / _STEPS))


def at_size(
    accuracy_a: float,
    accuracy_b: float,
    agreement: float | None,
    both_right: float | None,
    rope: tuple[float, float],
    *,
    paired: bool,
) -> Callable[[int], float]:
    """Return a function of n: the probability that A is better at these accuracies and the least agreement.

    The counts need not be integers. A given agreement is used instead of the least one.
    """
    if not paired:

        def apart(n: int) -> float:
            a, b = (Beta(a=1 + p * n, b=1 + (1 - p) * n) for p in (accuracy_a, accuracy_b))
            return float(np.mean(b.cdf(_midpoints(a) - rope[1])))

        return apart
    both = max(0.0, accuracy_a + accuracy_b - 1)
    if both_right is not None:
        both = both_right
    elif agreement is not None:
        both = (agreement - 1 + accuracy_a + accuracy_b) / 2
    only_a, only_b = max(0.0, accuracy_a - both), max(0.0, accuracy_b - both)

    def together(n: int) -> float:
        same = 2 + n * (1 - only_a - only_b)
        return _above(ProportionDifference(a01=1 + n * only_b, a10=1 + n * only_a, same=same), rope[1])

    return together
