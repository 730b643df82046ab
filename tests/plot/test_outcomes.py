"""The picture of right and wrong answers."""

from __future__ import annotations

import pytest
from matplotlib.colors import to_hex

from ropewalk import plot
from ropewalk.plot.style import BETTER, EQUIVALENT, WORSE


def test_the_four_counts_are_written_on(drawn, texts):
    figure = drawn("phi", "differences")
    words = texts(figure)
    for word in ("both right", "only forest right", "only svm right", "both wrong"):
        assert word in words
    for word in ("939  (78.2%)", "97  (8.1%)", "74  (6.2%)", "90  (7.5%)"):
        assert word in words
    assert "forest alone is right on 97 examples, svm alone on 74" in words


def test_the_bars_are_as_long_as_the_counts(drawn):
    ax = drawn("phi", "differences").axes[0]
    both, only_a, only_b, none = (bars[0] for bars in ax.containers)
    for bar, count in ((only_a, 97), (only_b, 74), (none, 90)):
        assert bar.get_width() / both.get_width() == pytest.approx(count / 939)
    colours = [to_hex(bar.get_facecolor()) for bar in (both, only_a, only_b, none)]
    assert colours == [EQUIVALENT.fill, BETTER.fill, WORSE.fill, EQUIVALENT.fill]


def test_b_is_named_first_where_it_is_ahead(counted, texts):
    words = texts(plot.differences(counted(5, 1, 0, 4)))
    assert "svm alone is right on 1 example, forest alone on 0" in words
    assert "0  (0.0%)" in words


def test_the_same_answers(drawn, texts):
    words = texts(drawn("the same answers", "differences"))
    assert words.count("0  (0.0%)") == 2
    assert "1,000  (83.3%)" in words
