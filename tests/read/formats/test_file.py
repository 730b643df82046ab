"""Files of logs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ropewalk.errors import ReadError
from ropewalk.read.formats import File


def test_a_file_that_is_gone_is_an_error(tmp_path: Path) -> None:
    gone: Any = File(path=str(tmp_path / "x"), name="x", stem="x")
    assert gone.head == b""
    for read_it in (gone.content, gone.source):
        with pytest.raises(ReadError, match="x cannot be opened"):
            read_it()
