"""Differences that never vary. Oracles: the posterior of right and wrong answers, draws, quadrature."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from ropewalk import bayes
from ropewalk.errors import OptionError
from ropewalk.posterior import HardlyVaried, Student, Unvaried
from ropewalk.posterior.unvaried import hardly_varied, sameness

CASES = [
    Unvaried(at=0.0, low=-1.0, high=1.0, n=20),
    Unvaried(at=0.3, low=-1.0, high=1.0, n=2),
    Unvaried(at=-20.0, low=-100.0, high=100.0, n=4.7),
    Unvaried(at=1.0, low=-1.0, high=1.0, n=5),
    Unvaried(at=-1.0, low=-1.0, high=1.0, n=5),
]


@pytest.mark.parametrize("n", [2, 20, 300])
def test_equal_right_and_wrong_answers_have_the_same_posterior(n: int) -> None:
    # Oracle: the accuracy difference of Dirichlet(1, 1, 1, 1) and n answers that agree, by its quadrature.
    of_answers = bayes.accuracy_difference(n, 0, 0, 0)
    found = Unvaried(at=0.0, low=-1.0, high=1.0, n=n)
    x = np.array([-0.5, -0.1, -0.01, 0.0, 0.001, 0.01, 0.2])
    assert found.cdf(x) == pytest.approx(of_answers.cdf(x), abs=1e-9)
    assert found.sf(x) == pytest.approx(of_answers.sf(x), abs=1e-9)
    assert found.sd == pytest.approx(of_answers.sd, rel=1e-9)


def test_the_numbers_of_the_documentation() -> None:
    # Closed form: 1 - 0.99^(n + 3). 296 equal units decide at 0.95 and one point, 295 do not.
    within = [1 - 2 * float(Unvaried(at=0.0, low=-1.0, high=1.0, n=n).sf(0.01)) for n in (20, 295, 296)]
    assert within[0] == pytest.approx(0.2064, abs=1e-4)
    assert within[1] < 0.95 <= within[2]


@pytest.mark.parametrize("one", CASES, ids=str)
def test_against_draws_of_the_shares(one: Unvaried) -> None:
    # Oracle: 400,000 draws of the Dirichlet; four standard errors of a share.
    shares = np.random.default_rng(1).dirichlet([1, 1, one.n + 2], size=400_000)
    x = shares @ np.array([one.high, one.low, one.at])
    assert one.mean == pytest.approx(x.mean(), abs=4 * x.std() / 630)
    assert one.sd == pytest.approx(x.std(), rel=0.01)
    at = one.quantile([0.01, 0.2, 0.5, 0.8, 0.99])
    assert one.cdf(at) == pytest.approx([np.mean(x <= a) for a in at], abs=4 * 0.5 / 630)


@pytest.mark.parametrize("one", CASES, ids=str)
def test_density_distribution_and_quantiles_agree(one: Unvaried) -> None:
    for x in np.linspace(one.low, one.high, 9):
        mass = sum(quad(one.pdf, *ends)[0] for ends in ((one.low, min(x, one.at)), (one.at, max(x, one.at))))
        assert float(one.cdf(x)) == pytest.approx(mass, abs=1e-7)
        assert float(one.sf(x)) == pytest.approx(1 - mass, abs=1e-7)
    p = np.array([0.0, 1e-6, 0.1, 0.5, 0.9, 1 - 1e-6, 1.0])
    inside = (p > 0) & (p < 1)
    assert one.cdf(one.quantile(p))[inside] == pytest.approx(p[inside], rel=1e-9)
    assert np.all((one.quantile(p) >= one.low) & (one.quantile(p) <= one.high))
    assert float(one.pdf(one.low - 1)) == float(one.pdf(one.high + 1)) == 0
    assert float(one.pdf(one.at)) == pytest.approx((one.n + 3) / (one.high - one.low), rel=1e-12)
    low, high = one.hdi(0.9)
    assert float(one.cdf(high) - one.cdf(low)) == pytest.approx(0.9, rel=1e-9)
    shifted = (float(one.quantile(p)) for p in (0.001, 0.901))
    assert high - low <= np.diff(list(shifted))[0] + 1e-12
    assert np.mean(one.sample(1000, 3) <= one.quantile(0.5)) == pytest.approx(0.5, abs=0.06)
    with pytest.raises(OptionError, match="level is 1"):
        one.hdi(1)


@pytest.mark.parametrize("r", [0.01, 0.05, 0.3])
def test_false_equivalence_of_bounded_scores_is_at_most_five_percent(r: float) -> None:
    # Oracle: of scores between 0 and 1 that differ by r on average, n are all alike with a probability of at
    # most (1 - r)^n (differences of one where they differ at all). A verdict at 0.95 then needs as many n as
    # make that small: the share of false verdicts is below 0.05 / (1 - r)^3.
    n = next(n for n in range(2000) if 2 * float(Unvaried(at=0.0, low=-1.0, high=1.0, n=n).sf(r)) <= 0.05)
    assert (1 - r) ** n <= 0.05 / (1 - r) ** 3


MIXED = [
    hardly_varied(CASES[0], 0.9, Student(df=19, loc=0.0, scale=1e-5)),
    hardly_varied(CASES[1], 0.2, Student(df=1, loc=0.3, scale=1e-5)),
    hardly_varied(CASES[2], 0.5, Student(df=4, loc=-20.0, scale=0.5)),
]


@pytest.mark.parametrize("one", MIXED, ids=lambda one: f"{one.at:g}")
def test_what_hardly_varies_is_a_mixture(one: HardlyVaried) -> None:
    # Oracle: the two parts; the moments of a mixture; draws.
    equal = Unvaried(at=one.at, low=one.low, high=one.high, n=one.n)
    w, x = one.weight, one.at + np.array([-0.5, -1e-5, 0.0, 2e-6, 0.01])
    for name in ("pdf", "cdf", "sf"):
        parts = getattr(equal, name)(x), getattr(one.varied, name)(x)
        assert getattr(one, name)(x) == pytest.approx(w * parts[0] + (1 - w) * parts[1], rel=1e-12)
    p = np.array([1e-6, 0.02, 0.3, 0.5, 0.8, 0.99])
    assert one.cdf(one.quantile(p)) == pytest.approx(p, rel=1e-9)
    assert float(one.quantile(0.0)) == -np.inf
    assert float(one.quantile(1.0)) == np.inf
    low, high = one.hdi(0.9)
    assert float(one.cdf(high) - one.cdf(low)) == pytest.approx(0.9, rel=1e-9)
    assert float(one.pdf(low)) == pytest.approx(float(one.pdf(high)), rel=1e-6)
    draws = one.sample(200_000, 1)
    for q in (0.1, 0.5, 0.9):
        assert np.mean(draws <= one.quantile(q)) == pytest.approx(q, abs=0.005)
    assert one.mean == pytest.approx(w * equal.mean + (1 - w) * one.varied.mean)
    if np.isfinite(one.varied.sd):
        second = w * (equal.sd**2 + equal.mean**2) + (1 - w) * (one.varied.sd**2 + one.varied.mean**2)
        assert one.sd == pytest.approx(np.sqrt(second - one.mean**2), rel=1e-6)


def test_sameness_falls_from_rounding_to_the_last_printed_digit() -> None:
    sd = np.array([0.0, 1e-6, 1e-5, 5.05e-5, 1e-4, 0.2])
    assert sameness(sd, 1e-4, 1e-6) == pytest.approx([1, 1, 90 / 99, 0.5, 0, 0], abs=1e-12)
    assert sameness(sd, 1e-7, 1e-5).tolist() == [1, 1, 1, 0, 0, 0]  # rounding is wider than the digit
    assert sameness(sd, 0.0).tolist() == [1, 0, 0, 0, 0, 0]
