"""Columns that are not models, tables that lie on their side, and copies of rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import CellError, ColumnError, DataError


def wide(write, extra: str, values, *, n: int = 40, path: str = "t.csv") -> str:
    rng = np.random.default_rng(0)
    answers = rng.integers(0, 2, (n, 2))
    return write(path, f"id,svm,forest,{extra}", [(i, *answers[i], values[i]) for i in range(n)])


@pytest.mark.parametrize(
    ("name", "values", "why"),
    [
        ("text_length", np.random.default_rng(1).integers(12, 480, 40), "its name is that of a property"),
        ("price", np.random.default_rng(2).uniform(1, 9, 40), "price"),
        ("age", np.random.default_rng(3).integers(20, 80, 40), "its name is that of a property"),
        ("n_tokens", np.random.default_rng(4).integers(0, 300, 40), "its name is that of a property"),
        ("inference_time", np.random.default_rng(5).uniform(0, 1, 40), "inference_time"),
        ("zork", np.random.default_rng(6).integers(100, 900, 40), "its values are 1"),
        ("confidence_of_rater", np.random.default_rng(7).uniform(0, 1, 40), "it is not 0 and 1"),
        ("outcome", np.random.default_rng(8).integers(0, 2, 40), "its name may be that of the truth"),
    ],
)
def test_a_column_that_is_no_model(command, write, name: str, values, why: str) -> None:
    path = wide(write, name, values)
    code, out, err = command("compare", path)
    assert (code, out) == (4, "")
    assert why in err
    assert "--model" in err
    code, out, _ = command("compare", path, "--model", "svm", "--model", "forest")
    assert code == 0
    # What may be the truth of 0 and 1 is said first; anything else was not asked for.
    assert ("may be the truth" in " ".join(out.split())) == (f"`{name}`" in out) == ("of the truth" in why)
    with pytest.raises(ColumnError):
        rw.plan(path)


def test_a_truth_that_is_not_called_so(write) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 60)
    p = [np.clip(truth * 0.6 + 0.2 + rng.normal(0, 0.1, 60), 0.01, 0.99) for _ in range(2)]
    path = write("p.csv", "id,zork,svm,forest", zip(range(60), truth, *p, strict=True))
    with pytest.raises(ColumnError, match="`zork` does not look like the scores of a model") as error:
        rw.compare(path)
    assert "--truth COLUMN" in error.value.hint
    assert rw.compare(path, truth="zork").metric == "Brier score"


@pytest.mark.parametrize("where", ["one file", "two files", "two files with a model column"])
def test_a_column_correct_with_letters_is_the_right_answer(write, where: str) -> None:
    r = np.random.default_rng(0)
    right = r.choice(list("ABCD"), 60)
    said = [np.where(r.random(60) < p, right, r.choice(list("ABCD"), 60)) for p in (0.7, 0.9)]
    if where == "one file":
        files = [write("t.csv", "id,correct,old,new", zip(range(60), right, *said, strict=True))]
    else:
        head, more = ("id,correct,prediction,model", 1) if "column" in where else ("id,correct,answer", 0)
        files = [
            write(f"{m}.csv", head, [(*row, *[m] * more) for row in zip(range(60), right, x, strict=True)])
            for m, x in zip(("old", "new"), said, strict=True)
        ]
    with pytest.raises(ColumnError, match='`correct` has no numbers, but "A", "B", "C", "D"') as error:
        rw.compare(files)
    assert 'truth="correct" (--truth correct)' in error.value.hint
    shares = [np.mean(x == right) for x in said]
    report = rw.compare(files, truth="correct")
    assert sorted(m.mean for m in report.models) == pytest.approx(sorted(shares))


@pytest.mark.parametrize("words", [("pass", "fail"), ("Yes", "No"), ("C", "I"), ("ok", "timeout", "error")])
def test_right_and_wrong_in_words_is_not_a_truth(write, words: tuple[str, ...]) -> None:
    rows = [(i, words[i % len(words)]) for i in range(60)]
    files = [write(f"{m}.csv", "id,correct", rows) for m in ("old", "new")]
    with pytest.raises(CellError, match="Write pass and fail, yes and no as 1 and 0"):
        rw.compare(files)


def test_labels_in_three_columns_may_hold_the_truth(write) -> None:
    rng = np.random.default_rng(0)
    path = write("d.csv", "id,zork,svm,forest", [(i, *rng.integers(0, 10, 3)) for i in range(50)])
    assert "if one of these columns is the truth" in " ".join(rw.compare(path).audit.cautions)


def test_a_feature_next_to_predictions_of_a_number(write) -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(300, 50, 40)
    rows = [(i, t, t + rng.normal(), t - rng.normal(), rng.integers(20, 80)) for i, t in enumerate(y)]
    path = write("r.csv", "id,truth,svm,forest,age", rows)
    with pytest.raises(ColumnError, match="`age` does not look like the predictions of a model"):
        rw.compare(path)
    assert {m.name for m in rw.compare(path, model=["svm", "forest"]).models} == {"svm", "forest"}


def test_honest_tables_pass(write) -> None:
    rng = np.random.default_rng(0)
    a = write("a.csv", "id,svm,forest", [(i, *rng.uniform(0.5, 1, 2)) for i in range(30)])
    b = write("b.csv", "task,m1,m2,m3,m4", [(f"t{i}", *rng.uniform(0.5, 1, 4)) for i in range(3)])
    c = write("c.csv", "id,gpt-4,llama-70b", [(i, *rng.integers(1, 6, 2)) for i in range(30)])
    for path in (a, b, c):
        assert rw.compare(path).models


def test_arrays_in_a_list_are_not_a_matrix() -> None:
    rng = np.random.default_rng(0)
    a, b = rng.uniform(size=300), rng.uniform(size=300)
    with pytest.raises(DataError, match="2 units and 300 models: is it the other way round"):
        rw.compare([a, b])
    with pytest.raises(DataError, match="the other way round"):
        rw.compare(np.array([a, b]))
    assert rw.compare(np.column_stack([a, b])).audit.paired == 300


def test_a_table_on_its_side(command, write) -> None:
    rng = np.random.default_rng(0)
    names = ",".join(f"q{i}" for i in range(30))
    rows = [("svm", *rng.integers(0, 2, 30)), ("forest", *rng.integers(0, 2, 30))]
    code, _, err = command("compare", write("t.csv", f"name,{names}", rows))
    assert code == 4
    assert "understood as 30 models and 2 units: is it the other way round?" in err
    code, _, err = command("compare", write("t.csv", f"model,{names}", rows))
    assert code == 4
    assert "one row per model and one column per unit" in err


def test_copies_of_rows_wherever_they_stand(write) -> None:
    rng = np.random.default_rng(0)
    questions = [f"What is the capital of country number {i}?" for i in range(40)]
    questions[35] = questions[3]
    rows = [(i, q, i % 2, 1) for i, q in enumerate(questions)]
    a = write("a.csv", "id,question,truth,prediction", rows)
    b = write("b.csv", "id,prediction", [(i, i % 2) for i in range(40)])
    warnings = rw.compare([a, b]).audit.warnings
    assert any("a.csv: 1 of 40 rows hold the same text as an earlier one" in w for w in warnings)
    assert any("rows 4, 36" in w for w in warnings)
    x = pd.DataFrame({"id": range(120), "a": np.tile(rng.normal(size=60), 2)})
    x["b"] = np.tile(rng.normal(size=60), 2)
    assert any("60 of 120 units have exactly the scores" in w for w in rw.compare(x).audit.warnings)


@pytest.mark.parametrize("name", ["y_true", "truth", "id", "Fold"])
@pytest.mark.parametrize("door", [rw.compare, rw.plan, rw.check])
def test_a_dict_with_the_truth_or_ids_next_to_the_models(door, name: str) -> None:
    rng = np.random.default_rng(0)
    data = {m: rng.integers(0, 2, 60) for m in (name, "a", "b")}
    with pytest.raises(DataError, match=f'the dict holds "{name}" in addition to "a", "b"'):
        door(data)


def test_two_models_may_be_called_draft_and_target() -> None:
    rng = np.random.default_rng(0)
    scores = rng.integers(0, 2, (60, 2))
    assert rw.compare({"draft": scores[:, 0], "target": scores[:, 1]}).comparisons[0].a == "draft"


@pytest.mark.parametrize("name", ["n-gram", "resnet-se", "var", "baseline", "max pooling"])
def test_names_that_models_have(write, name: str) -> None:
    rng = np.random.default_rng(0)
    path = write("t.csv", f"id,svm,forest,{name}", [(i, *rng.integers(0, 2, 3)) for i in range(40)])
    assert name in rw.compare(path).audit.notes[0]


def numbers(names: list[str], rows: list[str], *, index: str = "") -> pd.DataFrame:
    values = np.random.default_rng(0).uniform(0.3, 0.9, (len(rows), len(names)))
    return pd.DataFrame(values, columns=names, index=pd.Index(rows, name=index))


@pytest.mark.parametrize(
    ("frame", "says"),
    [
        (numbers([f"q{i}" for i in range(40)], ["svm", "knn"]), "understood as 40 models and 2 units"),
        (numbers(["MMLU (5-shot)", "gsm8k", "average"], list("abcdef")), 'benchmarks ("MMLU (5-shot)", "gsm'),
        (numbers(["val", "test"], list("abcdef"), index="id"), 'parts of the data ("val", "test")'),
        (numbers(["cat", "dog", "emu"], ["cat", "dog", "emu"]), "it looks like a confusion matrix"),
    ],
)
def test_columns_that_are_called_after_other_things_than_models(write, frame, says: str, tmp_path) -> None:
    path = tmp_path / "w.csv"
    frame.to_csv(path)
    for door in (rw.compare, rw.plan, rw.check):
        with pytest.raises(ColumnError) as error:
            door(path, higher_is_better=True)
        assert says in error.value.what
    names = list(frame.columns)[:2]
    assert rw.read(path, model=names).models == tuple(names)
    frame.set_axis(["svm", "forest", *map(str, range(frame.shape[1] - 2))], axis=1).to_csv(
        path, index_label="id"
    )
    assert rw.read(path).models[:2] == ("svm", "forest")
