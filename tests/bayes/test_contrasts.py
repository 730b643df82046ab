"""Contrasts between models without a population."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import dblquad
from scipy.special import gammaln

from ropewalk import bayes
from ropewalk.bayes.contrasts import _ties, own_variances
from ropewalk.bayes.cross_sums import CrossSums
from ropewalk.posterior import Draws
from tests.bayes.units_of_models import distance, scores


@pytest.mark.parametrize("rho", [0.0, 0.1])
def test_unstructured_every_pair_is_the_pairwise_t(rho: float) -> None:
    z = scores(40, 5)
    joint = bayes.joint(z, rho=rho, pooling=False)
    assert joint.model == "unstructured"
    for i in range(5):
        own = bayes.t(z[:, i], rho=rho)
        assert distance(Draws.of(joint.draws[:, i]), own) < 2.2  # ten looks and five: 1 in 8,000 each
        for j in range(i):
            assert distance(joint.pair(i, j), bayes.t(z[:, i] - z[:, j], rho=rho)) < 2.2


def test_unstructured_p_best_of_three_by_integration() -> None:
    # P(mu_0 is best) is the integral of the bivariate Student density of (mu_0 - mu_1, mu_0 - mu_2) over the
    # positive quadrant.
    z = scores(20, 3, seed=3)
    joint = bayes.joint(z, pooling=False, draws=40_000)
    n = len(z)
    for i in range(3):
        d = z[:, [i]] - np.delete(z, i, axis=1)
        m, df = d.mean(axis=0), n - 1
        sigma = np.cov(d.T) / n
        inverse = np.linalg.inv(sigma)
        log_norm = gammaln((df + 2) / 2) - gammaln(df / 2) - np.log(df * np.pi)
        norm = np.exp(log_norm - 0.5 * np.log(np.linalg.det(sigma)))

        def density(y: float, x: float) -> float:
            a, b = x - m[0], y - m[1]  # noqa: B023
            q = inverse[0, 0] * a * a + 2 * inverse[0, 1] * a * b + inverse[1, 1] * b * b  # noqa: B023
            return norm * (1 + q / df) ** (-(df + 2) / 2)  # noqa: B023

        far = 12 * np.sqrt(sigma.max())
        p, _ = dblquad(density, 0, max(m[0], 0) + far, 0, max(m[1], 0) + far, epsabs=1e-5)
        assert joint.p_best[i] == pytest.approx(p, abs=4 * np.sqrt(p * (1 - p) / 40_000) + 1e-4)


def test_own_variances_are_those_beyond_what_the_models_share() -> None:
    # Oracle: independent effects of known variances on many units, with a common part that must not count.
    rng = np.random.default_rng(6)
    for true in ([1.0, 1.0, 4.0], [0.5, 1.0, 1.5, 3.0]):
        z = 5 * rng.normal(size=(20_000, 1)) + np.sqrt(true) * rng.normal(size=(20_000, len(true)))
        assert own_variances(CrossSums.of(z)) == pytest.approx(np.array(true) / np.mean(true), rel=0.06)
    # Of two models the difference alone has a variance: nothing says whose it is.
    assert own_variances(CrossSums.of(np.sqrt([1.0, 9.0]) * rng.normal(size=(50, 2)))).tolist() == [1.0, 1.0]


def test_scores_without_any_spread_have_no_ties_to_draw() -> None:
    assert not _ties(np.zeros((3, 3))).any()
    root = _ties(np.array([[1.0, 0.9], [0.9, 1.0]]))
    assert root @ root.T == pytest.approx(np.array([[1.0, 0.9**9], [0.9**9, 1.0]]))
