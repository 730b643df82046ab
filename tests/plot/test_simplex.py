"""The picture of the three probabilities as a point in a triangle."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.colors import to_hex

import ropewalk as rw
from ropewalk import plot
from ropewalk.errors import MethodError
from ropewalk.plot.regions import left_to_right
from ropewalk.plot.style import BETTER, EQUIVALENT, WORSE
from ropewalk.results import formatting

HALF = np.sqrt(0.75)


def theta(comparison):
    return getattr(comparison.evidence, "next_task", comparison.posterior)


def corners(figure):
    """Left, top and right corner of the triangle."""
    around = next(line for line in figure.axes[0].lines if len(line.get_xdata()) == 4)
    return around.get_xydata()[:3]


@pytest.mark.parametrize("name", ["tasks", "tasks on phi", "sign", "signed rank"])
def test_the_triangle_has_equal_sides_and_the_cross_is_the_mean(case, drawn, name):
    comparison = case(name)
    figure = drawn(name, "simplex")
    at = corners(figure)
    sides = [np.linalg.norm(at[i] - at[i - 1]) for i in range(3)]
    assert sides == pytest.approx([sides[0]] * 3)
    cross = next(line for line in figure.axes[0].lines if line.get_marker() == "+")
    mean = [getattr(theta(comparison).mean, region.name) for region in left_to_right(comparison)]
    assert list(cross.get_xydata()[0]) == pytest.approx(list(mean @ at))


@pytest.mark.parametrize("name", ["tasks", "tasks on phi", "sign"])
def test_at_each_corner_stands_how_probable_its_area_is(case, drawn, name):
    comparison = case(name)
    figure = drawn(name, "simplex")
    most = theta(comparison).most_probable
    of_a, of_b = (BETTER, WORSE) if comparison.leads_a else (WORSE, BETTER)
    tints = {"better": of_a, "equivalent": EQUIVALENT, "worse": of_b}
    xs = []
    for region in left_to_right(comparison):
        mine = [note for note in figure.axes[0].texts if note.get_color() == tints[region.name].ink]
        texts = {note.get_text().replace("\n", " "): note.xy[0] for note in mine}
        assert any(text.startswith(region.who) for text in texts)
        xs.append(texts[formatting.probability(getattr(most, region.name))])
    assert xs == sorted(xs)


def test_lines_part_the_areas_where_a_region_is_the_most_probable(drawn):
    """From the middle, where all three are 1/3, to where two are 1/2 and the third 0."""
    figure = drawn("sign", "simplex")
    at = corners(figure)
    parts = [line.get_xydata() for line in figure.axes[0].lines if len(line.get_xdata()) == 2]
    assert len(parts) == 3
    middles = {tuple(np.round(0.5 * (at[i] + at[i - 1]), 6)) for i in range(3)}
    assert all(tuple(part[0]) == pytest.approx(tuple(at.mean(axis=0))) for part in parts)
    assert {tuple(np.round(part[1], 6)) for part in parts} == middles


def test_the_shading_has_the_colours_of_the_regions(drawn):
    filled = drawn("sign", "simplex").axes[0].collections
    fills = {to_hex(c) for group in filled for c in group.get_facecolors()}
    assert {BETTER.fill, EQUIVALENT.fill, WORSE.fill} <= fills
    assert len(fills) == 9


def test_both_readings_are_written(case, drawn, texts):
    comparison = case("tasks on phi")
    mean, most = comparison.evidence.next_task.mean, comparison.evidence.next_task.most_probable
    words_ = texts(drawn("tasks on phi", "simplex"))
    small = next(word for word in words_ if word.startswith("6 tasks"))
    said = " ".join(words_).replace("\n", " ")
    for p in (mean.better, mean.equivalent, mean.worse):
        assert f"mean (cross) {formatting.probability(p)}" in said
    assert "cross: mean of the posterior" in small
    assert "each point: the three probabilities on the next task" in small
    assert f"Most probable outcome on the next task: practically equivalent ({most.equivalent:.2f})" in words_


def test_the_title_is_the_verdict_where_it_reads_the_same(drawn, texts):
    assert "Undecided: svm better 0.55, forest better 0.44 (likeliest on a new task)" in texts(
        drawn("tasks", "simplex")
    )
    assert "forest better than svm with probability 0.98 (likeliest on a new task)" in texts(
        drawn("sign", "simplex")
    )


def test_nbc_against_aode(folds_path, texts):
    """Benavoli et al. 2017, Table 12 has 0.00 / 0.28 / 0.72 with other bounds of the prior; with those of
    its text, which are the default, an independent grid gives 0.00 / 0.37 / 0.63."""
    (overall,) = rw.compare(folds_path, pairs=[("nbc", "aode")], method="hierarchical_t").overall
    figure = plot.simplex(overall)
    assert {"<0.01", "0.37", "0.63"} <= set(texts(figure))


def test_one_number_has_no_triangle(drawn):
    with pytest.raises(
        MethodError, match=r"^t has no posterior of the three probabilities: there is no triangle"
    ) as error:
        drawn("better", "simplex")
    assert "signed_rank and sign have one" in error.value.hint
    with pytest.raises(MethodError, match=r"^poisson_binomial has no posterior of the three probabilities"):
        drawn("tasks by poisson_binomial", "simplex")
