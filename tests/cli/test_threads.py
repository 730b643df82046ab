"""The same bytes with one thread and with two: of BLAS, of our own pools, of DuckDB."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

# Both kinds of pool are made where they are used, so their constructors are told how many threads there are.
_PROGRAM = """
import concurrent.futures, sys
import duckdb

threads = int(sys.argv.pop(1))
start, connect = concurrent.futures.ThreadPoolExecutor.__init__, duckdb.connect
asked = []

def pool(self, max_workers=None, **options):
    asked.append("pool")
    start(self, threads, **options)

def database(*given, config={}, **options):
    asked.append("duckdb")
    return connect(*given, config=config | {"threads": threads}, **options)

concurrent.futures.ThreadPoolExecutor.__init__ = pool
duckdb.connect = database
from ropewalk.cli import main
try:
    main()
finally:
    print(*sorted(set(asked)), file=sys.stderr)
"""


def run(folder: Path, threads: int, *arguments: str) -> tuple[str, str, str]:
    """What was printed, the page, and which pools were started."""
    page = folder / "page.html"
    environment = {
        name: str(threads) for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    }
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM, str(threads), "compare", *arguments, "--json", "--html", page.name],
        cwd=folder,
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, page.read_text(), done.stderr.split("\n")[-2]


def same(folder: Path, *arguments: str) -> str:
    """Run with one thread and with two, and compare; which pools there were."""
    one, two = run(folder, 1, *arguments), run(folder, 2, *arguments)
    assert json.loads(one[0])["schema"] == "ropewalk/1"
    assert one == two
    return one[2]


def test_tasks_by_the_signed_rank_test(tmp_path: Path) -> None:
    """150,000 draws in blocks; the blocks have seeds of their own."""
    rng = np.random.default_rng(0)
    rows = [
        f"t{i},{a},{a + d}"
        for i, (a, d) in enumerate(zip(rng.random(30), rng.normal(0.02, 0.1, 30), strict=True))
    ]
    (tmp_path / "tasks.csv").write_text("\n".join(["task,forest,svm", *rows, ""]))
    assert same(tmp_path, "tasks.csv", "--method", "signed_rank", "--rope", "0.01") == "pool"


def test_a_metric_of_the_whole_set(tmp_path: Path) -> None:
    """The Bayesian bootstrap, the bootstrap and the permutation test, each in batches."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 400)
    a, b = (1 / (1 + np.exp(-k * truth - rng.normal(size=400))) for k in (1.5, 1.2))
    rows = [f"{i},{y},{p},{q}" for i, (y, p, q) in enumerate(zip(truth, a, b, strict=True))]
    (tmp_path / "scores.csv").write_text("\n".join(["id,label,forest,svm", *rows, ""]))
    assert same(tmp_path, "scores.csv", "--metric", "auroc") == "pool"


def test_many_models_by_their_products(tmp_path: Path) -> None:
    """The joint model and the sums of all pairs come from BLAS."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=(2_000, 1)) + rng.normal(size=(2_000, 12)) + np.linspace(0, 0.2, 12)
    names = ",".join(f"m{j}" for j in range(12))
    rows = [f"{i}," + ",".join(map(str, row)) for i, row in enumerate(z)]
    (tmp_path / "scores.csv").write_text("\n".join([f"id,{names}", *rows, ""]))
    same(tmp_path, "scores.csv", "--rope", "0.05")


@pytest.mark.parametrize(
    "score", ["(hash(i) % 10 < {n})::double", "hash(i) % 1000003 / 1e6 + {n} * sin(i * {n})"]
)
def test_files_summed_in_place(tmp_path: Path, score: str) -> None:
    """Three row groups and more, which DuckDB's threads share out as they come."""
    import duckdb

    with duckdb.connect() as connection:
        for name, n, step in (("a", 8, 7919), ("b", 7, 104_729)):
            connection.execute(
                f"copy (select (i * {step}) % 400000 as id, {score.format(n=n)} as score "
                f"from range(400000) t(i)) to '{tmp_path / name}.parquet' (format parquet)"
            )
    assert same(tmp_path, "a.parquet", "b.parquet", "--in-place") == "duckdb"
