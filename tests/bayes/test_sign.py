"""The Bayesian sign test: counting by hand, closed forms, and draws."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.special

from ropewalk import bayes
from ropewalk.errors import CellError, OptionError
from ropewalk.posterior import DirichletRegions


def test_regions_are_counted() -> None:
    regions = bayes.sign([0.02, 0.5, 0.01, -0.005, 0.0, -0.01, -0.3], 0.01)
    # 0.01 and -0.01 are on the edges: half on each side. The prior of strength 1 is in the ROPE.
    assert regions == DirichletRegions(better=2.5, equivalent=2 + 0.5 + 0.5 + 1, worse=1.5)


def test_the_prior_goes_where_it_is_placed() -> None:
    assert bayes.sign([1.0, 2.0], 0.1, strength=0.5, place="worse") == DirichletRegions(
        better=2.0, equivalent=0.0, worse=0.5
    )


def test_asymmetric_rope() -> None:
    regions = bayes.sign([-0.4, 0.05, 0.3], (-0.5, 0.1))
    assert (regions.better, regions.equivalent, regions.worse) == (1.0, 3.0, 0.0)


def test_identical_models_are_equivalent_not_nan() -> None:
    # baycomp 1.0.3 answers (nan, nan) here.
    p = bayes.sign(np.zeros(20), 0.01).most_probable
    assert (p.better, p.equivalent, p.worse) == (0.0, 1.0, 0.0)


def test_swapping_mirrors() -> None:
    d = np.random.default_rng(0).normal(0.01, 0.03, 40)
    a, b = bayes.sign(d, 0.01).most_probable, bayes.sign(-d, 0.01).most_probable
    assert (a.better, a.equivalent, a.worse) == pytest.approx((b.worse, b.equivalent, b.better), abs=1e-12)


def test_bad_input() -> None:
    with pytest.raises(OptionError, match='Did you mean "better"'):
        bayes.sign([1.0], 0.1, place="beter")
    with pytest.raises(OptionError, match="half width"):
        bayes.sign([1.0], -0.1)
    with pytest.raises(OptionError, match="half width"):
        bayes.sign([1.0], (0.2, 0.1))
    with pytest.raises(OptionError, match="strength is 0"):
        bayes.sign([1.0], 0.1, strength=0)
    with pytest.raises(CellError, match="NaN"):
        bayes.sign([1.0, np.nan], 0.1)


def test_nothing_is_equivalent_without_a_rope() -> None:
    # A tie counts half on each side and so does the prior: Beta(2 + 1/2 + 1/2, 1 + 1/2 + 1/2).
    regions = bayes.sign([1.0, 2.0, -1.0, 0.0], rope=0.0)
    assert regions.mean.equivalent == 0
    assert regions.most_probable.better == pytest.approx(1 - scipy.special.betainc(3, 2, 0.5), abs=1e-9)


def test_a_place_that_is_no_region() -> None:
    with pytest.raises(OptionError, match=r'place is "wors"\n\n  Did you mean "worse"'):
        bayes.sign([0.1, 0.2], 0.01, place="wors")  # type: ignore[arg-type]


@pytest.mark.parametrize("rope", [(-np.inf, 0.1), (0.1, np.nan), (-0.1, 0.0, 0.1), (0.2, 0.1), -0.1])
def test_a_rope_that_is_none(rope: object) -> None:
    with pytest.raises(OptionError, match="the ROPE is "):
        bayes.sign([0.1, 0.2], rope)  # type: ignore[arg-type]
