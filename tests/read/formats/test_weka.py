"""Results of WEKA's Experimenter."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ropewalk import compare
from ropewalk.errors import PairingError, ReadError
from ropewalk.read import read
from tests.read.formats.arff_files import scores

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
