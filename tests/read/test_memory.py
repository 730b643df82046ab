from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import CellError, DataError, PairingError, RopewalkError
from ropewalk.read import read


@pytest.mark.parametrize(
    ("source", "error", "message"),
    [
        ({}, DataError, "there are no models"),
        ({"a": [1, 2]}, DataError, 'there is only one model: "a"'),
        ({"a": [1, 2], "b": [1, 2, 3]}, PairingError, "a has 2 scores, b has 3"),
        (
            {"a": [1, np.nan], "b": [1, 2]},
            CellError,
            "the dict: 1 cell of column `a` holds no finite number\n\n  row 2",
        ),
        ({"a": [1, None], "b": [1, 2]}, CellError, "row 2: empty"),
        ({"a": "12", "b": [1, 2]}, DataError, 'the scores of "a" are a str, not a list of numbers'),
        ({"a": 3.0, "b": 4.0}, DataError, 'the scores of "a" are a float'),
        ({"a": {"x": 1}, "b": [2, 1]}, DataError, 'the scores of "a" are a dict'),
        ({"a": [[1], [2]], "b": [1, 2]}, DataError, 'the scores of "a" are not a list of numbers'),
        ({"a": np.ones((2, 2)), "b": [1, 2]}, DataError, 'the scores of "a" are not a list of numbers'),
        ({"a": ["x", "y"], "b": [1, 2]}, CellError, 'row 1: "x"'),
        ({"a": [], "b": []}, DataError, "the dict has no scores"),
        ({"a": [1], "b": [2]}, PairingError, "there is one score per model"),
        ({1: [1, 2], "1": [3, 4]}, DataError, 'two models are called "1"'),
        (np.ones(3), DataError, "the array has 1 dimension, 2 were expected"),
        (np.ones((2, 2, 2)), DataError, "the array has 3 dimensions"),
        (np.ones((3, 1)), DataError, 'there is only one model: "A"'),
        (np.ones((0, 2)), DataError, "the array has no scores"),
        (np.array([["x", "y"]]), DataError, "the array is not a matrix of numbers"),
        ([[1, 2], [3]], DataError, "the array is not a matrix of numbers"),
        ([1, "a.csv"], DataError, "the array is not a matrix of numbers"),
        (np.array([[1, np.nan], [2, 3]]), CellError, "the array: 1 cell of column `B`"),
    ],
)
def test_bad_data_in_memory(source: object, error: type[RopewalkError], message: str) -> None:
    with pytest.raises(error, match=message):
        read(source)


def test_many_models_in_a_matrix() -> None:
    names = read(np.ones((60, 60))).models
    assert names[:2] == ("A", "B")
    assert names[25:28] == ("Z", "AA", "AB")
    assert len(set(names)) == 60


def test_booleans_and_text_that_is_numbers() -> None:
    s = read({"a": [True, False], "b": ["0", "1"]})
    assert s.differences("a", "b").tolist() == [1.0, -1.0]  # type: ignore[union-attr]
