"""What a person sees at each width: one set of probabilities, tables that scroll, scores, files, colours."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.plot.style import MODELS
from ropewalk.report import Report, frames
from ropewalk.results.formatting import interval, score

Visitor = Callable[..., Any]
WIDTHS = (390, 768, 1440)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.few(3)
def test_nothing_is_wider_than_the_screen(
    visit: Visitor, over_tasks: Report, width: int, scheme: str
) -> None:
    """Also with everything opened; what is wider scrolls by itself, and a line above it says so."""
    seen = visit(over_tasks, width=width, scheme=scheme)
    seen.js("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    seen.move("threshold", 0.9)
    assert seen.js("() => document.documentElement.scrollWidth") == width
    tables = seen.js(
        "() => [...document.querySelectorAll('.scroll')].filter((n) => n.clientWidth).map((n) => {"
        " const line = n.previousElementSibling;"
        " return [n.scrollWidth > n.clientWidth + 1, n.classList.contains('cut-right'), n.tabIndex,"
        "         Boolean(line && line.classList.contains('hint') && !line.hidden)]; })"
    )
    assert all(row == ([True, True, 0, True] if row[0] else [False, False, -1, False]) for row in tables)
    assert any(row[0] for row in tables) == (width < 1440)


def test_the_hint_follows_the_scrolling(visit: Visitor, over_tasks: Report) -> None:
    seen = visit(over_tasks, width=390)
    holder = seen.page.locator("#models-table")
    assert "cut-left" not in str(holder.get_attribute("class"))
    holder.focus()
    seen.js("() => { const n = document.getElementById('models-table'); n.scrollLeft = n.scrollWidth; }")
    seen.page.wait_for_function("() => document.querySelector('#models-table.cut-left:not(.cut-right)')")


def test_a_wide_screen_is_used(visit: Visitor, outcomes: dict[str, list[float]]) -> None:
    page = visit(rw.compare(outcomes, rope=0.01), width=1440).page
    plot, bars = page.locator("#picture").bounding_box(), page.locator("#bars").bounding_box()
    assert plot["x"] + plot["width"] < bars["x"]
    assert bars["x"] + bars["width"] > 1300


def test_there_is_one_set_of_probabilities_at_the_top(visit: Visitor, on_a_new_task: Report) -> None:
    """The three of the bars; the plot next to them has none of its own."""
    page = visit(on_a_new_task).page
    assert page.locator("#bars .number").count() == 3
    texts = page.locator("#picture svg text").all_text_contents()
    assert not [text for text in texts if re.fullmatch(r"[<>]?[01]\.\d+", text.strip())]


@pytest.mark.parametrize(("width", "most"), [(390, 80), (768, 80), (1440, 48)])
def test_the_bar_that_stays_in_sight_is_low(
    visit: Visitor, over_tasks: Report, width: int, most: int
) -> None:
    page = visit(over_tasks, width=width).page
    page.locator("#tasks-table tbody tr").last.scroll_into_view_if_needed()
    box = page.locator(".controls").bounding_box()
    assert 0 <= box["y"] < 10
    assert box["height"] <= most


def test_the_leaderboard_has_numbers_and_an_axis(visit: Visitor, over_tasks: Report) -> None:
    page = visit(over_tasks).page
    rows = page.locator("#models-table tbody tr")
    for i, m in enumerate(over_tasks.models):
        cells = rows.nth(i).locator("td").all_inner_texts()
        assert cells[:2] == [score(m.mean), interval(m.low, m.high)]
    ticks = page.locator("#models-table tfoot svg text").all_text_contents()
    assert len(ticks) >= 2
    assert all(float(x) for x in ticks)


def test_verdicts_come_before_the_list_of_tasks(visit: Visitor, over_tasks: Report) -> None:
    page = visit(over_tasks).page
    said = page.locator("#tally").inner_text()
    assert said.startswith("Verdicts on 54 tasks, each task on its own:")
    assert sum(map(int, re.findall(r" on (\d+)\b(?! tasks)", said))) == 54
    assert page.locator("#tally").bounding_box()["y"] < page.locator("#forest").bounding_box()["y"]


def test_scores_of_every_task(visit: Visitor, over_tasks: Report) -> None:
    page = visit(over_tasks).page
    assert page.locator("#scores-table table").count() == 0  # made when it is looked at
    page.locator("#scores summary").click()
    page.wait_for_selector("#scores-table table")
    table = over_tasks.by_task
    assert table is not None
    rows = page.locator("#scores-table tbody tr")
    assert rows.count() == len(table.tasks)
    for i in (0, 17, 53):
        cells = rows.nth(i).locator("td")
        assert cells.all_inner_texts() == [score(x) for x in table.values[i]]
        bold = [cells.nth(j).locator(".best").count() == 1 for j in range(len(table.models))]
        assert bold == table.best[i].tolist()
    assert page.locator("#scores-table tfoot td").all_inner_texts()[1:] == [score(x) for x in table.mean]


def test_files_can_be_saved(visit: Visitor, over_tasks: Report, tmp_path: Path) -> None:
    page = visit(over_tasks).page
    found = {}
    for button in page.locator("#files button").all():
        with page.expect_download() as waiting:
            button.click()
        waiting.value.save_as(tmp_path / "file")
        found[waiting.value.suggested_filename] = (tmp_path / "file").read_text(encoding="utf-8")
    assert list(found) == ["comparisons.csv", "models.csv", "scores.csv", "references.bib"]
    assert found["comparisons.csv"] == frames.to_csv(frames.comparisons(over_tasks))
    assert found["scores.csv"] == frames.to_csv(frames.scores(over_tasks))
    assert found["references.bib"].startswith("@")


def test_a_model_has_one_colour_everywhere(visit: Visitor) -> None:
    """That of its place on the leaderboard, on the page and on plots."""
    from ropewalk.plot.regions import regions

    rng = np.random.default_rng(0)
    report = rw.compare({f"m{i}": rng.normal(i, 1, 30) for i in range(11)}, rope=0.1)
    place = {m.name: i for i, m in enumerate(report.models)}
    for c in report.comparisons:
        own = {r.model: r.tint for r in regions(c) if r.model}
        later = max(place[c.a], place[c.b])
        clash = (place[c.a] - place[c.b]) % 8 == 0
        assert own == {
            name: MODELS[(place[name] + (clash and place[name] == later)) % 8] for name in (c.a, c.b)
        }
    seen = visit(report)
    for i, tint in enumerate(MODELS):
        values = seen.js(
            "(i) => ['', '-ink'].map((s) => getComputedStyle(document.documentElement)"
            ".getPropertyValue(`--m${i}${s}`).trim())",
            i,
        )
        assert values == [tint.fill, tint.ink]
    tints = seen.js("() => window.ropewalk.data.pairs.map((c) => c.tint)")
    assert tints == [list(c.colours) for c in report.comparisons]


@pytest.fixture
def three_models_on_twelve_tasks() -> Report:
    rng = np.random.default_rng(3)
    frame = pd.DataFrame(
        {"task": np.repeat([f"t{i}" for i in range(12)], 10), "fold": np.tile(np.arange(10), 12)}
    )
    level = np.repeat(rng.uniform(0.6, 0.9, 12), 10)
    for i, m in enumerate("abc"):
        frame[m] = level + 0.01 * i + rng.normal(0, 0.02, 120)
    return rw.compare(frame, rope=0.01, higher_is_better=True)


def test_tasks_are_decoded_when_their_pair_is_looked_at(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch, three_models_on_twelve_tasks: Report
) -> None:
    """The counts in the table of pairs come with the page until a slider moves."""
    from ropewalk.report.html import tasks

    monkeypatch.setattr(tasks, "_FULL", 20)
    spy = "window.decoded = new Set(); const old = atob; window.atob = (x) => (decoded.add(x), old(x));"
    seen = visit(three_models_on_twelve_tasks, before=spy)
    opened = "() => window.ropewalk.data.each.map((found) => window.decoded.has(found.packed.f))"
    focus = seen.js("() => Number(document.getElementById('focus').value)")
    assert seen.js(opened) == [k == focus for k in range(3)]
    counts = "() => [...document.querySelectorAll('#pairs-table tbody tr')].map((row) => row.innerText)"
    before = seen.js(counts)
    other = (focus + 1) % 3
    seen.page.select_option("#focus", str(other))
    assert seen.js(opened) == [k in (focus, other) for k in range(3)]
    seen.move("rope", 40)
    assert seen.js(opened) == [True] * 3
    seen.move("rope", 20)
    assert seen.js(counts) == before


def test_tasks_beyond_the_limit_are_counted(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch, three_models_on_twelve_tasks: Report
) -> None:
    """Oracle: the verdicts in the report; the tasks of the last pair are not sent."""
    from ropewalk.report.html import tasks

    monkeypatch.setattr(tasks, "_FULL", 20)
    monkeypatch.setattr(tasks, "_MOST", 20)
    report = three_models_on_twelve_tasks
    seen = visit(report)
    assert seen.js("() => window.ropewalk.data.each.map((found) => found.count)") == [12, 8, 0]
    found = seen.js("() => window.ropewalk.data.pairs.map((c) => c.tally)")
    assert found == [
        [
            sum((t.a, t.b, t.verdict.name) == (c.a, c.b, name) for t in report.comparisons)
            for name in ("better", "equivalent", "worse", "undecided")
        ]
        for c in report.overall
    ]
    seen.move("rope", 40)
    assert "The counts of tasks are as computed" in seen.page.locator("#pairs-note").inner_text()


def test_many_tasks_are_sent_packed_and_expanded_when_looked_at(
    visit: Visitor, monkeypatch: pytest.MonkeyPatch, three_models_on_twelve_tasks: Report
) -> None:
    from ropewalk.report.html import tasks

    from .test_page import by_pair, python

    monkeypatch.setattr(tasks, "_FULL", 20)
    report = three_models_on_twelve_tasks
    seen = visit(report)
    assert seen.js("() => window.ropewalk.data.each.every((found) => found.packed)")
    for k in (0, 9, 20, 47, 100):
        shown = seen.js("(k) => window.ropewalk.tasks().map((c) => window.ropewalk.probabilities(c, k))", k)
        want = [python(c, k) for c in by_pair(report)]
        assert np.allclose(shown, want, atol=1e-3)
    estimates = seen.js("() => window.ropewalk.tasks().map((c) => [c.adv, ...c.est.slice(1), c.tests[0][1]])")
    wanted = [
        [t.advantage, t.estimate.mean, t.estimate.low, t.estimate.high, t.classical[0].p_value]
        for t in by_pair(report)
    ]
    assert np.allclose(estimates, wanted, atol=2e-5, rtol=1e-4)
    seen.page.locator("#tasks-table .opener").first.click()
    assert seen.page.locator("#tasks-table .panel svg").count() == 1
    assert "within 0.002" in seen.page.locator("footer").inner_text()


LONG = (
    "meta-llama/Llama-3.1-8B-Instruct-finetuned-on-support-lr3e-5",
    "a_name_without_a_break_that_goes_on_and_on_v17",
)


@pytest.mark.parametrize("width", [390, 1440])
def test_labels_of_an_axis_neither_overlap_nor_leave_the_plot(visit: Visitor, width: int) -> None:
    rng = np.random.default_rng(0)
    rows = [(t, i, m, int(x)) for m in LONG for t in range(4) for i, x in enumerate(rng.integers(0, 2, 30))]
    report = rw.compare(pd.DataFrame(rows, columns=["task", "id", "model", "correct"]))
    seen = visit(report, width=width)
    for plot in ("#picture", "#forest"):
        boxes = seen.js(
            "(plot) => { const all = document.querySelector(plot + ' svg').getBoundingClientRect();"
            " return [...document.querySelectorAll(plot + ' .end, ' + plot + ' .axis ~ .tick')].map((n) => {"
            " const b = n.getBoundingClientRect();"
            " return [b.left - all.left, b.right - all.right, b.top, b.bottom, b.left, b.right]; }); }",
            plot,
        )
        assert len(boxes) >= 4
        assert all(left > -1 and right < 1 for left, right, *_ in boxes)
        for i, (*_, top, bottom, left, right) in enumerate(boxes):
            for *_, top_2, bottom_2, left_2, right_2 in boxes[i + 1 :]:
                apart = min(right, right_2) - max(left, left_2) <= 0
                assert apart or min(bottom, bottom_2) - max(top, top_2) < 4


def test_bars_as_computed_are_as_long_as_their_numbers(
    visit: Visitor, outcomes: dict[str, list[float]]
) -> None:
    seen = visit(rw.compare(outcomes, rope=0.01))
    seen.js("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
    found = seen.js(
        "() => [...document.querySelectorAll('.plain-bar')].map((n) => ["
        " n.lastChild.getBoundingClientRect().width / n.getBoundingClientRect().width,"
        " Number(n.closest('tr').lastChild.textContent)])"
    )
    assert len(found) == 3
    for drawn, said in found:
        assert drawn == pytest.approx(said, abs=0.01)


def test_names_from_right_to_left_leave_the_numbers_in_order(visit: Visitor) -> None:
    rng = np.random.default_rng(0)
    names = ["\u0646\u0645\u0648\u0630\u062c \u062c", "model B"]  # an Arabic name
    report = rw.compare({name: rng.integers(0, 2, 60) for name in names})
    seen = visit(report)
    facts = seen.page.locator("#why .facts dd").all_inner_texts()
    assert any(f"\u2068{names[0]}\u2069 0.5" in text for text in facts)
    assert "\u2068" not in seen.js("() => ropewalk.data.files['comparisons.csv']")


def test_a_printed_page_has_the_scores_of_every_task(visit: Visitor, over_tasks: Report) -> None:
    seen = visit(over_tasks)
    seen.js("() => dispatchEvent(new Event('beforeprint'))")
    assert seen.page.locator("#scores-table tbody tr").count() == 54


def test_what_would_decide_is_said_until_a_slider_moves(visit: Visitor) -> None:
    scores = {"a": [1] * 60 + [0] * 40, "b": [1] * 50 + [0] * 20 + [1] * 12 + [0] * 18}
    seen = visit(rw.compare(scores, rope=0.01))
    line = seen.page.locator(".next")
    assert "more examples would give an 80% chance of a verdict." in line.inner_text()
    seen.move("threshold", 0.9)
    assert not line.is_visible()
