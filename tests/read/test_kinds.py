from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from ropewalk.data import Predictions
from ropewalk.errors import CellError, ColumnError, OptionError, RopewalkError
from ropewalk.read import read

Write = Callable[..., str]
Two = Callable[[str], str]


@pytest.fixture
def wide(csv_file: Write, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[..., Predictions]:
    """Read predictions from rows "truth,a,b"."""
    monkeypatch.chdir(tmp_path)

    def make(rows: str, **options: object) -> Predictions:
        csv_file("label,a,b\n" + rows.replace(" ", "\n"), "t.csv")
        data = read("t.csv", **options)  # type: ignore[arg-type]
        assert isinstance(data, Predictions)
        return data

    return make


Wide = Callable[..., Predictions]


@pytest.mark.parametrize(
    ("rows", "kind", "classes"),
    [
        ("cat,cat,dog dog,cat,dog", "labels", ("cat", "dog")),
        ("0,1,0 1,1,0", "labels", ("0", "1")),
        ("0.0,1,0 1.0,1.0,0", "labels", ("0", "1")),
        ("true,True,FALSE false,True,False", "labels", ("False", "True")),
        ("True,1,0 False,1,0", "labels", ("False", "True")),
        ("1,True,False 0,False,True", "labels", ("0", "1")),
        ("10,9,10 9,9,10", "labels", ("9", "10")),
        ("yes,no,yes no,no,no", "labels", ("no", "yes")),
        ("1,5,3 5,3,3 3,1,1", "labels", ("1", "3", "5")),
        ("0,.5,0 1,.6,1", "probabilities", ("0", "1")),
        ("1,.5,.2 1,.6,1", "probabilities", ("0", "1")),
        ("no,.5,.2 yes,.6,1", "probabilities", ("no", "yes")),
        ("Neg,.5,.2 Pos,.6,1", "probabilities", ("Neg", "Pos")),
        ("-1,.5,.2 1,.6,1", "probabilities", ("-1", "1")),
        ("False,.5,.2 True,.6,1", "probabilities", ("False", "True")),
        ("1.5,1,2 2,2,2", "numbers", ()),
        ("0.5,.5,.25 .25,.5,.25", "numbers", ()),
        ("1,1.5,2 2,2.5,2 3,1,1", "numbers", ()),
        ("1,1.5,-2 2,2.5,7", "numbers", ()),
        (" ".join(f"{i},{i + 1},{i + 2}" for i in range(30)), "numbers", ()),
    ],
)
def test_what_predictions_are(wide: Wide, rows: str, kind: str, classes: tuple[str, ...]) -> None:
    p = wide(rows)
    assert (p.kind, p.classes) == (kind, classes)
    assert any(note.removeprefix("predictions are ").startswith(kind) for note in p.audit.notes)


def test_the_spelling_of_true_follows_the_truth(wide: Wide) -> None:
    assert wide("True,1,0 False,1,0").outputs["a"].tolist() == ["True", "True"]
    assert wide("1,True,False 0,False,True").outputs["b"].tolist() == ["0", "1"]


def test_further_labels(wide: Wide) -> None:
    p = wide("cat,cat,emu dog,cat,dog", labels=["emu", "yak"])
    assert p.classes == ("cat", "dog", "emu", "yak")
    assert wide("cat,cat,emu dog,cat,dog", labels="emu").classes == ("cat", "dog", "emu")


def test_the_positive_class(wide: Wide) -> None:
    p = wide("spam,.75,.5 ham,.25,.5", positive="spam")
    assert p.classes == ("ham", "spam")
    assert p.outputs["a"].tolist() == [[0.25, 0.75], [0.75, 0.25]]
    assert wide("spam,.75,.5 ham,.25,.5", positive="ham").classes == ("spam", "ham")
    assert wide("1,.75,.5 0,.25,.5", positive=0).classes == ("1", "0")
    assert wide("spam,spam,spam ham,ham,ham", positive="ham").classes == ("spam", "ham")
    assert wide("1,.75,.5 2,.25,.5", positive=2).kind == "probabilities"


@pytest.mark.parametrize(
    ("rows", "options", "error", "message"),
    [
        (
            "cat,cat,Cat dog,emu,dog",
            {},
            CellError,
            r'(?s)column `a` holds a label that does not occur in the truth\n\n  row 2 \(line 3\): "emu"\n\n'
            r'  The truth has "cat", "dog".*labels=\["emu"\] \(--labels emu\).*If `a` is not a model',
        ),
        ("cat,cat,Cat dog,cat,dog", {}, CellError, 'Did you mean "cat"'),
        (
            "cat,cat, dog,cat,dog",
            {},
            CellError,
            r"column `b` holds no value.*\n\n.*\n\n  Every row needs a prediction",
        ),
        (",cat,cat dog,cat,dog", {}, CellError, "column `label` holds no value"),
        (
            "0,.5,1.2 1,.6,-3",
            {},
            CellError,
            r'column `b` hold no probability\n\n  row 1 \(line 2\): "1.2"\n  row 2',
        ),
        ("no,.5,1.2 yes,.6,3", {}, CellError, "hold no probability"),
        (
            "0,.5,nan 1,.6,.1",
            {},
            CellError,
            r'column `b` holds no finite number\n\n  row 1 \(line 2\): "nan"',
        ),
        (
            "spam,.5,.2 ham,.6,1",
            {},
            ColumnError,
            r'(?s)of which class of `label`: "ham", "spam".*positive="spam" \(--',
        ),
        (
            "spam,.5,.2 ham,.6,1",
            {"positive": "span"},
            OptionError,
            'the positive class "span" does not occur',
        ),
        ("spam,.5,.2 spam,.6,1", {}, CellError, "column `a` hold a label that does not occur in the truth"),
        ("spam,.5,.2 spam,.6,1", {"positive": "spam"}, CellError, "does not occur in the truth"),
        ("1.5,1,x 2,2,2", {}, CellError, r'column `b` holds no finite number\n\n  row 1 \(line 2\): "x"'),
        ("1.5,1,inf 2,2,2", {}, CellError, '"inf"'),
        ("1,7,1 2,2,2", {}, CellError, "column `a` holds a label that does not occur in the truth"),
    ],
)
def test_bad_predictions(
    wide: Wide, rows: str, options: dict[str, object], error: type[RopewalkError], message: str
) -> None:
    with pytest.raises(error, match=message):
        wide(rows, **options)


def test_probabilities_must_add_up(csv_file: Write) -> None:
    good = csv_file("id,label,p_x,p_y\n1,x,.5,.4999\n2,y,.6,.4\n", "good.csv")
    bad = csv_file("id,label,p_x,p_y\n1,x,.5,.5\n2,y,.6,.6\n", "bad.csv")
    with pytest.raises(
        CellError, match=r"(?s)bad.csv: the probabilities of 1 row do not add up to 1.*line 3\): 1.2"
    ):
        read([good, bad])
    few = csv_file("id,label,p_x\n1,x,.5\n2,y,.6\n", "few.csv")
    with pytest.raises(ColumnError, match=r'few.csv has no column of probabilities for "y"'):
        read([good, few])
    labels = csv_file("id,label,prediction\n1,x,x\n2,y,x\n", "labels.csv")
    with pytest.raises(ColumnError, match=r'labels.csv has no column of probabilities for "x", "y"'):
        read([good, labels])


def test_one_column_that_names_its_class(csv_file: Write) -> None:
    a = csv_file("id,label,p_spam\n1,spam,.75\n2,ham,.25\n", "a.csv")
    b = csv_file("id,label,proba_spam\n1,spam,.5\n2,ham,1\n", "b.csv")
    p = read([a, b])
    assert isinstance(p, Predictions)
    assert p.classes == ("ham", "spam")


def test_probability_columns(csv_file: Write) -> None:
    a = csv_file("id,label,y_score\n1,1,.75\n2,0,.25\n", "a.csv")
    b = csv_file("id,label,p_1\n1,1,.5\n2,0,1\n", "b.csv")
    p = read([a, b])
    assert isinstance(p, Predictions)
    assert p.outputs["b"].tolist() == [[0.5, 0.5], [0, 1]]


def test_answers_in_free_text_beside_a_score(csv_file: Write) -> None:
    path = csv_file("model,id,target,output,exact_match\na,1,4,It is 4,1\nb,1,4,5?,0\na,2,7,7,1\nb,2,7,7,1\n")
    with pytest.raises(
        CellError,
        match=r"(?s)does not occur in the truth.*in `exact_match` .*score=\"exact_match\" \(--score",
    ):
        read(path)


def test_labels_win_over_probabilities_beside_them(csv_file: Write) -> None:
    text = "id,label,prediction,p_x,p_y\n1,x,x,.5,.5\n2,y,x,.6,.4\n"
    p = read([csv_file(text, "a.csv"), csv_file(text, "b.csv")])
    assert isinstance(p, Predictions)
    assert p.kind == "labels"


def test_decision_scores(csv_file: Write) -> None:
    p = read(csv_file("truth,svm,lda\nno,-1.5,-20\nyes,2.5,3.5\nyes,0.2,11\nno,-0.1,-1\n"))
    assert isinstance(p, Predictions)
    assert (p.kind, p.classes) == ("scores", ("no", "yes"))
    assert p.positive_score("svm").tolist() == [-1.5, 2.5, 0.2, -0.1]
    assert any(note.startswith('decision scores for "yes"') for note in p.audit.notes)


def test_statistics_of_segments(csv_file: Write) -> None:
    rows = "model,id,hit,words\na,1,3,10\na,2,4,10\nb,2,5,10\nb,1,1,10\n"
    p = read(csv_file(rows), statistics=["hit", "words"])
    assert isinstance(p, Predictions)
    assert p.kind == "statistics"
    assert p.outputs["b"].tolist() == [[1, 10], [5, 10]]
    with pytest.raises(OptionError, match="segment statistics have no loss per example"):
        p.scores()
    with pytest.raises(ColumnError, match="`wordz`, which was given as statistics"):
        read(csv_file(rows), statistics=["hit", "wordz"])
    with pytest.raises(ColumnError, match="no column of models next to the statistics"):
        read(csv_file("id,hit,words\n1,3,10\n2,4,10\n"), statistics=["hit", "words"])


def test_a_column_says_what_a_row_is_for(csv_file: Write) -> None:
    p = read(csv_file("truth,svm,lda,part\n0,.1,.2,fit\n1,.9,.8,fit\n0,.3,.4,test\n"), split="part")
    assert isinstance(p, Predictions)
    assert p.split is not None
    assert p.split.tolist() == ["fit", "fit", "test"]
    assert p.models == ("svm", "lda")


def test_a_typo_among_many_classes_is_found_at_once(tmp_path: Path) -> None:
    """Looking for 20,000 classes one after the other took 25 seconds."""
    n = 40_000
    truth = [f"class{i % 20_000}" for i in range(n)]
    said = [*truth[:77], "clas77", *truth[78:]]
    rows = [f"{i},{t},{t},{s}" for i, (t, s) in enumerate(zip(truth, said, strict=True))]
    (tmp_path / "t.csv").write_text("\n".join(["id,label,svm,knn", *rows, ""]))
    start = time.process_time()
    with pytest.raises(
        CellError, match=r"1 cell of column `knn` holds a label that does not occur in the truth"
    ) as caught:
        read(tmp_path / "t.csv")
    assert time.process_time() - start < 5
    assert 'row 78 (line 79): "clas77"' in str(caught.value)
