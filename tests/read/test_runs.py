"""Several training runs of a model become models of their own, until they are paired."""

from __future__ import annotations

import pytest

from ropewalk.data import Run
from ropewalk.errors import DataError
from ropewalk.read.runs import one_run_each, split_runs
from tests.read.wide import block

SEEDS = {"id": [1, 2, 1, 2], "seed": ["x", "x", "y", "y"], "a": [1, 0, 1, 1], "b": [0, 0, 1, 1]}


def test_each_seed_has_its_rows_and_its_name() -> None:
    parts, runs = split_runs([block(SEEDS, models="ab", unit="id", seed="seed")])
    assert [p.rows.tolist() for p in parts] == [[0, 1], [2, 3]]
    assert list(parts[1].columns) == ["a (seed y)", "b (seed y)"]
    assert runs["b (seed x)"] == Run(model="b", seed="x")
    assert all("seed" not in p.keys for p in parts)


def test_a_column_of_seeds_that_tells_nothing_apart_stays() -> None:
    one = block(SEEDS | {"id": [1, 2, 3, 4]}, models="ab", unit="id", seed="seed")
    assert split_runs([one]) == ([one], {})
    assert one_run_each([one], {}) == []
    same = block(SEEDS | {"id": [1, 2, 3, 4], "seed": ["x"] * 4}, models="ab", unit="id", seed="seed")
    assert "one training run of each model" in one_run_each([same], {})[0]


def test_runs_of_one_model_are_no_comparison() -> None:
    with pytest.raises(DataError, match='there is only one model: "a"'):
        split_runs([block(SEEDS, models="a", unit="id", seed="seed")])
