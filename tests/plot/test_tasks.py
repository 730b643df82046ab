"""The small pictures of all tasks."""

from __future__ import annotations

import importlib
from itertools import pairwise

import numpy as np
import pytest
from matplotlib.colors import to_hex

from ropewalk import plot
from ropewalk.plot import fonts, task_estimates
from ropewalk.plot.regions import left_to_right
from ropewalk.plot.style import LOOKS

module = importlib.import_module("ropewalk.plot.tasks")  # the package has the function under this name


def names(figure, starts):
    """The names of tasks with their places, in reading order."""
    notes = [note for note in figure.axes[0].texts if note.get_text().startswith(starts)]
    return sorted(notes, key=lambda note: (-round(note.xy[1], 4), note.xy[0]))


@pytest.mark.parametrize("name", ["tasks", "tasks on phi"])
def test_every_task_has_a_cell_in_order_in_the_colour_of_its_region(case, drawn, name):
    comparison = case(name)
    found = task_estimates.tasks(comparison.evidence, range(6))
    three = left_to_right(comparison)
    notes = names(drawn(name, "tasks"), tuple(task for task, _ in found))
    assert [note.get_text() for note in notes] == [task for task, _ in found]
    assert [note.get_color() for note in notes] == [one.dominant(three).tint.ink for _, one in found]


@pytest.mark.parametrize("i", range(6))
def test_the_areas_are_as_the_probabilities(case, drawn, i):
    comparison = case("tasks on phi")
    ax = drawn("tasks on phi", "tasks").axes[0]
    cells = module.Cells.of(6, ax.get_xlim()[1], LOOKS["screen"])
    (left, top), three = cells.corner(i), left_to_right(comparison)

    def area(colour):
        """Of the filled shapes of a colour in the cell."""
        total = 0.0
        for group in (g for g in ax.collections if colour in [to_hex(c) for c in g.get_facecolor()]):
            for v in (path.vertices for path in group.get_paths()):
                inside = (v[:, 0] >= left - 1e-6) & (v[:, 0] <= left + cells.width + 1e-6)
                if np.all(inside & (v[:, 1] > top) & (v[:, 1] < top + cells.pitch)):
                    total += 0.5 * abs(np.sum(v[:-1, 0] * v[1:, 1] - v[1:, 0] * v[:-1, 1]))
        return total

    areas = [area(region.tint.fill) for region in three]
    _, one = task_estimates.tasks(comparison.evidence, range(6))[i]
    assert np.array(areas) / sum(areas) == pytest.approx(one.probabilities(three), abs=0.02)


def test_the_title_and_the_header_are_the_verdict(drawn, texts):
    words = texts(drawn("tasks", "tasks"))
    assert "Undecided: svm better 0.55, forest better 0.44 (likeliest on a new task)" in words
    assert {"0.55", "0.44", "0.01"} <= set(words)
    assert any("estimates from all tasks together" in word for word in words)


def test_of_many_tasks_the_best_and_the_worst_are_drawn(case, drawn, texts):
    figure = drawn("200 tasks", "tasks")
    assert len(names(figure, "mmlu")) == 60
    words = texts(figure)
    assert any("the 30 best and the 30 worst, 140 more between them" in word for word in words)
    evidence = case("200 tasks").evidence
    order = task_estimates.ranked(evidence)
    ends = {evidence.names[i].rpartition("_")[2] for i in order[:30] + order[-30:]}
    assert {note.get_text().rpartition("_")[2] for note in names(figure, "mmlu")} == ends


def test_a_task_far_outside_is_an_arrow_with_its_mean(counted_over, texts):
    """Of twelve tasks one is far from the others: it does not push their shapes together."""
    tasks = {f"task {i}": (100, 500 + 5 * i, 520, 2_000) for i in range(11)} | {"far": (100, 950, 50, 2_000)}
    words = texts(plot.tasks(counted_over(tasks)))
    arrow = next(word for word in words if word.endswith("→") and word[0].isdigit())
    assert float(arrow[:-2]) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize("style", ["screen", "paper"])
@pytest.mark.parametrize("n", [2, 3, 4, 7, 11, 20, 54, 60])
def test_the_cells_fill_the_page(n, style):
    sizes = LOOKS[style]
    wide = sizes.width * 72 - 2 * sizes.side
    cells = module.Cells.of(n, wide, sizes)
    assert cells.rows * cells.columns >= n > (cells.rows - 1) * cells.columns
    assert cells.columns * cells.width + (cells.columns - 1) * cells.gap == pytest.approx(wide)
    places = [cells.corner(i) for i in range(n)]
    assert len(set(places)) == n
    assert max(x for x, _ in places) + cells.width <= wide + 1e-9
    assert max(y for _, y in places) + cells.pitch == pytest.approx(cells.height)
    assert cells.height < {"screen": 600, "paper": 560}[style]


def test_54_tasks_are_six_columns_of_nine():
    cells = module.Cells.of(54, 478.0, LOOKS["screen"])
    assert (cells.columns, cells.rows) == (6, 9)


@pytest.mark.parametrize("ends", [(-0.056, 0.086), (0.05, 0.95), (-7.3, 4.2), (-1e-8, 5e-8), (-2e4, 9e4)])
@pytest.mark.parametrize("wide", [48.0, 64.0, 150.0])
def test_the_numbers_of_the_small_axes_are_true_and_apart(ends, wide):
    marks = module._marks(wide, 8.5, ends, signed=True)
    spans = []
    for tick, middle, label in marks:
        value = float(label.replace("−", "-").replace(",", ""))
        assert tick == pytest.approx(wide * (value - ends[0]) / (ends[1] - ends[0]), abs=0.01 * wide)
        half = fonts.width(label, 8.5) / 2
        assert abs(middle - tick) <= half
        spans.append((middle - half, middle + half))
    assert all(one[1] < other[0] for one, other in pairwise(spans))
    assert not spans or (spans[0][0] >= -1e-9 and spans[-1][1] <= wide + 1e-9)
    assert wide < 60 or len(marks) >= 1
