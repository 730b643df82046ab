"""The same bytes with one thread and with two: of BLAS, of our own pools, of DuckDB."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

# Both kinds of pool are made where they are used, so their constructors are told how many threads there are.
_PROGRAM = """
import concurrent.futures, contextlib, json, os, sys
from pathlib import Path
import duckdb

threads, jobs = int(sys.argv[1]), json.loads(sys.argv[2])
start, connect = concurrent.futures.ThreadPoolExecutor.__init__, duckdb.connect
asked = set()

def pool(self, max_workers=None, **options):
    asked.add("pool")
    start(self, threads, **options)

def database(*given, config={}, **options):
    asked.add("duckdb")
    return connect(*given, config=config | {"threads": threads}, **options)

concurrent.futures.ThreadPoolExecutor.__init__ = pool
duckdb.connect = database
from ropewalk.cli import main
for folder, arguments in jobs.items():
    os.chdir(folder)
    asked.clear()
    sys.argv = ["ropewalk", "compare", *arguments, "--json", "--html", "page.html"]
    out = Path(f"{threads}.json")
    with out.open("w") as stream, contextlib.redirect_stdout(stream), contextlib.suppress(SystemExit):
        main()
    Path("page.html").rename(f"{threads}.html")
    Path(f"{threads}.pools").write_text(" ".join(sorted(asked)))
"""


def tasks(folder: Path) -> list[str]:
    """150,000 draws in blocks; the blocks have seeds of their own."""
    rng = np.random.default_rng(0)
    rows = [
        f"t{i},{a},{a + d}"
        for i, (a, d) in enumerate(zip(rng.random(30), rng.normal(0.02, 0.1, 30), strict=True))
    ]
    (folder / "tasks.csv").write_text("\n".join(["task,forest,svm", *rows, ""]))
    return ["tasks.csv", "--method", "signed_rank", "--rope", "0.01"]


def whole_set(folder: Path) -> list[str]:
    """The Bayesian bootstrap, the bootstrap and the permutation test, each in batches."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 400)
    a, b = (1 / (1 + np.exp(-k * truth - rng.normal(size=400))) for k in (1.5, 1.2))
    rows = [f"{i},{y},{p},{q}" for i, (y, p, q) in enumerate(zip(truth, a, b, strict=True))]
    (folder / "scores.csv").write_text("\n".join(["id,label,forest,svm", *rows, ""]))
    return ["scores.csv", "--metric", "auroc"]


def many_models(folder: Path) -> list[str]:
    """The joint model and the sums of all pairs come from BLAS."""
    rng = np.random.default_rng(0)
    z = rng.normal(size=(2_000, 1)) + rng.normal(size=(2_000, 12)) + np.linspace(0, 0.2, 12)
    names = ",".join(f"m{j}" for j in range(12))
    rows = [f"{i}," + ",".join(map(str, row)) for i, row in enumerate(z)]
    (folder / "scores.csv").write_text("\n".join([f"id,{names}", *rows, ""]))
    return ["scores.csv", "--rope", "0.05"]


def in_place(folder: Path, score: str) -> list[str]:
    """Three row groups and more, which DuckDB's threads share out as they come."""
    import duckdb

    with duckdb.connect() as connection:
        for name, n, step in (("a", 8, 7919), ("b", 7, 104_729)):
            connection.execute(
                f"copy (select (i * {step}) % 400000 as id, {score.format(n=n)} as score "
                f"from range(400000) t(i)) to '{folder / name}.parquet' (format parquet)"
            )
    return ["a.parquet", "b.parquet", "--in-place"]


def right_in_place(folder: Path) -> list[str]:
    return in_place(folder, "(hash(i) % 10 < {n})::double")


def scores_in_place(folder: Path) -> list[str]:
    return in_place(folder, "hash(i) % 1000003 / 1e6 + {n} * sin(i * {n})")


# Which pools are started; the library of BLAS has its own.
JOBS: dict[Callable[[Path], list[str]], str | None] = {
    tasks: "pool",
    whole_set: "pool",
    many_models: None,
    right_in_place: "duckdb",
    scores_in_place: "duckdb",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What every job printed and wrote, in a process with one thread and in one with two."""
    folder = tmp_path_factory.mktemp("threads")
    jobs = {}
    for job in JOBS:
        (folder / job.__name__).mkdir()
        jobs[str(folder / job.__name__)] = job(folder / job.__name__)
    for threads in "12":
        environment = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), threads)
        command = [sys.executable, "-c", _PROGRAM, threads, json.dumps(jobs)]
        done = subprocess.run(
            command, env=os.environ | environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
    return folder


@pytest.mark.parametrize("job", JOBS, ids=lambda job: job.__name__)
def test_one_thread_and_two_give_the_same_bytes(folder: Path, job: Callable[[Path], list[str]]) -> None:
    here = folder / job.__name__
    assert json.loads((here / "1.json").read_text())["schema"] == "ropewalk/1"
    for what in ("json", "html", "pools"):
        assert (here / f"1.{what}").read_bytes() == (here / f"2.{what}").read_bytes()
    assert JOBS[job] in (None, (here / "1.pools").read_text())
