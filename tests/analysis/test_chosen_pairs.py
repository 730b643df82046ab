"""Which pairs are compared: those asked for, and no more than there is time for."""

from __future__ import annotations

from itertools import combinations
from types import SimpleNamespace
from typing import Any

import pytest

from ropewalk.analysis.chosen_pairs import (
    few_enough,
    pairs_among,
    pairs_over_tasks,
    shown_on_tasks,
    some,
    with_apart,
    within_groups,
)
from ropewalk.data import Audit
from ropewalk.errors import DataError, OptionError

MODELS = ["a", "b", "c", "d"]


def test_all_pairs_or_those_with_the_reference_or_those_named() -> None:
    assert pairs_among(MODELS, None, None) == list(combinations(MODELS, 2))
    assert pairs_among(MODELS, "b", None) == [("a", "b"), ("c", "b"), ("d", "b")]
    assert pairs_among(MODELS, None, [("d", "a")]) == [("d", "a")]


@pytest.mark.parametrize(
    ("reference", "pairs", "says"),
    [
        ("a", [("a", "b")], "both reference and pairs"),
        ("z", None, 'there is no model "z"'),
        (None, [("a", "z")], 'there is no model "z"'),
        (None, [("a", "a")], "two different models"),
        (None, [], "two different models"),
    ],
)
def test_what_cannot_be_meant(reference: Any, pairs: Any, says: str) -> None:
    with pytest.raises(OptionError, match=says):
        pairs_among(MODELS, reference, pairs)


def test_of_too_many_pairs_those_with_the_best() -> None:
    names = [f"m{i}" for i in range(110)]
    board: Any = SimpleNamespace(names=names, order=[7])
    every = pairs_among(names, None, None)
    kept, notes = few_enough(every, board, many=False)
    assert kept == [(m, "m7") for m in names if m != "m7"]
    assert notes == ["5,995 pairs are too many, so every model is compared only with the best, m7"]
    assert few_enough(every[:5000], board, many=False) == (every[:5000], [])
    assert few_enough(every[:1301], board, many=True)[1] != []
    assert few_enough(every, None, many=False) == (every, [])


def test_many_pairs_are_not_shown_on_each_task_or_group() -> None:
    assert shown_on_tasks(80, 50) == (True, [])
    assert shown_on_tasks(5000, 1) == (True, [])
    shown, notes = shown_on_tasks(81, 50)
    assert not shown
    assert notes[0].startswith("81 pairs on 50 tasks: compared only over all tasks")
    assert within_groups(100, 12) == (True, [])
    assert within_groups(100, 13)[0] is False


def test_pairs_that_share_fewer_than_two_tasks_are_named() -> None:
    work: Any = [SimpleNamespace(a=a, b=b) for a, b in (("a", "b"), ("a", "b"), ("a", "c"))]
    chosen = [("a", "b"), ("a", "c"), ("b", "c")]
    found, apart = pairs_over_tasks(work, chosen)
    assert [len(p.pairs) for p in found] == [2]
    assert apart == ["a - c", "b - c"]
    assert with_apart(Audit(paired=3), []).warnings == ()
    assert "a - c" in with_apart(Audit(paired=3), apart).warnings[0]
    some(work)
    with pytest.raises(DataError, match="no task in common"):
        some([])
