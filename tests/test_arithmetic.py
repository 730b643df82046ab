"""Whatever a program has set with numpy.seterr, a comparison gives the same answer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from math import atan, exp, inf, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from mpmath import mp

import ropewalk as rw
from ropewalk.arithmetic import root, t_quantile, usual_arithmetic


def test_settings_that_raise_change_no_answer() -> None:
    """Oracle: the same documents under NumPy's own settings."""
    rng = np.random.default_rng(0)
    tables = (
        {
            "a": (rng.random(300) < 0.9).astype(int).tolist(),
            "b": (rng.random(300) < 0.7).astype(int).tolist(),
        },
        {"a": rng.normal(size=60).tolist(), "b": rng.normal(2, 1e-3, size=60).tolist()},
        {"a": (1e-200 * np.ones(50)).tolist(), "b": (1e-200 * rng.random(50)).tolist()},
    )
    for table in tables:
        expected = rw.compare(table, rope=0.01)
        with np.errstate(all="raise"):
            report = rw.compare(table, rope=0.01)
            assert report.to_json() == expected.to_json()
            assert report.to_html() == expected.to_html()
            assert report.to_latex() == expected.to_latex()
            assert np.geterr()["under"] == "raise"
    with np.errstate(all="raise"):
        plan = rw.plan(tables[1], rope=0.01, draws=200)
    assert plan.to_json() == rw.plan(tables[1], rope=0.01, draws=200).to_json()


def test_a_function_keeps_its_name_and_its_signature() -> None:
    from inspect import signature

    assert "rope" in signature(rw.compare).parameters
    assert usual_arithmetic(np.geterr)()["under"] == "ignore"


@pytest.mark.parametrize(
    ("function", "a", "b", "where"),
    [
        (lambda x: x**3 - 2, -4.0, 5.0, 2 ** (1 / 3)),
        (lambda x: exp(-x) - 1e-9, 0.0, 1e3, log(1e9)),
        (lambda x: atan(1e6 * (x - 0.3)), 0.0, 1.0, 0.3),
        (lambda x: log(x) if x > 0 else -inf, 0.0, 40.0, 1.0),
        (lambda x: (x - 1e-5) ** 3, -1.0, 2.0, 1e-5),
        (lambda x: 1e-300 * (x - 2e4), 0.0, 65536.0, 2e4),
        (lambda x: -1.0 if x < 1 / 3 else 1.0, 0.0, 1.0, 1 / 3),
    ],
)
def test_roots_that_are_known(function: Callable[[float], float], a: float, b: float, where: float) -> None:
    """Ends in either order; nothing outside of them is asked for, and nothing too often."""
    asked: list[float] = []

    def counted(x: float) -> float:
        asked.append(x)
        return function(x)

    for low, high in ((a, b), (b, a)):
        asked.clear()
        found = root(counted, low, high, xtol=1e-12)
        assert abs(found - where) <= 1e-12 + 1e-15 * where
        assert len(asked) < 60
        assert all(min(a, b) <= x <= max(a, b) for x in asked)


@given(st.floats(-1e6, 1e6), st.floats(1e-3, 1e3))
def test_a_root_is_within_its_tolerance(where: float, steep: float) -> None:
    """Law: |found - root| <= xtol + rtol |root|, for a strictly increasing function with a known root."""
    found = root(lambda x: atan(steep * (x - where)), -2e6, 2e6, xtol=1e-9)
    assert abs(found - where) <= 1e-9 + 1e-15 * abs(where)


def test_a_root_at_an_end_and_no_root() -> None:
    assert root(lambda x: x - 1, 1.0, 2.0, xtol=1e-9) == 1.0
    assert root(lambda x: x - 2, 1.0, 2.0, xtol=1e-9) == 2.0
    with pytest.raises(ValueError, match=r"the same sign at 1\.0 and at 2\.0"):
        root(lambda x: x, 1.0, 2.0, xtol=1e-9)


def test_a_comparison_imports_neither_optimisers_nor_linear_algebra() -> None:
    """Importing them would take a third of the time of a command that compares 10,000 rows.

    From SciPy 1.18 on scipy.special imports scipy.linalg itself.
    """
    code = (
        "import sys, scipy.special; before = set(sys.modules);"
        "import ropewalk as rw;"
        "print(rw.compare({'a': [1, 0, 1, 1] * 50, 'b': [1, 0, 0, 1] * 50}).to_text());"
        "slow = {'scipy.interpolate', 'scipy.optimize', 'scipy.linalg', 'scipy.stats'};"
        "print(sorted(slow & (set(sys.modules) - before)))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("df", [1, 1.5, 2, 9, 99, 1e5])
def test_quantiles_of_t_hold_in_every_scipy(df: float) -> None:
    """Oracle: mpmath's tail at the quantile; SciPy before 1.17 misses it by up to 1e-7."""
    with mp.workdps(50):
        for p in (1e-150, 1e-30, 1e-3, 0.025, 0.3, 0.45):
            q = mp.mpf(float(t_quantile(df, p)))
            tail = mp.betainc(mp.mpf(df) / 2, mp.mpf(1) / 2, 0, df / (df + q * q), regularized=True) / 2
            assert float(tail / mp.mpf(p)) == pytest.approx(1, rel=1e-12)
            assert float(t_quantile(df, 1 - p)) == pytest.approx(-float(t_quantile(df, 1 - (1 - p))))
    assert t_quantile(df, [0.0, 0.5, 1.0]).tolist() == [-np.inf, 0.0, np.inf]
