"""What predictions must be, and which of them are missing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ropewalk.data import Audit, Predictions
from ropewalk.data.arrays import strings
from ropewalk.errors import CellError, DataError, RopewalkError
from tests.data.some_predictions import gappy, labels, probabilities

NAN = np.array([1.0, np.nan, 3.0])


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: labels(models=("svm",)), DataError, "only one model"),
        (lambda: labels(models=("svm", "tree")), DataError, 'outputs of "svm", "forest" given for models'),
        (lambda: labels(units=strings([])), DataError, "there are no predictions"),
        (lambda: labels(truth=strings("ab")), DataError, r"the truth has the shape \(2,\), \(4,\) was"),
        (lambda: labels(clusters=strings("ab")), DataError, "2 clusters for 4 examples"),
        (lambda: labels(tasks=strings("ab")), DataError, "2 tasks for 4 examples"),
        (
            lambda: labels(classes=("cat", "dog")),
            CellError,
            'the truth has labels that are not classes: "emu"',
        ),
        (
            lambda: labels(outputs={"svm": strings("abcd"), "forest": strings("abcd")}),
            CellError,
            'model "svm" has labels that are not classes: "a", "b", "c", "d"',
        ),
        (
            lambda: labels(outputs={"svm": strings("abc"), "forest": strings("abcd")}),
            DataError,
            r'the outputs of "svm" have the shape \(3,\)',
        ),
        (lambda: probabilities(np.array([[-0.5, 1.5], [0, 1]])), CellError, "probabilities outside 0 to 1"),
        (
            lambda: Predictions(
                models=("a", "b"),
                units=strings("123"),
                truth=NAN,
                outputs={"a": NAN, "b": NAN},
                kind="numbers",
                audit=Audit(paired=3),
            ),
            CellError,
            r'the truth has 1 values that are NaN or infinite\n\n  unit "2"',
        ),
    ],
)
def test_bad_predictions(make: Any, error: type[RopewalkError], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_half_a_task_is_no_gap() -> None:
    half = gappy("numbers").outputs | {"c": np.r_[np.arange(5.0), np.nan]}
    with pytest.raises(CellError, match=r'model "c" has 1 values that are NaN or infinite\n\n  unit "3"'):
        gappy("numbers", outputs=half)
    words = gappy().outputs | {"c": np.array(["x", None, "x", None, None, None], dtype=object)}
    with pytest.raises(CellError, match='model "c" has labels that are not classes: "None"'):
        gappy(outputs=words)
    with pytest.raises(CellError, match='model "c" has 3 values that are NaN'):  # without tasks, no gaps
        gappy("numbers", tasks=None)


def test_one_model_alone_on_a_task() -> None:
    lonely = gappy("numbers").outputs | {"b": gappy("numbers").outputs["c"]}
    with pytest.raises(DataError, match='fewer than two models were run on task "u"'):
        gappy("numbers", outputs=lonely)
