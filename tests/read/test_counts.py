from __future__ import annotations

from collections.abc import Callable

import pytest

from ropewalk.data import Counts
from ropewalk.errors import CellError, DataError, RopewalkError
from ropewalk.read import read

Write = Callable[..., str]


def test_names_of_the_models(csv_file: Write) -> None:
    c = read(csv_file("model_a,model_b,N00,n01,n10,n11\nGNN,LLM,1,2,3,4\n"))
    assert isinstance(c, Counts)
    assert (c.models, c.tasks[0].name, c.tasks[0].n01) == (("GNN", "LLM"), None, 2)
    assert len(c.audit.inputs) == 1


@pytest.mark.parametrize(
    ("content", "error", "message"),
    [
        (
            "task,n00,n01,n10,n11\nt,1,2,3,4\nu,1,2.5,-3,4\n",
            CellError,
            r'`n01` holds no count\n\n  row 2 .*: "2.5"',
        ),
        ("task,n00,n01,n10,n11\nt,1,2,-3,4\n", CellError, "`n10` holds no count"),
        ("task,n00,n01,n10,n11\nt,1,x,3,4\n", CellError, "`n01` holds no finite number"),
        (
            "n00,n01,n10,n11\n1,2,3,4\n1,2,3,4\n",
            DataError,
            "2 rows of counts and no column that names the tasks",
        ),
        ("task,n00,n01,n10,n11\nt,1,2,3,4\nt,1,2,3,4\n", DataError, 'task "t" has more than one row'),
        ("a,n00,n01,n10,n11,task\nx,1,2,3,4,t\ny,1,2,3,4,u\n", DataError, "counts of several models in `a`"),
        ("n00,n01,n10,n11\n0,0,0,0\n", DataError, "there are no counts"),
    ],
)
def test_bad_counts(csv_file: Write, content: str, error: type[RopewalkError], message: str) -> None:
    with pytest.raises(error, match=message):
        read(csv_file(content))


def test_one_file_of_counts(csv_file: Write) -> None:
    paths = [csv_file("n00,n01,n10,n11\n1,2,3,4\n", f"{n}.csv") for n in "ab"]
    with pytest.raises(DataError, match="there are 2 files of counts"):
        read(paths)


def test_a_task_without_counts_is_left_out_and_named(csv_file: Write) -> None:
    counts = read(csv_file("task,n00,n01,n10,n11\nt,1,2,3,4\nu,,,,\nv,0,0,0,0\nw,4,3,2,1\n"))
    assert isinstance(counts, Counts)
    assert [t.name for t in counts.tasks] == ["t", "w"]
    assert (counts.tasks[1].n00, counts.audit.paired) == (4, 20)
    assert counts.audit.warnings == ('left out, because nothing was counted there: "u", "v"',)
    with pytest.raises(
        CellError, match=r"`n10` holds no finite number\n\n  row 2"
    ):  # one empty cell is no gap
        read(csv_file("task,n00,n01,n10,n11\nt,1,2,3,4\nu,1,2,,4\n"))
