"""The risk of one classifier, against Langford's bound from the binomial tail."""

from __future__ import annotations

from math import comb

import pytest
from scipy.optimize import brentq

from ropewalk import bayes
from ropewalk.errors import CellError, OptionError
from ropewalk.posterior import Beta, Point


def test_uniform_prior() -> None:
    assert bayes.risk(3, 10) == Beta(a=4.0, b=8.0)


@pytest.mark.parametrize(("errors", "n"), [(0, 20), (5, 100), (19, 20)])
def test_limit_prior_is_langfords_bound(errors: int, n: int) -> None:
    # Langford 2005, theorem 3.3: the largest p with Pr(Binomial(n, p) <= errors) >= delta.
    def tail(p: float) -> float:
        return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(errors + 1)) - 0.05

    bound = brentq(tail, 1e-9, 1 - 1e-9, xtol=1e-14)
    assert float(bayes.risk(errors, n, prior=(1.0, 0.0)).quantile(0.95)) == pytest.approx(bound, rel=1e-9)


def test_limits_are_certain() -> None:
    assert bayes.risk(10, 10, prior=(1.0, 0.0)) == Point(at=1.0)
    assert bayes.risk(0, 10, prior=(0.0, 1.0)) == Point(at=0.0)


def test_bad_input() -> None:
    with pytest.raises(CellError, match="11 errors in 10 examples"):
        bayes.risk(11, 10)
    with pytest.raises(CellError, match="0 errors in 0 examples"):
        bayes.risk(0, 0)
    with pytest.raises(OptionError, match="two numbers >= 0"):
        bayes.risk(1, 10, prior=(-1.0, 1.0))


@pytest.mark.parametrize(("errors", "n", "said"), [(0.5, 3, "errors is 0.5"), (1, 3.5, "n is 3.5")])
def test_both_counts_are_looked_at(errors: float, n: float, said: str) -> None:
    with pytest.raises(CellError, match=said):
        bayes.risk(errors, n)  # type: ignore[arg-type]
