from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ropewalk.data import Predictions, Scores
from ropewalk.errors import CellError, ColumnError, DataError, OptionError, RopewalkError
from ropewalk.read import read

Write = Callable[..., str]


@pytest.fixture
def file(csv_file: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[str], str]:
    """Write a file `t.csv` in the current folder."""
    monkeypatch.chdir(tmp_path)

    def write(content: str) -> str:
        csv_file(content, "t.csv")
        return "t.csv"

    return write


File = Callable[[str], str]


@pytest.mark.parametrize(
    "header",
    [
        "model,task,repeat,fold,accuracy",
        "Classifier,Data Set,Rep,CV-Fold,Test_Accuracy",
        "ALGORITHM,benchmark,run,split,acc",
        "learner,data_set,repetition,fold_id,f1",
    ],
)
def test_names_are_recognised_however_they_are_spelled(file: File, header: str) -> None:
    rows = "".join(f"{m},{t},{r},{k},0.5\n" for m in "ab" for t in "xy" for r in "12" for k in "123")
    s = read(file(f"{header}\n{rows}"))
    assert isinstance(s, Scores)
    assert (s.models, len(s.tasks), s.design.folds, s.design.repeats) == (("a", "b"), 2, 3, 2)


def test_any_name_can_be_given(file: File) -> None:
    rows = "".join(
        f"{m},{t},{r},{k},{s},5\n" for m in "ab" for t in "xy" for r in "12" for k in "12" for s in "12"
    )
    s = read(
        file(f"who,what,again,part,luck,points\n{rows}"),
        model="who",
        task="what",
        repeat="again",
        fold="part",
        seed="luck",
        score="points",
        higher_is_better=False,
    )
    assert isinstance(s, Scores)
    assert (len(s.tasks), s.design.folds, s.design.repeats, s.metric) == (2, 2, 4, "points")
    assert not s.higher_is_better


def test_given_truth_and_unit(file: File) -> None:
    p = read(file("key,answer,a,b\n1,x,x,y\n2,y,x,y\n"), unit="key", truth="answer")
    assert isinstance(p, Predictions)
    assert p.units.tolist() == ["1", "2"]
    assert "truth: `answer`" in p.audit.notes


@pytest.mark.parametrize(
    ("content", "options", "error", "message"),
    [
        (
            "model,id,accuracy,f1\na,1,.5,.5\nb,1,.5,.5\n",
            {},
            ColumnError,
            r't.csv has several columns that could be the score: `accuracy`, `f1`\n\n  Say which: score="acc',
        ),
        (
            "model,doc_id,question_id,acc\na,1,1,1\nb,1,1,1\n",
            {},
            ColumnError,
            r'could be the unit: `doc_id`, `question_id`\n\n  Say which: unit="doc_id" \(--unit doc_id\)',
        ),
        (
            "id,label,pred,prediction\n1,x,x,x\n",
            {},
            DataError,
            "predictions of only one model, in `pred`, `prediction`",
        ),
        ("id,label,target,a,b\n1,x,x,x,x\n", {}, ColumnError, "several columns that could be the truth"),
        (
            "model,id,acc\na,1,1\nb,1,1\n",
            {"score": "acuracy"},
            ColumnError,
            "t.csv has no column `acuracy`, which was",
        ),
        ("model,id,accuracy\na,1,1\n", {"score": "acuracy"}, ColumnError, 'Did you mean "accuracy"'),
        (
            "model,id,acc\na,1,1\nb,1,1\n",
            {"unit": "id", "fold": "id"},
            OptionError,
            "`id` was given as unit and as fold",
        ),
        ("id,x\n1,2\n2,3\n", {"model": ["x", "y"]}, ColumnError, "no column `y`, which was given as model"),
        ("model,id,acc\na,1,1\na,2,1\n", {}, DataError, 't.csv has only one model: "a"'),
        (
            "id,accuracy,f1\n1,.1,.2\n2,.3,.4\n",
            {},
            DataError,
            r'it is not clear which columns of t.csv are models: "accuracy", "f1"',
        ),
        ("id,svm\n1,.1\n2,.3\n", {}, DataError, 't.csv has scores of only one model: "svm"'),
        (
            "id,loss,svm,forest\n1,.1,.2,.3\n",
            {},
            ColumnError,
            "columns named like metrics .*: which are the models",
        ),
        (
            "id,name\n1,x\n2,y\n",
            {},
            ColumnError,
            r't.csv has no column that is known as a score\n\n  columns: "id", "name"',
        ),
        ("model,id,name\na,1,x\nb,1,y\n", {}, ColumnError, "no column that is known as the score"),
        (
            "model,id,u,v\na,1,1,2\nb,1,3,4\n",
            {},
            ColumnError,
            "several columns that could be the score: `u`, `v`",
        ),
        (
            "id,label,prediction\n1,x,x\n2,y,x\n",
            {},
            DataError,
            "t.csv has predictions of only one model, in `prediction`",
        ),
        (
            "id,label,p_x,p_y\n1,x,.5,.5\n2,y,0,1\n",
            {},
            DataError,
            "predictions of only one model, in `p_x`, `p_y`",
        ),
        ("id,label\n1,x\n2,y\n", {}, DataError, "t.csv has a truth and no predictions"),
        ("id,label,svm\n1,x,x\n2,y,x\n", {}, DataError, "predictions of only one model, in `svm`"),
        ("model,id,prediction\na,1,x\nb,1,x\n", {}, ColumnError, "no column that is known as the truth"),
        ("model,id,label\na,1,x\nb,1,x\n", {}, ColumnError, "no column that is known as the prediction"),
        ("model,id,label,u,v\na,1,x,x,x\nb,1,x,x,x\n", {}, ColumnError, "could be the prediction: `u`, `v`"),
        (
            "id,a,b\n1,1,2\n2,oops,3\n",
            {},
            CellError,
            r'column `a` holds no finite number\n\n  row 2 \(line 3\): "oops"',
        ),
        ("id,a,b\n1,1,2\n2,,3\n", {}, CellError, r"row 2 \(line 3\): empty"),
        ("id,a,b\n1,1,nan\n2,1,3\n", {}, CellError, r'column `b`.*\n\n  row 1 \(line 2\): "nan"'),
        ("id,a,b\n1,1,1_000\n2,1,3\n", {}, CellError, r'row 1 \(line 2\): "1_000"'),
        (
            "id;a;b\n1;0,5;0,6\n2;0,7;0,8\n",
            {},
            CellError,
            r'(?s)row 1 \(line 2\): "0,5".*0.85 instead of 0,85 or 85%',
        ),
        ("id,a,b\n1,85%,86%\n2,1,2\n", {}, CellError, "0.85 instead of 0,85 or 85%"),
        (
            "id,a,b\n" + "".join(f"{i},x{i},1\n" for i in range(9)) + "9,1,1\n",
            {},
            CellError,
            r"9 cells .*\n\n(  row .*\n){5}  and 4 more",
        ),
    ],
)
def test_questions_and_errors(
    file: File, content: str, options: dict[str, str], error: type[RopewalkError], message: str
) -> None:
    with pytest.raises(error, match=message):
        read(file(content), **options)  # type: ignore[arg-type]


def test_names_of_ten_thousand_characters_are_cut(file: File) -> None:
    long = "x" * 10_000
    with pytest.raises(CellError) as caught:
        read(file(f"id,{long}a,{long}b\n{long},1,{long}\n2,3,4\n"))
    assert len(str(caught.value)) < 600


def test_a_nested_column_that_was_named(csv_file: Write) -> None:
    path = csv_file('{"model": "a", "id": 1, "s": [1]}\n{"model": "b", "id": 1, "s": [2]}\n', "t.jsonl")
    with pytest.raises(ColumnError, match="column `s` holds lists or objects"):
        read(path, score="s")


def test_direction_of_wide_columns_that_name_a_metric(file: File) -> None:
    s = read(file("id,svm_loss,forest_loss\n1,.1,.2\n2,.3,.4\n"), model=["svm_loss", "forest_loss"])
    assert isinstance(s, Scores)
    assert not s.higher_is_better
    assert "lower is better (from names such as `svm_loss`)" in s.audit.notes


@pytest.mark.parametrize("name", ["subject", "Session ID", "group", "patient_id", "document"])
def test_a_column_named_like_a_cluster_is_no_model(name: str, file: File) -> None:
    rows = "".join(f"{i},0.{i},0.{9 - i},{i // 2}\n" for i in range(1, 9))
    s = read(file(f"id,svm,forest,{name}\n" + rows))
    assert isinstance(s, Scores)
    assert s.models == ("svm", "forest")
    hint = f'`{name}` is not used; if rows with the same value belong together, set cluster="{name}"'
    assert any(n.startswith(hint) for n in s.audit.notes)
    clustered = read(file(f"id,svm,forest,{name}\n" + rows), cluster=name)
    assert isinstance(clustered, Scores)
    assert clustered.models == ("svm", "forest")
    assert clustered.is_clustered
    assert not any("is not used" in n for n in clustered.audit.notes)


def test_the_same_beside_a_truth_and_in_a_long_table(file: File) -> None:
    rows = "".join(f"{i},{i % 2},{i % 2},0,{i // 3}\n" for i in range(1, 9))
    assert read(file("id,truth,svm,forest,subject\n" + rows)).models == ("svm", "forest")
    rows = "".join(f"{m},{i},0.{i},{i // 3}\n" for m in "ab" for i in range(1, 9))
    s = read(file("model,id,oddity,subject\n" + rows))
    assert isinstance(s, Scores)
    assert s.metric == "oddity"
    assert any(n.startswith("`subject` is not used") for n in s.audit.notes)


def test_models_with_such_names_and_numbers_of_their_own_are_models(file: File) -> None:
    rows = "".join(f"{i},0.{i},0.{9 - i}\n" for i in range(1, 9))
    assert read(file("id,user,group\n" + rows)).models == ("user", "group")
    assert read(file("id,a,b\n" + rows), model=["a", "b"]).models == ("a", "b")


def test_a_column_that_tells_nothing_apart_is_said_to_be_idle(file: File) -> None:
    rows = "".join(f"{m},{i},{i % 4},0.{i}\n" for m in "ab" for i in range(1, 9))
    s = read(file("model,id,fold,score\n" + rows))
    assert "paired on `id`; not used: `fold`, because the rows are unique without it" in s.audit.notes
    by_row = read(file("svm,forest,seed\n" + "".join(f"0.{i},0.{9 - i},7\n" for i in range(1, 9))))
    assert "paired by row" in by_row.audit.notes  # a seed that never changes is not worth a word
