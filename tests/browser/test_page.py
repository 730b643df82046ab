"""The page in Chromium: it says what Python says wherever the sliders stand, and names stay names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.decide import in_scores, probabilities
from ropewalk.methods.method import reads_likeliest
from ropewalk.report import Report
from ropewalk.report.html import curves
from ropewalk.results.comparison import Comparison
from ropewalk.results.formatting import verdict_text
from ropewalk.results.headline import headline

KS = (0, 3, 11, 19, 20, 21, 34, 60, 100)
CLOSE = 5e-4
ALL_THREE = "(k) => window.ropewalk.data.pairs.map((c) => window.ropewalk.probabilities(c, k))"
EACH = "(k) => window.ropewalk.tasks().map((c) => window.ropewalk.probabilities(c, k))"
Visitor = Callable[..., Any]


def by_pair(report: Report) -> list[Comparison]:
    """The comparisons on single tasks in the order of the page."""
    return [t for c in report.overall for t in report.comparisons if (t.a, t.b) == (c.a, c.b)]


NASTY = [
    "<script>alert(1)</script>",
    "=cmd|'/c calc'!A1",
    r"\input{/etc/passwd}",
    "</script><img src=x onerror=alert(2)>",
    "\"quotes' & <!-- \u2028",
]


def python(c: Comparison, k: int) -> list[float]:
    """The three probabilities with the ROPE of position k, computed by Python anew."""
    low, high = (float(x) for x in curves.edges(c.rope, k, 0.0))
    if c.method == "hierarchical_t" and reads_likeliest(c):
        p = c.evidence.fitted.next_task((low, high)).most_probable  # type: ignore[union-attr]
    elif c.method == "sign":
        p = rw.bayes.sign(c.evidence.d, (low, high)).most_probable  # type: ignore[union-attr]
    else:
        rope = in_scores(low, high, "given")
        if c.rope.scale != "score":
            import dataclasses

            rope = dataclasses.replace(c.rope, low=low, high=high)
        p = probabilities(c.posterior, rope)  # type: ignore[arg-type]
    return [p.better, p.equivalent, p.worse]


def test_one_pair_follows_the_rope(visit: Visitor, outcomes: dict[str, list[float]]) -> None:
    """The oracle is `compare` itself with another ROPE and threshold."""
    seen = visit(rw.compare(outcomes, rope=0.01))
    sentences = set()
    for k, threshold in ((20, 0.95), (0, 0.95), (40, 0.6), (100, 0.95), (30, 0.55), (100, 0.505)):
        seen.move("rope", k)
        seen.move("threshold", threshold)
        (c,) = rw.compare(outcomes, rope=0.01 * k / 20, threshold=threshold).comparisons
        asked = c.verdict
        shown = seen.js("(k) => window.ropewalk.probabilities(window.ropewalk.data.pairs[0], k)", k)
        assert shown == pytest.approx([asked.better, asked.equivalent, asked.worse], abs=CLOSE)
        assert seen.answer == asked.sentence
        assert seen.page.locator("#bars .badge").inner_text() == verdict_text(c)
        numbers = seen.page.locator("#bars .number").all_inner_texts()
        assert [float(x.strip("<>")) for x in numbers] == pytest.approx(shown, abs=0.0101)
        sentences.add(seen.answer)
    assert len(sentences) >= 3


@pytest.mark.parametrize("beyond", [1e-4, 2e-6, -1e-4])
def test_numbers_stand_on_their_side_of_the_threshold(
    visit: Visitor, outcomes: dict[str, list[float]], beyond: float
) -> None:
    v = rw.compare(outcomes, rope=0.01).comparisons[0].verdict
    p = max(v.better, v.equivalent, v.worse)
    seen = visit(rw.compare(outcomes, rope=0.01, threshold=p + beyond))
    said = max(seen.page.locator("#bars .number").all_inner_texts(), key=lambda x: float(x.strip("<>=")))
    reached = float(said.strip("<>=")) >= p + beyond and not said.startswith("<")
    assert reached == (beyond < 0), said
    assert seen.page.locator("#threshold-text").inner_text() == repr(p + beyond)


def test_the_keyboard_moves_the_sliders(visit: Visitor, outcomes: dict[str, list[float]]) -> None:
    seen = visit(rw.compare(outcomes, rope=0.01))
    seen.page.get_by_label("ROPE", exact=True).focus()
    seen.page.keyboard.press("ArrowRight")
    seen.page.wait_for_function(
        "() => document.getElementById('rope-text').textContent === '±0.0105 in score'"
    )
    seen.page.get_by_role("button", name="Reset").click()
    assert seen.page.locator("#rope-text").inner_text() == "±0.01 in score"
    assert seen.page.locator("#rope").input_value() == "20"


def test_an_edge_of_the_rope_can_be_drawn(visit: Visitor, outcomes: dict[str, list[float]]) -> None:
    seen = visit(rw.compare(outcomes, rope=0.01))
    box = seen.page.locator("#picture .grab").nth(1).bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    seen.page.mouse.move(x, y)
    seen.page.mouse.down()
    seen.page.mouse.move(x + 30, y)
    seen.page.mouse.up()
    seen.page.wait_for_function("() => Number(document.getElementById('rope').value) > 20")


def test_a_rope_of_no_width_can_be_widened(visit: Visitor, outcomes: dict[str, list[float]]) -> None:
    report = rw.compare(outcomes, rope=0.0)
    seen = visit(report)
    assert seen.js("() => window.ropewalk.state.k") == 0
    low, high = seen.js("() => window.ropewalk.edges(window.ropewalk.data.pairs[0], 30)")
    assert -low == high > 0
    asked = rw.compare(outcomes, rope=high).comparisons[0].verdict
    shown = seen.js("() => window.ropewalk.probabilities(window.ropewalk.data.pairs[0], 30)")
    assert shown == pytest.approx([asked.better, asked.equivalent, asked.worse], abs=CLOSE)


def test_counts_on_phi(visit: Visitor, counts: pd.DataFrame) -> None:
    """Williams' code-switching counts: the ROPE is on phi, where smaller is better for A."""
    report = rw.compare(counts, rope="0.1sd")
    seen = visit(report)
    for k in KS:
        assert np.allclose(seen.js(ALL_THREE, k), [python(c, k) for c in report.overall], atol=CLOSE)
        assert np.allclose(seen.js(EACH, k), [python(c, k) for c in by_pair(report)], atol=CLOSE)
    # A wider ROPE is a larger share of a standard deviation: 0.1 at position 20.
    seen.move("rope", 60)
    asked = rw.compare(counts, rope="0.3sd")
    assert seen.answer == headline(asked)
    badges = seen.page.locator("#tasks-table tbody .badge").all_inner_texts()
    assert badges == [verdict_text(c) for c in asked.comparisons]


def test_many_models_over_many_tasks(visit: Visitor, folds: pd.DataFrame, over_tasks: Report) -> None:
    seen = visit(over_tasks)
    for k in (0, 13, 20, 47, 100):
        assert np.allclose(seen.js(ALL_THREE, k), [python(c, k) for c in over_tasks.overall], atol=CLOSE)
        assert np.allclose(seen.js(EACH, k), [python(c, k) for c in by_pair(over_tasks)], atol=CLOSE)
    assert seen.answer == headline(over_tasks)
    seen.move("rope", 50)
    seen.move("threshold", 0.8)
    asked = rw.compare(folds, rope=2.5, threshold=0.8)
    assert seen.answer == headline(asked)
    badges = seen.page.locator("#pairs-table tbody .badge").all_inner_texts()
    assert badges == [verdict_text(c) for c in asked.overall]
    within = dict(zip(asked.board.names, asked.board.p_within, strict=True))
    rows = seen.page.locator("#models-table tbody tr")
    for i in range(rows.count()):
        name = rows.nth(i).locator("th").inner_text().split()[0]
        shown = rows.nth(i).locator("td").nth(4).inner_text()
        assert float(shown.strip("<>")) == pytest.approx(within[name], abs=0.0101)
    marked = seen.js("() => window.ropewalk.standing(50, 0.8).members")
    assert sorted(marked) == sorted(asked.board.practically_best)


@pytest.mark.parametrize(
    ("rope", "threshold"), [(0.3, 0.95), (0.1, 0.7), (0.02, 0.505), (0.5, 0.99), (0.02, 0.99)]
)
def test_the_headline_of_many_models(visit: Visitor, rope: float, threshold: float) -> None:
    rng = np.random.default_rng(0)
    common = rng.normal(0, 1, 80)
    data = {f"model {i}": common + rng.normal(0.1 * i, 0.5, 80) for i in range(5)}
    seen = visit(rw.compare(data, rope=0.1))
    seen.move("rope", round(rope / 0.1 * 20))
    seen.move("threshold", threshold)
    assert seen.answer == headline(rw.compare(data, rope=rope, threshold=threshold))


@pytest.mark.parametrize(("rope", "threshold"), [(0.2, 0.95), (0.02, 0.6), (0.5, 0.9)])
def test_the_headline_with_a_reference(visit: Visitor, rope: float, threshold: float) -> None:
    rng = np.random.default_rng(1)
    data = {f"model {i}": rng.normal(0.2 * i, 0.5, 60) for i in range(4)}
    seen = visit(rw.compare(data, rope=0.1, reference="model 1"))
    seen.move("rope", round(rope / 0.1 * 20))
    seen.move("threshold", threshold)
    assert seen.answer == headline(rw.compare(data, rope=rope, threshold=threshold, reference="model 1"))


@pytest.mark.parametrize("method", ["sign", "signed_rank"])
def test_regions_without_a_posterior_of_one_number(visit: Visitor, method: str) -> None:
    """To three decimals what Python computes, also as the page shows it."""
    rng = np.random.default_rng(2)
    frame = pd.DataFrame({"task": [f"t{i}" for i in range(25)], "A": rng.normal(0.72, 0.1, 25).round(3)})
    frame["B"] = (frame["A"] - rng.normal(0.012, 0.02, 25)).round(3)
    report = rw.compare(frame, rope=0.01, method=method)
    (c,) = report.overall
    assert c.method == method
    seen = visit(report)
    assert seen.page.locator("#picture circle.dot").count() == 25
    assert seen.page.locator("#simplex .speck").count() == 200
    for k in (0, 7, 20, 33, 50, 100):
        seen.move("rope", k)
        asked = rw.compare(frame, rope=0.01 * k / 20, method=method).overall[0].verdict
        want = [asked.better, asked.equivalent, asked.worse]
        assert np.allclose(seen.js(ALL_THREE, k)[0], want, atol=2e-5)  # 16 bits each
        numbers = seen.page.locator("#bars .number").all_inner_texts()
        assert [float(x.strip("<>")) for x in numbers] == pytest.approx(want, abs=0.0101)
        assert seen.answer == asked.sentence
        assert "fewer draws" not in seen.page.locator("#caption").inner_text()


def test_the_priors_follow_the_threshold_and_keep_the_rope(
    visit: Visitor, outcomes: dict[str, list[float]]
) -> None:
    """The oracle is `comparison.sensitivity`, with `by_threshold` for other thresholds; on a phone too."""
    from ropewalk.decide import by_threshold

    report = rw.compare(outcomes, rope=0.01)
    rows = report.comparisons[0].sensitivity.priors
    for width, scheme in ((1280, "light"), (390, "dark")):
        seen = visit(report, width=width, scheme=scheme)
        for k, threshold in ((20, 0.95), (60, 0.95), (20, 0.6), (20, 0.505)):
            seen.move("rope", k)
            seen.move("threshold", threshold)
            cells = seen.js(
                "() => [...document.querySelectorAll('#priors tbody tr')]"
                ".map((r) => [...r.cells].map((c) => c.innerText))"
            )
            assert [row[0] for row in cells] == [row.name for row in rows]
            assert [row[4] for row in cells] == [
                verdict_text(report.comparisons[0], by_threshold(row.p, threshold)) for row in rows
            ]
            assert [float(row[1].strip("<>")) for row in cells] == pytest.approx(
                [row.p.better for row in rows], abs=0.0101
            )
        assert seen.js("() => document.querySelector('#priors').scrollWidth <= innerWidth")
        assert "with a ROPE of ±0.01" in seen.page.locator("#priors caption").inner_text()


def test_the_triangle_follows_the_rope(visit: Visitor, on_a_new_task: Report) -> None:
    """Also between the positions that were computed: points halfway."""
    seen = visit(on_a_new_task)
    places = (
        "() => [...document.querySelectorAll('#simplex .speck')].map((n) => Number(n.getAttribute('cx')))"
    )
    at = {}
    for k in (20, 25, 30):
        seen.move("rope", k)
        at[k] = np.array(seen.js(places))
    assert at[20].size == 200
    assert np.abs(at[30] - at[20]).max() > 1
    assert at[25] == pytest.approx((at[20] + at[30]) / 2, abs=0.2)


def test_fewer_draws_are_said(visit: Visitor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curves, "_BUDGET", 0.0)
    rng = np.random.default_rng(3)
    report = rw.compare(
        {m: rng.normal(i, 2, 15) for i, m in enumerate("abc")}, rope=0.5, method="signed_rank"
    )
    seen = visit(report)
    assert "fewer draws" not in seen.page.locator("#pairs-note").inner_text()
    seen.move("rope", 30)
    assert (
        "fewer draws than in Python: standard error at most ±0.0158"
        in seen.page.locator("#pairs-note").inner_text()
    )
    assert seen.page.locator("#pairs-table tbody .opener").first.inner_text().endswith("≈")


def test_no_rope_and_no_threshold(visit: Visitor, counts: pd.DataFrame) -> None:
    report = rw.compare(counts, method="poisson_binomial")
    seen = visit(report)
    assert "±0.05 in the share of tasks won" in seen.page.locator(".controls").inner_text()
    for k in KS:
        assert np.allclose(seen.js(ALL_THREE, k), [python(c, k) for c in report.overall], atol=CLOSE)
    loss = [[0, 20, 20], [20, 0, 20], [20, 20, 0], [1, 1, 1]]
    other = visit(rw.compare({"A": [1.0, 2.0, 3.5, 3.0], "B": [1.1, 1.8, 3.0, 2.0]}, loss_matrix=loss))
    assert other.page.locator("#threshold").is_disabled()
    assert other.page.locator("#rope").is_disabled()


def test_tables_sort_filter_and_open(visit: Visitor, over_tasks: Report) -> None:
    page = visit(over_tasks).page
    head = page.locator("#tasks-table thead th").nth(2)
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "descending"
    shown = page.locator("#tasks-table tbody tr td:nth-child(3)").all_inner_texts()
    values = [float(x.replace("−", "-")) for x in shown]
    assert values == sorted(values, reverse=True)
    page.get_by_label("Filter tasks by name").fill("solar")
    page.wait_for_function("() => document.querySelectorAll('#tasks-table tbody tr').length === 3")
    page.locator("#tasks-table .opener").first.click()
    assert page.locator("#tasks-table .panel svg").count() == 1
    page.get_by_label("Pairs of").select_option("j48")
    assert page.locator("#pairs-table tbody tr").count() == 2
    page.locator("#matrix .cell button").first.click()
    assert " − " in page.locator("#tasks-title").inner_text()


def test_names_are_names(visit: Visitor) -> None:
    """As models, and as tasks; `visit` sees to it that no dialog opened and nothing was fetched."""
    rng = np.random.default_rng(0)
    models = rw.compare({name: rng.normal(i / 5, 1, 36) for i, name in enumerate(NASTY)}, rope=0.1)
    rows = {"task": np.repeat(NASTY, 12), "unit": np.tile(np.arange(12), len(NASTY))}
    two = [pd.DataFrame({"model": m, **rows, "score": rng.normal(0, 1, 60)}) for m in NASTY[:2]]
    for report in (models, rw.compare(pd.concat(two), rope=0.1)):
        seen = visit(report)
        for k in (20, 70):
            seen.move("rope", k)
            text = seen.page.locator("body").inner_text()
            for name in NASTY[:4]:
                assert name in text
            assert seen.page.locator("img").count() == 0
            assert seen.js("() => document.scripts.length") == 2


def test_examples_are_named(visit: Visitor, outcomes: dict[str, list[float]]) -> None:
    page = visit(rw.compare(outcomes)).page
    lists = page.locator("#why .ids")
    assert lists.count() == 2
    assert "198 in all" in page.locator("#why .examples").inner_text()
    first = lists.nth(0).locator("li").all_inner_texts()
    right, wrong = outcomes["GNN"], outcomes["LLM"]
    assert len(first) == 20
    assert all(right[int(i) - 1] > wrong[int(i) - 1] for i in first)


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.few(2)
def test_at_both_widths_and_in_both_schemes(
    visit: Visitor, over_tasks: Report, tmp_path: Path, width: int, scheme: str
) -> None:
    seen = visit(over_tasks, width=width, scheme=scheme)
    assert seen.js("() => document.documentElement.scrollWidth") == width
    picture = tmp_path / "page.png"
    seen.page.screenshot(path=picture, full_page=True)
    assert picture.stat().st_size > 20_000
    ground = "() => getComputedStyle(document.body).backgroundColor"
    before = seen.js(ground)
    seen.page.get_by_role("button", name="switch between light and dark").click()
    assert seen.js(ground) != before


def test_a_background_tab_has_no_width_yet(visit: Visitor, on_a_new_task: Report) -> None:
    """Every picture is drawn all the same, without a word on the console, and again once it is shown."""
    hidden = (
        "window.native = Object.getOwnPropertyDescriptor(Element.prototype, 'clientWidth');"
        "Object.defineProperty(Element.prototype, 'clientWidth', {get: () => 0, configurable: true});"
    )
    seen = visit(on_a_new_task, before=hidden)
    pictures = "#picture svg, #forest svg, #simplex svg"
    widths = f"() => [...document.querySelectorAll('{pictures}')].map((s) => s.width.baseVal.value)"
    assert seen.js(widths) == [240, 240, 240]
    seen.js("() => Object.defineProperty(Element.prototype, 'clientWidth', window.native)")
    seen.move("threshold", 0.95)
    assert min(seen.js(widths)) > 240


def test_what_a_screen_reader_hears(visit: Visitor, over_tasks: Report) -> None:
    page = visit(over_tasks).page
    assert page.locator("#answer").get_attribute("aria-live") == "polite"
    assert page.locator("svg:not([aria-hidden])").count() == page.locator("svg > title").count()
    assert page.locator("main table:not(.static *):not(:has(caption))").count() == 0
    assert page.locator("main thead th:not([scope]):not(.static *)").count() == 0
    assert page.locator("#rope").get_attribute("aria-valuetext") == "±1 in score"
    for name in ("rope", "threshold", "focus", "model", "task"):
        assert page.locator(f"label[for={name}]").count() == 1


def test_the_sliders_stay_in_sight(visit: Visitor, over_tasks: Report) -> None:
    page = visit(over_tasks).page
    page.locator("#tasks-table tbody tr").last.scroll_into_view_if_needed()
    box = page.locator(".controls").bounding_box()
    assert 0 <= box["y"] < 10


def test_an_opened_row_fits_a_phone(visit: Visitor, over_tasks: Report) -> None:
    page = visit(over_tasks, width=390).page
    page.locator("#pairs-table .opener").first.click()
    box = page.locator("#pairs-table .panel").bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390


BOXES = "(css) => [...document.querySelectorAll(css)].map((n) => n.getBoundingClientRect().toJSON())"


def test_nothing_is_cut_off_in_print(visit: Visitor, over_tasks: Report) -> None:
    """A4 less its margins is about 680 points wide: every table fits, and no box hides a part of it."""
    page = visit(over_tasks, width=680).page
    page.emulate_media(media="print")
    assert [box["right"] for box in page.evaluate(BOXES, ".scroll table") if box["right"] > 680] == []
    styles = page.evaluate(
        "() => [...document.querySelectorAll('.scroll')].map((n) => getComputedStyle(n))"
        ".map((style) => [style.overflowX, style.maxWidth])"
    )
    assert styles
    assert all(style == ["visible", "none"] for style in styles)
    page.emulate_media(media="screen")


def test_the_verdict_is_in_sight_on_a_phone(visit: Visitor, over_tasks: Report) -> None:
    seen = visit(over_tasks, width=390)
    for holder in ("#pairs-table", "#tasks-table"):
        assert all(box["right"] <= 390 for box in seen.js(BOXES, f"{holder} tbody .badge"))


def test_advantages_stand_under_each_other(visit: Visitor, over_tasks: Report) -> None:
    shown = visit(over_tasks).page.locator("#tasks-table tbody tr td:nth-child(3)").all_inner_texts()
    assert len({len(x.split(".")[1]) for x in shown if "." in x}) == 1


def test_runs_that_hit_their_limit(visit: Visitor) -> None:
    # Differences that are known in part are not drawn as dots, and the ROPE cannot be moved.
    times = pd.DataFrame(
        {"instance": list("abcdefgh"), "fast": ["5"] * 8, "slow": [">60", *["30"] * 7], "old": [">60"] * 8}
    )
    seen = visit(rw.compare(times, higher_is_better=False, rope=2.0))
    assert seen.page.locator("#rope").is_disabled()
    assert "triangle" in (seen.page.locator("#picture svg title").text_content() or "")
    assert "least favorable" in seen.page.locator("#caption").inner_text()


def test_numbers_halfway_are_rounded_as_in_python(visit: Visitor) -> None:
    """The sign test of 5 tasks has p = 1/16: the page must not say 0.063 where the text says 0.062."""
    rows = [(f"t{i}", m, 0.5 + 0.1 * (m == "a") + 0.01 * i * (m == "a")) for i in range(5) for m in "ab"]
    report = rw.compare(pd.DataFrame(rows, columns=["dataset", "model", "accuracy"]), method="sign")
    p = (
        report.overall[0].classical[0].p_value
        if report.overall
        else report.comparisons[0].classical[0].p_value
    )
    assert p == 0.0625
    assert f"p = {p:.3f}" in visit(report).page.locator("#why .facts").inner_text()
