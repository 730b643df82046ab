"""Sources of variation against closed-form analysis of variance and simulation."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import CellError, DataError, OptionError
from ropewalk.nhst import anova
from ropewalk.variation import variation

NAMES = ("split", "seed", "hyperparameters")


def simulated(
    rng: np.random.Generator, shape: tuple[int, ...], sds: tuple[float, ...], rest: float
) -> np.ndarray:
    """A mean of 0.9 plus one effect for each level of each source plus noise."""
    x = 0.9 + rest * rng.normal(size=shape)
    for axis, (n, sd) in enumerate(zip(shape, sds, strict=True)):
        x += np.expand_dims(sd * rng.normal(size=n), tuple(k for k in range(len(shape)) if k != axis))
    return x


def test_two_sources_are_the_two_way_analysis_of_variance() -> None:
    z = simulated(np.random.default_rng(1), (6, 4), (0.03, 0.01), 0.005)
    ours = variation(z, NAMES[:2])
    by_df = sorted((row.df, row.ms) for row in anova(z).table if row.df in (3, 5, 15))
    found = sorted((s.df, s.mean_square) for s in ours.sources)
    assert [df for df, _ in found] == [df for df, _ in by_df]
    assert [ms for _, ms in found] == pytest.approx([ms for _, ms in by_df])


def test_by_hand() -> None:
    # Rows 1, 3 and columns 1, 5 without any rest: means 2 and 4 by row, 1 and 5 by column.
    v = variation([[0.0, 4.0], [2.0, 6.0]], NAMES[:2])
    assert (v.mean, v.worst, v.worst_at, v.best) == (3.0, 0.0, (0, 0), 6.0)
    row, column, rest = v.sources
    assert (row.mean_square, column.mean_square, rest.mean_square) == (4.0, 16.0, 0.0)
    assert (row.variance, column.variance, rest.variance) == (2.0, 8.0, 0.0)
    assert v.standard_error**2 == pytest.approx((4 + 16) / 4)
    assert [s.share for s in v.sources] == pytest.approx([0.2, 0.8, 0.0])
    assert v.sample_more is not None
    assert v.sample_more.name == "seed"


def test_variances_and_standard_error_without_bias() -> None:
    # Oracle: the variances that were simulated, and the spread of the means themselves.
    rng = np.random.default_rng(2)
    shape, sds, rest = (5, 4, 3), (0.03, 0.01, 0.02), 0.01
    found = [variation(simulated(rng, shape, sds, rest), NAMES) for _ in range(3000)]
    raw = np.array([[s.mean_square for s in v.sources] for v in found])
    estimates = (raw[:, :3] - raw[:, 3:]) * np.array(shape) / 60
    error = estimates.std(axis=0) / np.sqrt(3000)
    assert np.all(np.abs(estimates.mean(axis=0) - np.square(sds)) < 4 * error)
    true = sum(sd**2 / n for sd, n in zip(sds, shape, strict=True)) + rest**2 / 60
    spread = np.var([v.mean for v in found])
    assert np.mean([v.standard_error**2 for v in found]) == pytest.approx(true, rel=0.05)
    assert spread == pytest.approx(true, rel=0.1)
    # The runs are not independent of each other, and an error that takes them for it is far too small.
    assert np.mean([v.naive_error for v in found]) < 0.3 * np.sqrt(true)


def test_intervals_hold_the_mean() -> None:
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(1500):
        low, high = variation(simulated(rng, (5, 5, 4), (0.02, 0.02, 0.02), 0.01), NAMES).interval()
        inside += low <= 0.9 <= high
    # Satterthwaite's approximation; the usual t interval over all 100 runs holds it in less than half.
    assert inside / 1500 == pytest.approx(0.95, abs=0.025)


def test_the_advice_lowers_the_error_most() -> None:
    rng = np.random.default_rng(4)
    x = simulated(rng, (4, 4), (0.04, 0.005), 0.005)
    v = variation(x, NAMES[:2])
    assert v.sample_more is not None
    assert v.sample_more.name == "split"
    split, seed, rest = v.sources

    def of_mean(splits: int, seeds: int) -> float:
        return split.variance / splits + seed.variance / seeds + rest.variance / (splits * seeds)

    assert split.gain == pytest.approx((of_mean(4, 4) - of_mean(5, 4)) / 4)
    assert seed.gain == pytest.approx((of_mean(4, 4) - of_mean(4, 5)) / 4)


def test_results_that_never_vary() -> None:
    v = variation(np.full((3, 3), 0.8), NAMES[:2])
    assert (v.standard_error, v.sd, v.sample_more) == (0.0, 0.0, None)
    assert v.interval() == (0.8, 0.8)


def test_what_is_refused() -> None:
    with pytest.raises(DataError, match="the results have 2 axes, and 3 sources are named"):
        variation(np.ones((2, 2)), NAMES)
    with pytest.raises(DataError, match="only one level of seed"):
        variation(np.ones((2, 1)), NAMES[:2])
    with pytest.raises(DataError, match="a single source leaves nothing to split"):
        variation(np.ones(3), ("seed",))
    with pytest.raises(DataError, match="the results are not an array of numbers"):
        variation([["a", "b"]], NAMES[:2])
    with pytest.raises(CellError, match="1 of 4 results are NaN or infinite"):
        variation([[1.0, np.nan], [1.0, 2.0]], NAMES[:2])
    with pytest.raises(OptionError, match="the sources are named split, split"):
        variation(np.ones((2, 2)), ("split", "split"))
    with pytest.raises(OptionError, match="level is 2"):
        variation(np.arange(4.0).reshape(2, 2), NAMES[:2]).interval(2)
