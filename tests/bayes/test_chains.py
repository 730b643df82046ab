"""R-hat and effective sample size, by hand and for processes whose answer is known.

They are held against NumPyro's in slow/test_nuts.py.
"""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.bayes.chains import effective_size, normal_scores, r_hat


def test_r_hat_by_hand() -> None:
    # Halves 1 3, 2 4, 1 3, 6 8: means 2, 3, 2, 7 with variance 17/3, each half of variance 2 and length 2:
    # total = 2/2 + 17/3 = 20/3, R-hat² = (20/3)/2.
    x = np.array([[1.0, 3.0, 2.0, 4.0], [1.0, 3.0, 6.0, 8.0]])
    assert r_hat(x) == pytest.approx(np.sqrt(10 / 3), rel=1e-12)
    assert r_hat(np.ones((2, 4))) == 1.0
    assert r_hat(np.repeat([[0.0], [1.0]], 4, axis=1)) == np.inf


def test_effective_size_by_hand() -> None:
    # Both halves are 1 1 1 3 3 3: variance 6/5, autocovariances 1, 1/2, 0, -1/2, ..., total 5/6·6/5 = 1. So
    # correlation 1 is 1 - (6/5 - 1/2) = 0.3 and those after it are -0.2, -0.7: only the first pair counts,
    # and 12 draws are worth 12/(2·1.3 - 1).
    assert effective_size(np.array([[1.0, 1.0, 1.0, 3.0, 3.0, 3.0] * 2])) == pytest.approx(7.5, rel=1e-12)
    assert effective_size(np.ones((2, 50))) == 100


@pytest.mark.parametrize("phi", [-0.3, 0.0, 0.5, 0.9])
def test_effective_size_of_an_autoregression(phi: float) -> None:
    # x_t = phi x_(t-1) + e_t has correlations phi^k, so the mean of n draws is worth n (1 - phi)/(1 + phi).
    rng = np.random.default_rng(1)
    x = np.empty((4, 20_000))
    x[:, 0] = rng.standard_normal(4) / np.sqrt(1 - phi**2)
    for i in range(1, x.shape[1]):
        x[:, i] = phi * x[:, i - 1] + rng.standard_normal(4)
    assert effective_size(x) == pytest.approx(x.size * (1 - phi) / (1 + phi), rel=0.1)
    assert r_hat(x) == pytest.approx(1.0, abs=0.002)


def test_chains_that_disagree_are_worth_little() -> None:
    x = np.random.default_rng(0).standard_normal((2, 1000)) + np.array([[0.0], [3.0]])
    assert r_hat(x) > 1.5
    assert effective_size(x) < 10


def test_normal_scores_see_ranks_only() -> None:
    x = np.random.default_rng(0).standard_normal((2, 100))
    np.testing.assert_array_equal(normal_scores(x), normal_scores(np.exp(9 * x)))
    assert np.std(normal_scores(x)) == pytest.approx(1.0, abs=0.02)
