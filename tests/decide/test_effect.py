"""Effect sizes and their labels: the figures of Williams 2026, and the edges."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.decide import (
    cohens_d,
    cohens_g,
    cohens_h,
)
from ropewalk.errors import CellError
from ropewalk.sums import Sums


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (0.0, "negligible"),
        (0.19, "negligible"),
        (0.2, "small"),
        (-0.5, "medium"),
        (0.79, "medium"),
        (0.8, "large"),
    ],
)
def test_cohens_d_labels(value: float, label: str) -> None:
    effect = cohens_d(Sums(n=11, mean=value, m2=10.0))
    assert (effect.value, effect.label) == (pytest.approx(value), label)


def test_on_the_edge_of_medium_the_order_of_the_units_does_not_matter() -> None:
    """m/s = 1/2 on paper; in one of these orders it comes out as 0.49999999999999994."""
    for place in range(4):
        d = np.zeros(4)
        d[place] = 0.844
        assert cohens_d(d).label == "medium"
        assert cohens_d(-d).label == "medium"


def test_effect_sizes_of_williams() -> None:
    assert cohens_d(Sums(n=176, mean=0.066, m2=175.0)).label == "negligible"
    assert cohens_d(Sums(n=176, mean=0.53, m2=175.0)).label == "medium"


def test_effects_without_spread_or_disagreement() -> None:
    assert cohens_d([0.0, 0.0]).value == 0.0
    assert cohens_d([0.1, 0.1]).value == np.inf
    assert cohens_d([-0.1, -0.1]).value == -np.inf
    assert cohens_g(0, 0).value == 0.0
    assert cohens_g(3, 1).value == 0.25
    assert cohens_g(3, 1).label == "large"


def test_cohens_h_by_hand() -> None:
    # asin √0.75 = π/3 and asin √0.5 = π/4: h = 2(π/3 - π/4) = π/6.
    assert cohens_h(0.75, 0.5).value == pytest.approx(np.pi / 6, rel=1e-12)
    assert cohens_h(0.5, 0.75).value == -cohens_h(0.75, 0.5).value
    assert (cohens_h(0.5, 0.5).label, cohens_h(1.0, 0.0).label) == ("negligible", "large")


def test_cohens_d_is_the_mean_over_the_standard_deviation() -> None:
    assert cohens_d([2.0, 4.0, 9.0]).value == pytest.approx(5 / np.sqrt(13), rel=1e-12)


@pytest.mark.parametrize(
    ("h", "label"),
    [(0.19, "negligible"), (0.21, "small"), (0.51, "medium"), (0.79, "medium"), (0.81, "large")],
)
def test_the_labels_of_cohens_h(h: float, label: str) -> None:
    """From a = 1/2, asin √a = π/4: the b whose h is asked for."""
    b = float(np.sin(np.pi / 4 - h / 2) ** 2)
    assert cohens_h(0.5, b).value == pytest.approx(h, rel=1e-12)
    assert cohens_h(0.5, b).label == label


@pytest.mark.parametrize("bad", [-0.1, 1.1, float("nan"), "half", None])
def test_cohens_h_of_what_is_no_share(bad: object) -> None:
    with pytest.raises(CellError, match=f"b is {bad}\n\n  Cohen's h needs proportions between 0 and 1"):
        cohens_h(0.5, bad)  # type: ignore[arg-type]
    with pytest.raises(CellError, match=f"a is {bad}"):
        cohens_h(bad, 0.5)  # type: ignore[arg-type]


def test_the_side_that_an_effect_size_favors() -> None:
    """Cohen's g counts the mistakes of A, so its sign is the other way round."""
    assert cohens_d([0.1, 0.3]).favors_a is True
    assert cohens_h(0.5, 0.7).favors_a is False
    assert cohens_g(3, 9).favors_a is True
    assert cohens_g(9, 3).favors_a is False
    assert cohens_g(4, 4).favors_a is None
