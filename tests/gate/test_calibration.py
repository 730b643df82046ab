"""How often the gate is wrong: on one task enumerated, not simulated; over several tasks in simulation.

The oracle is the multinomial chance of every table of lost and won examples, and the promise of `claims`: of
a candidate that is worse by exactly the margin neither claim is made in more than 1 - probability of cases.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from scipy.special import betaincinv, gammaln

from ropewalk import bayes
from ropewalk.gate.claims import on_counts

P = 0.95
# (examples, margin, share won): many and few expected losses, with and without wins.
CASES = [
    (50, 0.05, 0.02), (100, 0.02, 0.01), (200, 0.02, 0.0001), (200, 0.05, 0.05), (400, 0.01, 0.0001),
    (400, 0.02, 0.04), (700, 0.01, 0.002), (1000, 0.1, 0.0001),
]  # fmt: skip


def rate(n: int, lost: float, won: float, claimed: Callable[[int, int, int], bool]) -> float:
    """The chance of a claim, by all tables that have a chance to speak of."""
    some = [int(n * x + 6 * np.sqrt(n * x)) + 6 for x in (lost, won)]
    i, j = np.indices((some[0], some[1]))
    i, j = i[i + j <= n], j[i + j <= n]
    log = gammaln(n + 1) - gammaln(i + 1) - gammaln(j + 1) - gammaln(n - i - j + 1)
    chance = np.exp(log + i * np.log(lost) + j * np.log(won) + (n - i - j) * np.log1p(-lost - won))
    assert chance.sum() == pytest.approx(1, abs=1e-5)
    kept = np.flatnonzero(chance > 1e-6)
    return float(sum(chance[k] * claimed(int(i[k]), int(j[k]), n - int(i[k] + j[k])) for k in kept))


@pytest.mark.parametrize(("n", "margin", "won"), CASES)
@pytest.mark.few(4)
def test_neither_claim_is_made_too_often_at_the_margin(n: int, margin: float, won: float) -> None:
    def passes(*counts: int) -> bool:
        return bool(on_counts(*counts)[0].sf(-margin) >= P)

    def fails(*counts: int) -> bool:
        return bool(on_counts(*counts)[1].cdf(-margin) >= P)

    assert rate(n, won + margin, won, passes) <= 1 - P
    assert rate(n, won + margin, won, fails) <= 1 - P


def test_a_flat_prior_would_pass_too_often() -> None:
    # docs/gate.md and the card of `claims` say why the gate does not use it: up to 9 %.
    def passes(lost: int, won: int, alike: int) -> bool:
        return bool(bayes.accuracy_difference(alike, lost, won, 0).sf(-0.02) >= P)

    assert rate(200, 0.0201, 0.0001, passes) == pytest.approx(0.088, abs=0.002)


@pytest.mark.parametrize(("n", "lost"), [(50, 0), (400, 3), (20_000, 40)])
def test_without_wins_the_bound_is_clopper_and_pearsons(n: int, lost: int) -> None:
    # Clopper & Pearson 1934: the upper bound of a share is the quantile of Beta(lost + 1, n - lost).
    lower, _ = on_counts(lost, 0, n - lost)
    assert float(lower.quantile(1 - P)) == pytest.approx(-betaincinv(lost + 1, n - lost, P), rel=1e-6)


def test_the_two_claims_mirror_each_other() -> None:
    lower, upper = on_counts(12, 5, 183)
    other = on_counts(5, 12, 183)
    assert float(lower.sf(-0.02)) == pytest.approx(float(other[1].cdf(0.02)), abs=1e-12)
    assert float(upper.cdf(-0.02)) == pytest.approx(float(other[0].sf(0.02)), abs=1e-12)


def test_models_that_disagree_throughout() -> None:
    lower, upper = on_counts(30, 10, 0)
    assert 0 <= float(lower.sf(-0.1)) < float(1 - upper.cdf(-0.1)) <= 1


@pytest.mark.parametrize("tasks", [2, 3])
def test_the_mean_over_a_few_tasks(tasks: int) -> None:
    # Simulated: 800 gates whose candidate is worse by the margin on every task; 3.5 standard errors.
    rng = np.random.default_rng(tasks)
    counts = rng.multinomial(400, [0.06, 0.04, 0.9], size=(800, tasks))
    passed = 0
    for table in counts:
        both = [on_counts(*map(int, row), share=1 / tasks) for row in table]
        d = np.mean([lower.sample(1_000, rng) for lower, _ in both], axis=0)
        passed += bool(np.mean(d >= -0.02) >= P)
    assert passed / 800 <= 0.05 + 3.5 * np.sqrt(0.05 * 0.95 / 800)
    assert passed / 800 > 0.02  # and not by never letting anything pass


def test_real_valued_scores_pass_in_five_percent() -> None:
    # The t posterior under its flat prior is calibrated: a pass at the margin has exactly the chance 1 - P.
    rng = np.random.default_rng(11)
    t = [bayes.t(rng.normal(-0.05, 0.2, 25)) for _ in range(4_000)]
    passed = np.mean([float(x.sf(-0.05)) >= P for x in t])
    assert passed == pytest.approx(0.05, abs=3.5 * np.sqrt(0.05 * 0.95 / 4_000))
