"""Folders of logs."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.errors import DataError, ReadError
from ropewalk.read import read
from ropewalk.read.formats import folder
from ropewalk.read.table import Table


def test_a_folder_of_too_many_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder, "_MOST_FILES", 2)
    for k in range(3):
        (tmp_path / f"{k}.csv").write_text("id,a,b\n1,0,1\n")
    with pytest.raises(ReadError, match="has more than 2 files"):
        read(tmp_path)


def test_a_plain_table_among_logs() -> None:
    from ropewalk.read.metric_choice import _log

    with pytest.raises(DataError, match=r"a\.csv is a plain table, and other files are logs"):
        _log(Table(name="a.csv", stem="a", columns={}, height=0))
