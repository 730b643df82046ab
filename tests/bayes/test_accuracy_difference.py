"""Differences of accuracies."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.decide import in_scores, probabilities


@pytest.mark.parametrize("counts", [(54, 159, 198, 589), (3, 0, 2, 5), (0, 0, 0, 4)])
def test_accuracy_difference_agrees_with_dirichlet_draws(counts: tuple[int, int, int, int]) -> None:
    posterior = bayes.accuracy_difference(*counts)
    theta = np.random.default_rng(2).dirichlet(np.array(counts) + 1.0, size=400_000)
    draws = theta[:, 2] - theta[:, 1]
    p = probabilities(posterior, in_scores(-0.01, 0.01, "given"))
    shares = [np.mean(draws > 0.01), np.mean(np.abs(draws) <= 0.01), np.mean(draws < -0.01)]
    np.testing.assert_allclose([p.better, p.equivalent, p.worse], shares, atol=4 * 0.5 / np.sqrt(len(draws)))


def test_sign_of_the_difference_is_phi() -> None:
    # The advantage is T (1 - 2 phi): it is positive exactly where phi < 1/2.
    above = float(bayes.accuracy_difference(54, 159, 198, 589).sf(0.0))
    assert above == pytest.approx(float(bayes.mcnemar(159, 198).cdf(0.5)), rel=1e-12)
