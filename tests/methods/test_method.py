"""What holds for every method: each kind of data has one default, and the reasons are sentences."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.analysis import across_tasks, one_task
from ropewalk.errors import MethodError
from ropewalk.methods import known
from ropewalk.methods.pair import Kind


def test_every_kind_of_data_has_exactly_one_default() -> None:
    for kind in get_args(Kind):
        claimed = [m for m in known().values() if kind in m.default_for]
        if kind == "tasks":  # one for each question
            answered = [asks for m in claimed for asks in m.answers]
            assert sorted(answered) == ["average", "likeliest", "next"]
        else:
            assert len(claimed) == 1, (kind, claimed)


@pytest.mark.parametrize("name", known())
def test_a_method_is_for_one_task_or_for_many_or_comes_out_of_the_joint_model(name: str) -> None:
    method = known()[name]
    assert method.one_task or method.many_tasks or method.joint
    assert method.name == name


@pytest.mark.parametrize("name", known())
def test_a_method_has_a_card(name: str) -> None:
    card = known()[name].card
    assert card is not None
    assert card.__doc__


def test_data_that_no_method_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (one_task, across_tasks):
        monkeypatch.setattr(module, "by_preference", list)
    with pytest.raises(MethodError, match="no method is available for these data"):
        rw.compare({"A": [1, 0, 1, 1], "B": [0, 0, 1, 1]})
    frame = pd.DataFrame(
        {"task": list("xxxyyy") * 2, "id": list("123123") * 2, "model": ["A"] * 6 + ["B"] * 6}
    )
    frame["accuracy"] = np.random.default_rng(0).random(12)
    with pytest.raises(MethodError, match="no method is available for these tasks"):
        rw.compare(frame, method="t")
