"""The method chooser of the site, clicked through in a browser."""

from __future__ import annotations

import importlib
import sys
from itertools import product
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parents[2] / "docs"
sys.path.append(str(DOCS / "_ext"))
CHOOSER = importlib.import_module("chooser_cases")


def test_every_set_of_answers_leads_to_a_method_or_says_why_not(browser: Any) -> None:
    page = browser.new_page()
    said: list[str] = []
    page.on("pageerror", lambda error: said.append(str(error)))
    page.set_content(f"<!doctype html><body>{CHOOSER.chooser()}</body>")
    expected = {tuple(case.when.values()): CHOOSER._answer(case) for case in CHOOSER.CASES}
    assert page.locator("#chosen").inner_text() == ""
    for chosen in product(*(question["answers"] for question in CHOOSER.QUESTIONS)):
        for question, value in zip(CHOOSER.QUESTIONS, chosen, strict=True):
            page.get_by_role("radio", name=question["answers"][value], exact=True).check()
        shown = page.locator("#chosen").inner_text()
        if chosen in expected:
            assert f"Method: {expected[chosen]['method']}" in shown
            assert expected[chosen]["command"] in shown
            assert page.locator("#chosen a").get_attribute("href") == expected[chosen]["card"]
        else:
            assert "is not enough on a single task" in shown
    page.close()
    assert said == []
