"""Random seeds: a whole number or a Generator, everywhere; and what --seed means."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.errors import ColumnError, OptionError
from ropewalk.gate import Policy, judge


@pytest.fixture
def scores() -> dict[str, list[float]]:
    rng = np.random.default_rng(2)
    return {m: rng.normal(0.8, 0.1, 37).tolist() for m in ("a", "b")}


def test_a_generator_gives_a_seed_that_the_report_keeps(scores: dict[str, list[float]]) -> None:
    report = rw.compare(scores, rope=0.01, method="signed_rank", rng=np.random.default_rng(5))
    again = rw.compare(scores, rope=0.01, method="signed_rank", rng=report.seed)
    assert report.seed == int(np.random.default_rng(5).integers(2**32))
    assert report.to_json() == again.to_json()
    assert rw.compare(scores, rope=0.01, rng=np.int64(3)).seed == 3


def test_plan_and_gate_take_one(scores: dict[str, list[float]]) -> None:
    seed = int(np.random.default_rng(5).integers(2**32))
    assert rw.plan(difference=0.02, sd=0.3, rope=0.01, rng=np.random.default_rng(5)).seed == seed
    decision = judge(
        scores["a"], scores["b"], Policy(margin=0.1), higher_is_better=True, rng=np.random.default_rng(5)
    )
    assert decision.seed == seed


@pytest.mark.parametrize("rng", [0.5, True, "3", None, -1])
def test_what_is_no_seed(scores: dict[str, list[float]], rng: object) -> None:
    with pytest.raises(OptionError, match=r"rng is .*"):
        rw.compare(scores, rng=rng)


def test_seed_names_a_column(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("id,a,b\n1,0.5,0.6\n2,0.7,0.5\n3,0.2,0.3\n")
    with pytest.raises(ColumnError, match=r"A random seed is rng=3 \(--rng 3\)"):
        rw.compare(str(path), seed="3")


def test_names_of_options_in_other_packages() -> None:
    for name, here in (("random_state", "rng"), ("y_true", "truth"), ("n_repeats", "runs")):
        with pytest.raises(OptionError, match=f'there is no option "{name}"') as raised:
            rw.compare({"a": [1, 0], "b": [1, 1]}, **{name: 1})
        assert f'Here it is called "{here}".' in str(raised.value)


def test_data_in_several_arguments() -> None:
    with pytest.raises(OptionError, match="compare takes all data as one argument, and 2 were given"):
        rw.compare("a.csv", "b.csv")  # type: ignore[misc]
