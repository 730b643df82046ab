"""Tables of five times two folds, and what is none."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import CellError, DataError
from tests.nhst.halves import BOTH


@BOTH
@pytest.mark.parametrize("shape", [(2, 5), (5, 3), (10, 2)])
def test_wrong_shape(test, shape):
    with pytest.raises(DataError, match=rf"shape \({shape[0]}, {shape[1]}\), \(5, 2\) was expected"):
        test(np.ones(shape))


@BOTH
def test_one_dimension(test):
    with pytest.raises(DataError, match="the table has 1 dimension, 2 were expected"):
        test(np.ones(10))


@BOTH
def test_nan_is_refused_by_place(test):
    p = np.ones((5, 2))
    p[3, 1] = np.nan
    with pytest.raises(CellError, match=r"1 of 10 cells are NaN or infinite\s+replication 3, fold 1: nan"):
        test(p)


@BOTH
def test_text_and_ragged_rows_are_refused(test):
    with pytest.raises(
        DataError, match="not a table of numbers, one row per replication and one column per fold"
    ):
        test([["a", "b"]] * 5)
    with pytest.raises(DataError, match="not a table of numbers"):
        test([[1, 2], [3]])
