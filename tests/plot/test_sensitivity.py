"""The picture of the three probabilities against the ROPE."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk import plot
from ropewalk.decide import flips
from ropewalk.errors import MethodError
from ropewalk.plot.sensitivity import _half
from ropewalk.posterior import Student


def lines(figure):
    """The three curves, and the points that are marked."""
    drawn = figure.axes[0].get_lines()
    curves = [line for line in drawn if len(line.get_xdata()) == 161]
    dots = [line for line in drawn if line.get_marker() == "o" and line.get_zorder() == 5]
    return curves, dots


def test_the_curves_are_the_tails_of_the_posterior(case):
    """Oracle: the Student distribution of a t-test at every width drawn."""
    c = case("better")
    (better, equivalent, worse), _ = lines(plot.sensitivity(c))
    x = better.get_xdata()
    assert isinstance(c.posterior, Student)
    np.testing.assert_allclose(better.get_ydata(), c.posterior.sf(x), atol=1e-9)
    np.testing.assert_allclose(worse.get_ydata(), c.posterior.cdf(-x), atol=1e-9)
    np.testing.assert_allclose(better.get_ydata() + equivalent.get_ydata() + worse.get_ydata(), 1, atol=1e-9)
    assert np.all(np.diff(equivalent.get_ydata()) >= 0)


def test_the_dots_are_where_the_verdict_flips(case):
    """Oracle: `decide.flips`, to a step of the curve."""
    c = case("better")
    _, (dots,) = lines(plot.sensitivity(c))
    found = flips(c.posterior, c.rope)
    x = dots.get_xdata() / _half(c)
    np.testing.assert_allclose(sorted(x), [found.narrow, found.wide], atol=4 / 160)
    assert set(dots.get_ydata()) == {0.95}
    assert plot.sensitivity(c).axes[0].get_xlim()[1] / _half(c) in (4, 8, 16)


def test_a_few_points_of_a_hierarchy_lie_on_a_smooth_curve(case):
    """Oracle: the model itself at widths between the points that were computed."""
    c = case("tasks")
    curves, _ = lines(plot.sensitivity(c))
    x = curves[0].get_xdata()
    at = np.array([x[9], x[50], x[93]])
    p = c.at_ropes(at / _half(c))
    for line, row in zip(curves, p, strict=True):
        np.testing.assert_allclose(np.interp(at, x, line.get_ydata()), row, atol=0.01)


@pytest.mark.parametrize(
    ("name", "begins"), [("better", "forest better with a ROPE up to ±"), ("phi", "Undecided with")]
)
def test_the_title_says_how_far_the_verdict_holds(case, name, begins):
    texts = [t.get_text() for t in plot.sensitivity(case(name)).axes[0].texts]
    assert any(text.startswith(begins) for text in texts)
    assert any("bars: range over 3 priors" in text.replace("\n", " ") for text in texts)


def test_without_a_rope_it_says_what_to_do(case):
    with pytest.raises(MethodError, match="needs a ROPE that can be varied") as error:
        plot.sensitivity(case("no rope"))
    assert "--rope" in error.value.hint
