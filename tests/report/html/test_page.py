"""The page: its bytes, its size and what may run in it."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256

import pytest

import ropewalk as rw
from ropewalk.report import Report
from ropewalk.report.html import data, downloads, page
from ropewalk.report.html import tasks as packed_tasks
from tests.report.html.posteriors import tasks


@pytest.fixture(scope="module")
def pair() -> Report:
    return rw.compare({"A": [1.0] * 60 + [0.0] * 40, "B": [1.0] * 50 + [0.0] * 35 + [1.0] * 15}, rope=0.02)


def carried(html: str) -> dict[str, object]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, flags=re.S)
    assert found is not None
    return json.loads(found[1])  # type: ignore[no-any-return]


def test_the_same_bytes_again(pair: Report) -> None:
    assert page(pair) == page(pair)
    assert re.search(r"\b20\d\d-\d\d-\d\d\b", page(pair)) is None


def test_only_our_own_script_and_style_may_run(pair: Report) -> None:
    html = page(pair)
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)
    assert policy is not None
    allowed = policy[1].replace("&#x27;", "'")
    assert allowed.startswith("default-src 'none';")
    assert "unsafe" not in allowed
    script = html.rsplit("<script>", 1)[1].split("</script>", 1)[0]
    style = html.split("<style>", 1)[1].split("</style>", 1)[0]
    for text in (script, style):
        assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in allowed
    assert " style=" not in html  # the policy would stop it
    assert re.search(r"\son[a-z]+=", html.split("<script", 1)[0]) is None


def test_nothing_is_fetched(pair: Report) -> None:
    head = page(pair).split("<script>", 1)[0]
    assert re.search(r"<(link|img|iframe|object|embed|base)\b", head) is None
    assert re.search(r"\b(src|href)=", head) is None
    assert "url(" not in head
    assert "@import" not in head


def test_a_name_cannot_leave_the_data() -> None:
    name = "</script><script>alert(1)</script><!-- \u2028 & 'q' \"q\""
    html = page(rw.compare({name: [1.0, 2.0, 4.0, 3.0], "B": [0.5, 2.5, 3.0, 2.0]}))
    assert html.count("<script") == 2
    assert html.count("</script") == 2
    assert "<!--" not in html
    models = carried(html)["models"]
    assert models[0]["name"] == name.replace("\u2028", "\ufffd")  # type: ignore[index]


@pytest.mark.proof
def test_ten_models_on_fifty_tasks_stay_under_two_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """2,250 comparisons on a task, 45 pairs; what one of each weighs is measured on smaller reports."""
    names = data._IDS
    monkeypatch.setattr(data, "_CHECKS", 0)  # as with many comparisons, and without the examples
    monkeypatch.setattr(data, "_IDS", 0)
    monkeypatch.setattr(downloads, "_MOST", 0)
    monkeypatch.setattr(packed_tasks, "_FULL", 0)
    few, more, pairs = (len(json.dumps(data.of(r))) for r in (tasks(2, 3), tasks(2, 9), tasks(3, 3)))
    one_task = (more - few) / 6
    one_pair = (pairs - few - 6 * one_task) / 2
    assert len(page(tasks(2, 2)).encode()) + 2250 * one_task + 45 * one_pair + 1.3 * names < 1_900_000
