"""The Student distribution against mpmath."""

from __future__ import annotations

import mpmath as mp
import numpy as np
import pytest

from ropewalk.posterior import Student

mp.mp.dps = 50


def student_sf(df: float, t: float) -> mp.mpf:
    df, t = mp.mpf(df), mp.mpf(t)
    tail = mp.betainc(df / 2, mp.mpf(1) / 2, 0, df / (df + t * t), regularized=True) / 2
    return tail if t >= 0 else 1 - tail


@pytest.mark.parametrize(
    ("df", "t"),
    [
        (1, 1e10),
        (2, 1e150),
        (3, 1e90),
        (9, 1e30),
        (9, 2.5),
        (99, -3.0),
        (99, 1e3),
        (1e4, 37.5),
        (1e6, 37.0),
        (1e6, 1e-3),
    ],
)
def test_student_tails_agree_with_mpmath(df: float, t: float) -> None:
    posterior = Student(df=df, loc=0.0, scale=1.0)
    assert float(posterior.sf(t)) == pytest.approx(float(student_sf(df, t)), rel=1e-10)
    assert float(posterior.cdf(-t)) == pytest.approx(float(student_sf(df, t)), rel=1e-10)


@pytest.mark.parametrize(("df", "x"), [(3, 0.4), (9, 50.0), (99, -7.0), (1e5, 30.0)])
def test_student_density_agrees_with_mpmath(df: float, x: float) -> None:
    loc, scale = mp.mpf("0.3"), mp.mpf("2.5")
    z = (mp.mpf(x) - loc) / scale
    norm = mp.gamma((mp.mpf(df) + 1) / 2) / (mp.gamma(mp.mpf(df) / 2) * mp.sqrt(df * mp.pi)) / scale
    exact = norm * (1 + z**2 / df) ** (-(mp.mpf(df) + 1) / 2)
    assert float(Student(df=df, loc=0.3, scale=2.5).pdf(x)) == pytest.approx(float(exact), rel=1e-10)


def test_student_without_a_variance_says_infinity() -> None:
    assert Student(df=2, loc=0.0, scale=1.0).sd == np.inf
    assert Student(df=12, loc=0.0, scale=1.0).sd == pytest.approx(np.sqrt(1.2))


def test_student_quantiles_at_the_ends() -> None:
    student = Student(df=5, loc=0.0, scale=1.0)
    assert student.quantile([0.0, 1.0]).tolist() == [-np.inf, np.inf]
    assert float(student.quantile(0.5)) == 0.0
