"""The range of k standard normal numbers."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest
from scipy.special import erfc
from scipy.stats import studentized_range

from ropewalk.nhst.studentized_range import range_isf, range_sf

# Demšar 2006, Table 5(a), for 2 to 10 models.
Q_05 = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
Q_10 = [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920]


@pytest.mark.parametrize(("alpha", "printed"), [(0.05, Q_05), (0.10, Q_10)])
def test_critical_values_of_demsar(alpha, printed):
    # The printed values are q of a three-digit table over sqrt(2): 3.314/sqrt(2) = 2.343, where the range has
    # 3.31449 and 2.34370. Rounded in the same two steps ours agree to the last digit.
    for k, value in zip(range(2, 11), printed, strict=True):
        q = range_isf(alpha, k)
        assert round(round(q, 3) / np.sqrt(2), 3) == value
        assert q / np.sqrt(2) == pytest.approx(value, abs=0.001)


def test_two_numbers_have_a_closed_form():
    # The range of two is |N(0, 2)|: erfc(q/2), here down to 1e-296.
    q = np.array([0.0, 1e-6, 0.01, 0.5, 1.0, 3.0, 6.0, 10.0, 20.0, 40.0, 52.0])
    assert range_sf(q, 2) == pytest.approx(erfc(q / 2), rel=1e-12)


@pytest.mark.parametrize(("k", "q"), [(3, 0.5), (3, 15.0), (5, 3.0), (10, 8.0), (10, 20.0)])
@pytest.mark.few(2)
def test_against_mpmath(k, q):
    def integrand(x):
        return mp.npdf(x) * (mp.ncdf(x) ** (k - 1) - (mp.ncdf(x) - mp.ncdf(x - q)) ** (k - 1))

    # The two powers cancel: 80 digits leave enough of a tail of 1e-43.
    with mp.workdps(80 if q > 8 else 40):
        expected = k * mp.quad(integrand, [q / 2 - 12, q / 2 - 4, q / 2, q / 2 + 4, q / 2 + 14], maxdegree=7)
    assert float(range_sf(q, k)) == pytest.approx(float(expected), rel=1e-11)


def test_against_scipy_where_it_has_digits():
    q = np.array([0.5, 1.0, 2.0, 3.5, 5.0])
    for k in (3, 6, 20, 100):
        assert range_sf(q, k) == pytest.approx(studentized_range.sf(q, k, np.inf), rel=1e-8)


@pytest.mark.parametrize("k", [2, 3, 10, 100, 1000])
@pytest.mark.parametrize("alpha", [1e-200, 1e-10, 0.05, 0.5, 0.999999])
def test_quantile_inverts_the_tail(k, alpha):
    assert float(range_sf(range_isf(alpha, k), k)) == pytest.approx(alpha, rel=1e-9)


def test_a_probability_that_falls_with_q_and_grows_with_k():
    q = np.linspace(0, 12, 100)
    p = np.array([range_sf(q, k) for k in range(2, 30)])
    assert np.all((p >= 0) & (p <= 1))
    assert np.all(np.diff(p, axis=1) <= 1e-14)
    assert np.all(np.diff(p, axis=0) >= -1e-14)
    assert np.all(p[:, 0] == 1)
