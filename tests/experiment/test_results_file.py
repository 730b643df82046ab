"""Results as Parquet."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.errors import ReadError
from tests.experiment.stored import made


def test_results_are_parquet_that_anybody_can_read(tmp_path: Path) -> None:
    import duckdb

    exp = made(tmp_path)
    with duckdb.connect() as connection:
        found = connection.read_parquet(str(tmp_path / "results.parquet"))
        rows = found.select("model, task, repeat, fold, accuracy, split_hash").fetchall()
    assert (tmp_path / "journal.jsonl").read_bytes() == b""
    assert sorted(rows) == sorted(
        (f.model, f.task, f.repeat, f.fold, f.values["accuracy"], f.split_hash) for f in exp.fits
    )


def test_results_that_are_no_parquet_are_an_error(tmp_path: Path) -> None:
    made(tmp_path)
    (tmp_path / "results.parquet").write_bytes(b"PAR1 nonsense PAR1")
    with pytest.raises(ReadError, match=r"results.parquet cannot be read as results"):
        made(tmp_path)
