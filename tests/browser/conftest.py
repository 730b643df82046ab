"""A real browser: Debian's Chromium, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.report import Report

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    """Chromium without a window; without one the tests are skipped, but never where it is required."""
    found = next((path for name in NAMES if (path := shutil.which(name))), None)
    if found is None:
        reason = "NO BROWSER: the page was NOT tested. Install Chromium: make browser."
        if os.environ.get("ROPEWALK_BROWSER") == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="session")
def tab(browser: Any) -> Any:
    """The tab in which reports are opened, one after the other: a new tab costs as much as six of them."""
    return browser.new_page()


class Visit:
    """A page that was opened, and everything that it said or asked for."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.said: list[str] = []
        self.asked: list[str] = []
        self._hears = {
            "console": lambda message: self.said.append(message.text),
            "pageerror": lambda error: self.said.append(str(error)),
            "dialog": lambda dialog: (self.said.append(f"dialog {dialog.message}"), dialog.dismiss()),
            "request": lambda request: self.asked.append(request.url),
        }
        for event, heard in self._hears.items():
            page.on(event, heard)

    def leave(self) -> None:
        """To its end the page is heard; what the next one in this tab says or asks for is not."""
        self.page.goto("about:blank")
        self.page.mouse.move(0, 0)
        for event, heard in self._hears.items():
            self.page.remove_listener(event, heard)

    def js(self, code: str, *argument: Any) -> Any:
        return self.page.evaluate(code, *argument)

    def move(self, name: str, value: float) -> None:
        """As a person moves a slider; then a frame goes by."""
        self.js(
            "([name, value]) => { const s = document.getElementById(name); s.value = value;"
            " s.dispatchEvent(new Event('input', {bubbles: true})); }",
            [name, value],
        )
        self.js("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")

    @property
    def answer(self) -> str:
        return str(self.page.locator("#answer").inner_text())


@pytest.fixture(scope="session")
def rendered() -> Callable[[Report], str]:
    """Each report is rendered once."""
    return cache(Report.to_html)


@pytest.fixture
def visit(
    browser: Any, tab: Any, tmp_path: Path, rendered: Callable[[Report], str]
) -> Iterator[Callable[..., Visit]]:
    """Opens a report from a file in place of the one before; at the end nothing was said and nothing fetched.

    A script that has to run before those of the page stays in its tab: such a report has a tab of its own.
    """
    visits: list[tuple[Visit, str]] = []

    def opened(report: Report, *, width: int = 1280, scheme: str = "light", before: str = "") -> Visit:
        path = tmp_path / f"report-{len(visits)}.html"
        path.write_text(rendered(report), encoding="utf-8")
        if visits:
            visits[-1][0].leave()
        page = tab
        if before:
            page = browser.new_page()
            page.add_init_script(before)
        page.set_viewport_size({"width": width, "height": 900})
        page.emulate_media(color_scheme=scheme)
        found = Visit(page)
        visits.append((found, path.as_uri()))
        page.goto(path.as_uri())
        return found

    yield opened
    for found, _ in visits[-1:]:
        found.leave()
    for found, uri in visits:
        assert found.said == []
        assert found.asked == [uri]
        if found.page is not tab:
            found.page.close()


@pytest.fixture(scope="session")
def outcomes() -> dict[str, list[float]]:
    """Two classifiers, right (1) or wrong (0), on da-en of Williams' Table 1."""
    return {
        "GNN": [0.0] * 213 + [1.0] * 787,
        "LLM": [0.0] * 54 + [1.0] * 159 + [0.0] * 198 + [1.0] * 589,
    }


@pytest.fixture(scope="session")
def counts(table_1: dict[str, tuple[int, int, int, int]]) -> pd.DataFrame:
    columns = ("n00", "n01", "n10", "n11")
    rows = [{"task": task, **dict(zip(columns, n, strict=True))} for task, n in table_1.items()]
    return pd.DataFrame(rows)


@pytest.fixture(scope="session")
def folds(folds_path: Path) -> pd.DataFrame:
    """Three of the five classifiers on 54 data sets."""
    frame = pd.read_csv(folds_path)
    return frame[frame["model"].isin(["nbc", "aode", "j48"])]


@pytest.fixture(scope="session")
def over_tasks(folds: pd.DataFrame) -> Report:
    return rw.compare(folds)


@pytest.fixture(scope="session")
def on_a_new_task(folds: pd.DataFrame) -> Report:
    """Pairs with a posterior of the three probabilities, which the triangle shows."""
    return rw.compare(folds, method="hierarchical_t")
