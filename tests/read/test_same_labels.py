"""Predictions held against the truth where they lie, by the rules for a table in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

import ropewalk as rw
from ropewalk.errors import CellError


def csv(tmp_path: Path, *rows: str) -> Path:
    path = tmp_path / "t.csv"
    path.write_text("\n".join(["id,truth,a,b", *(f"{i},{row}" for i, row in enumerate(rows))]) + "\n")
    return path


def right(data: object) -> tuple[int, ...]:
    (c,) = rw.compare(data).comparisons
    e = c.evidence
    return e.n00, e.n01, e.n10, e.n11


@pytest.mark.parametrize(
    "rows",
    [
        ("1,1.0,0", "0,0,0", "1,0,1", "0,1,1.0"),
        ("1,True,False", "0,false,0", "1,0,TRUE", "0,true,1"),
        ("True,1,0", "False,0,False", "True,False,1", "False,1,True"),
    ],
)
def test_one_meaning_in_several_spellings(rows: tuple[str, ...], tmp_path: Path) -> None:
    path = csv(tmp_path, *rows)
    there, memory = (rw.read(path, in_place=where, truth="truth") for where in (True, False))
    assert right(there) == right(memory) == (1, 1, 1, 1)


def test_an_unknown_label_is_counted(tmp_path: Path) -> None:
    path = csv(tmp_path, "cat,cat,dog", "dog,emu,dog", "cat,emu,cat")
    with pytest.raises(CellError) as problem:
        rw.read(path, in_place=True, truth="truth")
    assert "emu" in str(problem.value)
    data = rw.read(path, in_place=True, truth="truth", labels=["emu"])
    assert right(data) == (0, 2, 1, 0) or sum(right(data)) == 3
