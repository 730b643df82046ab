"""Joint draws: pairs and intervals as NumPy counts them."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.posterior.own_draws import OwnDraws

RNG_DRAWS = np.random.default_rng(0).normal([0.8, 0.7, 0.5], 0.1, (4_000, 3))
OWN = OwnDraws(draws=RNG_DRAWS, mean=RNG_DRAWS.mean(axis=0))


def test_pairs_are_differences_of_columns() -> None:
    d = RNG_DRAWS[:, 0] - RNG_DRAWS[:, 2]
    found = OWN.pair(0, 2)
    assert found.mean == pytest.approx(d.mean())
    assert float(found.sf(0.25)) == pytest.approx(np.mean(d > 0.25))
    assert OWN.above(0.25)[0, 2] == np.mean(d > 0.25)
    assert OWN.known.all()


def test_every_pair_may_have_an_edge_of_its_own() -> None:
    edge = np.array([[0, 0.1, 0.2], [0.3, 0, 0.1], [0, 0, 0]])
    found = OWN.above(edge)
    assert found[1, 0] == np.mean(RNG_DRAWS[:, 1] - RNG_DRAWS[:, 0] > 0.3)
    assert found[0, 2] == np.mean(RNG_DRAWS[:, 0] - RNG_DRAWS[:, 2] > 0.2)


def test_intervals_are_quantiles_of_the_draws_that_are_possible() -> None:
    column = RNG_DRAWS[:, 0]
    assert OWN.intervals(0.9)[0] == pytest.approx(np.quantile(column, [0.05, 0.95]))
    kept = column[(column >= 0) & (column <= 0.85)]
    assert OWN.intervals(0.9, (0.0, 0.85))[0] == pytest.approx(np.quantile(kept, [0.05, 0.95]))
    assert OWN.intervals(0.9, (2.0, 3.0))[0].tolist() == [2.0, 2.0]  # no draw is possible
