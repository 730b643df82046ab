"""Groups of tasks in logs of lm-evaluation-harness."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ropewalk import compare
from ropewalk.data import Scores
from ropewalk.read import read
from ropewalk.read.formats.lm_eval_results import innermost
from tests.read.formats.groups import LAW, NESTED, STEM, write

FLAT = {"mmlu": [*STEM, *LAW], "mmlu_stem": [*STEM], "mmlu_humanities": [*LAW]}  # as older versions write it


def scores(source: Path) -> Scores:
    found = read(source)
    assert isinstance(found, Scores)
    return found


@pytest.mark.parametrize("groups", [NESTED, FLAT], ids=["nested", "flat"])
def test_a_task_is_in_its_innermost_group(groups: dict[str, list[str]], tmp_path: Path) -> None:
    s = scores(write(tmp_path / "out", [*STEM, *LAW, "gsm8k"], groups))
    assert {t.name: t.group for t in s.tasks} == {
        **dict.fromkeys(STEM, "mmlu_stem"),
        **dict.fromkeys(LAW, "mmlu_humanities"),
        "gsm8k": None,
    }
    assert {g: len(tasks) for g, tasks in s.groups.items()} == {"mmlu_humanities": 2, "mmlu_stem": 3}
    note = next(n for n in s.audit.notes if n.startswith("groups of tasks"))
    assert "mmlu_stem (3 tasks)" in note
    assert ("innermost" in note) == (groups is NESTED)
    assert "every task counts once" in note


def test_the_answer_of_a_group_is_that_over_its_tasks_alone(tmp_path: Path) -> None:
    report = compare(write(tmp_path / "all", [*STEM, *LAW, "gsm8k"], NESTED))
    alone = compare(write(tmp_path / "stem", STEM))
    (group,), (oracle,) = report.groups["mmlu_stem"], alone.overall
    assert group.verdict == oracle.verdict
    assert group.estimate == oracle.estimate
    assert group.advantage == oracle.advantage
    assert group.n == 3
    assert report.overall[0].n == 6  # every task once, and no total of a group
    assert len(report.comparisons) == 6


def test_pairs_of_many_models_are_those_of_the_group_by_itself(tmp_path: Path) -> None:
    report = compare(write(tmp_path / "all", [*STEM, *LAW], NESTED, models="abc"))
    alone = compare(write(tmp_path / "stem", STEM, models="abc"))
    assert [c.verdict for c in report.groups["mmlu_stem"]] == [c.verdict for c in alone.overall]


@pytest.mark.parametrize(
    ("tasks", "groups"),
    [
        ([STEM[0], "gsm8k"], NESTED),  # one task of a group is no level
        (STEM, NESTED),  # and neither are all tasks there are
        ([*STEM, "gsm8k"], {"stem": "mmlu_algebra", "x": {"y": 1}, "z": [1, None]}),  # odd types
        (["a", "b"], {}),
    ],
)
def test_no_second_level(tasks: list[str], groups: dict[str, Any], tmp_path: Path) -> None:
    report = compare(write(tmp_path / "out", tasks, groups))
    assert report.groups == {}
    assert "groups" not in json.loads(report.to_json())
    assert "group, on" not in report.to_text()


def test_groups_that_hold_each_other() -> None:
    assert innermost({"a": ["b", "x"], "b": ["a", "y"]}, {"x", "y", "z"}) == {"x": "a", "y": "a"}


def test_a_group_beside_its_own_tasks_is_not_read_as_a_task(tmp_path: Path) -> None:
    s = scores(write(tmp_path / "out", ["mmlu_stem", *STEM, "gsm8k"], NESTED))
    assert [t.name for t in s.tasks] == ["gsm8k", "mmlu_algebra", "mmlu_biology", "mmlu_physics"]
    assert 'left out, because they are groups of tasks that are also listed: "mmlu_stem"' in s.audit.notes


def test_a_group_that_the_method_cannot_answer_is_a_warning(tmp_path: Path) -> None:
    root = write(tmp_path / "out", [*STEM, *LAW], NESTED)
    for file in root.rglob("samples_mmlu_[le]*"):  # nobody is right where the other is wrong in both ways
        text = file.read_text().replace('"acc": 0.0', '"acc": 1.0')
        file.write_text(text if file.parent.name == "good" else text.replace('"acc": 1.0', '"acc": 0.0', 9))
    report = compare(root, method="hierarchical_mcnemar")
    assert list(report.groups) == ["mmlu_stem"]
    assert any(w.startswith("no answer for the group mmlu_humanities: ") for w in report.audit.warnings)
