"""Numbers that NIST, R, SciPy and the papers have printed; and quantiles against mpmath."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from ropewalk import nhst
from ropewalk.posterior import Beta, Student
from ropewalk.sums import Sums

ROOT = Path(__file__).parents[2]
LIST = runpy.run_path(str(ROOT / "examples" / "certificates.py"))
CERTIFICATES: list[Any] = LIST["certificates"]()
NIST = [c for c in CERTIFICATES if c.exact is not None]
PRINTED = [c for c in CERTIFICATES if c.exact is None]


def name(c: Any) -> str:
    return f"{c.source}: {c.what}"


@pytest.mark.parametrize("c", [c for c in NIST if "anova" not in c.what], ids=name)
def test_nist_univariate(c: Any) -> None:
    # Oracle: certified values; where the rounding of the data hides them, exact arithmetic on the data.
    assert c.digits >= min(c.attainable - 0.1, 14)
    assert c.ours == pytest.approx(c.exact, rel=1e-13)


@pytest.mark.parametrize("c", [c for c in NIST if "anova" in c.what], ids=name)
def test_nist_anova(c: Any) -> None:
    # Oracle: certified values, as far as the rounding of the data leaves them.
    assert c.digits >= min(c.attainable - 0.1, 13.5)
    assert c.attainable >= 9.5


@pytest.mark.parametrize("c", PRINTED, ids=name)
def test_printed(c: Any) -> None:
    assert c.agrees


@pytest.mark.parametrize("dataset", LIST["NO_SPREAD"])
def test_a_spread_of_a_few_hundred_roundings_is_none(dataset: str) -> None:
    # 0.1 around 1e12: below 1e-12 of the values a spread counts as their rounding.
    groups = LIST["treatments"](dataset)
    assert Sums.of(groups[0]).m2 == 0.0
    assert nhst.anova(np.array(groups).T).statistic == 0.0


def test_the_page_is_written_by_the_list() -> None:
    def told(page: str) -> list[str]:
        """All but our own numbers, whose last digits depend on the processor."""
        rows = [line.rsplit(" | ", 3) if line.startswith("| NIST") else [line] for line in page.splitlines()]
        return [row[0] for row in rows]

    page = (ROOT / "docs" / "certificates.md").read_text(encoding="utf-8")
    assert told(page) == told(LIST["page"]())


def test_tests_that_the_page_names_are_there() -> None:
    for _, _, test in LIST["ELSEWHERE"]:
        assert (ROOT / test).is_file()


# Below 1e-150 SciPy's inverses give up (infinity for few degrees of freedom, NaN for Beta(3, 13)).
TAILS = [1e-150, 1e-100, 1e-60, 1e-30, 1e-10, 1e-4, 0.025, 0.3, 0.5]


@pytest.mark.parametrize("df", [1, 2, 3, 9, 99, 1055])
def test_quantiles_of_student(df: int) -> None:
    # Oracle: the tail of mpmath at our quantile, which must be what was asked for.
    with mp.workdps(60):
        for p in TAILS:
            q = mp.mpf(float(Student(df=df, loc=0.0, scale=1.0).quantile(p)))
            tail = mp.betainc(mp.mpf(df) / 2, mp.mpf(1) / 2, 0, df / (df + q * q), regularized=True) / 2
            assert float(tail / p) == pytest.approx(1, rel=1e-10), p


@pytest.mark.parametrize(("a", "b"), [(1, 1), (3, 13), (0.5, 2.5), (65, 31), (160, 199)])
def test_quantiles_of_beta(a: float, b: float) -> None:
    with mp.workdps(60):
        for p in TAILS:
            q = mp.mpf(float(Beta(a=a, b=b).quantile(p)))
            below = mp.betainc(a, b, 0, q, regularized=True)
            assert float(below / p) == pytest.approx(1, rel=1e-10), p


@pytest.mark.parametrize(("a", "b"), [(3, 13), (0.5, 2.5), (65, 31), (160, 199), (1000, 1200)])
def test_tails_of_beta_to_the_last_float(a: float, b: float) -> None:
    # Oracle: the incomplete beta of mpmath, on both sides: sf(x) of Beta(b, a) is cdf(1 - x) of Beta(a, b).
    with mp.workdps(60):
        for x in (2.0**-k for k in (1, 2, 3, 5, 8, 20, 60, 200)):  # 1 - x is a float up to the 52nd
            exact = mp.betainc(a, b, 0, mp.mpf(x), regularized=True)
            if exact < mp.mpf("1e-300"):
                break
            assert float(Beta(a=a, b=b).cdf(x)) == pytest.approx(float(exact), rel=1e-10)
            if x > 2.0**-52:
                assert float(Beta(a=b, b=a).sf(1 - x)) == pytest.approx(float(exact), rel=1e-10)
