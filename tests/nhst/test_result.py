"""What every classical test returns, and the package around them."""

from __future__ import annotations

import dataclasses
import subprocess
import sys

import pytest

from ropewalk import nhst
from ropewalk.errors import OptionError
from ropewalk.nhst import TestResult, TTestResult
from ropewalk.sums import Sums

RESULT = TTestResult(name="paired t", statistic=2.0, p_value=0.08, df=9, mean=0.02, standard_error=0.01)


def test_frozen_slotted_and_not_collected_by_pytest():
    with pytest.raises(dataclasses.FrozenInstanceError):
        RESULT.p_value = 0.01
    assert not hasattr(RESULT, "__dict__")
    assert TestResult.__test__ is False
    with pytest.raises(TypeError):
        TestResult("sign", 1.0, 0.5)


def test_confidence_interval_from_the_printed_t_table():
    # Student's table: the two-sided 95 % point with 9 degrees of freedom is 2.262, the 99 % point 3.250.
    assert RESULT.confidence_interval() == pytest.approx((0.02 - 0.02262, 0.02 + 0.02262), abs=5e-6)
    assert RESULT.confidence_interval(0.99) == pytest.approx((0.02 - 0.03250, 0.02 + 0.03250), abs=5e-6)


def test_the_interval_touches_zero_exactly_where_p_is_one_minus_the_level():
    result = nhst.paired_t(Sums(n=12, mean=0.3, m2=5.0))
    low, _ = result.confidence_interval(1 - result.p_value)
    assert low == pytest.approx(0.0, abs=1e-14)


@pytest.mark.parametrize("level", [0, 1, 95, float("nan")])
def test_level_that_makes_no_sense(level):
    with pytest.raises(OptionError, match=f"level is {level}"):
        RESULT.confidence_interval(level)


def test_exports_are_there_and_import_nothing_heavy():
    assert nhst.__all__ == sorted(nhst.__all__)
    assert all(hasattr(nhst, name) for name in nhst.__all__)
    heavy = ["scipy.stats", "scipy.optimize", "scipy.integrate", "matplotlib", "duckdb", "pandas"]
    code = f"import sys, ropewalk.nhst; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_family_is_the_name_without_the_variant() -> None:
    d = [0.1, 0.2, -0.1, 0.3]
    scores = [[0.1, 0.2], [0.3, 0.1], [0.2, 0.4], [0.5, 0.3]]
    found = (
        nhst.mcnemar(2, 9),
        nhst.permutation(d),
        nhst.paired_t(d),
        nhst.model_confidence_set(scores, draws=99),
    )
    assert [r.family for r in found] == ["McNemar", "permutation", "paired t", "model confidence set"]
    assert [r.name for r in found][:2] == ["McNemar (exact)", "permutation (exact)"]
