"""Verdicts of all pairs: colours, words and the title."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ropewalk import plot
from ropewalk.plot import several_models
from ropewalk.plot.verdict_matrix import _ink
from tests.plot.boards import NAN, ZERO


def luminance(rgb: Any) -> Any:
    """Of sRGB."""
    c = np.asarray(rgb)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def lightness(rgb: Any) -> Any:
    """CIE L*, what is left of a colour in print without colours."""
    y = luminance(rgb)
    return np.where(y > 0.008856, 116 * np.cbrt(y) - 16, 903.3 * y)


def test_verdicts_are_told_apart_in_grey_print_and_their_depth_is_the_probability() -> None:
    strength = np.linspace(0, 1, 11)
    light = {name: lightness(several_models.shade(name, strength)) for name in several_models.SHADES}
    for values in light.values():
        assert (np.diff(values) < 0).all()
    bands = sorted((values.min(), values.max()) for values in light.values())
    for (_, end), (start, _) in itertools.pairwise(bands):
        assert start - end > 8


@pytest.mark.parametrize("verdict", several_models.SHADES)
def test_words_are_dark_or_pale_enough_for_their_cells(verdict: str) -> None:
    """WCAG 2, level AA: a contrast of 4.5 for small letters."""
    word = luminance(to_rgb(_ink(verdict)))
    for strength in (0.0, 1.0):
        pale, dark = sorted([word, luminance(several_models.shade(verdict, strength))], reverse=True)
        assert (pale + 0.05) / (dark + 0.05) >= 4.5


def test_the_colour_is_the_verdict() -> None:
    better = [[0, 0.97, 0.5], [0.01, 0, 0.0], [0.1, 1.0, 0]]
    equivalent = [[1, 0.02, 0.4], [0.02, 1, 0.0], [0.4, 0.0, 1]]
    worse = [[0, 0.01, 0.1], [0.97, 0, 1.0], [0.5, 0.0, 0]]
    figure = plot.verdict_matrix(["a", "b", "c"], better, equivalent, worse)
    cells = figure.axes[0].collections[0].get_array()  # in the order a, c, b
    np.testing.assert_allclose(cells[0, 0], 1)
    np.testing.assert_allclose(cells[0, 2], several_models.shade("better", 0.4))
    np.testing.assert_allclose(cells[2, 0], several_models.shade("worse", 0.4))
    np.testing.assert_allclose(cells[1, 2], several_models.shade("better", 1.0))
    np.testing.assert_allclose(cells[0, 1], several_models.shade("undecided", (0.5 - 1 / 3) / (0.95 - 1 / 3)))


def test_the_title_of_verdicts(texts: Any) -> None:
    better, worse = (
        np.array([[0, 1, 1], [0, 0, 0.6], [0, 0.1, 0]]),
        np.array([[0, 0, 0], [1, 0, 0.1], [1, 0.6, 0]]),
    )
    found = texts(plot.verdict_matrix(["a", "b", "c"], better, 1 - better - worse, worse))
    assert "a: better than 2 of 2 others; 1 of 3 pairs undecided" in found
    alike = texts(plot.verdict_matrix(["a", "b"], ZERO, [[1, 1], [1, 1]], ZERO))
    assert "a: equivalent to 1 of 1 other; no pair undecided" in alike
    nothing = np.full((3, 3), NAN)
    assert "no pair was compared" in texts(plot.verdict_matrix(["a", "b", "c"], nothing, nothing, nothing))
