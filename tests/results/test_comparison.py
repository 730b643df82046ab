"""The winner is named: headline, verdict and colour agree, wherever the model stands in the pair."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from matplotlib.colors import to_hex
from matplotlib.text import Text

import ropewalk as rw
from ropewalk.plot.regions import regions
from ropewalk.plot.style import BETTER, WORSE
from ropewalk.results import Report
from ropewalk.results.headline import headline

ORDERS = [("old", "new"), ("new", "old")]


def right_or_wrong() -> dict[str, np.ndarray]:
    """The first is the baseline; the second is right on 81 of the 101 examples on which they differ."""
    k = np.random.default_rng(0).permutation(np.repeat([0, 1, 2, 3], [100, 81, 20, 399]))
    return {"old": k // 2, "new": k % 2}


def on_tasks() -> pd.DataFrame:
    """New is better on eight tasks of nine, and clearly worse on the first."""
    rng = np.random.default_rng(1)
    rows = [
        (f"t{t}", m, f, 0.8 + (m == "new") * (-0.1 if t == 0 else 0.08) + float(rng.normal(0, 0.01)))
        for t in range(9)
        for m in ("old", "new")
        for f in range(10)
    ]
    return pd.DataFrame(rows, columns=["task", "model", "fold", "accuracy"])


def colours(report: Report) -> list[dict[str, str]]:
    """The colour of each model, in every comparison."""
    found = [*report.overall, *report.comparisons]
    return [{r.model: r.tint.ink for r in regions(c) if r.model} for c in found]


@pytest.mark.parametrize("order", ORDERS)
def test_text_names_the_winner_and_json_keeps_its_side(order: tuple[str, str]) -> None:
    report = rw.compare(right_or_wrong(), pairs=[order])
    text = report.to_text()
    assert "new is better than old." in text
    assert "Verdict: new better (probability " in text
    said = json.loads(report.to_json())["comparisons"][0]
    assert said["verdict"] == ("worse" if order == ("old", "new") else "better")
    assert said["winner"] == "new"


@pytest.mark.parametrize("order", ORDERS)
def test_the_model_that_is_ahead_has_the_first_colour(order: tuple[str, str]) -> None:
    report = rw.compare(right_or_wrong(), pairs=[order])
    assert colours(report) == [{"new": BETTER.ink, "old": WORSE.ink}]


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.few(1)
def test_on_every_task_a_model_has_the_same_colour(order: tuple[str, str]) -> None:
    report = rw.compare(on_tasks(), pairs=[order])
    assert [c.winner for c in report.comparisons] == ["old", *["new"] * 8]
    assert len(colours(report)) == 10
    assert all(found == {"new": BETTER.ink, "old": WORSE.ink} for found in colours(report))
    text = " ".join(report.to_text().split())
    assert "new better on 8" in text
    assert "old better on 1" in text


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.few(1)
def test_the_page_has_the_same_colours(order: tuple[str, str]) -> None:
    from ropewalk.report.html.data import of

    page = of(rw.compare(on_tasks(), pairs=[order]))
    assert (
        page["pairs"][0]["tint"]
        == page["each"][0]["same"]["tint"]
        == ([1, 0] if order[0] == "old" else [0, 1])
    )


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("kind", ["posterior", "hdi", "differences", "simplex", "forest", "next_task"])
@pytest.mark.few(4)
def test_on_a_plot_the_words_about_a_model_have_its_colour(kind: str, order: tuple[str, str]) -> None:
    """Its side of the ROPE is named in its colour, on the left as on the right; nothing else is."""
    answers = {"posterior": right_or_wrong, "differences": right_or_wrong}.get(kind, on_tasks)()
    report = rw.compare(answers, pairs=[order])
    (c,) = report.overall or report.comparisons
    figure = c.plot(kind)
    inks = {BETTER.ink: "new", WORSE.ink: "old"}
    named = {
        (inks[to_hex(t.get_color())], next(m for m in order if m in t.get_text()))
        for t in figure.findobj(Text)
        if to_hex(t.get_color()) in inks and any(m in t.get_text() for m in order)
    }
    assert named == {("new", "new"), ("old", "old")}


def test_the_winner_of_many_comes_first_with_the_first_colour_and_in_the_headline() -> None:
    """However the models are listed: sentence, table, leaderboard plot, verdicts and colours agree."""
    rng = np.random.default_rng(3)
    scores = {m: 0.6 + shift + 0.05 * rng.normal(size=80) for m, shift in (("c", 0), ("b", 0.1), ("a", 0.2))}
    for names in (("a", "b", "c"), ("c", "b", "a"), ("b", "c", "a")):
        report = rw.compare({m: scores[m] for m in names}, rho=0, higher_is_better=True)
        assert headline(report).startswith("a is the best of the 3 models")
        assert [m.name for m in report.models] == ["a", "b", "c"]
        assert report.board is not None
        labels = [t.get_text() for t in report.board.plot("score").findobj(Text)]
        assert [t for t in labels if t in scores] == ["a", "b", "c"]
        assert {c.winner for c in report.comparisons if "a" in (c.a, c.b)} == {"a"}
        places = {name: k for c in report.comparisons for name, k in zip((c.a, c.b), c.colours, strict=True)}
        assert places == {"a": 0, "b": 1, "c": 2}


def test_where_nobody_is_ahead_the_means_decide_and_then_the_order() -> None:
    same = rw.compare({"x": [0, 1, 1, 0, 1], "y": [0, 1, 1, 0, 1]}).comparisons[0]
    assert same.winner is None
    assert same.leads_a
    v = same.verdict  # as SciPy 1.12 rounds it
    rounded = replace(v, better=v.worse, worse=float(np.nextafter(v.worse, 1.0)))
    assert replace(same, leader="", verdict=rounded).leads_a


def test_the_reference_is_named() -> None:
    report = rw.compare(right_or_wrong(), reference="old")
    assert report.to_text().strip().startswith("new is better than old (the reference).")
    assert '"called":"{name} (the reference)"' in report.to_html()


def test_a_plan_is_drawn_in_the_same_colours() -> None:
    data = {m: x[:60] for m, x in right_or_wrong().items()}
    for order in ORDERS:
        (pair,) = rw.plan(data, pairs=[order], threshold=0.9999, draws=200).pairs
        assert pair.leads_a == (order[0] == "new")
