"""MTEB: one file per model and task."""

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


TASKS = ("Banking77", "SciFact", "STS12")
REVISION = "a" * 40


def write(
    root: Path, model: str, task: str, scores: Any, *, revision: str = REVISION, data: str = "d1"
) -> None:
    folder = root / f"lab__{model}" / revision
    folder.mkdir(parents=True, exist_ok=True)
    document = {
        "dataset_revision": data,
        "task_name": task,
        "mteb_version": "1.12.0",
        "scores": scores,
        "evaluation_time": 3.0,
    }
    (folder / f"{task}.json").write_text(json.dumps(document, indent=2))
    (folder / "model_meta.json").write_text('{"name": "lab"}')


def main(score: float, subset: str = "default") -> dict[str, Any]:
    return {"main_score": score, "hf_subset": subset, "languages": ["eng-Latn"]}


def test_tasks_are_the_units(tmp_path: Path) -> None:
    for k, task in enumerate(TASKS):
        write(tmp_path, "a", task, {"validation": [main(0.0)], "test": [main(0.5 + k / 10)]})
        write(tmp_path, "b", task, {"test": [main(0.6)]})
    s = scores(tmp_path)
    assert s.models == ("lab__a", "lab__b")
    assert s.design.unit == "task"
    assert by_unit(s) == {t: [0.5 + k / 10, 0.6] for k, t in enumerate(TASKS)}
    assert s.higher_is_better


def test_subsets_are_told_apart_and_another_revision_of_the_data_is_said(tmp_path: Path) -> None:
    both = {"test": [main(0.5, "en"), main(0.4, "de")]}
    write(tmp_path, "a", "STS22", both)
    write(tmp_path, "b", "STS22", both, data="d2")
    s = scores(tmp_path)
    assert set(s.tasks[0].units) == {"STS22 (en)", "STS22 (de)"}
    assert any('revision of the data differs for "lab__b"' in w for w in s.audit.warnings)


def test_two_revisions_of_a_model_are_two_models(tmp_path: Path) -> None:
    for revision in (REVISION, "b" * 40):
        for task in TASKS:
            write(tmp_path, "a", task, {"test": [main(0.5)]}, revision=revision)
    assert scores(tmp_path).models == ("lab__a (aaaaaaaa)", "lab__a (bbbbbbbb)")


def test_other_splits_and_no_scores(tmp_path: Path) -> None:
    for task in TASKS:
        write(tmp_path, "a", task, {"test": [main(0.5)]})
        write(tmp_path, "b", task, {"dev": [main(0.5)]})
    with pytest.raises(PairingError, match="Banking77: lab__a and lab__b differ in the split of 1 unit"):
        read(tmp_path)
    write(tmp_path, "b", TASKS[0], {"test": []})
    with pytest.raises(ReadError, match="has no main score"):
        read(tmp_path)
