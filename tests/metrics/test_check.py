"""Data that no metric takes."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import CellError, DataError, MethodError, PairingError
from ropewalk.metrics import (
    METRICS,
)


@pytest.mark.parametrize("name", ["auroc", "average_precision", "f1", "balanced_accuracy", "mcc"])
def test_one_class_only_is_an_error(name: str) -> None:
    with pytest.raises(MethodError, match="the truth has a single class"):
        METRICS[name].value([1, 1, 1], [1, 0, 1])


@pytest.mark.parametrize(
    ("name", "y", "prediction", "error", "message"),
    [
        ("r2", [2.0, 2.0], [1.0, 2.0], MethodError, "the same number on every row"),
        ("ndcg", [0, 0], [1.0, 2.0], MethodError, "no document is relevant"),
        ("ndcg", [-1, 1], [1.0, 2.0], CellError, "1 of 2 relevances are negative"),
        ("auroc", [0, 1, 2], [1.0, 2.0, 3.0], MethodError, "the truth has 3 classes, but AUROC needs 2"),
        ("f1", [0, 1, 2], [0, 1, 1], MethodError, "there are 3 classes, but F1 needs 2"),
        ("auroc", [0, 1], [1.0, np.nan], CellError, "prediction is NaN or infinite on 1 of 2 rows"),
        ("auroc", [0, np.nan], [1.0, 2.0], CellError, "y is NaN or infinite on 1 of 2 rows"),
        ("accuracy", ["a", None], ["a", "b"], CellError, "y is missing on 1 of 2 rows"),
        ("accuracy", [[0], [1]], [0, 1], DataError, "y is not one label per row"),
        ("accuracy", ["a", "b"], [0, 1], DataError, "one is text, the other numbers"),
        ("auroc", [0, 1], ["x", "y"], DataError, "prediction is not numeric"),
        ("auroc", [0, 1], [[1.0], [2.0]], DataError, "prediction has 2 dimensions"),
        ("auroc", [0, 1, 1], [1.0, 2.0], PairingError, "y has 3, prediction has 2"),
        ("accuracy", [], [], DataError, "there are no rows"),
        ("rmse", [0.0, 1.0], [1e200, 2.0], CellError, "its square overflows"),
        ("log_loss", [0, 1], [0.5, 0.0], CellError, "probability of 0 on 1 of 2 rows"),
        ("brier", [0, 1], [0.5, 1.5], CellError, "1 of 2 rows have probabilities outside 0 to 1"),
        ("brier", [0, 1], [[0.5, 0.5], [0.5, 0.2]], CellError, "1 of 2 rows do not add up to 1"),
        ("brier", ["a", "b"], [[0.5, 0.5, 0.0]] * 2, DataError, "2 classes and the prediction 3 columns"),
        ("bleu", None, [[1.0, 2.0]], DataError, r"\(rows, 10\) was expected"),
        ("bleu", None, [["a"]], DataError, "not a table of numbers"),
    ],
)
def test_bad_data_are_refused(
    name: str, y: list, prediction: list, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        METRICS[name].value(y, prediction)


@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([1.0, -1.0], CellError, "1 of 2 weights are negative"),
        ([1.0, np.nan], CellError, "weights is NaN or infinite on 1 of 2 rows"),
        ([0.0, 0.0], CellError, "all weights are zero"),
        ([1.0], PairingError, "prediction has 2, weights has 1"),
        (["a", "b"], DataError, "weights is not numeric"),
    ],
)
def test_bad_weights_are_refused(weights: list, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        METRICS["mae"].value([1.0, 2.0], [1.0, 3.0], weights=weights)
