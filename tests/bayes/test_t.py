"""The Bayesian t-test against the tables of Benavoli et al. 2017 and Williams."""

from __future__ import annotations

import numpy as np
import pytest

from reproduce import published
from ropewalk import bayes
from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.posterior import Point, Student
from ropewalk.sums import Sums


def regions(posterior: Student, r: float) -> tuple[float, float, float]:
    better, worse = float(posterior.sf(r)), float(posterior.cdf(-r))
    return better, 1 - better - worse, worse


def test_benavoli_section_2_anneal() -> None:
    d = published.differences("nbc", "aode")["anneal"]
    assert d.mean == pytest.approx(-0.0194, abs=5e-5)
    assert d.sd == pytest.approx(0.01583, abs=5e-6)
    posterior = bayes.t(d, rho=0.1)
    # Benavoli et al. below eq. 6: St(99, -0.0194, 0.000030)
    assert posterior.scale**2 == pytest.approx(0.000030, abs=5e-7)
    assert (posterior.df, posterior.loc) == (99, pytest.approx(-0.0194, abs=5e-5))


def test_benavoli_section_3_1_squash_unstored() -> None:
    # The text of sec. 3.1 prints 0.788 / 0.086 / 0.126 and Pr(nbc > aode) = 0.165, which do not follow from
    # the data: the p-value of 0.304 in its own Table 2 gives Pr(nbc > aode) = 0.304 / 2 = 0.152.
    posterior = bayes.t(published.differences("nbc", "aode")["squash-unstored"], rho=0.1)
    better, equivalent, worse = regions(posterior, 0.01)
    assert (worse, equivalent, better) == pytest.approx((0.801, 0.086, 0.113), abs=5e-4)
    assert float(posterior.sf(0.0)) == pytest.approx(0.304 / 2, abs=5e-4)


# Benavoli et al. 2017, Tables 5 and 6: without rejection (n, rope, undecided), with it (n, rope,
# difference, undecided).
# One data set of aode-j48 sits on the edge of p = 0.05: the printed row is 33/6/27 and 21/1/14/6.
TABLES_5_AND_6 = {
    ("nbc", "aode"): ((35, 6, 29), (19, 1, 14, 4)),
    ("nbc", "hnb"): ((30, 0, 30), (24, 0, 19, 5)),
    ("nbc", "j48"): ((27, 2, 25), (27, 0, 20, 7)),
    ("nbc", "j48gr"): ((27, 2, 25), (27, 0, 21, 6)),
    ("aode", "hnb"): ((40, 6, 34), (14, 1, 6, 7)),
    ("aode", "j48"): ((34, 6, 28), (20, 1, 14, 5)),
    ("aode", "j48gr"): ((35, 6, 29), (19, 1, 13, 5)),
    ("hnb", "j48"): ((32, 3, 29), (22, 0, 17, 5)),
    ("hnb", "j48gr"): ((32, 3, 29), (22, 0, 17, 5)),
    ("j48", "j48gr"): ((50, 40, 10), (4, 2, 1, 1)),
}


@pytest.mark.parametrize("pair", TABLES_5_AND_6, ids="-".join)
def test_benavoli_tables_5_and_6(pair: tuple[str, str]) -> None:
    kept, rejected = [0, 0, 0], [0, 0, 0, 0]
    for d in published.differences(*pair).values():
        posterior = bayes.t(d, rho=0.1)
        p = 2 * min(float(posterior.sf(0.0)), float(posterior.cdf(0.0)))  # the matching prior, below eq. 6
        better, equivalent, worse = regions(posterior, 0.01)
        if isinstance(posterior, Point) or p > 0.05:
            kept[0] += 1
            kept[1 if equivalent > 0.95 else 2] += 1
        else:
            rejected[0] += 1
            rejected[1 if equivalent > 0.95 else 2 if max(better, worse) > 0.95 else 3] += 1
    assert (tuple(kept), tuple(rejected)) == TABLES_5_AND_6[pair]


def test_williams_section_6_1_scaling_the_data() -> None:
    # LgR - MLP from d = 0.066 and N = 176; the ROPE is a tenth of the standard deviation. The paper's d has
    # two digits, so the probabilities are accurate to about two: at d = 0.066 the change per 0.0005 is 0.002.
    def at(n: int) -> tuple[float, float, float]:
        return regions(bayes.t(Sums(n=n, mean=0.066, m2=float(n - 1))), 0.1)

    assert at(176) == pytest.approx((0.326, 0.660, 0.014), abs=0.003)
    assert at(6 * 176) == pytest.approx((0.134, 0.866, 0.000), abs=0.003)
    assert at(15 * 176) == pytest.approx((0.040, 0.960, 0.000), abs=0.003)


def test_arrays_and_sums_agree() -> None:
    d = np.random.default_rng(0).normal(0.1, 1.0, 50)
    assert bayes.t(d, rho=0.2) == bayes.t(Sums.of(d), rho=0.2)


def test_a_billion_apart_keeps_its_digits() -> None:
    d = np.random.default_rng(0).normal(size=1000)
    shifted = bayes.t(d + 1e9)
    assert shifted.scale == pytest.approx(bayes.t(d).scale, rel=1e-6)


def test_no_variation_is_certain() -> None:
    assert bayes.t([0.01, 0.01, 0.01]) == Point(at=0.01)


@pytest.mark.parametrize("rho", [-0.1, 1.0, np.nan])
def test_rho_is_a_correlation(rho: float) -> None:
    with pytest.raises(OptionError, match=r"correlation in \[0, 1\)"):
        bayes.t([1.0, 2.0], rho=rho)


def test_bad_differences() -> None:
    with pytest.raises(CellError, match=r"1 of 3 differences are NaN or infinite\n\n  position 1: nan"):
        bayes.t([1.0, np.nan, 2.0])
    with pytest.raises(DataError, match="1 difference given, at least 2 needed"):
        bayes.t([1.0])
    with pytest.raises(DataError, match="1 difference given, at least 2 needed"):
        bayes.t(Sums(n=1, mean=0.0, m2=0.0))
    with pytest.raises(DataError, match="2 dimensions, 1 was expected"):
        bayes.t([[1.0, 2.0]])
    with pytest.raises(DataError, match="not numbers"):
        bayes.t(["a", "b"])
