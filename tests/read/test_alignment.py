"""Rows of logs that were paired must be about the same example."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ropewalk.errors import PairingError
from ropewalk.read.alignment import alignment
from ropewalk.read.block import Block
from ropewalk.read.log import Log
from ropewalk.read.pairing import pair
from ropewalk.read.roles import Options
from tests.read.wide import block

LOG = Log(format="x", same={"target": "target"}, alike={"prompt": "prompt"})


def logged(model: str, targets: str, prompts: str, tasks: str = "ssst") -> Block:
    n = len(targets)
    cells = {
        "task": list(tasks[:n]),
        "id": list(range(n)),
        model: [0.5] * n,
        "target": list(targets),
        "prompt": list(prompts),
    }
    found = block(cells, models=[model], task="task", unit="id")
    return replace(found, table=replace(found.table, log=LOG), label=model)


def found(*blocks: Block) -> tuple[list[str], list[str]]:
    return alignment(pair(list(blocks), Options(), examples=False))


def test_what_agrees_has_a_line_for_each_task() -> None:
    assert found(logged("a", "xyzw", "pppp"), logged("b", "xyzw", "pppp")) == (
        ["s: 3 of 3 paired", "t: 1 of 1 paired"],
        [],
    )


def test_another_target_is_an_error_and_another_prompt_a_warning() -> None:
    with pytest.raises(PairingError, match="s: a and b differ in the target of 1 unit") as problem:
        found(logged("a", "xyzw", "pppp"), logged("b", "xqzw", "pppp"))
    assert '"y" and "q"' in str(problem.value)
    _, warnings = found(logged("a", "xyzw", "pppp"), logged("b", "xyzw", "pppq"), logged("c", "xyzw", "pppp"))
    assert warnings == ['t: 1 of 1 paired; prompt differs for "b"']


def test_units_that_did_not_pair_are_counted() -> None:
    _, warnings = found(logged("a", "xyzw", "pppp"), logged("b", "xyw", "ppp", "sst"))
    assert warnings == ["s: 2 of 3 paired", "t: 0 of 2 paired"] or "s: 2 of 3 paired" in warnings


def test_tables_that_are_no_logs_say_nothing() -> None:
    one = block({"id": [1, 2], "a": [0.5, 0.6]}, models=["a"], unit="id")
    two = block({"id": [1, 2], "b": [0.5, 0.6]}, models=["b"], unit="id")
    assert found(one, two) == ([], [])
