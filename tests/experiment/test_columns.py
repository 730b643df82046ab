"""A fit as a row and back: nothing is lost but the predictions."""

from __future__ import annotations

import json
import math
from dataclasses import fields, replace

from ropewalk.experiment.columns import columns, fit_of, row_of
from ropewalk.experiment.work import Fit

ONE = Fit(
    model="svm",
    task="wine",
    repeat=1,
    fold=2,
    random_state=3,
    split_hash="a",
    model_hash="b",
    data_hash="c",
    n_train=90,
    n_test=10,
    values={"accuracy": 0.9, "auroc": math.nan},
    fit_seconds=0.25,
    chosen="C=1",
    warning="slow",
)


def test_a_row_comes_back_as_the_fit() -> None:
    row = json.loads(json.dumps(row_of(ONE), allow_nan=False))
    names = columns(["accuracy", "auroc"])
    assert list(row) == list(names)
    found = fit_of([row[name] for name in names], ["accuracy", "auroc"])
    assert math.isnan(found.values["auroc"])
    assert found.values["accuracy"] == 0.9
    same = {f.name: getattr(found, f.name) for f in fields(Fit) if f.name not in ("values", "outputs")}
    assert same == {name: getattr(ONE, name) for name in same}


def test_the_types_are_those_of_the_fields() -> None:
    found = columns(["accuracy"])
    assert (found["fold"], found["fit_seconds"], found["model"], found["accuracy"]) == (
        "BIGINT",
        "DOUBLE",
        "VARCHAR",
        "DOUBLE",
    )
    assert "timed_out" not in found
    assert row_of(replace(ONE, values={}))["chosen"] == "C=1"
