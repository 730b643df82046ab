"""A Beta distribution, tabulated on its logit, against SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.special import logit

from ropewalk.posterior.rate_table import RateTable, refined

A, B = 3.0, 7.5
BETA = stats.beta(A, B)


def log_density(z: np.ndarray) -> np.ndarray:
    """Of the logit of a Beta(A, B) rate, up to a constant."""
    return A * z - (A + B) * np.logaddexp(0, z)


@pytest.fixture(scope="module")
def table() -> RateTable:
    return RateTable.of(*refined(log_density, np.linspace(-14, 10, 30)))


def test_both_tails_keep_their_digits(table: RateTable) -> None:
    """To a thousandth, which is how far the log density may be from straight between two points."""
    x = np.array([1e-3, 0.01, 0.1, 0.3, 0.6, 0.9, 0.97])
    assert table.below(logit(x)) == pytest.approx(BETA.cdf(x), rel=1e-3)
    assert table.above(logit(x)) == pytest.approx(BETA.sf(x), rel=1e-3)
    assert table.density(logit(x)) == pytest.approx(BETA.pdf(x) * x * (1 - x), rel=1e-3)


def test_moments_and_quantiles(table: RateTable) -> None:
    assert table.moment(lambda u: u) == pytest.approx(BETA.mean(), rel=1e-6)
    assert table.moment(np.square) == pytest.approx(BETA.var() + BETA.mean() ** 2, rel=1e-6)
    p = np.array([0.01, 0.2, 0.5, 0.99])
    assert table.quantiles(p) == pytest.approx(logit(BETA.ppf(p)), abs=2e-3)


def test_mass_at_the_ends_is_kept() -> None:
    z, f = refined(log_density, np.linspace(-14, 10, 30))
    found = RateTable.of(z, f, zero=0.2, one=0.1)
    assert found.below(np.array([-50.0, 50.0])).tolist() == pytest.approx([0.2, 0.9])
    assert found.above(np.array([-50.0, 50.0])).tolist() == pytest.approx([0.8, 0.1])
    assert found.moment(lambda u: u) == pytest.approx(0.1 + 0.7 * BETA.mean(), rel=1e-6)
