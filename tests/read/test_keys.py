"""What tells one unit from another: the fewest columns, and what a unit then is."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.errors import PairingError
from ropewalk.read.block import KeyColumn
from ropewalk.read.keys import Key, choose, combined, positions


def keys(**columns: list[int]) -> dict[str, KeyColumn]:
    found = {}
    for role, values in columns.items():
        _, first, codes = np.unique(values, return_index=True, return_inverse=True)
        found[role] = KeyColumn(codes=codes, cells=np.array(values), first=first)
    return found


def chosen(
    examples: bool = False, by_position: bool = False, one_block: bool = True, **columns: list[int]
) -> Key:
    n = len(next(iter(columns.values())))
    rows = [np.arange(n // 2), np.arange(n // 2, n)]  # two models, one after the other
    return choose(keys(**columns), rows, examples=examples, by_position=by_position, one_block=one_block)


@pytest.mark.parametrize(
    ("columns", "roles", "kind"),
    [
        ({"task": [0, 1, 0, 1]}, ("task",), "task"),
        ({"unit": [0, 1, 0, 1]}, ("unit",), "example"),
        ({"unit": [0, 1, 0, 1], "seed": [5, 5, 5, 5]}, ("unit",), "example"),
        ({"unit": [0, 0, 0, 0], "seed": [5, 6, 5, 6]}, ("unit", "seed"), "example"),
        ({"fold": [0, 1, 0, 1]}, ("fold",), "fold"),
        ({"repeat": [0, 0, 1, 1] * 2, "fold": [0, 1, 0, 1] * 2}, ("repeat", "fold"), "fold"),
        ({"seed": [3, 4, 3, 4]}, ("seed",), "seed"),
        ({"task": [0, 0, 1, 1] * 2, "fold": [0, 1, 0, 1] * 2}, ("task", "fold"), "fold"),
    ],
)
def test_the_fewest_columns(columns: dict[str, list[int]], roles: tuple[str, ...], kind: str) -> None:
    assert chosen(**columns) == Key(roles=roles, kind=kind)


def test_an_example_that_comes_back() -> None:
    assert chosen(unit=[0, 0, 0, 0], seed=[5, 6, 5, 6]).repeats_examples
    assert not chosen(unit=[0, 1, 0, 1]).repeats_examples


def test_rows_are_paired_by_their_place_only_in_one_table_or_where_it_is_said() -> None:
    both = {"task": [0, 0, 0, 0]}
    assert chosen(**both).roles == ("task", "row")
    assert chosen(**both, one_block=False, by_position=True).roles == ("task", "row")
    with pytest.raises(PairingError, match="no column says which row"):
        chosen(**both, one_block=False)
    with pytest.raises(PairingError, match="one score per model"):
        chosen(task=[0, 0])


def test_several_columns_are_one_code_as_tuples_would_be() -> None:
    rng = np.random.default_rng(0)
    columns = [rng.integers(0, 5, 60) for _ in range(3)]
    code, first = combined(columns)
    rows = list(zip(*columns, strict=True))
    order = {row: k for k, row in enumerate(dict.fromkeys(rows))}
    assert code.tolist() == [order[row] for row in rows]
    assert [rows[i] for i in first] == list(order)


def test_places_within_a_block_and_task() -> None:
    assert positions(None, [2, 3]).tolist() == [0, 1, 0, 1, 2]
    assert positions(np.array([0, 1, 1, 0, 0]), [3, 2]).tolist() == [0, 0, 1, 0, 1]
