"""Metrics through rw.compare and the command line: the values of both models, and the way in place."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.cli import main
from ropewalk.metrics import all_metrics, edit_statistics, metric_for


def write(path: Path, header: list[str], columns: list[np.ndarray | list[object]]) -> str:
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(header)
        out.writerows(zip(*columns, strict=True))
    return str(path)


@pytest.fixture
def ratings(tmp_path: Path) -> tuple[str, np.ndarray, np.ndarray, np.ndarray]:
    """Ratings from 1 to 10, which as text are not in the order of the numbers."""
    rng = np.random.default_rng(3)
    y = rng.integers(1, 11, 300)
    a, b = (np.clip(y + rng.integers(-s, s + 1, 300), 1, 10) for s in (1, 3))
    return write(tmp_path / "r.csv", ["id", "truth", "a", "b"], [np.arange(300), y, a, b]), y, a, b


@pytest.mark.parametrize("in_place", [False, True])
@pytest.mark.parametrize("name", ["kappa_quadratic", "kappa", "iou_macro", "precision_macro"])
@pytest.mark.few(3)
def test_labels_in_memory_and_in_place(
    name: str, in_place: bool, ratings: tuple[str, np.ndarray, np.ndarray, np.ndarray]
) -> None:
    path, y, a, b = ratings
    (c,) = rw.compare(path, metric=name, truth="truth", rope=0.05, in_place=in_place).comparisons
    metric = metric_for(name)
    assert (c.evidence.mean_a, c.evidence.mean_b) == pytest.approx((metric.value(y, a), metric.value(y, b)))
    assert c.verdict.name == "better"


@pytest.mark.parametrize("name", ["spearman", "kendall", "concordance", "mape", "pinball@0.9"])
@pytest.mark.few(2)
def test_ratings_are_numbers_too(name: str, ratings: tuple[str, np.ndarray, np.ndarray, np.ndarray]) -> None:
    path, y, a, b = ratings
    (c,) = rw.compare(path, metric=name, truth="truth", rope=0.01).comparisons
    metric = metric_for(name)
    assert (c.evidence.mean_a, c.evidence.mean_b) == pytest.approx((metric.value(y, a), metric.value(y, b)))
    assert c.verdict.name == "better"


@pytest.mark.parametrize("name", ["mrr", "hit@3", "map@5", "recall@5"])
def test_queries(name: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    query = np.repeat(np.arange(60), 10)
    y = (rng.random(600) < 0.2).astype(int)
    a, b = np.round(y + rng.normal(0, 0.5, 600), 3), np.round(y + rng.normal(0, 3.0, 600), 3)
    path = write(tmp_path / "q.csv", ["id", "query", "truth", "a", "b"], [np.arange(600), query, y, a, b])
    (c,) = rw.compare(path, metric=name, truth="truth", cluster="query", rope=0.01).comparisons
    values = [metric_for(name).value(y, s, groups=query) for s in (a, b)]
    assert (c.evidence.mean_a, c.evidence.mean_b) == pytest.approx(values)
    assert c.verdict.name == "better"


def test_word_error_rate(tmp_path: Path) -> None:
    rng = np.random.default_rng(9)
    words = [f"w{k}" for k in range(50)]
    references = [list(rng.choice(words, size=rng.integers(5, 15))) for _ in range(200)]
    columns: list[list[object]] = [[], [], [], []]
    values = {}
    for model, share in (("a", 0.95), ("b", 0.7)):
        said = [[w if rng.random() < share else "?" for w in r] for r in references]
        statistics = edit_statistics(said, references)
        values[model] = metric_for("wer").value(None, statistics)
        for i, (errors, length) in enumerate(statistics):
            for column, value in zip(columns, (model, i, int(errors), int(length)), strict=True):
                column.append(value)
    path = write(tmp_path / "w.csv", ["model", "id", "errors", "words"], columns)
    (c,) = rw.compare(path, metric="wer", statistics=["errors", "words"], rope=0.01).comparisons
    assert (c.evidence.mean_a, c.evidence.mean_b) == pytest.approx((values["a"], values["b"]))
    assert c.verdict.name == "better"  # lower is better
    with pytest.raises(rw.RopewalkError, match=r"errors, words, in this order(.|\n)*edit_statistics"):
        rw.compare(path, metric="wer")


def test_the_command_lists_every_metric(capsys: pytest.CaptureFixture[str]) -> None:
    def out(*arguments: str) -> str:
        with pytest.raises(SystemExit) as stop:
            main(["metrics", *arguments])
        assert not stop.value.code
        return capsys.readouterr().out

    table = out()
    for name, metric in all_metrics().items():
        (line,) = (row for row in table.splitlines() if row.split()[:1] == [name])
        assert line.split()[1] == ("higher" if metric.higher_is_better else "lower")
    listed = {m["name"]: m for m in json.loads(out("--json"))}
    assert list(listed) == list(all_metrics())
    assert listed["mcc"]["range"] == [-1.0, 1.0]
    assert listed["rmse"]["range"] == [0.0, None]
    assert all(m["definition"] for m in listed.values())
    assert "time of the event" in out("c-index")
    with pytest.raises(SystemExit) as stop:
        main(["metrics", "nothing"])
    assert stop.value.code == 3
