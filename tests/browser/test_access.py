"""The page by keyboard alone, and by axe-core (`vendor/axe.min.js`, MPL 2.0), in light and dark."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.report import Report

AXE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
Visitor = Callable[..., Any]

# What can be reached: everything that is meant to be operated, where it can be seen.
REACHABLE = """() => [...document.querySelectorAll('a[href], button, input, select, summary, [tabindex="0"]')]
  .filter((n) => !n.disabled && n.tabIndex >= 0 && n.checkVisibility({visibilityProperty: true}))
  .map((n) => (n.dataset.at_test = String(Math.random()), n.dataset.at_test))"""
FOCUSED = """() => {
  const n = document.activeElement, style = getComputedStyle(n), box = n.getBoundingClientRect();
  const bar = document.querySelector('.controls').getBoundingClientRect(), inside = n.closest('.controls');
  return {
    mark: n.dataset.at_test || null,
    outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1,
    seen: box.bottom > 0 && box.top < innerHeight && (inside || bar.top > 1 || box.bottom > bar.bottom),
    what: n.outerHTML.slice(0, 100),
  };
}"""


@pytest.fixture(scope="module")
def pages(outcomes: dict[str, list[float]], folds: pd.DataFrame, over_tasks: Report) -> dict[str, Report]:
    rng = np.random.default_rng(5)
    ability = rng.normal(0, 0.3, 10)
    many = {f"model {i}": rng.normal(ability[i], 0.4, 40) for i in range(10)}
    tasks = pd.DataFrame(
        {"task": np.repeat([f"t{i}" for i in range(6)], 20), "unit": np.tile(np.arange(20), 6)}
    )
    few = folds[folds["task"].isin(folds["task"].unique()[:9])]
    two = tasks.assign(a=rng.integers(0, 2, 120), b=rng.integers(0, 2, 120))
    return {
        "right or wrong": rw.compare(outcomes, rope=0.01),
        "two models over tasks": rw.compare(two, rope=0.05),
        "three models over tasks": rw.compare(few),
        "on a new task": rw.compare(few, method="hierarchical_t"),
        "ten models": rw.compare(many, rope=0.1),
        "54 tasks": over_tasks,
    }


KINDS = ("right or wrong", "two models over tasks", "three models over tasks", "on a new task", "ten models")


WIDTHS = tuple((width, scheme) for width in (1440, 768, 390) for scheme in ("light", "dark"))


@pytest.mark.parametrize(
    ("name", "widths"),
    [*((name, WIDTHS) for name in KINDS), ("54 tasks", WIDTHS[:1])],
    ids=[*KINDS, "54 tasks"],
)
@pytest.mark.few(2)
def test_axe_finds_nothing(
    visit: Visitor, pages: dict[str, Report], name: str, widths: Sequence[tuple[int, str]]
) -> None:
    for width, scheme in widths:
        seen = visit(pages[name], width=width, scheme=scheme)
        seen.js("() => document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        for opener in seen.page.locator(".opener").all()[:1]:
            opener.click()
        seen.js(AXE)
        found = seen.js(
            "async (tags) => (await axe.run({runOnly: tags, resultTypes: ['violations']})).violations"
            ".map((v) => [v.id, v.nodes.length, v.nodes[0].html.slice(0, 200), v.nodes[0].failureSummary])",
            RULES,
        )
        assert found == [], (width, scheme)


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.few(2)
def test_every_control_is_reached_with_the_tab_key_and_shows_it(
    visit: Visitor, pages: dict[str, Report], name: str
) -> None:
    for width in (1440, 390):
        seen = visit(pages[name], width=width)
        wanted = seen.js(REACHABLE)
        reached = []
        for _ in range(len(wanted)):
            seen.page.keyboard.press("Tab")
            at = seen.js(FOCUSED)
            assert at["outline"], at["what"]
            assert at["seen"], at["what"]
            reached.append(at["mark"])
        assert reached == wanted


def test_the_matrix_is_one_tab_stop_and_arrows_move_in_it(visit: Visitor, pages: dict[str, Report]) -> None:
    page = visit(pages["ten models"]).page
    assert page.locator("#matrix button").count() == 90
    assert page.locator("#matrix button[tabindex='0']").count() == 1
    page.locator("#matrix button[tabindex='0']").focus()

    def at() -> str:
        return str(page.evaluate("() => document.activeElement.dataset.at"))

    places = []
    for key in (
        "ArrowDown",
        "ArrowDown",
        "ArrowLeft",
        "ArrowLeft",
        "ArrowUp",
        "End",
        "Home",
        "ArrowUp",
        "ArrowUp",
    ):
        page.keyboard.press(key)
        places.append(at())
    # From row 0, column 1; a model against itself has no cell and is passed over.
    assert places == ["2/1", "3/1", "3/0", "3/0", "2/0", "2/9", "2/0", "1/0", "1/0"]
    label = page.evaluate("() => document.activeElement.getAttribute('aria-label')")
    page.keyboard.press("Enter")
    shown = page.locator("#focus option:checked").inner_text()
    assert all(part in label for part in shown.split(" − "))
    assert at() == "1/0"
    assert page.locator("#matrix button[tabindex='0']").count() == 1


def test_a_row_opens_and_a_table_sorts_by_keyboard(visit: Visitor, over_tasks: Report) -> None:
    page = visit(over_tasks).page
    page.locator("#pairs-table .opener").first.focus()
    page.keyboard.press("Enter")
    assert page.locator("#pairs-table .panel").count() == 1
    assert page.evaluate("() => document.activeElement.getAttribute('aria-expanded')") == "true"
    page.locator("#pairs-table thead button").nth(2).focus()
    page.keyboard.press("Enter")
    assert page.locator("#pairs-table thead th").nth(2).get_attribute("aria-sort") == "descending"
    assert page.evaluate("() => document.activeElement.textContent") == "advantage"
    page.locator("#scores summary").focus()
    page.keyboard.press("Enter")
    page.wait_for_selector("#scores-table table")
