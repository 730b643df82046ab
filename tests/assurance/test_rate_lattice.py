"""A population of rates on a lattice."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import bayes
from ropewalk.assurance.rate_lattice import RateLattice

COUNTS = ([12, 30, 8, 22], [18, 25, 15, 20])


@pytest.fixture(scope="module")
def lattice() -> RateLattice:
    return RateLattice(fitted=bayes.hierarchical_mcnemar(*COUNTS), top=100)


def test_the_mean_is_that_of_the_quadrature(lattice: RateLattice) -> None:
    # Oracle: the mean of phi on the next task, by quadrature.
    fitted = bayes.hierarchical_mcnemar(*COUNTS)
    p = np.exp(lattice.log_p) / np.exp(lattice.log_p).sum()
    assert float(lattice.mean @ p) == pytest.approx(fitted.phi_next.mean, abs=2e-3)


def test_counts_that_come_move_it_as_a_fit_of_all_does(lattice: RateLattice) -> None:
    # Oracle: the hierarchical McNemar test of the old and the new tasks together.
    after = lattice.after(np.array([[40.0, 35.0]]), np.array([[10.0, 12.0]]))
    found = float(lattice.mean @ after[:, 0])
    fit = bayes.hierarchical_mcnemar([12, 30, 8, 22, 40, 35], [18, 25, 15, 20, 10, 12])
    assert found == pytest.approx(fit.phi_next.mean, abs=4e-3)


def test_a_weight_tilts_the_draws(lattice: RateLattice) -> None:
    low = lattice.drawn(2_000, np.random.default_rng(0), weight=np.where(lattice.mean < 0.4, 0.0, -1e9))
    assert lattice.mean[low].max() < 0.4
    known = lattice.known(low[:3])
    np.testing.assert_array_equal(known.argmax(axis=0), low[:3])
