"""Cells such as ">3600", read as limits."""

from __future__ import annotations

import pandas as pd
import pytest

from ropewalk.errors import ColumnError
from ropewalk.read.limits import read_limits
from ropewalk.read.roles import Options

WIDE = pd.DataFrame({"id": list("abc"), "fast": ["1.5", ">60", "3"], "slow": ["> 60", ">=1e2", "4"]})


def test_cells_of_a_wide_table() -> None:
    found = read_limits(WIDE, None, Options(higher_is_better=False))
    assert found is not None
    values, marks = found
    assert values.models == ("fast", "slow")
    assert values.tasks[0].values.tolist() == [[1.5, 60.0], [60.0, 100.0], [3.0, 4.0]]
    assert marks.tasks[0].values.tolist() == [[0.0, 1.0], [1.0, 1.0], [0.0, 0.0]]


def test_a_column_of_marks_in_a_long_table() -> None:
    long = pd.DataFrame(
        {
            "model": list("ppqq"),
            "id": [1, 2, 1, 2],
            "seconds": [5.0, 60.0, 7.0, 9.0],
            "stopped": ["no", "yes", "0", ""],
        }
    )
    found = read_limits(long, "stopped", Options(higher_is_better=False))
    assert found is not None
    assert found[1].tasks[0].values.tolist() == [[0.0, 0.0], [1.0, 0.0]]
    with pytest.raises(ColumnError, match="has no column `timeout`"):
        read_limits(long, "timeout", Options())


def test_nothing_is_limited() -> None:
    plain = pd.DataFrame({"id": list("ab"), "fast": ["1", "2"], "slow": ["3", "4"]})
    assert read_limits(plain, None, Options(higher_is_better=False)) is None
