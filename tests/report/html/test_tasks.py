"""Tasks of many pairs as the page carries them: small, and never fitted again."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import ropewalk as rw
from ropewalk.methods import known
from ropewalk.report.html import data, downloads, page
from ropewalk.report.html import tasks as packed_tasks
from tests.report.html.posteriors import tasks


def test_thirty_models_on_a_hundred_tasks_stay_under_five_megabytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """435 pairs, by the weight of one on smaller reports; a packed task has 95 bytes at most."""
    monkeypatch.setattr(data, "_CHECKS", 0)
    monkeypatch.setattr(data, "_IDS", 0)
    monkeypatch.setattr(downloads, "_MOST", 0)
    monkeypatch.setattr(packed_tasks, "_FULL", 0)
    monkeypatch.setattr(data, "_MANY", 0)
    few, more, pairs = (data.of(r) for r in (tasks(2, 30), tasks(2, 90), tasks(4, 30)))

    def weigh(found: dict[str, Any]) -> tuple[int, int]:
        """The tasks of pairs, and the rest."""
        return len(json.dumps(found["each"])), len(json.dumps(found | {"each": []}))

    one_row = (weigh(more)[0] - weigh(few)[0]) / 60
    one_pair, one_name = (weigh(pairs)[1] - weigh(few)[1]) / 5, (weigh(more)[1] - weigh(few)[1]) / 60
    assert one_row < 95
    table = 2 * 30 * 100 * 20  # scores on the page and in a file, 20 letters each
    rest = len(page(tasks(2, 2)).encode()) + 100 * one_name + table
    assert 435 * one_pair + rest < 5_000_000


@pytest.mark.parametrize("question", ["average", "these", "next", "likeliest"])
@pytest.mark.few(1)
def test_a_page_fits_nothing_again(question: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Curves and triangles of all pairs come from the posteriors that the report has."""
    report = tasks(3, 8, question=question)
    assert {c.method for c in report.overall} == {"hierarchical_t"}
    fits: list[str] = []

    def counted(name: str) -> Callable[..., None]:
        return lambda *a, **k: fits.append(name)

    for method in known().values():
        for name in ("fit", "fit_tasks"):
            monkeypatch.setattr(type(method), name, counted(f"{method.name}.{name}"), raising=False)
    for name in rw.bayes.__all__:
        if name.islower():
            monkeypatch.setattr(rw.bayes, name, counted(name))
    assert '"pairs":[{' in page(report)
    assert fits == []
