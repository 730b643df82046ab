"""The picture of the HDIs."""

from __future__ import annotations

import pytest

from ropewalk import plot
from ropewalk.errors import MethodError
from ropewalk.plot.hdi import LEVELS


def test_a_bar_for_every_level(case, drawn, texts):
    comparison = case("undecided")
    figure = drawn("undecided", "hdi")
    assert [w for w in texts(figure) if w in {f"{100 * level:.0f}%" for level in LEVELS}] == [
        "50%", "60%", "70%", "80%", "90%", "95%", "99%",
    ]  # fmt: skip
    bars = [bar for group in figure.axes[0].containers for bar in group]
    for row, level in enumerate(LEVELS):
        parts = [bar for bar in bars if abs(bar.get_y() + 0.2 - row) < 0.01]
        low = min(bar.get_x() for bar in parts)
        high = max(bar.get_x() + bar.get_width() for bar in parts)
        assert (low, high) == pytest.approx(comparison.posterior.hdi(level))
        assert sum(bar.get_width() for bar in parts) == pytest.approx(high - low)  # split at the ROPE, no gap


@pytest.mark.parametrize(
    ("name", "title"),
    [
        ("better", "The 95% HDI is entirely beyond the ROPE: forest better"),
        ("worse", "The 95% HDI is entirely beyond the ROPE: svm better"),
        ("equivalent", "The 95% HDI is inside the ROPE"),
        ("undecided", "The 95% HDI crosses an edge of the ROPE"),
        ("sliver", "The 95% HDI reaches beyond the ROPE on both sides"),
        ("point", "The 95% HDI crosses an edge of the ROPE"),
        ("no rope", "The 95% HDI reaches beyond 0 on both sides"),
        ("identical", "The 95% HDI is inside the ROPE"),
        ("identical scores", "The 95% HDI reaches beyond the ROPE on both sides"),
    ],
)
def test_the_title_says_where_the_interval_lies(drawn, texts, name, title):
    assert title in texts(drawn(name, "hdi"))


def test_the_side_on_phi(counted, texts):
    """A is wrong in 10 of 100 disagreements: phi is low, and that is good for A."""
    title = "The 95% HDI is entirely beyond the ROPE: forest better"
    assert title in texts(plot.hdi(counted(100, 10, 90, 800)))


def test_three_shares_have_no_interval_of_one_number(drawn):
    with pytest.raises(MethodError, match="sign has no posterior of one number") as error:
        drawn("sign", "hdi")
    assert error.value.hint == 'Draw "posterior": it shows the three shares with their intervals.'
