from __future__ import annotations

import numpy as np
import pytest

from ropewalk.data import Audit, Counts, TaskCounts
from ropewalk.errors import CellError, DataError


def test_counts_add_up() -> None:
    table = TaskCounts(name="x", n00=np.int64(1), n01=2.0, n10=3, n11=4)  # type: ignore[arg-type]
    assert (table.n00, table.n01, table.n10, table.n11, table.n) == (1, 2, 3, 4, 10)
    assert all(type(c) is int for c in (table.n00, table.n01))


@pytest.mark.parametrize("bad", [-1, 1.5, float("nan"), float("inf"), "3", True, None])
def test_a_count_is_a_whole_number(bad: object) -> None:
    with pytest.raises(CellError, match=r'n01 is .* in task "x"\n\n  Counts must be whole numbers'):
        TaskCounts(name="x", n00=1, n01=bad, n10=3, n11=4)  # type: ignore[arg-type]


def _table(name: str | None, n: int = 1) -> TaskCounts:
    return TaskCounts(name=name, n00=n, n01=n, n10=n, n11=n)


@pytest.mark.parametrize(
    ("a", "tasks", "message"),
    [
        ("B", (_table(None),), 'both models are called "B"'),
        ("A", (), "there are no counts"),
        ("A", (_table(None, 0),), "there are no counts"),
        ("A", (_table("t"), _table("u", 0)), 'nothing was counted on "u"'),
        ("A", (_table("t"), _table("t")), 'task "t" has more than one row'),
    ],
)
def test_bad_counts(a: str, tasks: tuple[TaskCounts, ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        Counts(a=a, b="B", tasks=tasks, audit=Audit(paired=0))


def test_models() -> None:
    assert Counts(a="A", b="B", tasks=(_table(None),), audit=Audit(paired=4)).models == ("A", "B")
