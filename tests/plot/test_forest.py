"""The forest plot."""

from __future__ import annotations

import importlib

import pytest
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex
from matplotlib.patches import Polygon

from ropewalk import plot
from ropewalk.plot import task_estimates
from ropewalk.plot.style import BETTER, EQUIVALENT, HAIR, INK, WORSE

module = importlib.import_module("ropewalk.plot.forest")  # the package has the function under this name


def segments(figure, colour):
    """The horizontal lines of a colour: (height, start, end) of each."""
    groups = [g for g in figure.axes[0].collections if isinstance(g, LineCollection)]
    lines = [g for g in groups if to_hex(g.get_colors()[0]) == colour]
    return [(s[0, 1], s[0, 0], s[1, 0]) for group in lines for s in group.get_segments()]


def dots(figure, colour):
    lines = [line for line in figure.axes[0].lines if line.get_marker() == "o" and line.get_color() == colour]
    return [tuple(p) for line in lines for p in line.get_xydata()]


@pytest.mark.parametrize("name", ["tasks", "tasks on phi"])
def test_every_task_has_a_row_with_both_of_its_intervals(case, drawn, name):
    comparison = case(name)
    figure = drawn(name, "forest")
    found = task_estimates.tasks(comparison.evidence, range(6))
    thin = sorted(segments(figure, HAIR), reverse=True)
    thick = [s for tint in (BETTER, EQUIVALENT, WORSE) for s in segments(figure, tint.fill)]
    means = sorted((y, x) for x, y in dots(figure, INK))[-6:][::-1]
    for (_, one), (height, *own), (y, mean) in zip(found, thin, means, strict=True):
        assert own == pytest.approx(one.own[1:])
        assert (y, mean) == pytest.approx((height, one.mean))
        row = [s for s in thick if s[0] == height]
        assert (min(s[1] for s in row), max(s[2] for s in row)) == pytest.approx((one.low, one.high))
        assert sum(s[2] - s[1] for s in row) == pytest.approx(one.high - one.low)  # split at the ROPE, no gap


def test_names_stand_beside_their_rows(drawn):
    figure = drawn("tasks", "forest")
    notes = {note.get_text(): note.xy[1] for note in figure.axes[0].texts}
    heights = [notes[name] for name in ("yeast", "wine", "sonar", "iris", "glass", "credit")]
    heights += [notes["mean over tasks"], notes["the next task"]]
    assert heights == sorted(heights, reverse=True)


def test_all_tasks_together(case, drawn, texts):
    """The mean over tasks is what was estimated; the next task is the posterior."""
    comparison = case("tasks")
    figure = drawn("tasks", "forest")
    (diamond,) = (p for p in figure.axes[0].patches if isinstance(p, Polygon) and len(p.get_xy()) == 5)
    e = comparison.estimate
    assert list(diamond.get_xy()[:3, 0]) == [e.low, e.mean, e.high]
    bar = next(line for line in figure.axes[0].lines if line.get_linewidth() == 2 * 1.4)
    assert list(bar.get_xdata()) == pytest.approx(comparison.posterior.interval(0.95))
    assert "mean over tasks" not in texts(drawn("tasks on phi", "forest"))


def test_on_the_accuracy_scale_the_posterior_is_that_of_the_mean(case, drawn):
    """Oracle: the fitted model, whose next task is wider than the mean over tasks."""
    comparison = case("tasks by accuracy")
    axes = drawn("tasks by accuracy", "forest").axes[0]
    (diamond,) = (p for p in axes.patches if isinstance(p, Polygon) and len(p.get_xy()) == 5)
    e = comparison.estimate
    assert list(diamond.get_xy()[:3, 0]) == [e.low, e.mean, e.high]
    bar = next(line for line in axes.lines if line.get_linewidth() == 2 * 1.4)
    low, high = comparison.evidence.fitted.next.interval(0.95)
    assert list(bar.get_xdata()) == pytest.approx([low, high])
    assert low < e.low < e.high < high


def test_the_header_and_the_title_are_the_verdict(drawn, texts):
    words = texts(drawn("tasks", "forest"))
    assert {"0.55", "0.44", "0.01"} <= set(words)
    assert "Undecided: svm better 0.55, forest better 0.44 (likeliest on a new task)" in words
    start = "6 tasks · accuracy · method: hierarchical Bayesian t-test"
    small = next(word for word in words if word.startswith(start))
    assert "circle and line: estimate from the task alone" in small
    assert "named" not in small
    assert "drawn" not in small


def test_what_goes_on_beyond_the_axis_ends_in_an_arrow(counted_over):
    """By itself a task with three disagreements says nearly nothing: from 0.07 to 0.81 or so."""
    tasks = {f"task {i}": (100, 500 + 10 * i, 520, 2_000) for i in range(4)} | {"small": (5, 1, 2, 9)}
    comparison = counted_over(tasks)
    figure = plot.forest(comparison)
    low, high = figure.axes[0].get_xlim()
    found = [task_estimates.task(comparison.evidence.fitted, i) for i in range(5)]
    cut = sum(one.own[1] < low for one in found) + sum(one.own[2] > high for one in found)
    heads = [line for line in figure.axes[0].lines if line.get_marker() in ("<", ">")]
    assert sum(len(line.get_xdata()) for line in heads) == cut == 2
    assert low < min(one.low for one in found)
    assert high > max(one.high for one in found)


@pytest.mark.parametrize("style", ["screen", "paper"])
def test_54_tasks_are_all_named_and_fit_on_a_page(drawn, texts, style):
    figure = drawn("54 tasks", "forest", style)
    assert {f"mmlu_subject_{i + 1}" for i in range(54)} <= set(texts(figure))
    assert figure.get_size_inches()[1] < {"screen": 12, "paper": 9.5}[style]


@pytest.mark.parametrize("style", ["screen", "paper"])
@pytest.mark.few(1)
def test_of_200_tasks_all_are_drawn_and_some_are_named(drawn, texts, style):
    figure = drawn("200 tasks", "forest", style)
    assert len(segments(figure, HAIR)) == 200
    words = texts(figure)
    assert sum(word.startswith("mmlu_subject") for word in words) == 50
    assert any("200 tasks" in word and "every 4th task named" in word for word in words)
    assert figure.get_size_inches()[1] < {"screen": 12, "paper": 9.5}[style]


def test_of_more_tasks_some_are_drawn(case, texts, monkeypatch):
    monkeypatch.setattr(module, "_MOST", 20)
    figure = plot.forest(case("54 tasks"))
    assert len(segments(figure, HAIR)) == 20
    assert any("20 of them shown, spread evenly from best to worst" in word for word in texts(figure))
    evidence = case("54 tasks").evidence
    order = task_estimates.ranked(evidence)
    assert {evidence.names[order[0]], evidence.names[order[-1]]} <= set(texts(figure))


def test_long_names_give_way_in_the_middle(drawn, texts):
    words = texts(drawn("long names of tasks", "forest", "paper"))
    short = [word for word in words if word.startswith("bench") and "…" in word]
    assert {word[-1] for word in short} == set("012345")
