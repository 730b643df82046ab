from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest

from ropewalk import bayes
from ropewalk.data import Predictions, Scores
from ropewalk.errors import CellError, ColumnError, DataError, PairingError
from ropewalk.read import read
from ropewalk.read.pairing import RepeatedUnitsError

Write = Callable[..., str]


@pytest.fixture
def files(csv_file: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., list[str]]:
    """Write files in the current folder: {name: text}."""
    monkeypatch.chdir(tmp_path)

    def write(**contents: str) -> list[str]:
        for name, content in contents.items():
            csv_file(content, f"{name}.csv")
        return [f"{name}.csv" for name in contents]

    return write


Files = Callable[..., list[str]]


def test_no_common_ids(files: Files) -> None:
    both = files(a="id,acc\nimg_1,1\nimg_2,0\nimg_3,0\n", b="id,acc\n1,1\n2,0\n3,1\n")
    with pytest.raises(PairingError) as caught:
        read(both)
    assert str(caught.value) == (
        "a.csv and b.csv share no ids\n\n"
        '  a.csv  id: "img_1", "img_2", … (3 values)\n'
        '  b.csv  id: "1", "2", … (3 values)\n\n'
        "  The rows cannot be paired. If row k of both files is the same example, say so with\n"
        "  --by-position (by_position=True); if another column names the examples, give it with\n"
        "  --unit COLUMN (unit=COLUMN)."
    )
    s = read(both, by_position=True)
    assert isinstance(s, Scores)
    assert s.differences("a", "b").tolist() == [0, 0, -1]
    assert "paired by row" in s.audit.notes


def test_ids_that_are_only_written_differently(files: Files) -> None:
    both = files(a="id,acc\nQ1,1\nQ2,0\nQ3,0\n", b='id,acc\nq1,1\n"q2 ",0\nq4,1\n')
    with pytest.raises(PairingError) as caught:
        read(both)
    assert str(caught.value.hint).startswith("2 ids would pair without their blanks, capitals")
    assert "--by-position" not in str(caught.value)
    both = files(c="id,acc\n01,1\n02,0\n03,0\n", d="id,acc\n1.0,1\n5.0,0\n6.0,1\n")
    with pytest.raises(PairingError, match="1 id would pair without"):
        read(both)


def test_nothing_in_common_between_three(files: Files) -> None:
    with pytest.raises(PairingError, match="no id occurs for all 3 models"):
        read(files(a="id,acc\n1,1\n2,0\n", b="id,acc\n2,1\n3,0\n", c="id,acc\n3,1\n1,0\n"))
    with pytest.raises(PairingError, match=r"(?s)a and b share no folds.*Check how the folds are named"):
        read(files(d="model,fold,acc\na,0,1\na,1,1\nb,2,0\nb,3,0\n"))


def test_one_score_per_run_with_other_seeds_says_what_compares_them(files: Files) -> None:
    """The function that the message names takes these scores."""
    paths = files(a="seed,accuracy\n0,0.81\n1,0.82\n2,0.80\n", b="seed,accuracy\n7,0.83\n8,0.84\n9,0.85\n")
    with pytest.raises(PairingError, match=r"(?s)share no seeds.*ropewalk\.bayes\.rank_sum\(a, b\)"):
        read(paths)
    found = bayes.rank_sum([0.81, 0.82, 0.80], [0.83, 0.84, 0.85])
    assert found.most_probable.worse > 0.5


def test_the_same_ids_in_different_tasks(files: Files) -> None:
    with pytest.raises(PairingError, match=r'a.csv  task / id: "t/1"'):
        read(files(a="task,id,acc\nt,1,1\nt,2,1\n", b="task,id,acc\nu,1,1\nu,2,1\n"))


def test_reasons_for_dropping(files: Files) -> None:
    rows = {"a": [1, 2, 3, 4, 9], "b": [1, 2, 3, 5], "c": [1, 2, 4, 6, 7]}
    s = read(files(**{m: "id,acc\n" + "".join(f"{i},1\n" for i in ids) for m, ids in rows.items()}))
    assert {d.reason: d.units for d in s.audit.dropped} == {
        "only in a.csv": 1,
        "only in b.csv": 1,
        "only in c.csv": 2,
        "not in b.csv": 1,
        "not in c.csv": 1,
    }
    assert (s.audit.paired, s.audit.left_out) == (2, 6)


def test_many_reasons_are_summed_up(files: Files) -> None:
    names = "abcdefghij"
    s = read(files(**{m: f"id,acc\n1,1\n2,0\n{m},1\n" for m in names}))
    assert len(s.audit.dropped) == 9
    assert s.audit.dropped[-1].reason == "not in some other models"
    assert s.audit.left_out == 10


def test_a_task_that_one_model_lacks(files: Files) -> None:
    rows = "".join(f"{m},{t},{k},1\n" for m in "ab" for t in "xy" for k in (1, 2) if (m, t) != ("b", "y"))
    s = read(files(t="model,task,fold,acc\n" + rows))
    assert isinstance(s, Scores)
    assert [t.name for t in s.tasks] == ["x"]
    assert [(d.reason, d.units) for d in s.audit.dropped] == [("only in a", 2)]


def test_duplicate_ids(files: Files) -> None:
    with pytest.raises(PairingError) as caught:
        read(files(w="id,a,b\n1,2,3\n7,1,1\n1,3,4\n7,3,4\n7,1,1\n2,0,0\n"))
    text = str(caught.value)
    assert "w.csv: 2 units with more than one row" in text
    assert '"1": w.csv rows 1, 3 (lines 2, 4)' in text
    assert '"7": w.csv rows 2, 4, 5 (lines 3, 5, 6)' in text
    assert "unit=, task=, repeat=, fold= or seed=COLUMN" in text
    with pytest.raises(PairingError, match=r'a: 1 unit with more than one row\n\n  "1/2": t.csv rows 2, 3'):
        read(files(t="model,repeat,fold,acc\na,1,1,1\na,1,2,1\na,1,2,0\nb,1,1,1\nb,1,2,1\na,2,1,1\n"))


def test_duplicates_of_one_model_in_two_files(files: Files) -> None:
    one = "model,task,fold,acc\na,x,1,1\nb,x,1,1\na,x,2,1\nb,x,2,1\n"
    with pytest.raises(PairingError, match=r'"x/1": d.csv row 1 \(line 2\)\n  "x/1": e.csv row 1 \(line 2\)'):
        read(files(d=one, e=one))


def test_the_model_with_repeated_units_is_a_field_and_not_a_part_of_the_sentence(files: Files) -> None:
    """Whatever the model is called: "a" here is also how the message about "b" could begin."""
    rows = "model,id,acc\n" + "".join(f"{m},{i},{i % 2}\n" for m in ("a: 1", "b") for i in range(4))
    with pytest.raises(RepeatedUnitsError) as caught:
        read(files(t=rows + "b,0,1\n"))
    assert caught.value.model == "b"
    with pytest.raises(RepeatedUnitsError) as caught:
        read(files(t=rows + "a: 1,0,1\n"))
    assert caught.value.model == "a: 1"


def test_files_without_ids(files: Files) -> None:
    both = files(a="label,prediction\nx,x\ny,x\n", b="label,prediction\nx,y\ny,y\n")
    with pytest.raises(
        PairingError, match=r"(?s)no column says which row.*by_position=True\n  \(--by-position\)"
    ):
        read(both)
    p = read(both, by_position=True)
    assert isinstance(p, Predictions)
    assert p.scores().differences("a", "b").tolist() == [1, -1]
    uneven = files(c="label,prediction\nx,x\ny,x\nx,x\n")
    with pytest.raises(
        PairingError, match=r"a.csv has 2 rows, c.csv has 3\n\n  Rows can be paired by position"
    ):
        read([both[0], *uneven], by_position=True)


def test_a_column_that_may_name_the_examples_is_suggested_but_never_used(files: Files) -> None:
    """It differs between the rows of each file and recurs in the other, in any order."""
    rows = {"a": ["p q.png,x,x", "r.png,y,x"], "b": ["r.png,y,x", "p q.png,x,x"]}
    head = "my image,label,prediction\n"
    both = files(**{name: head + "\n".join(lines) + "\n" for name, lines in rows.items()})
    with pytest.raises(
        PairingError,
        match=r"(?s)If the column `my image` names.*unit='my image' \(--unit 'my image'\)",
    ):
        read(both)
    assert isinstance(p := read(both, unit="my image"), Predictions)
    assert p.scores().differences("a", "b").tolist() == [0, 0]
    repeated = files(c=head + "r.png,y,x\nr.png,x,x\n")
    others = files(d=head + "s.png,y,x\nt.png,x,x\n")
    for second in (repeated, others):  # not unique; or not the same examples
        with pytest.raises(PairingError, match=r"(?s)no column says.*unit=COLUMN"):
            read([both[0], *second])


def test_long_table_without_ids(files: Files) -> None:
    table = files(t="model,acc\na,1\na,2\nb,3\nb,4\n")
    with pytest.raises(PairingError, match="no column says which row"):
        read(table)
    s = read(table, by_position=True)
    assert isinstance(s, Scores)
    assert s.tasks[0].values.tolist() == [[1, 3], [2, 4]]


def test_by_position_within_tasks(files: Files) -> None:
    table = files(t="model,task,acc\na,x,1\na,x,2\na,y,3\nb,x,4\nb,y,5\nb,x,6\n")
    s = read(table, by_position=True)
    assert isinstance(s, Scores)
    assert [t.values.tolist() for t in s.tasks] == [[[1, 4], [2, 6]], [[3, 5]]]
    uneven = files(u="model,task,acc\na,x,1\na,x,2\na,y,3\nb,x,4\nb,y,5\nb,y,6\n")
    with pytest.raises(PairingError, match="different numbers of rows in the same task"):
        read(uneven, by_position=True)


def test_by_position_where_only_one_file_has_ids(files: Files) -> None:
    assert read(files(a="id,acc\n1,1\n2,0\n", b="acc\n1\n0\n"), by_position=True).audit.paired == 2


def test_ids_in_one_file_only(files: Files) -> None:
    with pytest.raises(
        PairingError, match=r"a.csv has a column for the unit, b.csv has none\n\n  a.csv: `id`"
    ):
        read(files(a="id,acc\n1,1\n2,0\n", b="acc\n1\n0\n"))


def test_ids_that_were_saved_as_floats(files: Files) -> None:
    s = read(files(a="id,acc\n1.0,1\n2.0,0\n", b="example_id,acc\n1,1\n2,0\n"))
    assert s.audit.paired == 2
    versions = read(files(c="id,acc\n1.0,1\n1.1,0\n", d="id,acc\n1.0,1\n1.1,0\n"))
    assert isinstance(versions, Scores)
    assert versions.tasks[0].units.tolist() == ["1.0", "1.1"]


def test_truth_must_agree(files: Files) -> None:
    both = files(a="id,label,prediction\n1,x,x\n2,y,x\n", b="id,label,prediction\n2,x,x\n1,x,x\n")
    with pytest.raises(
        PairingError, match=r'a.csv and b.csv differ in the truth of 1 unit\n\n  "2": "y" and "x"'
    ):
        read(both)
    # The same numbers, written with fewer digits.
    near = files(c="id,y,prediction\n1,0.12345678,1\n2,3,1\n", d="id,y,prediction\n1,0.1234568,1\n2,3,1\n")
    assert read(near).audit.paired == 2
    far = files(e="id,y,prediction\n1,0.1235,1\n2,3,1\n")
    with pytest.raises(PairingError, match="differ in the truth of 1 unit"):
        read([near[0], *far])


def test_clusters_must_agree_and_be_complete(files: Files) -> None:
    with pytest.raises(PairingError, match=r'differ in the cluster of 1 unit\n\n  "2": "q" and "p"'):
        read(files(a="id,cluster,acc\n1,p,1\n2,q,0\n", b="id,cluster,acc\n1,p,1\n2,p,0\n"))
    s = read(files(c="id,cluster,acc\n1,p,1\n2,q,0\n", d="id,acc\n1,1\n2,0\n"))
    assert isinstance(s, Scores)
    assert s.is_clustered
    parts = files(e="model,id,cluster,acc\na,1,p,1\nb,1,p,1\n", f="model,id,acc\na,2,1\nb,2,1\n")
    with pytest.raises(DataError):
        read(parts)


def test_one_unit_only(files: Files) -> None:
    with pytest.raises(DataError, match='there is one unit only: "1"'):
        read(files(a="id,acc\n1,1\n2,0\n", b="id,acc\n1,1\n3,0\n"))
    with pytest.raises(DataError, match='there is one unit only: "1"'):
        read(files(c="id,label,m,n\n1,x,x,x\n"))


def test_empty_keys(files: Files) -> None:
    with pytest.raises(
        CellError, match=r"(?s)1 cell of column `id` holds no value.*row 2 \(line 3\): empty.*its unit"
    ):
        read(files(w="id,a,b\n1,2,3\n,3,4\n"))
    with pytest.raises(CellError, match=r"(?s)column `model` holds no value.*Every row needs its model"):
        read(files(t="model,id,acc\na,1,2\n,1,3\nb,1,2\n"))
    with pytest.raises(CellError, match="column `cluster` holds no value"):
        read(files(c="id,cluster,a,b\n1,,3,4\n2,x,3,4\n"))


def test_predictions_in_one_file_and_scores_in_the_other(files: Files) -> None:
    with pytest.raises(
        ColumnError, match=r'b.csv has no column that is known as the prediction\n\n  columns: "id", "s'
    ):
        read(files(a="id,label,prediction\n1,x,x\n2,y,x\n", b="id,score\n1,1\n2,1\n"))
    with pytest.raises(ColumnError, match=r"d.csv has no column that is known as the truth"):
        read(files(c="model,id,label,pred\na,1,x,x\na,2,x,x\n", d="model,id,pred\nb,1,x\nb,2,x\n"))


def test_one_number_per_model(files: Files) -> None:
    with pytest.raises(
        PairingError, match=r"(?s)one score per model, and no unit.*per example, fold or task"
    ):
        read(files(t="model,accuracy\na,.91\nb,.90\n"))


def test_examples_in_different_folds(files: Files) -> None:
    """Repeated cross-validation, split differently for each model: repeat and id name the unit."""
    rows = "".join(
        f"{m},{r},{(i + r + (m == 'b')) % 2},{i},1\n" for m in "ab" for r in (0, 1) for i in (0, 1, 2)
    )
    s = read(files(t="model,repeat,fold,id,correct\n" + rows))
    assert (s.audit.paired, s.audit.left_out) == (6, 0)


def test_files_with_a_truth_and_nothing_else(files: Files) -> None:
    with pytest.raises(DataError, match=r"the files have a truth and no predictions\n\n  a.csv\n  b.csv"):
        read(files(a="id,label\n1,x\n2,y\n", b="id,label\n1,x\n2,y\n"))


def test_mixed_kinds_of_file(files: Files) -> None:
    with pytest.raises(ColumnError, match=r"a.csv has a column of models, b.csv has none"):
        read(files(a="model,id,acc\nx,1,1\ny,1,1\n", b="id,acc\n1,1\n"))
    with pytest.raises(ColumnError, match="the files have different scores: `acc`, `f1`"):
        read(files(c="id,acc\n1,1\n2,1\n", d="id,f1\n1,1\n2,1\n"))


def test_a_task_that_one_model_lacks_is_named() -> None:
    rows = [
        (m, t, i, 0.1 * i) for m in ("a", "b") for t in ("x", "y") for i in range(3) if (m, t) != ("b", "y")
    ]
    frame = pd.DataFrame(rows, columns=["model", "task", "id", "score"])
    audit = read(frame).audit
    assert audit.warnings == (
        '1 task is left out entirely, because no unit has a score from every model: "y"',
    )
    assert audit.left_out == 3
