"""Rates of tasks as a sample of a beta distribution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import betainc, betaln, expit, gammaln

from ropewalk.bayes.hierarchical_mcnemar import hierarchical_mcnemar
from ropewalk.errors import CellError
from tests.bayes.hierarchies import three


def test_how_the_posterior_behaves_for_small_and_large_size() -> None:
    # For a + b -> 0 the log density rises with slope (tasks with both counts) - 1/2, for a + b -> inf it
    # falls with slope 1/2: the mass is finite exactly if there is at least one task with both counts.
    def slopes(n01: list[int], n10: list[int]) -> tuple[float, float]:
        def log_mass(y: float) -> float:
            k, x = np.exp(y), np.linspace(-15, 15, 3001)
            a, b = k * expit(x), k * expit(-x)
            f = -0.5 * y + np.log(expit(x) * expit(-x))
            for i, j in zip(n01, n10, strict=True):
                f = f + betaln(a + i, b + j) - betaln(a, b)
            return float(np.log(np.exp(f).sum()))

        return log_mass(-13) - log_mass(-14), log_mass(15) - log_mass(14)

    assert slopes([5, 0, 2], [3, 4, 0]) == pytest.approx((0.5, -0.5), abs=1e-3)
    assert slopes([5, 1, 2], [3, 4, 0]) == pytest.approx((1.5, -0.5), abs=1e-3)
    assert slopes([5, 0, 2], [0, 4, 0]) == pytest.approx((-0.5, -0.5), abs=1e-3)  # no finite mass


@pytest.mark.parametrize("n", [1000, 10**6])
@pytest.mark.few(1)
def test_large_equal_counts_against_a_dense_grid(n: int) -> None:
    # The posterior of x is about 1/sqrt(n) wide for large a + b, and wide for small ones. Betas narrower than
    # that of 10^9 counts are taken as that one.
    z = np.sinh(np.linspace(-1, 1, 3001) * np.arcsinh(12 * np.sqrt(n))) / np.sqrt(n)
    y = np.linspace(-12.0, 45.0, 700)
    k = np.exp(y)[:, None]
    log_f = -0.5 * y[:, None] + np.log(expit(z) * expit(-z))
    a, b = k * expit(z), k * expit(-z)
    each = log_rising(a, n) + log_rising(b, n) - log_rising(k, 2 * n)
    w = np.exp(log_f + 3 * each - np.max(log_f + 3 * each)) * np.gradient(z)
    w /= w.sum()
    capped = np.minimum(1.0, 1e9 / k)
    low, high = 0.45, 0.55
    better = float(np.sum(w * betainc(a * capped, b * capped, low)))
    regions = hierarchical_mcnemar([n] * 3, [n] * 3).next_task((low, high))
    assert three(regions.mean) == pytest.approx((better, 1 - 2 * better, better), abs=2e-5)
    assert regions.error <= 1e-4


def log_rising(a: np.ndarray, n: int) -> np.ndarray:
    """log Γ(a + n)/Γ(a), for large a as the integral of log t - 1/(2t), which is digamma there."""
    large = np.maximum(a, 1e4)
    far = n * np.log(large) + (large + n - 0.5) * np.log1p(n / large) - n
    return np.where(a > 1e4, far, gammaln(a + n) - gammaln(a))


def test_large_counts() -> None:
    fitted = hierarchical_mcnemar([500_000, 480_000, 510_000], [500_000, 520_000, 490_000])
    regions = fitted.next_task((0.4, 0.6))
    assert regions.mean.equivalent > 0.85
    assert fitted.task(0).interval(0.95) == pytest.approx((0.499, 0.501), abs=2e-4)


def test_counts_beyond_what_the_integral_resolves() -> None:
    with pytest.raises(CellError, match="1 of 2 values of n01 are not counts"):
        hierarchical_mcnemar([1e11, 3], [4, 5])
