"""HELM: the folder of a run, field by field."""

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


N = 6


def instance(i: int, value: float, **more: Any) -> dict[str, Any]:
    def stat(name: str, mean: float, count: int = 1) -> dict[str, Any]:
        return {"name": {"name": name, "split": "test"}, "count": count, "sum": mean * count, "mean": mean}

    return {
        "instance_id": f"id{i}",
        "train_trial_index": 0,
        "stats": [stat("num_prompt_tokens", 900), stat("quasi_exact_match", 1.0), stat("exact_match", value)],
        **more,
    }


def write(root: Path, model: str, instances: list[dict[str, Any]], *, spec: bool = True) -> Path:
    folder = root / f"mmlu:subject=anatomy,model=lab_{model}"
    folder.mkdir(parents=True)
    (folder / "per_instance_stats.json").write_text(json.dumps(instances, indent=2))
    if spec:
        run = {"name": folder.name, "scenario_spec": {}, "adapter_spec": {"model": f"lab/{model}"}}
        (folder / "run_spec.json").write_text(json.dumps(run, indent=2))
    return root


@pytest.mark.parametrize("spec", [True, False])
def test_runs(spec: bool, tmp_path: Path) -> None:
    write(tmp_path, "a", [instance(i, i % 2) for i in range(N)], spec=spec)
    write(tmp_path, "b", [instance(i, 1) for i in reversed(range(N))], spec=spec)
    s = scores(tmp_path)
    assert s.models == (("lab/a", "lab/b") if spec else ("lab_a", "lab_b"))
    assert s.tasks[0].name == "mmlu:subject=anatomy"
    assert s.metric == "exact_match"
    assert by_unit(s) == {f"id{i}": [i % 2, 1] for i in range(N)}
    assert scores(tmp_path, score="quasi_exact_match").tasks[0].values.min() == 1


def test_trials_are_repeats_and_perturbed_instances_are_left_out(tmp_path: Path) -> None:
    odd = instance(0, 0, perturbation={"name": "typos"})
    for m in "ab":
        rows = [instance(i, i % 2, train_trial_index=t) for t in range(2) for i in range(N)]
        write(tmp_path, m, [*rows, odd])
    s = scores(tmp_path)
    assert s.audit.paired == 2 * N
    assert s.tasks[0].clusters is not None
    assert "mmlu:subject=anatomy: perturbed instances are left out" in s.audit.notes


def test_a_statistic_of_some_instances_is_skipped(tmp_path: Path) -> None:
    for m in "ab":
        rows = [instance(i, i % 2) for i in range(N)]
        rows[2]["stats"] = [s for s in rows[2]["stats"] if s["name"]["name"] != "exact_match"]
        write(tmp_path, m, rows)
    s = scores(tmp_path)
    assert s.metric == "quasi_exact_match"
    assert "skipped: exact_match of mmlu:subject=anatomy (not on every instance)" in s.audit.notes


def test_an_instance_twice(tmp_path: Path) -> None:
    write(tmp_path, "a", [instance(i, 1) for i in range(N)])
    write(tmp_path, "b", [instance(i, 1) for i in (*range(N), 2)])
    with pytest.raises(PairingError, match="more than one row"):
        read(tmp_path)


def test_what_is_missing(tmp_path: Path) -> None:
    root = write(tmp_path / "x", "a", [instance(0, 1)])
    stats = next(root.rglob("per_instance_stats.json"))
    stats.write_text(json.dumps([{"instance_id": "id0", "stats": []}]))
    with pytest.raises(ReadError, match="no statistic that every instance has"):
        read(root)
    alone = tmp_path / "alone.json"
    alone.write_text(stats.read_text())
    with pytest.raises(ReadError, match="nothing says which model"):
        read(alone)
    stats.unlink()
    with pytest.raises(ReadError, match="no scores of single instances"):
        read(root)
