"""Data of which only sums are known answer as the rows would."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ropewalk as rw


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[rw.Scores, rw.data.Summed]:
    rng = np.random.default_rng(4)
    path: Path = tmp_path_factory.mktemp("sums") / "t.csv"
    rows = [
        f"{t},{i},{x:.3f},{y:.3f}" for t in "st" for i, (x, y) in enumerate(rng.uniform(0.5, 0.9, (30, 2)))
    ]
    path.write_text("\n".join(["task,id,a,b", *rows]) + "\n")
    memory = rw.read(path, model=["a", "b"], higher_is_better=True)
    there = rw.read(path, model=["a", "b"], higher_is_better=True, in_place=True)
    assert isinstance(memory, rw.Scores)
    assert isinstance(there, rw.data.Summed)
    return memory, there


def test_the_sums_are_those_of_the_rows(both: tuple[rw.Scores, rw.data.Summed]) -> None:
    memory, there = both
    assert there.models == memory.models
    assert there.audit.paired == memory.audit.paired == 60
    for task in there.tasks:
        one, two = memory.sums("a", "b", task.name), there.sums("a", "b", task)
        assert two.n == one.n == 30
        assert two.mean == pytest.approx(one.mean, rel=1e-12)
        assert two.m2 == pytest.approx(one.m2, rel=1e-9)


def test_a_pair_is_its_mirror_image(both: tuple[rw.Scores, rw.data.Summed]) -> None:
    _, there = both
    one, two = there.sums("a", "b", there.tasks[0]), there.sums("b", "a", there.tasks[0])
    assert (one.n, one.mean, one.m2) == (two.n, pytest.approx(-two.mean), pytest.approx(two.m2))
