"""lm-evaluation-harness: a folder is built field by field, then one thing is put wrong at a time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ropewalk import compare
from ropewalk.errors import DataError, PairingError, ReadError, RopewalkError
from ropewalk.read import read
from tests.read.formats.harness import (
    LATER,
    N,
    Out,
    results,
    right,
    samples,
    scores,
    sha,
    two_filters,
    values,
)


def test_a_folder_needs_no_options(out: Out) -> None:
    s = scores(out.write())
    assert s.models == ("org/good", "org/poor")
    assert [t.name for t in s.tasks] == ["gsm8k"]
    assert s.metric == "exact_match"
    assert s.higher_is_better
    for model in ("good", "poor"):
        assert values(s, f"org/{model}") == [right(model, i) for i in range(N)]
    assert f"gsm8k: {N} of {N} paired" in s.audit.notes
    assert "read as lm-evaluation-harness" in s.audit.notes
    assert s.audit.warnings == ()
    assert s.design.unit == "example"
    assert len(s.audit.inputs) == 2
    report = compare(out.root)
    assert report.comparisons[0].n == N


def shuffle_ids(out: Out) -> None:
    ids = np.random.default_rng(0).permutation(N)
    for r, i in zip(out.rows["poor"], ids, strict=True):
        r["doc_id"] = int(i)


def shift_ids(out: Out) -> None:
    for r in out.rows["poor"]:
        r["doc_id"] += 1


def other_target(out: Out) -> None:
    out.rows["poor"][7] |= {"target": "8", "target_hash": sha("8")}


def other_target_without_hashes(out: Out) -> None:
    out.rows["poor"][7]["target"] = "8"
    for r in (r for rows in out.rows.values() for r in rows):
        for key in ("doc_hash", "target_hash", "prompt_hash"):
            del r[key]


def other_document(out: Out) -> None:
    out.rows["poor"][7]["doc_hash"] = sha("edited")


def other_version_of_the_data(out: Out) -> None:
    for r in out.rows["poor"]:
        r["doc_hash"] = sha("v2" + r["doc_hash"])


def id_used_twice(out: Out) -> None:
    out.rows["poor"].append(out.rows["poor"][3] | {"doc_id": 4})


def only_other_filter(out: Out) -> None:
    out.rows["good"] = samples("good", filter="strict-match")
    out.rows["poor"] = samples("poor", filter="flexible-extract")


def only_other_metric(out: Out) -> None:
    out.rows["poor"] = samples("poor", metric="acc")


def no_common_ids(out: Out) -> None:
    for r in out.rows["poor"]:
        r["doc_id"] += 1000


def without_id(out: Out) -> None:
    del out.rows["poor"][2]["doc_id"]


def not_a_number(out: Out) -> None:
    out.rows["poor"][2]["exact_match"] = float("nan")


ERRORS: dict[str, tuple[Callable[[Out], None], type[RopewalkError], str]] = {
    "shuffled ids": (shuffle_ids, PairingError, "differ in the document of"),
    "shifted ids": (shift_ids, PairingError, f"differ in the document of {N - 1} units"),
    "another target under one id": (other_target, PairingError, "differ in the target of 1 unit"),
    "the same, before there were hashes": (
        other_target_without_hashes,
        PairingError,
        "differ in the target of 1 unit",
    ),
    "another document under one id": (other_document, PairingError, "differ in the document of 1 unit"),
    "another version of the data": (
        other_version_of_the_data,
        PairingError,
        f"differ in the document of {N} units",
    ),
    "one id for two examples": (id_used_twice, PairingError, 'two different examples have the doc_id "4"'),
    "each model another filter": (only_other_filter, PairingError, "the models share no task and metric"),
    "each model another metric": (only_other_metric, PairingError, "the models share no task and metric"),
    "no common ids": (no_common_ids, PairingError, "share no ids"),
    "a row without an id": (without_id, ReadError, "line 3: no doc_id"),
    "a score that is NaN": (not_a_number, DataError, "no finite number"),
}


@pytest.mark.parametrize("case", ERRORS)
def test_misalignment_that_is_refused(case: str, out: Out) -> None:
    plant, error, message = ERRORS[case]
    plant(out)
    with pytest.raises(error, match=message):
        read(out.write())


def other_order(out: Out) -> None:
    out.rows["poor"].reverse()


def duplicate_rows(out: Out) -> None:
    wrong = [r | {"exact_match": 1.0 - r["exact_match"]} for r in out.rows["poor"][:3]]
    out.rows["poor"] = wrong + out.rows["poor"]


def half_run(out: Out) -> None:
    out.rows["poor"] = out.rows["poor"][: N // 2]


def limited(out: Out) -> None:
    half_run(out)
    out.results["poor"] = results("poor", n=N // 2)


def one_lost(out: Out) -> None:
    del out.rows["poor"][5]


def other_shots(out: Out) -> None:
    out.rows["poor"] = samples("poor", shots=0)
    out.results["poor"] = results("poor", shots=0)


def other_prompt(out: Out) -> None:
    for r in out.rows["poor"]:
        r["prompt_hash"] = sha("<|user|>" + r["prompt_hash"])


def one_filter_more(out: Out) -> None:
    two_filters(out)
    out.rows["poor"] = [r for r in out.rows["poor"] if r["filter"] == "strict-match"]


def a_list(out: Out) -> None:
    for rows in out.rows.values():
        for r in rows:
            r |= {"metrics": ["f1", "exact_match"], "f1": [0, 1]}


HANDLED: dict[str, tuple[Callable[[Out], None], int, str]] = {
    "another order of the rows": (other_order, N, f"gsm8k: {N} of {N} paired"),
    "duplicate rows of a rerun": (duplicate_rows, N, "gsm8k, org/poor: 3 rows are repeated"),
    "a task half run": (half_run, N // 2, f"gsm8k: {N // 2} of {N} paired"),
    "half a file": (half_run, N // 2, f"gsm8k, org/poor: {N // 2} of the {N} examples that were run are"),
    "a task run with a limit": (limited, N // 2, f"gsm8k: {N // 2} of {N} paired"),
    "one row lost": (one_lost, N - 1, f"gsm8k: {N - 1} of {N} paired"),
    "another few-shot setting": (other_shots, N, 'number of shots differs for "org/poor"; prompt differs'),
    "another prompt": (other_prompt, N, f'gsm8k: {N} of {N} paired; prompt differs for "org/poor"'),
    "two filters mixed": (
        two_filters,
        N,
        "metric: exact_match,strict-match on gsm8k; other metrics there: exact_match,fl",
    ),
    "a filter that one model lacks": (one_filter_more, N, "metric: exact_match,strict-match on gsm8k"),
    "a metric that is a list": (a_list, N, "skipped: f1 of gsm8k (a list for an example, not one number)"),
}


@pytest.mark.parametrize("case", HANDLED)
def test_misalignment_that_is_handled_and_said(case: str, out: Out) -> None:
    plant, paired, said = HANDLED[case]
    plant(out)
    s = scores(out.write())
    assert s.audit.paired == paired
    assert any(said in line for line in (*s.audit.notes, *s.audit.warnings)), s.audit
    # Whatever was planted, each example has the score of that example.
    by_id = dict(zip(s.tasks[0].units, s.tasks[0].values.tolist(), strict=True))
    assert by_id == {i: [right("good", int(i)), right("poor", int(i))] for i in by_id}


def test_models_are_called_like_their_folders_without_results(out: Out) -> None:
    out.results = {}
    assert scores(out.write()).models == ("org__good", "org__poor")


def test_a_run_without_results_is_of_the_model_of_its_folder(out: Out) -> None:
    out.write()
    Out(root=out.root, rows={m: samples(m, task="arc") for m in out.rows}, results={}).write("arc", LATER)
    s = scores(out.root)
    assert s.models == ("org/good", "org/poor")
    assert len(s.tasks) == 2


def test_two_settings_of_one_model_are_told_apart_by_folder(out: Out) -> None:
    out.results["poor"] = results("good")
    assert scores(out.write()).models == ("org__good", "org__poor")


def test_folders_of_one_name_and_files_by_pattern(tmp_path: Path) -> None:
    for run in ("before", "after"):
        Out(root=tmp_path / run, rows={"m": samples("good")}, results={"m": results("m")}).write()
    assert set(scores([tmp_path / "before", tmp_path / "after"]).models) == {"after/org__m", "before/org__m"}
    assert len(scores(str(tmp_path / "*" / "*" / "samples_*.jsonl")).models) == 2


def test_a_task_that_one_model_lacks(out: Out) -> None:
    out.write()
    Out(root=out.root, rows={"good": samples("good", task="arc")}, results={}).write("arc")
    s = scores(out.root)
    assert [t.name for t in s.tasks] == ["gsm8k"]
    assert 'tasks without a metric that two models share: "arc"' in s.audit.notes


def test_the_right_task_and_models_are_named_where_rows_differ(out: Out) -> None:
    out.write()  # a third model that shares one task only comes first, and has no part in it
    Out(root=out.root, rows={"a": samples("good")}, results={}).write()
    rows = {m: samples(m, task="arc") for m in ("good", "poor")}
    rows["poor"][7]["target_hash"] = sha("x")
    Out(root=out.root, rows=rows, results={}).write("arc")
    with pytest.raises(PairingError, match="arc: org/good and org/poor differ in the target of 1 unit"):
        read(out.root)


def test_many_tasks_that_fit_are_one_line(out: Out) -> None:
    for k in range(25):
        rows = {m: samples(m, task=f"t{k}", n=3) for m in out.rows}
        Out(root=out.root, rows=rows, results={}).write(f"t{k}")
    assert "25 tasks: all units paired" in scores(out.root).audit.notes


def test_totals_only(out: Out) -> None:
    for file in out.write().rglob("samples_*"):
        file.unlink()
    with pytest.raises(ReadError, match="totals only") as caught:
        read(out.root)
    assert "--log_samples" in caught.value.hint


def test_no_metric_per_example(out: Out) -> None:
    a_list(out)
    for r in (r for rows in out.rows.values() for r in rows):
        r["metrics"] = ["f1"]
    with pytest.raises(ReadError, match="no metric with one number per example"):
        read(out.write())


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"doc_id": 1, "doc": ' + "[" * 100_000, "line 41: nested too deeply"),
        ('{"doc_id": 1, "do', r"line 41: not valid JSON \(.*, column"),
        ("[1]", "line 41: not an object"),
        ('{"doc_id": ' + "9" * 5000 + "}", "line 41: not valid JSON"),
    ],
)
def test_broken_lines(line: str, message: str, out: Out) -> None:
    file = next(out.write().rglob("samples_*"))
    file.write_text(file.read_text() + line)
    with pytest.raises(ReadError, match=message):
        read(out.root)


@pytest.mark.parametrize("junk", [[], {"gsm8k": 3}, {"gsm8k": {"effective": "x"}}, None, "text"])
def test_results_of_odd_types_say_nothing(junk: object, out: Out) -> None:
    for key in ("n-shot", "n-samples", "higher_is_better", "group_subtasks", "model_name"):
        out.results["good"][key] = junk
    assert scores(out.write()).audit.paired == N


def test_a_log_beside_a_plain_table(out: Out, tmp_path: Path) -> None:
    table = tmp_path / "svm.csv"
    table.write_text("id,accuracy\n1,0.5\n2,0.6\n")
    with pytest.raises(ReadError, match="the files are of several kinds"):
        read([out.write(), table])


def test_a_folder_of_plain_tables_stays_one(out: Out, tmp_path: Path) -> None:
    out.write()
    for name in ("svm", "forest"):
        (tmp_path / f"{name}.csv").write_text("id,accuracy\n1,0.5\n2,0.6\n")
    assert scores(tmp_path).models == ("forest", "svm")


def test_one_model_only(out: Out) -> None:
    del out.rows["poor"]
    with pytest.raises(DataError, match="only one model"):
        read(out.write())
