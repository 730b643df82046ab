"""A real Dask cluster of two workers on this machine sums the files."""

from __future__ import annotations

import json
import os
import pickle
import re
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Scores, Summed
from ropewalk.errors import OptionError, RopewalkError
from ropewalk.read.cluster import connected
from tests import forked

ROOT = Path(__file__).parents[2]
pytest.importorskip("distributed", reason="Dask is not installed: pip install 'ropewalk[dask]'")


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    import dask
    from distributed import LocalCluster

    # Workers fork from a process that has imported their packages.
    with (
        dask.config.set({"distributed.worker.multiprocessing-method": "forkserver"}),
        LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0", memory_limit=0
        ) as cluster,
    ):
        cluster.wait_for_workers(2)
        yield cluster.scheduler_address


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Two models in several pieces each, on two tasks, in another order each; some units in one file only."""
    folder, rng = tmp_path_factory.mktemp("logs"), np.random.default_rng(0)
    common = rng.normal(size=4_000)
    paths = []
    for k, model in enumerate("ab"):
        frame = pd.DataFrame(
            {
                "id": np.arange(4_000),
                "task": np.where(np.arange(4_000) % 3, "x", "y"),
                "score": common + rng.normal(0.1 * k, 0.5, 4_000),
            }
        )
        frame = frame.sample(frac=1, random_state=k).iloc[: 3_990 + k]
        paths.append(str(folder / f"{model}.parquet"))
        frame.to_parquet(paths[-1], row_group_size=500)
    return paths


def test_the_cluster_says_what_this_machine_says(address: str, files: list[str]) -> None:
    rows, here, there = rw.read(files), rw.read(files, in_place=True), rw.read(files, dask=address)
    assert isinstance(rows, Scores)
    assert isinstance(here, Summed)
    assert isinstance(there, Summed)
    assert there.audit == here.audit
    for mine, theirs in zip(here.tasks, there.tasks, strict=True):
        assert theirs.n == mine.n
        np.testing.assert_allclose(theirs.ahead, mine.ahead, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(theirs.m2, mine.m2, rtol=1e-12)
    probabilities = [
        [(c.verdict.better, c.verdict.equivalent, c.verdict.worse) for c in [*r.overall, *r.comparisons]]
        for r in (rw.compare(rows, rope=0.05), rw.compare(there, rope=0.05))
    ]
    np.testing.assert_allclose(probabilities[1], probabilities[0], atol=1e-9)


@pytest.mark.proof
def test_the_command_on_the_page(address: str, files: list[str]) -> None:
    """docs/in-place.md; oracle: the same files on this machine."""
    page = (ROOT / "docs" / "in-place.md").read_text(encoding="utf-8")
    (command,) = re.findall(
        r"^ropewalk (compare a\.parquet b\.parquet --dask \S+)$", page, flags=re.MULTILINE
    )
    places = {"a.parquet": files[0], "b.parquet": files[1], "tcp://host:8786": address}
    there = [places.get(word, word) for word in command.split()]
    here = ["compare", *files, "--in-place"]
    found = []
    for arguments in (there, here):
        done = forked.run(*arguments, "--rope", "0.05", "--json")
        assert done.returncode == 0, done.stderr
        found.append([c["probability"] for c in json.loads(done.stdout)["comparisons"]])
    assert len(found[0]) == 2
    for mine, theirs in zip(*found, strict=True):
        assert theirs == pytest.approx(mine, abs=1e-9)


def test_a_cluster_can_start_a_worker_again(address: str) -> None:
    """A worker that is started again is sent the settings of its process, and a client cannot be sent."""
    import dask

    with connected(address):
        assert pickle.dumps(dask.config.config)
        assert dask.delayed(os.getpid)().compute() != os.getpid()
    assert dask.delayed(os.getpid)().compute(scheduler="synchronous") == os.getpid()


def test_no_cluster_at_that_address(files: list[str]) -> None:
    with pytest.raises(OptionError, match="no Dask scheduler responds at nonsense"):
        rw.read(files, dask="nonsense://nowhere")


def test_a_cluster_that_fails_does_not_change_the_settings_of_dask(files: list[str]) -> None:
    """A client that is the default stays in them, and every later frame fails."""
    import dask

    with pytest.raises(OptionError, match="no Dask scheduler responds at tcp"):
        rw.read(files, dask="tcp://127.0.0.1:1")
    assert dask.config.get("scheduler", None) is None
    assert dask.delayed(abs)(-1).compute() == 1


def test_a_frame_needs_no_address() -> None:
    with pytest.raises(OptionError, match="a Dask cluster reads files, but this is an object in memory"):
        rw.read(pd.DataFrame({"id": [1, 2], "a": [0, 1], "b": [1, 1]}), dask="tcp://host:8786")


def test_a_cluster_without_workers_is_a_message_after_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(import_module("ropewalk.read.cluster"), "CONNECT", 1.0)
    for name in ("a.csv", "b.csv"):
        (tmp_path / name).write_text("id,score\n1,0.5\n2,0.7\n3,0.6\n")
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv")]
    with (
        distributed.LocalCluster(
            n_workers=0, processes=False, dashboard_address=":0", silence_logs=50
        ) as cluster,
        pytest.raises(OptionError, match="has no worker"),
    ):
        rw.compare(files, rope=0.01, dask=cluster.scheduler_address)


def test_whoever_waits_is_told_that_no_worker_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    """Dask itself waits for another worker for ever."""
    from distributed import LocalCluster

    from ropewalk.read.cluster import connected

    waited = []

    def wait_for_an_answer(cluster: LocalCluster) -> None:
        with connected(cluster.scheduler_address) as client:
            cluster.scale(0)
            while client.nthreads():
                time.sleep(0.1)
            try:
                client.submit(abs, -1).result(timeout=60)
            except TimeoutError:
                waited.append("nobody said so")
                raise

    monkeypatch.setattr(import_module("ropewalk.read.cluster"), "PATIENCE", 1.0)
    with (
        LocalCluster(n_workers=1, processes=False, dashboard_address=":0", silence_logs=50) as cluster,
        pytest.raises(RopewalkError, match=r"no worker of the Dask cluster at .* is left"),
    ):
        wait_for_an_answer(cluster)
    assert waited == []
