"""One table in every form that a person may have it in."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from tests.read.formats.harness import Out

Columns: TypeAlias = dict[str, list[Any]]


def write_csv(columns: Columns, path: Path, delimiter: str = ",", **how: Any) -> Path:
    with path.open("w", newline="", encoding=how.pop("encoding", "utf-8")) as file:
        writer = csv.writer(file, delimiter=delimiter, **how)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def write_jsonl(columns: Columns, path: Path) -> Path:
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def write_json(columns: Columns, path: Path) -> Path:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    path.write_text(json.dumps(rows, indent=1))
    return path


def write_parquet(columns: Columns, path: Path) -> Path:
    import pyarrow as pa
    import pyarrow.parquet

    pyarrow.parquet.write_table(pa.table(columns), path)
    return path


FILES: dict[str, Callable[[Columns, Path], Path]] = {
    "csv": lambda c, p: write_csv(c, p.with_suffix(".csv")),
    "tsv": lambda c, p: write_csv(c, p.with_suffix(".tsv"), "\t"),
    "semicolon": lambda c, p: write_csv(c, p.with_suffix(".csv"), ";", lineterminator="\n"),
    "quoted with BOM": lambda c, p: write_csv(
        c, p.with_suffix(".txt"), quoting=csv.QUOTE_ALL, encoding="utf-8-sig"
    ),
    "utf-16": lambda c, p: write_csv(c, p.with_suffix(".txt"), "\t", encoding="utf-16"),
    "jsonl": lambda c, p: write_jsonl(c, p.with_suffix(".jsonl")),
    "json": lambda c, p: write_json(c, p.with_suffix(".json")),
    "parquet": lambda c, p: write_parquet(c, p.with_suffix(".parquet")),
    "parquet with a wrong suffix": lambda c, p: write_parquet(c, p.with_suffix(".csv")),
}


def _pandas(columns: Columns) -> Any:
    import pandas as pd

    return pd.DataFrame(columns)


def _polars(columns: Columns) -> Any:
    import polars as pl

    return pl.DataFrame(columns)


def _polars_lazy(columns: Columns) -> Any:
    return _polars(columns).lazy()


def _pyarrow(columns: Columns) -> Any:
    import pyarrow as pa

    return pa.table(columns)


def _duckdb(columns: Columns) -> Any:
    import duckdb

    # The default connection: DuckDB before 2.0 closes one that nobody holds, under its relations.
    return duckdb.from_arrow(_pyarrow(columns))


FRAMES: dict[str, Callable[[Columns], Any]] = {
    "pandas": _pandas,
    "polars": _polars,
    "polars lazy": _polars_lazy,
    "pyarrow": _pyarrow,
    "duckdb": _duckdb,
}


@pytest.fixture(params=FILES)
def as_file(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Columns, str], Path]:
    """Write a table in each file format, under a given stem."""
    return lambda columns, stem: FILES[request.param](columns, tmp_path / stem)


@pytest.fixture(params=[*FILES, *FRAMES])
def as_source(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Columns], Any]:
    """A table in each file format and as each kind of frame."""
    if request.param in FRAMES:
        return FRAMES[request.param]
    return lambda columns: FILES[request.param](columns, tmp_path / "table")


@pytest.fixture
def csv_file(tmp_path: Path) -> Callable[..., str]:
    """Write text to a file and return its path."""

    def write(content: str | bytes, name: str = "table.csv") -> str:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    return write


def _dask(frame: pd.DataFrame) -> Any:
    dask = pytest.importorskip("dask.dataframe", reason="Dask is not installed: pip install ropewalk[dask]")
    return dask.from_pandas(frame, npartitions=3)


ENGINES: dict[str, Callable[[pd.DataFrame], Any]] = {
    "pandas": lambda f: f,
    "polars": pl.from_pandas,
    "polars lazy": lambda f: pl.from_pandas(f).lazy(),
    "pyarrow": lambda f: pa.Table.from_pandas(f, preserve_index=False),
    "duckdb": duckdb.from_df,
    "dask": _dask,
}


@pytest.fixture(params=ENGINES)
def in_engine(request: pytest.FixtureRequest) -> Callable[[pd.DataFrame], Any]:
    """Puts a frame into an engine that can count where the data lie."""
    return ENGINES[request.param]


@pytest.fixture
def long() -> pd.DataFrame:
    """Two models on three tasks, shuffled, with a few rows missing."""
    rng = np.random.default_rng(1)
    n = 600
    frame = pd.DataFrame(
        {
            "model": np.repeat(["a", "b"], n),
            "task": np.tile(np.array(["x", "y", "z"])[np.arange(n) % 3], 2),
            "id": np.tile(np.arange(n), 2),
            "score": np.concatenate([rng.normal(1.2, 1, n), rng.standard_t(3, n)]),
        }
    )
    return frame.sample(frac=1, random_state=0).iloc[:-7]


@pytest.fixture
def out(tmp_path: Path) -> Out:
    """A folder of logs of lm-evaluation-harness."""
    return Out(root=tmp_path / "lm_eval_out")
