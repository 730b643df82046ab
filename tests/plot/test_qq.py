"""The Q-Q plot."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest

from ropewalk import plot
from ropewalk.errors import MethodError
from ropewalk.posterior.normal_order import band, points


def test_points_are_at_bloms_positions():
    """Oracle: the inverse of the normal distribution function in Python's statistics module."""
    theory, sample = points(np.array([0.3, -1.0, 2.0, 0.1]))
    assert list(sample) == [-1.0, 0.1, 0.3, 2.0]
    assert theory == pytest.approx([NormalDist().inv_cdf((i - 0.375) / 4.25) for i in (1, 2, 3, 4)])


def test_the_band_of_the_smallest_and_the_largest():
    """Closed form: Pr(min of n uniforms > u) = (1 - u)^n, Pr(max <= u) = u^n."""
    n = 50
    low, high = band(n)
    inverse = NormalDist().inv_cdf
    assert low[0] == pytest.approx(inverse(1 - 0.975 ** (1 / n)))
    assert high[0] == pytest.approx(inverse(1 - 0.025 ** (1 / n)))
    assert low[-1] == pytest.approx(inverse(0.025 ** (1 / n)))
    assert high[-1] == pytest.approx(inverse(0.975 ** (1 / n)))


def test_the_band_holds_95_percent_of_normal_samples_at_each_point():
    """Simulation, 4,000 samples of 20: within five standard errors."""
    z = np.sort(np.random.default_rng(0).standard_normal((4_000, 20)), axis=1)
    low, high = band(20)
    inside = np.mean((z >= low) & (z <= high), axis=0)
    assert np.abs(inside - 0.95).max() < 5 * np.sqrt(0.95 * 0.05 / 4_000)


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("better", "nothing against normal differences"),
        ("heavy tails", "differences not normal: heavy tails and skewed"),
        ("sign", "differences of forest and svm beside normal ones"),
    ],
)
def test_the_title_says_what_the_check_said(drawn, texts, name, title):
    assert title in texts(drawn(name, "qq"))


def test_every_point_and_the_line(case, drawn):
    comparison = case("better")
    line, dots = drawn("better", "qq").axes[0].lines
    assert list(dots.get_ydata()) == sorted(comparison.evidence.d)
    x, y = line.get_data()
    assert y == pytest.approx(0.03 + 0.1 * x)  # the sample has exactly this mean and standard deviation


def test_many_points_are_thinned_but_not_at_the_ends(scored):
    d = np.random.default_rng(0).normal(0, 1, 100_000)
    _, dots = plot.qq(scored(d, rope=0.1, method="t")).axes[0].lines
    drawn = np.asarray(dots.get_ydata())
    assert drawn.size <= 1_000
    assert list(drawn[:5]) == list(np.sort(d)[:5])
    assert list(drawn[-5:]) == list(np.sort(d)[-5:])


def test_errors(drawn):
    with pytest.raises(
        MethodError, match="needs real-valued differences, and these are right/wrong"
    ) as error:
        drawn("phi", "qq")
    assert error.value.hint == 'Draw "differences" for the counts of right and wrong answers.'
    with pytest.raises(MethodError, match=r"needs differences that vary, and all 10 are \+0\.02") as error:
        drawn("point", "qq")
    assert error.value.hint == 'Draw "posterior" or "differences".'
