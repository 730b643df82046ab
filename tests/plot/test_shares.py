"""The picture of a posterior over the three regions."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex

from ropewalk.plot.shares import _smooth
from ropewalk.plot.style import BETTER, EQUIVALENT, WORSE
from ropewalk.posterior import Beta, DirichletRegions, Draws


def test_each_share_has_its_words_and_its_probability(case, drawn, texts):
    """Sign test: 54 tasks, counted by hand below, and one prior observation in the ROPE."""
    comparison = case("sign")
    d = comparison.evidence.d
    better, worse = np.sum(d > 0.01), np.sum(d < -0.01)
    words = texts(drawn("sign", "posterior"))
    assert f"forest better by more than 0.01: {100 * better / 55:.0f}% of tasks" in words
    assert f"svm better by more than 0.01: {100 * worse / 55:.0f}% of tasks" in words
    assert f"practically equivalent (ROPE ±0.01): {100 * (55 - better - worse) / 55:.0f}% of tasks" in words
    assert "probability that this share is the largest" in words
    assert "share of tasks" in words
    shown = [word for word in words if word[0] in "<>0" and "%" not in word]
    assert shown == ["0.98", "0.01", "0.01"]


def test_the_shapes_have_the_colours_of_their_regions(drawn):
    fills = drawn("signed rank", "posterior").axes[0].collections
    assert [to_hex(fill.get_facecolor()[0]) for fill in fills] == [BETTER.fill, EQUIVALENT.fill, WORSE.fill]


def test_a_region_that_never_holds_is_a_line_at_zero(drawn):
    ax = drawn("sign, none worse", "posterior").axes[0]
    assert len(ax.collections) == 2
    spike = next(line for line in ax.lines if line.get_color() == WORSE.ink)
    assert list(spike.get_xdata()) == [0.0, 0.0]


@pytest.mark.parametrize("alpha", [(28.0, 14.0, 13.0), (11.0, 1.0, 1.0), (3.0, 3.0, 2.0)])
def test_the_shape_is_the_marginal_density(alpha):
    """A share of a Dirichlet is Beta(alpha_k, the rest); 4,000 draws and a kernel come within a tenth."""
    draws = DirichletRegions(better=alpha[0], equivalent=alpha[1], worse=alpha[2]).sample(4_000, 0)
    for k in range(3):
        x, density = _smooth(Draws.of(draws[:, k]))
        exact = Beta(a=alpha[k], b=sum(alpha) - alpha[k]).pdf(x)
        assert x[0] == 0
        assert x[-1] == 1
        assert np.sum(density) * (x[1] - x[0]) == pytest.approx(1.0, abs=0.02)
        inside = (x > 0.05) & (x < 0.95)  # folding makes a slope flat at the very ends
        assert np.abs(density - exact)[inside].max() < 0.1 * exact.max()
