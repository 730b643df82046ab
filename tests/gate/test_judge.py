"""The gate in Python: policy, decision, looks, renderings, the fixture."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from ropewalk.errors import ColumnError, DataError, OptionError, PairingError
from ropewalk.gate import Policy, render
from tests.gate.sides import by_task, judge, outcomes


def test_lower_is_better_turns_the_sign() -> None:
    rng = np.random.default_rng(3)
    loss = rng.random(200)
    higher_loss = loss + 0.1 + 0.01 * rng.random(200)
    assert judge(loss, higher_loss, Policy(margin=0.01), higher_is_better=False).name == "fail"
    assert judge(loss, higher_loss, Policy(margin=0.01), higher_is_better=True).name == "pass"


@pytest.mark.parametrize("margin", [0.0, 0.01])
def test_the_same_files_pass(margin: float, tmp_path: Path) -> None:
    tables = {"one": "id,correct\n", "many": "id,task,correct\n"}
    for i in range(50):
        tables["one"] += f"{i},{i % 2}\n"
        tables["many"] += f"{i},{'abcdef'[i % 6]},{i % 2}\n"
    for name, content in tables.items():
        path = tmp_path / f"{name}.csv"
        path.write_text(content)
        decision = judge(path, path, Policy(margin=margin, must_not_regress="all"))
        assert (decision.name, decision.exit_code) == ("pass", 0)
        assert decision.warnings[0].startswith("baseline and candidate are the same files")


@pytest.mark.parametrize("scores", [["0.5"] * 5, ["1"] * 5])
def test_copies_of_a_file_do_not_prove_that_the_model_is_the_same(scores: list[str], tmp_path: Path) -> None:
    # A candidate that is worse by 2 points gives the same five answers in 90% of test sets.
    content = "id,accuracy\n" + "".join(f"{i},{x}\n" for i, x in enumerate(scores))
    for side in ("baseline", "candidate"):
        (tmp_path / f"{side}.csv").write_text(content)
    decision = judge(tmp_path / "baseline.csv", tmp_path / "candidate.csv", Policy(margin=0.02))
    assert (decision.name, decision.exit_code) == ("undecided", 2)


def test_the_same_model_twice_and_two_models_of_one_file(tmp_path: Path) -> None:
    path = tmp_path / "both.csv"
    path.write_text("id,model,correct\n" + "".join(f"{i},{m},{i % 2}\n" for m in "ab" for i in range(40)))
    assert judge(path, path, Policy(margin=0.01), models=("a", "a")).name == "pass"
    # Alike on 40 examples, and not known to be the same.
    assert judge(path, path, Policy(margin=0.01), models=("a", "b")).name == "undecided"


def test_the_same_object_on_both_sides_passes() -> None:
    x = np.random.default_rng(0).random(5)
    assert judge(x, x, Policy(margin=0.0), higher_is_better=True).name == "pass"


def as_frame(scores: dict[str, np.ndarray]) -> pd.DataFrame:
    parts = [pd.DataFrame({"task": t, "id": np.arange(len(x)), "correct": x}) for t, x in scores.items()]
    return pd.concat(parts, ignore_index=True)


SHAPES: dict[str, Any] = {
    "scores by task": lambda scores: scores,
    "frame": as_frame,
    "frames by task": lambda scores: {t: as_frame({t: x}).drop(columns="task") for t, x in scores.items()},
    "one number per task": lambda scores: pd.DataFrame(
        {"task": list(scores), "accuracy": [x.mean() for x in scores.values()]}
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_a_task_that_one_side_was_not_run_on_is_refused(shape: str) -> None:
    tasks = {f"t{k}": (100, k, 1) for k in range(40)}  # enough tasks where each has one number
    whole, _ = by_task(**tasks)
    part = {t: x for t, x in whole.items() if t != "t3"}
    lenient = Policy(margin=0.02, on_undecided="pass")
    for sides, lacking in (((whole, part), "candidate"), ((part, whole), "baseline")):
        for policy in (lenient, Policy(margin=0.02, must_not_regress=("t3",))):
            with pytest.raises(OptionError, match="lack a result from one of the models") as refusal:
                judge(*map(SHAPES[shape], sides), policy)
            assert f'{lacking} was not run on "t3"' in str(refusal.value)
            assert '--missing drop (missing="drop")' in str(refusal.value)


@pytest.mark.parametrize("shape", SHAPES)
def test_a_task_that_was_not_run_never_passes_unless_it_is_left_out(shape: str) -> None:
    scores, candidate = by_task(**{f"t{k}": (100, 2 * k, 20) for k in range(40)})
    part = {t: x for t, x in candidate.items() if t != "t3"}
    sides = [SHAPES[shape](scores), SHAPES[shape](part)]
    # A fortieth of the tasks is within the margin; a task that was not run is no pass all the same.
    lenient = Policy(margin=0.4, on_undecided="pass")
    worst = judge(*sides, lenient, missing="worst")
    assert (worst.missing, worst.name) == (
        ("t3",),
        "undecided" if shape == "one number per task" else "fail",
    )
    assert worst.exit_code != 0
    left = judge(*sides, lenient, missing="drop")
    assert (left.name, left.missing) == ("pass", ())
    assert any("t3" in w for w in left.warnings)


def test_a_task_counted_as_wrong_is_undecided_where_the_baseline_is_wrong_too() -> None:
    baseline, candidate = by_task(a=(500, 0, 1), b=(500, 0, 0))
    baseline["b"] = 0 * baseline["b"]
    del candidate["b"]
    decision = judge(baseline, candidate, Policy(margin=0.02, on_undecided="pass"), missing="worst")
    assert (decision.name, decision.exit_code) == ("undecided", 2)
    assert decision.reason == "candidate was not run on `b`, which never passes"
    assert "counted as a pass" not in render.to_text(decision)
    strict = Policy(margin=0.02, on_undecided="fail")
    assert judge(baseline, candidate, strict, missing="worst").exit_code == 1


def test_a_task_that_was_left_out_but_must_not_regress() -> None:
    baseline, candidate = by_task(a=(500, 0, 1), b=(500, 0, 1))
    del candidate["b"]
    decision = judge(baseline, candidate, Policy(margin=0.02, must_not_regress=("b",)), missing="drop")
    assert (decision.name, decision.missing) == ("undecided", ("b",))
    assert "| b | 0 |  |  |  |  |  | not run |" in render.to_markdown(decision)


@pytest.mark.parametrize("shape", ["scores by task", "frame", "frames by task"])
def test_what_the_baseline_lacks_never_helps_the_candidate(shape: str) -> None:
    scores, worse = by_task(a=(500, 100, 1), b=(500, 100, 1))
    part = {"a": scores["a"]}
    decision = judge(SHAPES[shape](part), SHAPES[shape](worse), Policy(margin=0.02), missing="worst")
    assert (decision.name, decision.audit.paired) == ("fail", 500)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_a_task_in_files_that_was_not_run(
    kind: str, command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also in files so large that a comparison would leave their rows where they are."""
    monkeypatch.setattr(import_module("ropewalk.read.sources"), "MANY", 10)
    monkeypatch.setattr(import_module("ropewalk.read.files"), "MANY", 10)
    for side, tasks in (("old", "xy"), ("new", "x")):
        rows = [(t, f"{t}{i}", int(i % 5 > 0)) for t in tasks for i in range(300)]
        frame = pd.DataFrame(rows, columns=["task", "id", "correct"])
        getattr(frame, f"to_{kind}")(tmp_path / f"{side}.{kind}", index=False)
    typed = ("gate", f"old.{kind}", f"new.{kind}", "--margin", "0.05")
    code, out, err = command(*typed, "--on-undecided", "pass")
    assert (code, out) == (3, "")
    assert err.startswith("error: 300 of 600 units (50%) lack a result from one of the models")
    assert 'candidate was not run on "y"' in err
    assert command(*typed, "--missing", "worst", "--on-undecided", "pass")[0] == 1
    code, out, _ = command(*typed, "--missing", "drop")
    assert (code, "300 of 600 units (50%) were left out" in " ".join(out.split())) == (0, True)


def test_one_example_a_task_is_not_enough(tmp_path: Path) -> None:
    for name, wrong in (("baseline", 1), ("candidate", 2)):
        rows = "".join(f"t{i},{i},{i % 2},{(i + (i == wrong)) % 2}\n" for i in range(4))
        (tmp_path / f"{name}.csv").write_text("task,id,truth,prediction\n" + rows)
    with pytest.raises(DataError, match="every task has a single unit"):
        judge(tmp_path / "baseline.csv", tmp_path / "candidate.csv", Policy(margin=0.01))


def test_files_of_one_side_with_the_same_units(tmp_path: Path) -> None:
    for side in ("baseline", "candidate"):
        (tmp_path / side).mkdir()
        for model in ("m1", "m2"):
            rows = "".join(f"{t},{i},{i % 2}\n" for t in "xy" for i in range(20))
            (tmp_path / side / f"{model}.csv").write_text("task,id,correct\n" + rows)
    with pytest.raises(
        DataError, match='the baseline holds 2 files with the same units: "m1", "m2"'
    ) as caught:
        judge(tmp_path / "baseline", tmp_path / "candidate", Policy(margin=0.01))
    assert "--model NAME" in caught.value.hint


def test_lazy_frames_of_many_rows_are_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison would leave them where they are; a gate needs every score."""
    pl = pytest.importorskip("polars")
    monkeypatch.setattr(import_module("ropewalk.read.engines"), "MANY", 10)
    right = [float(i % 5 > 0) for i in range(400)]
    frame = pl.DataFrame({"id": range(400), "correct": right}).lazy()
    assert judge(frame, frame.sort("id", descending=True), Policy(margin=0.02)).audit.paired == 400


def test_what_the_sides_may_be(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="one side is a file and the other is not"):
        judge("a.csv", [1, 0], Policy(margin=0.1))
    with pytest.raises(OptionError, match="a model can be picked from files only"):
        judge([1, 0], [1, 0], Policy(margin=0.1), models=("a", None))
    with pytest.raises(PairingError, match="no data set occurs for more than one model"):
        judge({"a": [1, 0]}, {"b": [1, 0]}, Policy(margin=0.1))
    with pytest.raises(PairingError, match="on b, baseline has 3 scores and candidate has 2"):
        judge({"a": [1, 0], "b": [1, 0, 1]}, {"a": [1, 0], "b": [1, 0]}, Policy(margin=0.1))
    with pytest.raises(PairingError, match="baseline has 2 scores, candidate has 3"):
        judge([1, 0], [1, 0, 1], Policy(margin=0.1))
    with pytest.raises(OptionError, match="a margin of 1 is all of the range of the scores"):
        judge(*outcomes(50, 1, 1), Policy(margin=1))


def test_frames_are_paired_by_their_ids() -> None:
    pandas = pytest.importorskip("pandas")
    baseline, candidate = outcomes(400, 60, 2)
    frame = pandas.DataFrame({"id": range(400), "correct": baseline})
    other = pandas.DataFrame({"id": range(400), "correct": candidate}).sample(frac=1, random_state=0)
    assert judge(frame, other, Policy(margin=0.02)).name == "fail"


def test_what_a_gate_cannot_take(tmp_path: Path) -> None:
    sides = import_module("ropewalk.read.sides")
    counts = import_module("ropewalk.read").read(
        pd.DataFrame({"n00": [1], "n01": [2], "n10": [3], "n11": [4]})
    )
    with pytest.raises(DataError, match="a gate takes two files, and a table of counts holds both models"):
        sides._unit_by_unit(counts)
    (tmp_path / "a.csv").write_text("id,model,score\n1,m,0.1\n2,m,0.2\n")
    (tmp_path / "b.csv").write_text("id,score\n3,0.1\n4,0.2\n")
    both = [tmp_path / "a.csv", tmp_path / "b.csv"]
    with pytest.raises(ColumnError, match=r"baseline: some files have a column of models, .*b\.csv has none"):
        judge(both, both, Policy(margin=0.01))


def test_a_dict_of_tasks_may_hold_frames_of_predictions() -> None:
    truth = ["x", "y"] * 200
    said = {"baseline": truth, "candidate": ["x"] * 400}
    sides = [
        {t: pd.DataFrame({"id": range(400), "truth": truth, "prediction": x}) for t in ("s", "t")}
        for x in said.values()
    ]
    decision = judge(*sides, Policy(margin=0.01))
    assert [row.advantage for row in decision.tasks] == [-0.5, -0.5]
    assert decision.name == "fail"


@pytest.mark.parametrize("kind", ["graded", "right or wrong"])
def test_specialists_are_compared_if_somebody_says_that_they_are(
    kind: str, command: Any, tmp_path: Path
) -> None:
    """One model translates French well and the other German, and no column says which row is which."""
    rng = np.random.default_rng(2)
    french = rng.random(600) < 0.5
    p = {"old": np.where(french, 0.95, 0.05), "new": np.where(french, 0.15, 0.95)}
    for side, x in p.items():
        score = {"graded": x + rng.uniform(-0.05, 0.05, 600), "right or wrong": rng.random(600) < x}[kind]
        frame = pd.DataFrame({"id": range(600), "accuracy": score.astype(float).round(3)})
        frame.to_csv(tmp_path / f"{side}.csv", index=False)
    typed = ("gate", "old.csv", "new.csv", "--margin", "0.02")
    code, out, err = command(*typed)
    assert (code, out) == (4, "")
    assert err.startswith("error: baseline is good where candidate is bad")
    assert "--specialists (specialists=True)" in " ".join(err.split())
    code, out, _ = command(*typed, "--specialists")
    assert code in (0, 1, 2)
    assert " ".join(out.split()).startswith("warning: baseline is good where candidate is bad")
    sides = (tmp_path / "old.csv", tmp_path / "new.csv")
    assert judge(*sides, Policy(margin=0.02), specialists=True).exit_code == code
    with pytest.raises(DataError, match="is good where"):
        judge(*sides, Policy(margin=0.02))
