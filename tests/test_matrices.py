"""Tables of numbers, and the ranks of models."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import rankdata

from ropewalk.errors import CellError, DataError
from ropewalk.matrices import matrix, model_ranks, scores


@pytest.mark.parametrize("levels", [2, 5, 1_000])
def test_ranks_are_those_of_scipy(levels: int) -> None:
    # Oracle: scipy.stats.rankdata, with few and with many ties.
    z = np.random.default_rng(levels).integers(0, levels, (40, 7)).astype(float)
    np.testing.assert_array_equal(model_ranks(z), rankdata(-z, axis=1))


def test_what_is_no_table() -> None:
    with pytest.raises(DataError, match="not a table of numbers, one row per task"):
        matrix([["a", "b"]], rows="task", columns="model")
    with pytest.raises(DataError, match="the table has 1 dimension, 2 were expected"):
        matrix([1.0, 2.0], rows="task", columns="model")
    with pytest.raises(CellError, match="1 of 4 cells are NaN or infinite") as found:
        matrix([[1.0, np.inf], [0.0, 1.0]], rows="unit", columns="measure")
    assert "unit 0, measure 1: inf" in str(found.value)
    with pytest.raises(DataError, match="1 tasks and 2 models"):
        scores([[1.0, 2.0]])
