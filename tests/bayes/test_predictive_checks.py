"""Posterior predictive checks: data that the model cannot have produced fail, data from the model do not."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ropewalk.bayes import hierarchical_accuracy, hierarchical_mcnemar, hierarchical_t
from ropewalk.bayes.predictive_checks import accuracy_checks, mcnemar_checks, t_checks
from ropewalk.sums import Sums
from tests.bayes.checked_tasks import smallest

TASKS, EXAMPLES = 60, 200


def answers(
    pi: np.ndarray, phi: np.ndarray, rng: np.random.Generator, examples: int = EXAMPLES
) -> tuple[np.ndarray, ...]:
    differ = rng.binomial(examples, pi)
    n01 = rng.binomial(differ, phi)
    return differ - n01, n01, examples - differ


def test_answers_of_the_model_itself_pass() -> None:
    # Oracle: the generating model. A p-value below 0.01 comes up once in a hundred checks or so.
    rng = np.random.default_rng(2)
    failures = 0
    for _ in range(6):
        pi, phi = rng.beta(3, 20, TASKS), rng.beta(8, 10, TASKS)
        found = accuracy_checks(hierarchical_accuracy(*answers(pi, phi, rng), tolerance=1e-3))
        assert {k.name for k in found} == {"dependence", "odd task"}
        failures += sum(p < 0.01 for p in smallest(found).values())
    assert failures <= 1


def test_a_rate_of_disagreement_that_tells_the_direction_fails() -> None:
    rng = np.random.default_rng(3)
    pi = rng.beta(3, 20, TASKS)
    phi = np.clip(0.85 - 3 * pi, 0.05, 0.95)  # where they disagree more, the first one wins
    found = accuracy_checks(hierarchical_accuracy(*answers(pi, phi, rng), tolerance=1e-3))
    (dependence,) = (k for k in found if k.name == "dependence")
    assert dependence.p < 0.001
    assert dependence.observed > 0.5
    n10, n01, same = answers(pi, 1 - phi, rng)
    mirrored = accuracy_checks(hierarchical_accuracy(n10, n01, same, tolerance=1e-3))
    assert next(k.observed for k in mirrored if k.name == "dependence") < -0.5


@pytest.mark.parametrize("examples", [4, 200])  # with four many tasks have one disagreement, or none
def test_the_dependence_that_is_printed_is_a_weighted_correlation(examples: int) -> None:
    # Oracle: NumPy's covariance with the weights of the check, the precision of a task's observed direction.
    rng = np.random.default_rng(8)
    n10, n01, same = answers(rng.beta(3, 20, TASKS), rng.beta(3, 4, TASKS), rng, examples)
    fitted = hierarchical_accuracy(n10, n01, same, tolerance=1e-3)
    (found,) = (k for k in accuracy_checks(fitted) if k.name == "dependence")
    a, b = fitted.share.drawn(2000)
    n = n10 + n01
    some = n > 0
    w = (n / (1 + (n - 1) / (float(np.median(a + b)) + 1)))[some]
    rate, lead = (n / examples)[some], ((n10 - n01)[some] / n[some])
    covariance = np.cov(rate, lead, aweights=w, ddof=0)
    expected = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert found.observed == pytest.approx(expected, rel=1e-6)


def test_the_odd_task_that_is_printed() -> None:
    # Oracle: SciPy's beta-binomial standard deviation of a task of its size, for every point of the
    # population; the median of the largest distance.
    rng = np.random.default_rng(9)
    n10, n01, _ = answers(rng.beta(3, 20, TASKS), rng.beta(3, 4, TASKS), rng, 20)
    fitted = hierarchical_mcnemar(n01, n10, tolerance=1e-3)
    n = n10 + n01
    a, b = (x[:, None] for x in fitted.drawn(2000))
    away = np.abs(n01 - n * a / (a + b))[:, n > 0] / stats.betabinom(n[n > 0], a, b).std()
    (odd,) = mcnemar_checks(fitted)
    assert odd.observed == pytest.approx(float(np.median(away.max(axis=1))), rel=1e-6)


def test_one_odd_task_fails() -> None:
    rng = np.random.default_rng(4)
    phi = np.full(TASKS, 0.5)
    phi[7] = 0.02
    n10, n01, same = answers(np.full(TASKS, 0.3), phi, rng)
    assert smallest(accuracy_checks(hierarchical_accuracy(n10, n01, same, tolerance=1e-3)))["odd task"] < 0.01
    (odd,) = mcnemar_checks(hierarchical_mcnemar(n01, n10, tolerance=1e-3))
    assert odd.p < 0.01
    assert odd.observed > odd.expected
    n10, n01, _ = answers(np.full(TASKS, 0.3), np.full(TASKS, 0.5), rng)
    assert mcnemar_checks(hierarchical_mcnemar(n01, n10, tolerance=1e-3))[0].p > 0.01


def scores(means: np.ndarray, sd: np.ndarray) -> list[Sums]:
    return [Sums(n=20, mean=float(m), m2=float(19 * s**2)) for m, s in zip(means, sd, strict=True)]


def test_means_of_the_hierarchical_t_test() -> None:
    rng = np.random.default_rng(6)
    sd = np.exp(rng.normal(-3, 0.5, 40))
    good = 0.01 + 0.02 * rng.standard_normal(40) + sd / np.sqrt(20) * rng.standard_normal(40)
    found = smallest(t_checks(hierarchical_t(scores(good, sd), tolerance=1e-3)))
    assert set(found) == {"skew", "dependence"}
    assert min(found.values()) > 0.01
    skewed = np.concatenate([np.zeros(22), 0.05 + 0.1 * np.arange(18) / 18]) + 0.001 * rng.standard_normal(40)
    small = np.full(40, 0.02)
    assert smallest(t_checks(hierarchical_t(scores(skewed, small), tolerance=1e-3)))["skew"] < 0.01
    larger = 0.3 * sd + 0.002 * rng.standard_normal(40)  # the noisier a task the larger its advantage
    assert smallest(t_checks(hierarchical_t(scores(larger, sd), tolerance=1e-3)))["dependence"] < 0.01


@pytest.mark.parametrize("n", [2, 4])
def test_with_few_tasks_nothing_is_checked(n: int) -> None:
    assert accuracy_checks(hierarchical_accuracy([3] * n, [2] * n, [20] * n)) == []
    assert mcnemar_checks(hierarchical_mcnemar([3] * n, [2] * n)) == []
    assert t_checks(hierarchical_t([[0.1, 0.2, 0.3]] * n)) == []
