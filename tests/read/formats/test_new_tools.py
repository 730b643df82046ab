"""promptfoo, DeepEval, SWE-bench, RAGAS and LangSmith: files as the tools write them, then put wrong."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ropewalk.data import Scores
from ropewalk.errors import DataError, PairingError, ReadError
from ropewalk.read import read

SAMPLES = Path(__file__).parent / "samples"


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


def means(s: Scores) -> dict[str, float]:
    return dict(zip(s.models, s.tasks[0].values.mean(axis=0).tolist(), strict=True))


# --- promptfoo ---------------------------------------------------------------------------------------------


def test_promptfoo_as_the_tool_wrote_it() -> None:
    """promptfoo 0.121: "good" fails on word 7; "bad" passes on word 3 only, and breaks on word 5."""
    s = scores(SAMPLES / "promptfoo.json")
    assert s.models == ("good", "bad")
    assert s.metric == "pass"
    assert means(s) == {"good": 7 / 8, "bad": 1 / 8}
    assert s.audit.warnings == ("bad: 1 test ended in an error, counted as failed",)
    assert "read as promptfoo" in s.audit.notes
    cost = scores(SAMPLES / "promptfoo.json", score="cost")
    assert not cost.higher_is_better
    assert cost.tasks[0].values[0].tolist() == [0.001, 0.0005]


def promptfoo(changes: Any) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((SAMPLES / "promptfoo.json").read_text())
    for row in document["results"]["results"]:
        changes(row)
    return document


def test_promptfoo_runs_in_two_files_are_paired_by_their_variables(tmp_path: Path) -> None:
    def other(row: dict[str, Any]) -> None:
        row["provider"] = {"id": row["provider"]["id"] + "-v2", "label": ""}
        row["testIdx"] = 7 - row["testIdx"]

    (tmp_path / "old.json").write_text((SAMPLES / "promptfoo.json").read_text())
    (tmp_path / "new.json").write_text(json.dumps(promptfoo(other)))
    s = scores(tmp_path)
    assert s.models == ("custom:good-v2", "custom:bad-v2", "good", "bad")
    assert s.audit.paired == 8
    values = s.tasks[0].values
    assert (values[:, :2] == values[:, 2:]).all()


def test_promptfoo_other_assertions_are_another_test(tmp_path: Path) -> None:
    def other(row: dict[str, Any]) -> None:
        row["provider"] = {"id": row["provider"]["label"] + "2"}
        if row["vars"]["word"] == "word1":
            row["testCase"]["assert"] = [{"type": "equals", "value": "x"}]

    (tmp_path / "old.json").write_text((SAMPLES / "promptfoo.json").read_text())
    (tmp_path / "new.json").write_text(json.dumps(promptfoo(other)))
    with pytest.raises(PairingError, match="differ in the assertions of 1 unit"):
        read(tmp_path)


def test_promptfoo_two_prompts_of_one_provider(tmp_path: Path) -> None:
    def other(row: dict[str, Any]) -> None:
        row["provider"] = {"id": "gpt", "label": ""}
        row["prompt"]["label"] = ["short", "long"][row["promptIdx"]]

    (tmp_path / "r.json").write_text(json.dumps(promptfoo(other)))
    assert scores(tmp_path / "r.json").models == ("gpt [short]", "gpt [long]")
    (tmp_path / "empty.json").write_text('{"evalId": "x", "results": {"version": 3, "results": []}}')
    with pytest.raises(ReadError, match="no results of single tests"):
        read(tmp_path / "empty.json")


# --- what the tools themselves wrote ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tool", "name", "metric"),
    [
        ("deepeval", "DeepEval", "Exact Match"),  # 4.3.1
        ("ragas", "RAGAS", "exact_match"),  # 0.4.3
        ("langsmith", "LangSmith", "correctness"),  # 0.14.17, evaluate(...).to_pandas().to_csv(...)
    ],
)
def test_files_that_the_tools_wrote(tool: str, name: str, metric: str) -> None:
    """Six sums; "base" gets those of 1, 2 and 4 wrong, "tuned" that of 1."""
    s = scores(SAMPLES / tool)
    assert s.models == ("base", "tuned")
    assert s.metric == metric
    assert s.tasks[0].values.T.tolist() == [[1, 0, 0, 1, 0, 1], [1, 0, 1, 1, 1, 1]]
    assert s.higher_is_better
    assert f"read as {name}" in s.audit.notes
    assert s.audit.warnings == ()


# --- DeepEval ----------------------------------------------------------------------------------------------


def deepeval(right: list[float], *, inner: bool = False, error: int = -1) -> str:
    """A test run as DeepEval 3 saves it, under the names of its API."""
    cases = [
        {
            "name": f"test_case_{i}",
            "input": f"question {i}",
            "actualOutput": "…",
            "expectedOutput": f"answer {i}",
            "success": value >= 0.5,
            "metricsData": [
                {
                    "name": "Answer Relevancy",
                    "threshold": 0.5,
                    "success": value >= 0.5,
                    "score": None if i == error else value,
                    "strictMode": False,
                    "error": "timeout" if i == error else None,
                }
            ],
            "runDuration": 0.1,
            "order": i,
        }
        for i, value in enumerate(right)
    ]
    run = {"testFile": None, "testCases": cases, "conversationalTestCases": [], "metricsScores": []}
    return json.dumps({"testRunData": run} if inner else run)


def test_deepeval(tmp_path: Path) -> None:
    (tmp_path / "gpt-a.json").write_text(deepeval([0.9, 0.8, 0.2, 0.7]))
    (tmp_path / "gpt-b.json").write_text(deepeval([0.5, 0.4, 0.3, 0.6], inner=True))
    s = scores(tmp_path)
    assert s.models == ("gpt-a", "gpt-b")
    assert s.metric == "Answer Relevancy"
    assert s.tasks[0].values.tolist() == [[0.9, 0.5], [0.8, 0.4], [0.2, 0.3], [0.7, 0.6]]
    passed = scores(tmp_path, score="pass")
    assert passed.tasks[0].values.tolist() == [[1, 1], [1, 0], [0, 0], [1, 1]]


def test_deepeval_a_metric_that_failed_to_run_is_left_out_and_said(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(deepeval([0.9, 0.8, 0.2, 0.7], error=1))
    (tmp_path / "b.json").write_text(deepeval([0.5, 0.4, 0.3, 0.6]))
    s = scores(tmp_path)
    assert s.audit.paired == 3
    assert any("1 test case without a score of `Answer Relevancy`" in w for w in s.audit.warnings)
    other = deepeval([0.5, 0.4, 0.3, 0.6]).replace("answer 2", "another")
    (tmp_path / "b.json").write_text(other)
    with pytest.raises(PairingError, match="differ in the expected output of 1 unit"):
        read(tmp_path)


# --- SWE-bench ---------------------------------------------------------------------------------------------

IDS = [f"django__django-{i}" for i in range(10)]


def swe_report(resolved: list[int], submitted: int = 10) -> str:
    """What the harness writes (schema version 2)."""
    done, good = IDS[:submitted], [IDS[i] for i in resolved]
    return json.dumps(
        {
            "total_instances": len(IDS),
            "submitted_instances": submitted,
            "completed_instances": submitted,
            "resolved_instances": len(good),
            "unresolved_instances": submitted - len(good),
            "empty_patch_instances": 0,
            "error_instances": 0,
            "completed_ids": done,
            "incomplete_ids": IDS[submitted:],
            "empty_patch_ids": [],
            "submitted_ids": done,
            "resolved_ids": good,
            "unresolved_ids": [i for i in done if i not in good],
            "error_ids": [],
            "schema_version": 2,
        },
        indent=4,
    )


def test_swe_bench_reports(tmp_path: Path) -> None:
    (tmp_path / "gpt.run1.json").write_text(swe_report([0, 1, 2, 3, 4]))
    (tmp_path / "claude.run1.json").write_text(swe_report([0, 2, 4, 6], submitted=8))
    s = scores(tmp_path)
    assert s.models == ("claude.run1", "gpt.run1")
    assert s.audit.paired == 10
    assert means(s) == {"claude.run1": 0.4, "gpt.run1": 0.5}
    assert "claude.run1: 2 instances without a run or a mention: not resolved" in s.audit.notes
    assert s.audit.warnings == ()


def test_swe_bench_submissions(tmp_path: Path) -> None:
    """Folders of the leaderboard name what was resolved; nobody's failures are in none of them."""
    for name, resolved in (("20240402_sweagent", [0, 1, 2]), ("20250101_other", [1, 2, 3, 4])):
        folder = tmp_path / name / "results"
        folder.mkdir(parents=True)
        lists = {"no_generation": [IDS[9]], "no_logs": [], "resolved": [IDS[i] for i in resolved]}
        (folder / "results.json").write_text(json.dumps(lists, indent=2))
        (folder / "resolved_by_repo.json").write_text(json.dumps({"django/django": {"resolved": 3}}))
    s = scores(tmp_path)
    assert s.models == ("20240402_sweagent", "20250101_other")
    assert s.audit.paired == 6
    assert means(s) == {"20240402_sweagent": 3 / 6, "20250101_other": 4 / 6}
    assert all("shares are too high" in w for w in s.audit.warnings)
    (tmp_path / "20240402_sweagent" / "results" / "results.json").write_text(
        '{"no_generation": [1], "resolved": [2]}'
    )
    with pytest.raises(ReadError, match="no list of instance ids"):
        read(tmp_path)


# --- RAGAS and LangSmith -----------------------------------------------------------------------------------


def write(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def ragas(values: list[Any]) -> list[dict[str, Any]]:
    return [
        {
            "user_input": f"What is {i}?",
            "retrieved_contexts": "['a, b', 'c']",
            "response": f"It is\n{v}",
            "reference": f"{i}",
            "faithfulness": v,
            "answer_relevancy": 0.5,
        }
        for i, v in enumerate(values)
    ]


def test_ragas(tmp_path: Path) -> None:
    write(tmp_path / "small.csv", ragas([0.5, 1.0, 0.25, 0.75]))
    write(tmp_path / "large.csv", list(reversed(ragas([0.75, 1.0, "", 0.5]))))
    s = scores(tmp_path)
    assert s.models == ("large", "small")
    assert s.metric == "faithfulness"
    assert s.audit.paired == 3
    assert means(s) == {"large": 2.25 / 3, "small": 2.25 / 3}
    assert s.audit.warnings[0].startswith("large: 1 of 4 rows have no number in `faithfulness`")
    rows = ragas([0.5, 1.0, 0.25, 0.75])
    rows[0]["reference"] = "other"
    write(tmp_path / "large.csv", rows)
    with pytest.raises(PairingError, match="differ in the reference of 1 unit"):
        read(tmp_path)


def test_ragas_before_version_0_2(tmp_path: Path) -> None:
    for model, shift in (("a", 0.0), ("b", 0.25)):
        rows = [
            {
                "question": f"q{i}",
                "answer": "x",
                "contexts": "[]",
                "ground_truth": "t",
                "faithfulness": i / 8 + shift,
            }
            for i in range(4)
        ]
        write(tmp_path / f"{model}.csv", rows)
    s = scores(tmp_path)
    assert s.audit.notes[0] == "read as RAGAS"
    assert [b - a for a, b in s.tasks[0].values.tolist()] == [0.25] * 4


def langsmith(values: list[float], experiment: str) -> list[dict[str, Any]]:
    """`to_pandas()` of the results of `evaluate`."""
    return [
        {
            "inputs.question": f"q{i}",
            "outputs.answer": "3",
            "error": "",
            "reference.answer": str(i),
            "feedback.correctness": v,
            "execution_time": 0.1 * (i + 1),
            "example_id": f"0000-{i}",
            "id": f"{experiment}-{i}",
        }
        for i, v in enumerate(values)
    ]


def test_langsmith(tmp_path: Path) -> None:
    write(tmp_path / "base.csv", langsmith([1, 0, 1, 0, 1], "x"))
    write(tmp_path / "new.csv", list(reversed(langsmith([1, 1, 1, 0, 1], "y"))))
    s = scores(tmp_path)
    assert s.models == ("base", "new")
    assert s.metric == "correctness"
    assert means(s) == {"base": 0.6, "new": 0.8}
    assert "examples are paired by example_id" in s.audit.notes
    slow = scores(tmp_path, score="execution_time")
    assert not slow.higher_is_better


def test_langsmith_from_the_download_button(tmp_path: Path) -> None:
    for name, values in (("base", [1, 0, 1]), ("new", [1, 1, 1])):
        rows = [
            {
                "id": f"{name}-{i}",
                "inputs": json.dumps({"question": f"q{i}"}),
                "outputs": json.dumps({"answer": "3"}),
                "reference_outputs": json.dumps({"answer": str(i)}),
                "correctness": v,
                "latency": 1.5,
                "tokens": 100,
            }
            for i, v in enumerate(values)
        ]
        write(tmp_path / f"{name}.csv", rows)
    s = scores(tmp_path)
    assert s.metric == "correctness"
    assert s.tasks[0].values.tolist() == [[1, 1], [0, 1], [1, 1]]
    assert "examples are paired by their inputs" in s.audit.notes


# --- votes -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_place", [None, True])
def test_votes_are_recognised_and_named(in_place: bool | None, tmp_path: Path) -> None:
    rows = [
        {
            "question_id": i,
            "model_a": "x",
            "model_b": "y",
            "winner": "tie",
            "judge": "j",
            "turn": 1,
            "tstamp": 5,
        }
        for i in range(3)
    ]
    write(tmp_path / "votes.csv", rows)
    with pytest.raises(DataError, match=r"votes between two models \(`model_a`, `model_b`, `winner`\)"):
        read(tmp_path / "votes.csv", in_place=in_place)
