"""OpenML predictions and the WEKA experimenter, built attribute by attribute."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ropewalk import compare
from ropewalk.data import Scores
from ropewalk.errors import PairingError, ReadError
from ropewalk.read import read
from ropewalk.read.formats.arff import _cells


def scores(source: Any, **options: Any) -> Scores:
    found = read(source, **options)
    assert isinstance(found, Scores)
    return found


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ("1,2, x ", ["1", "2", "x"]),
        ("?,a,?", ["", "a", ""]),
        (r"'a, b',\"c\"", ["a, b", r"\"c\""]),
        (r"'it\'s', \"x\" ,3".replace('\\"', '"'), ["it's", "x", "3"]),
        ("'a',", ["a", ""]),
        ("'?',?", ["?", ""]),
    ],
)
def test_cells_of_a_row(line: str, cells: list[str]) -> None:
    assert _cells(line) == cells


# --- OpenML ----------------------------------------------------------------------------------------------

ROWS = 10
TRUTH = ["yes" if i % 3 else "no" for i in range(ROWS)]


def sure(model: str, i: int, repeat: int = 0) -> float:
    """The probability of "yes"."""
    return ((i * (3 if model == "svm" else 7) + repeat) % 10 + 0.5) / 10


def openml(
    model: str, *, repeats: int = 1, rows: Sequence[int] = range(ROWS), truth: list[str] = TRUTH
) -> str:
    lines = ["% run of a flow", "@RELATION openml_task_59_predictions", ""]
    for name in ("repeat", "fold", "row_id"):
        lines.append(f"@ATTRIBUTE {name} NUMERIC")
    lines += [f"@ATTRIBUTE {name} {{yes,no}}" for name in ("prediction", "correct")]
    lines += ["@ATTRIBUTE confidence.yes NUMERIC", "@ATTRIBUTE 'confidence.no' NUMERIC", "", "@DATA"]
    for r in range(repeats):
        for i in rows:
            p = sure(model, i, r)
            guess = "yes" if p > 0.5 else "no"
            lines.append(f"{r},{i % 2},{i},{guess},{truth[i]},{p},{round(1 - p, 10)}")
    return "\n".join(lines) + "\n"


def right(model: str, i: int) -> float:
    return float((sure(model, i) > 0.5) == (TRUTH[i] == "yes"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for model in ("svm", "tree"):
        (tmp_path / f"{model}.arff").write_text(openml(model))
    return tmp_path


def test_openml(folder: Path) -> None:
    s = scores(folder)
    assert s.models == ("svm", "tree")
    assert s.metric == "accuracy"
    assert s.tasks[0].name == "59"
    found = dict(zip(s.tasks[0].units, s.tasks[0].values.tolist(), strict=True))
    assert found == {str(i): [right("svm", i), right("tree", i)] for i in range(ROWS)}
    assert s.audit.warnings == ()


def test_openml_brier_score(folder: Path) -> None:
    s = scores(folder, score="brier score")
    assert not s.higher_is_better
    # Two classes: (p - y)^2 + ((1 - p) - (1 - y))^2 = 2 (p - y)^2.
    expected = [2 * (sure("svm", i) - (TRUTH[i] == "yes")) ** 2 for i in range(ROWS)]
    np.testing.assert_allclose(s.tasks[0].values[:, 0], expected, atol=1e-9)


def test_openml_repeats_are_repeats_of_a_row(folder: Path) -> None:
    for model in ("svm", "tree"):
        (folder / f"{model}.arff").write_text(openml(model, repeats=3))
    s = scores(folder)
    assert s.audit.paired == 3 * ROWS
    assert s.tasks[0].clusters is not None
    assert len(set(s.tasks[0].clusters)) == ROWS


def test_openml_regression(tmp_path: Path) -> None:
    for k, model in enumerate(("svm", "tree")):
        head = "@relation openml_task_3\n" + "".join(
            f"@attribute {n} numeric\n" for n in ("repeat", "fold", "row_id", "prediction", "correct")
        )
        rows = "".join(f"0,0,{i},{i + 0.5 + k},{i + 0.25}\n" for i in range(5))
        (tmp_path / f"{model}.arff").write_text(head + "@data\n" + rows)
    s = scores(tmp_path)
    assert s.metric == "absolute error"
    assert not s.higher_is_better
    assert s.tasks[0].values.tolist() == [[0.25, 1.25]] * 5


def test_openml_misalignments(folder: Path) -> None:
    tree = folder / "tree.arff"
    tree.write_text(openml("tree", truth=["yes", *TRUTH[1:]]))
    with pytest.raises(PairingError, match="differ in the truth of 1 unit"):
        read(folder)
    tree.write_text(openml("tree", rows=range(6)))
    s = scores(folder)
    assert s.audit.paired == 6
    assert f"59: 6 of {ROWS} paired" in s.audit.warnings
    tree.write_text(openml("tree", rows=[*range(ROWS), 3]))
    with pytest.raises(PairingError, match="more than one row"):
        read(folder)
    tree.write_text(openml("tree").replace("0,1,1,", "0,0,1,"))
    assert f'59: {ROWS} of {ROWS} paired; fold differs for "tree"' in scores(folder).audit.warnings


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("@DATA", "", "has no @data"),
        ("@DATA", "@DATA\n{0 1, 3 yes}", "2 values for 7 columns"),
        ("@DATA", "@DATA\n0,0,77,?,yes,0.5,0.5", "rows without a row_id, a prediction or the truth"),
        ("@ATTRIBUTE fold", "@ATTRIBUTE repeat", "two columns of one name"),
        ("% run", "% r\udcffn", "not UTF-8"),
    ],
)
def test_broken_arff(old: str, new: str, message: str, folder: Path) -> None:
    text = (folder / "svm.arff").read_text().replace(old, new)
    (folder / "svm.arff").write_text(text, errors="surrogateescape")
    with pytest.raises(ReadError, match=message):
        read(folder)


def test_arff_without_rows(folder: Path) -> None:
    (folder / "svm.arff").write_text(openml("svm", rows=[]))
    with pytest.raises(ReadError, match="has no rows"):
        read(folder)


# --- WEKA ------------------------------------------------------------------------------------------------

COLUMNS = [
    "Key_Dataset",
    "Key_Run",
    "Key_Fold",
    "Key_Scheme",
    "Key_Scheme_options",
    "Key_Scheme_version_ID",
    "Number_of_training_instances",
    "Number_of_testing_instances",
    "Percent_correct",
    "Area_under_ROC",
    "Root_mean_squared_error",
]
J48 = ("weka.classifiers.trees.J48", "'-C 0.25 -M 2'", "-217733168393644444")
BAYES = ("weka.classifiers.bayes.NaiveBayes", "''", "5995231201785697655")


def percent(scheme: tuple[str, ...], data: str, run: int, fold: int) -> float:
    return 70 + len(data) + run + fold / 2 + (3 if scheme == J48 else 0)


def weka(schemes: Sequence[tuple[str, ...]], *, auc: str = "0.8", folds: int = 2) -> list[str]:
    return [
        ",".join([data, str(run), str(fold), *s, "90", "10", str(percent(s, data, run, fold)), auc, "0.2"])
        for data in ("iris", "'vote, 1984'")
        for run in (1, 2)
        for fold in range(1, folds + 1)
        for s in schemes
    ]


def as_csv(rows: Sequence[str]) -> str:
    return "\n".join([",".join(COLUMNS), *rows]) + "\n"


def as_arff(rows: Sequence[str]) -> str:
    head = ["@relation InstanceResultListener", *(f"@attribute {c} string" for c in COLUMNS), "@data"]
    return "\n".join([*head, *rows]) + "\n"


@pytest.mark.parametrize("form", [as_csv, as_arff])
def test_weka(form: Any, tmp_path: Path) -> None:
    path = tmp_path / "experiment.csv"
    path.write_text(form(weka([J48, BAYES])))
    s = scores(path)
    assert s.models == ("J48", "NaiveBayes")
    assert [t.name for t in s.tasks] == ["iris", "vote, 1984"]
    assert s.metric == "Percent_correct"
    assert s.higher_is_better
    assert (s.design.folds, s.design.repeats, s.design.n_test, s.design.n_train) == (2, 2, 10, 90)
    expected = [percent(J48, "iris", run, fold) for run in (1, 2) for fold in (1, 2)]
    assert s.tasks[0].values[:, 0].tolist() == expected
    assert not scores(path, score="Root_mean_squared_error").higher_is_better
    assert compare(path).overall


def test_weka_schemes_that_differ_in_their_options(tmp_path: Path) -> None:
    pruned = (J48[0], "'-C 0.1'", J48[2])
    (tmp_path / "x.csv").write_text(as_csv(weka([J48, pruned, BAYES])))
    assert scores(tmp_path).models == (f"{J48[0]} -C 0.25 -M 2", f"{J48[0]} -C 0.1", "NaiveBayes")


def test_weka_one_file_per_scheme(tmp_path: Path) -> None:
    for name, scheme in {"a": J48, "b": BAYES}.items():
        (tmp_path / f"{name}.csv").write_text(as_csv(weka([scheme])))
    assert scores(tmp_path).models == ("J48", "NaiveBayes")


def test_weka_measures_with_gaps_are_skipped(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text(as_csv(weka([J48, BAYES], auc="?")))
    assert "skipped: Area_under_ROC (not on every row)" in scores(path).audit.notes
    path.write_text(as_csv(["iris,1,1,a,b,c,90,10,?,?,?"]))
    with pytest.raises(ReadError, match="no measure that every row has"):
        read(path)


def test_weka_other_folds_are_said(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text(as_csv(weka([J48])))
    (tmp_path / "b.csv").write_text(as_csv(weka([BAYES], folds=3)))
    s = scores(tmp_path)
    assert "iris: 4 of 6 paired" in s.audit.warnings


def test_weka_a_row_twice(tmp_path: Path) -> None:
    rows = weka([J48, BAYES])
    (tmp_path / "x.csv").write_text(as_csv([*rows, rows[0]]))
    with pytest.raises(PairingError, match="more than one row"):
        read(tmp_path)
