"""The colours."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from matplotlib.colors import to_rgb

from ropewalk.plot.style import BETTER, DATA, EQUIVALENT, INK, QUIET, WORSE

# Machado, Oliveira & Fernandes 2009, doi:10.1109/TVCG.2009.113, severity 1: linear RGB -> linear RGB.
_BLIND = {
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    "none": np.eye(3),
}
_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def linear(colour):
    rgb = np.array(to_rgb(colour))
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(colour, matrix):
    """CIE L*a*b* of a colour as somebody with this matrix sees it."""
    xyz = _XYZ @ np.clip(np.asarray(matrix) @ linear(colour), 0, 1) / (_XYZ @ np.ones(3))
    f = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("kind", _BLIND)
@pytest.mark.parametrize("part", ["fill", "ink"])
def test_the_three_regions_are_told_apart_by_everybody(kind, part):
    """A distance of 2.3 is just noticeable; ten times that is clear."""
    colours = [lab(getattr(tint, part), _BLIND[kind]) for tint in (BETTER, EQUIVALENT, WORSE)]
    for one, other in itertools.combinations(colours, 2):
        assert np.linalg.norm(one - other) > 20


@pytest.mark.parametrize("colour", [BETTER.ink, EQUIVALENT.ink, WORSE.ink, DATA.ink, INK, QUIET])
def test_words_are_dark_enough_on_white(colour):
    """WCAG 2, level AA: a contrast of 4.5 for small letters."""
    assert 1.05 / (_XYZ[1] @ linear(colour) + 0.05) >= 4.5
