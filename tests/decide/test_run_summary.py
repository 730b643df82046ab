"""The table over seeds."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.decide import SeedSummary, seed_summary
from ropewalk.errors import CellError, DataError, OptionError


@pytest.mark.parametrize(
    ("mean", "sd", "interval"), [(0.912, 0.006, (0.908, 0.916)), (0.904, 0.009, (0.898, 0.910))]
)
def test_the_template_of_the_textbook(mean: float, sd: float, interval: tuple[float, float]) -> None:
    # Statistical Significance in Machine Learning, sec. 6.3: ten seeds, their mean, sd and 95 % interval.
    rng = np.random.default_rng(0)
    x = rng.normal(size=10)
    x = mean + sd * (x - x.mean()) / x.std(ddof=1)
    found = seed_summary(x)
    assert (found.seeds, found.mean, found.sd) == (10, pytest.approx(mean), pytest.approx(sd))
    assert found.interval(0.95) == pytest.approx(interval, abs=5e-4)
    assert (found.worst, found.best) == (x.min(), x.max())


def test_where_lower_is_better() -> None:
    found = seed_summary([0.3, 0.1, 0.2], higher_is_better=False)
    assert (found.worst, found.best) == (0.3, 0.1)


def test_seeds_that_do_not_vary() -> None:
    assert seed_summary([0.5, 0.5]).interval() == (0.5, 0.5)


def test_errors() -> None:
    with pytest.raises(DataError, match="1 seed given, at least 2 needed\n\n  One seed says nothing"):
        seed_summary([0.9])
    with pytest.raises(CellError, match="1 of 2 differences are NaN"):
        seed_summary([0.9, np.nan])
    with pytest.raises(OptionError, match="level is 95"):
        SeedSummary(seeds=3, mean=0.5, sd=0.1, worst=0.4, best=0.6).interval(95)


@pytest.mark.parametrize("seeds", [2, 3, 4])
def test_the_interval_of_few_seeds_is_that_of_scipy(seeds: int) -> None:
    from scipy.stats import t

    x = np.array([0.91, 0.90, 0.93, 0.95])[:seeds]
    expected = t.interval(0.9, seeds - 1, loc=x.mean(), scale=x.std(ddof=1) / np.sqrt(seeds))
    assert seed_summary(x).interval(0.9) == pytest.approx(expected, rel=1e-12)
