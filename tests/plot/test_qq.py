"""The Q-Q plot."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import plot
from ropewalk.errors import MethodError


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("better", "The differences look normal"),
        ("heavy tails", "The differences are not normal: heavy tails and skewed"),
        ("sign", "Differences of forest and svm against normal quantiles"),
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
