"""Posterior predictive checks: data that the model cannot have produced fail, data from the model do not."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.bayes import hierarchical_accuracy, hierarchical_mcnemar
from ropewalk.bayes.predictive_checks import accuracy_checks, mcnemar_checks
from tests.bayes.checked_tasks import smallest

TASKS, EXAMPLES = 60, 200


def answers(pi: np.ndarray, phi: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, ...]:
    differ = rng.binomial(EXAMPLES, pi)
    n01 = rng.binomial(differ, phi)
    return differ - n01, n01, EXAMPLES - differ


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


def test_the_dependence_that_is_printed_is_a_weighted_correlation() -> None:
    # Oracle: NumPy's covariance with the weights of the check, the precision of a task's observed direction.
    rng = np.random.default_rng(8)
    n10, n01, same = answers(rng.beta(3, 20, TASKS), rng.beta(3, 4, TASKS), rng)
    fitted = hierarchical_accuracy(n10, n01, same, tolerance=1e-3)
    (found,) = (k for k in accuracy_checks(fitted) if k.name == "dependence")
    a, b = fitted.share.drawn(2000)
    n = n10 + n01
    some = n > 0
    w = (n / (1 + (n - 1) / (float(np.median(a + b)) + 1)))[some]
    rate, lead = (n / EXAMPLES)[some], ((n10 - n01)[some] / n[some])
    covariance = np.cov(rate, lead, aweights=w, ddof=0)
    expected = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert found.observed == pytest.approx(expected, rel=1e-6)


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
