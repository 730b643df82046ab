"""ropewalk metrics: every metric once, and the definition of one."""

from __future__ import annotations

import json

import pytest

from ropewalk.metrics import ALIASES, all_metrics, metric_for


def test_every_metric_is_listed_once(run) -> None:
    code, out, _ = run("metrics")
    assert code == 0
    first = [line.split()[0] for line in out.splitlines() if line.startswith("  ") and line[2:3].strip()]
    assert sorted(w for w in first if w in all_metrics()) == sorted(all_metrics())


def test_as_json_with_aliases_and_open_ranges(run) -> None:
    code, out, _ = run("metrics", "--json")
    rows = {row["name"]: row for row in json.loads(out)}
    assert code == 0
    assert set(rows) == set(all_metrics())
    assert rows["rmse"]["range"] == [0, None]
    assert rows["auroc"]["higher_is_better"] is True
    assert sorted(a for row in rows.values() for a in row["aliases"]) == sorted(ALIASES)


@pytest.mark.parametrize("name", ["auroc", "rmse", "ndcg@5", "bleu"])
def test_one_metric_has_its_definition(run, name: str) -> None:
    code, out, _ = run("metrics", name)
    metric = metric_for(name)
    assert code == 0
    assert f"{name}: {metric.name}" in out
    assert " ".join(metric.about.split()) in " ".join(out.split())
    assert max(map(len, out.splitlines())) <= 80
    assert f"better   {'higher' if metric.higher_is_better else 'lower'}" in out


def test_an_unknown_one_has_a_suggestion(run) -> None:
    code, _, err = run("metrics", "aurock")
    assert code == 3
    assert "auroc" in err
