"""Training runs: sorted into their models, with their seeds in order."""

from __future__ import annotations

import numpy as np

from ropewalk.data import Run, RunScores
from ropewalk.data.runs import gathered, models_of

RUNS = {
    "b2": Run(model="b", seed="2"),
    "a1": Run(model="a", seed="1"),
    "b1": Run(model="b", seed="1"),
    "a2": Run(model="a", seed="2"),
}


def test_models_come_in_the_order_of_their_first_run() -> None:
    assert models_of(RUNS) == ("b", "a")


def test_columns_go_to_their_models_by_seed() -> None:
    values = np.arange(8.0).reshape(2, 4)
    found = gathered(values, tuple(RUNS), RUNS)
    assert found.seeds == (("1", "2"), ("1", "2"))
    assert found.values[0].tolist() == [[2, 0], [6, 4]]  # columns b1, b2
    assert found.values[1].tolist() == [[1, 3], [5, 7]]
    assert found.paired(0, 1)
    assert found.describe(("b", "a")) == "2 training runs of every model, with the same seeds"


def test_a_run_that_was_not_made_is_left_out() -> None:
    values = np.arange(8.0).reshape(2, 4)
    values[:, 3] = np.nan
    found = gathered(values, tuple(RUNS), RUNS)
    assert found.seeds == (("1", "2"), ("1",))
    assert not found.paired(0, 1)
    assert found.describe(("b", "a")) == "training runs: b 2, a 1"


def test_one_run_of_each_is_not_paired_by_its_seed() -> None:
    one = RunScores(seeds=(("1",), ("1",)), values=(np.zeros((2, 1)), np.ones((2, 1))))
    assert not one.paired(0, 1)
    other = RunScores(seeds=(("1", "2"), ("3", "4")), values=(np.zeros((2, 2)), np.ones((2, 2))))
    assert other.describe("ab") == "2 training runs of every model, with different seeds"
