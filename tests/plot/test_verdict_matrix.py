"""Verdicts of all pairs: colours, words and the title."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ropewalk import plot
from ropewalk.plot import several_models
from ropewalk.plot.style import BAND, MODELS, Tint
from ropewalk.plot.verdict_matrix import VERDICTS, _colour, _ink
from tests.plot.boards import NAN, ZERO


def luminance(rgb: Any) -> Any:
    """Of sRGB."""
    c = np.asarray(rgb)
    return np.where(c <= 0.04045, c / 12.92, ((c + 0.055) / 1.055) ** 2.4) @ [0.2126, 0.7152, 0.0722]


def lightness(rgb: Any) -> Any:
    """CIE L*, what is left of a colour in print without colours."""
    y = luminance(rgb)
    return np.where(y > 0.008856, 116 * np.cbrt(y) - 16, 903.3 * y)


def contrast(one: str, other: str) -> float:
    """WCAG 2."""
    pale, dark = sorted([luminance(to_rgb(one)), luminance(to_rgb(other))], reverse=True)
    return float((pale + 0.05) / (dark + 0.05))


@pytest.mark.parametrize("tint", MODELS, ids=lambda tint: tint.ink)
def test_verdicts_are_told_apart_in_grey_print(tint: Tint) -> None:
    """A difference in lightness of 2.3 is just noticeable."""
    light = [lightness(to_rgb(_colour(verdict, tint, tint))) for verdict in VERDICTS]
    assert light == sorted(light)
    assert np.diff(light).min() > 6


def test_cells_of_tasks_are_told_apart_in_grey_print() -> None:
    light = [lightness(to_rgb(shade)) for shade in several_models.SHADES.values()]
    assert np.diff(light).min() > 8


@pytest.mark.parametrize("tint", MODELS, ids=lambda tint: tint.ink)
@pytest.mark.parametrize("verdict", VERDICTS)
def test_words_are_dark_or_pale_enough_for_their_cells(verdict: str, tint: Tint) -> None:
    """WCAG 2, level AA: a contrast of 4.5 for small letters."""
    assert contrast(_ink(verdict), _colour(verdict, tint, tint)) >= 4.5


def test_the_colour_is_that_of_the_better_model() -> None:
    better = [[0, 0.97, 0.5], [0.01, 0, 0.0], [0.1, 1.0, 0]]
    equivalent = [[1, 0.02, 0.4], [0.02, 1, 0.0], [0.4, 0.0, 1]]
    worse = [[0, 0.01, 0.1], [0.97, 0, 1.0], [0.5, 0.0, 0]]
    figure = plot.verdict_matrix(["a", "b", "c"], better, equivalent, worse)
    cells = figure.axes[0].collections[0].get_array()  # in the order a, c, b
    np.testing.assert_allclose(cells[0, 0], 1)
    np.testing.assert_allclose(cells[0, 2], to_rgb(MODELS[0].ink))  # a better than b
    np.testing.assert_allclose(cells[2, 0], to_rgb(MODELS[0].fill))  # b worse than a
    np.testing.assert_allclose(cells[1, 2], to_rgb(MODELS[2].ink))  # c better than b
    np.testing.assert_allclose(cells[0, 1], to_rgb(BAND))


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
    assert "No pair was compared" in texts(plot.verdict_matrix(["a", "b", "c"], nothing, nothing, nothing))
