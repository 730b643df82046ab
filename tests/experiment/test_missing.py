"""What an experiment lacks is left out for all, and named."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import SVC

from ropewalk.errors import DataError
from ropewalk.experiment import cross_validate
from tests.experiment.small_runs import MODELS, WINE, Brittle, Never


def test_a_failed_fold_is_left_out_for_all_and_named() -> None:
    exp = cross_validate({**MODELS, "brittle": Brittle()}, WINE, design="2x5cv")
    gaps = exp.missing()
    assert len(gaps) == 2
    assert {(g.model, g.task) for g in gaps} == {("brittle", "wine")}
    assert "brittle on wine, repeat 0, fold" in str(gaps[0])
    assert str(gaps[0]).endswith("ValueError: the first row is missing")
    report = exp.compare(rope=0.01)
    assert report.comparisons[0].n == 8
    assert report.audit.dropped[0].units == 2
    (warning,) = report.audit.warnings
    assert warning.startswith("missing: brittle on wine, 2 splits (repeat.fold ")
    assert "missing: brittle on wine" in report.to_text().replace("\n    ", " ")


def test_an_algorithm_that_fails_throughout_was_not_run_there() -> None:
    data = {**WINE, "iris": load_iris(return_X_y=True), "cancer": load_breast_cancer(return_X_y=True)}
    exp = cross_validate({**MODELS, "brittle": Brittle()}, data, design="4cv")
    scores = exp.scores()
    assert np.isnan(scores.tasks[1].values[:, 2]).all()
    assert not np.isnan(scores.tasks[1].values[:, :2]).any()
    assert any("brittle on iris, 4 splits" in w for w in scores.audit.warnings)


def test_with_two_algorithms_such_a_data_set_is_left_out() -> None:
    data = {**WINE, "iris": load_iris(return_X_y=True)}
    exp = cross_validate({"bayes": GaussianNB(), "brittle": Brittle()}, data, design="4cv")
    scores = exp.scores()
    assert [t.name for t in scores.tasks] == ["wine"]
    assert "fewer than two algorithms ran on iris" in scores.audit.dropped[-1].reason


def test_when_nothing_worked_the_messages_are_shown() -> None:
    exp = cross_validate({"bayes": GaussianNB(), "never": Never()}, WINE, design="3cv")
    with pytest.raises(DataError, match="there is nothing to compare") as caught:
        exp.compare()
    assert "MemoryError: too small" in str(caught.value)


def test_a_metric_that_one_algorithm_lacks_does_not_spoil_the_others() -> None:
    exp = cross_validate({**MODELS, "svm": SVC()}, WINE, design="3cv", metrics=["accuracy", "log_loss"],
                         calibrate="none")  # fmt: skip
    assert not exp.missing("accuracy")
    assert {g.model for g in exp.missing("log_loss")} >= {"svm"}
    assert "SVC has no predict_proba" in exp.missing("log_loss")[-1].why


def test_fits_that_were_not_made_are_missing_too(tmp_path: Path) -> None:
    exp = cross_validate(MODELS, WINE, design="2x3cv")
    some = replace(exp, fits=exp.fits[:7])
    assert [g.why for g in some.missing()] == ["not run"] * 5
    assert some.scores().tasks[0].values.shape == (3, 2)
    assert "7 of 12 fits" in repr(some)


def test_warnings_of_fits_are_counted() -> None:
    exp = cross_validate(MODELS, WINE, design="2x3cv")
    warned = [replace(f, warning="UserWarning: slow") if f.model == "tree" else f for f in exp.fits]
    notes = replace(exp, fits=warned).scores().audit.notes
    assert "tree: 6 of 6 fits warned: UserWarning: slow" in notes


def test_an_algorithm_without_any_score_is_left_out_and_named() -> None:
    data = {**WINE, "iris": load_iris(return_X_y=True)}
    exp = cross_validate({**MODELS, "never": Never()}, data, design="3cv")
    report = exp.compare(rope=0.01)
    assert [m.name for m in report.models].count("never") == 0
    assert [w.split(" (")[0] for w in report.audit.warnings] == [
        "missing: never on wine, 3 splits",
        "missing: never on iris, 3 splits",
    ]
