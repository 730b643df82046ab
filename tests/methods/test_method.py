"""What holds for every method: each kind of data has one default, and the reasons are sentences."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.analysis import across_tasks, one_task
from ropewalk.errors import MethodError
from ropewalk.methods import default_of, default_over, known, quickest_over_tasks
from ropewalk.methods.pair import Kind, TaskKind

# Right and wrong answers have two: on the accuracy scale, and where the ROPE is one of phi.
OVER_TASKS = {
    "several metrics": {"poisson_binomial"},
    "scores": {"hierarchical_t"},
    "outcomes": {"hierarchical_accuracy", "hierarchical_mcnemar"},
    "one-sided outcomes": {"hierarchical_accuracy", "signed_rank"},
}


def test_every_kind_of_data_has_exactly_one_default() -> None:
    for kind in get_args(Kind):
        claimed = [m for m in known().values() if kind in m.default_for]
        if kind == "tasks":  # one for each question
            answered = [asks for m in claimed for asks in m.answers]
            assert sorted(answered) == ["average", "likeliest", "next"]
        else:
            assert len(claimed) == 1, (kind, claimed)


def test_everything_over_tasks_has_a_default_and_one_method_is_the_quickest() -> None:
    for kind in get_args(TaskKind):
        claimed = {m.name for m in known().values() if kind in m.default_over}
        assert claimed == OVER_TASKS[kind]
    assert [m.name for m in known().values() if m.is_quickest] == ["sign"]


def test_defaults_by_their_kind() -> None:
    # Oracle: what `compare` chooses for such data (docs/architecture.md, "A method knows everything").
    found = {kind: default_of(kind).name for kind in ("set metric", "outcomes", "examples", "runs")}
    assert found == {"set metric": "bootstrap", "outcomes": "mcnemar", "examples": "t", "runs": "crossed"}
    assert default_over("scores").name == "hierarchical_t"
    assert quickest_over_tasks().name == "sign"


@pytest.mark.parametrize("name", known())
def test_a_method_is_for_one_task_or_for_many(name: str) -> None:
    method = known()[name]
    assert method.one_task or method.many_tasks
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
