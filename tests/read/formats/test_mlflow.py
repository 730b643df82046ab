"""MLflow: the table of an evaluation."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ropewalk.data import Scores
from ropewalk.errors import PairingError, ReadError
from ropewalk.read import read


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


def by_unit(s: Scores) -> dict[str, list[float]]:
    return dict(zip(s.tasks[0].units, s.tasks[0].values.tolist(), strict=True))


N = 5
COLUMNS = ["inputs", "ground_truth", "outputs", "token_count", "toxicity/v1/score", "rouge1/v1/score"]


def row(i: int, score: Any) -> list[Any]:
    return [f"question {i}", f"answer {i}", "...", 12, 0.01 * i, score]


def write(root: Path, run: str, rows: list[list[Any]], columns: list[str] = COLUMNS) -> None:
    folder = root / run / "artifacts"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "eval_results_table.json").write_text(json.dumps({"columns": columns, "data": rows}))


def test_rows_are_paired_by_their_inputs(tmp_path: Path) -> None:
    write(tmp_path, "run1", [row(i, i / 10) for i in range(N)])
    write(tmp_path, "run2", [row(i, 0.5) for i in reversed(range(N))])
    s = scores(tmp_path, score="rouge1")
    assert s.models == ("run1", "run2")
    assert s.tasks[0].values.tolist() == [[i / 10, 0.5] for i in range(N)]
    assert s.higher_is_better
    assert "rows are paired by their inputs: `inputs`" in s.audit.notes


def test_a_model_is_called_like_its_run(tmp_path: Path) -> None:
    for run, name in (("0a1b", "tuned"), ("2c3d", "base")):
        write(tmp_path, run, [row(i, i / 10) for i in range(N)])
        (tmp_path / run / "tags").mkdir()
        (tmp_path / run / "tags" / "mlflow.runName").write_text(name)
    assert scores(tmp_path, score="rouge1").models == ("tuned", "base")
    (tmp_path / "2c3d" / "tags" / "mlflow.runName").write_text("tuned")
    assert scores(tmp_path, score="rouge1").models == ("0a1b", "2c3d")
    (tmp_path / "2c3d" / "tags" / "mlflow.runName").write_bytes(b"\xff" * 20)  # no text: its folder's name
    assert scores(tmp_path, score="rouge1").models == ("tuned", "2c3d")


def test_slashes_as_pandas_writes_them(tmp_path: Path) -> None:
    for run in ("run1", "run2"):
        write(tmp_path, run, [row(i, i / 10) for i in range(N)])
        path = tmp_path / run / "artifacts" / "eval_results_table.json"
        path.write_text(path.read_text().replace("/", "\\/"))
    assert scores(tmp_path, score="rouge1").tasks[0].values[3].tolist() == [0.3, 0.3]


def test_other_names_for_the_inputs_and_the_same_input_again(tmp_path: Path) -> None:
    columns = ["text", "outputs", "accuracy"]
    for run in ("run1", "run2"):
        write(tmp_path, run, [["x", "a", 1], ["x", "b", 0], ["y", "a", 1]], columns)
    path = next(tmp_path.rglob("*.json"))
    with pytest.raises(ReadError):  # neither an input nor a score by its name: no table of MLflow
        read(path)
    columns[2] = "exact_match/score"
    for run in ("run1", "run2"):
        write(tmp_path, run, [["x", "a", 1], ["x", "b", 0], ["y", "a", 1]], columns)
    s = scores(tmp_path)
    assert s.audit.paired == 3
    assert s.tasks[0].clusters is not None
    assert len(set(s.tasks[0].clusters)) == 2


def test_misalignments(tmp_path: Path) -> None:
    write(tmp_path, "run1", [row(i, 1.0) for i in range(N)])
    rows = [row(i, 1.0) for i in range(N)]
    rows[2][1] = "another answer"
    write(tmp_path, "run2", rows)
    with pytest.raises(PairingError, match="differ in the target of 1 unit"):
        read(tmp_path, score="rouge1")
    write(tmp_path, "run2", [row(i, 1.0) for i in range(N - 2)])
    assert f"all units: {N - 2} of {N} paired" in scores(tmp_path, score="rouge1").audit.warnings


def test_metrics_with_gaps_are_skipped(tmp_path: Path) -> None:
    for run in ("run1", "run2"):
        write(tmp_path, run, [row(i, None if i == 1 else 1.0) for i in range(N)])
    s = scores(tmp_path)
    assert s.metric == "toxicity"
    assert "skipped: rouge1 (no number for 1 of 5 examples)" in s.audit.notes


@pytest.mark.parametrize(
    ("columns", "rows", "message"),
    [
        (["inputs", "f1/score"], [["a"]], "do not have a value for each of the columns"),
        (["inputs", "f1/score"], [["a", None]], "no metric with one number per example"),
        (["n", "f1/score"], [[1, 0.5]], "no inputs to pair the rows by"),
    ],
)
def test_broken_tables(columns: list[str], rows: list[Any], message: str, tmp_path: Path) -> None:
    write(tmp_path, "run", rows, columns)
    with pytest.raises(ReadError, match=message):
        read(tmp_path)
