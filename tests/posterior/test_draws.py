"""Weighted draws against what can be counted by hand, and against the normal they come from."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import OptionError
from ropewalk.posterior import Draws


def test_counted_by_hand() -> None:
    draws = Draws.of([3.0, 1.0, 2.0, 2.0])
    assert draws.mean == 2.0
    assert draws.sd == pytest.approx(np.sqrt(0.5))
    assert [float(p) for p in draws.cdf([0.5, 1.0, 2.0, 2.5, 3.0])] == [0.0, 0.25, 0.75, 0.75, 1.0]
    assert [float(p) for p in draws.sf([0.5, 1.0, 2.0, 2.5, 3.0])] == [1.0, 0.75, 0.25, 0.25, 0.0]
    assert draws.quantile([0.0, 0.25, 0.5, 1.0]).tolist() == [1.0, 1.0, 2.0, 3.0]
    assert draws.hdi(0.5) == (2.0, 2.0)


def test_weights_are_copies() -> None:
    plain, weighted = Draws.of([1.0, 1.0, 1.0, 5.0]), Draws.of([5.0, 1.0], [1.0, 3.0])
    assert weighted.mean == plain.mean
    assert weighted.sd == pytest.approx(plain.sd)
    assert float(weighted.sf(2.0)) == float(plain.sf(2.0)) == 0.25
    assert Draws.of([5.0, 1.0], [1.0, 0.0]).effective_size == 1.0


def test_normal_draws() -> None:
    draws = Draws.of(np.random.default_rng(0).normal(size=100_000))
    assert draws.hdi(0.95) == pytest.approx((-1.96, 1.96), abs=0.08)
    assert draws.interval(0.95) == pytest.approx((-1.96, 1.96), abs=0.03)
    x = np.linspace(-3, 3, 13)
    np.testing.assert_allclose(draws.pdf(x), np.exp(-(x**2) / 2) / np.sqrt(2 * np.pi), atol=0.01)
    assert draws.error(0.5) == pytest.approx(0.5 / np.sqrt(100_000))


def test_one_value_only() -> None:
    draws = Draws.of([2.0, 2.0])
    assert draws.hdi(0.9) == (2.0, 2.0)
    assert draws.pdf([1.0, 2.0]).tolist() == [0.0, np.inf]


@pytest.mark.parametrize(
    ("x", "weights", "message"),
    [
        ([], None, "finite numbers"),
        ([np.nan], None, "finite numbers"),
        ([1.0], [1.0, 2.0], "one weight each"),
        ([1.0, 2.0], [-1.0, 2.0], "weights must not be negative and must not all be zero"),
        ([1.0, 2.0], [0.0, 0.0], "zero"),
    ],
)
def test_bad_draws_are_refused(x: list[float], weights: list[float] | None, message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Draws.of(x, weights)
