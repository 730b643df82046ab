"""Differences that never vary. Oracles: the posterior of right and wrong answers, draws, quadrature."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from ropewalk import bayes
from ropewalk.errors import OptionError
from ropewalk.posterior import Unvaried

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
