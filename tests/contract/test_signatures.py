"""Every option of a public function has a name, so that completion, `help` and type checkers see it."""

from __future__ import annotations

import inspect
from typing import Any

import pytest

import ropewalk as rw
from ropewalk.compare import DataOptions
from ropewalk.gate import judge
from ropewalk.options import JudgeOptions
from ropewalk.pytest_plugin import AssertNotWorse
from tests.contract.public import everything

CALLED = {name: thing for name, thing in everything().items() if callable(thing)}


def _own(function: Any) -> Any:
    """The function as its author wrote it, under every decorator; its `__signature__` does not count."""
    return inspect.unwrap(function)


def _parameters(called: Any) -> list[inspect.Parameter]:
    if inspect.isclass(called) and (issubclass(called, Warning) or getattr(called, "_is_protocol", False)):
        return []  # Python's own warning has no signature, and nobody makes a protocol
    return list(inspect.signature(called).parameters.values())


def test_no_option_is_hidden() -> None:
    hidden = {
        f"{name}({p})"
        for name, called in {**CALLED, "ropewalk.gate": rw.gate}.items()
        for p in _parameters(called)
        # `audit.warned(*texts)` takes values, not options.
        if p.kind is p.VAR_KEYWORD or (p.kind is p.VAR_POSITIONAL and p.name != "texts")
    }
    assert not hidden


def test_type_checkers_see_them_too() -> None:
    """Where options are handed on, ``**options`` is annotated with the dictionary that names them."""
    for name, thing in CALLED.items():
        if inspect.isfunction(thing) or inspect.ismethod(thing):
            code = _own(thing).__code__
            if code.co_flags & inspect.CO_VARKEYWORDS:
                assert str(_own(thing).__annotations__["options"]).startswith("Unpack["), name


@pytest.mark.parametrize(
    ("handed_on", "source", "takers"),
    [
        (DataOptions, rw.compare, [rw.plan.__call__, rw.plan.sequential]),
        (JudgeOptions, judge, [rw.gate]),
    ],
)
def test_what_is_handed_on_is_what_there_is(handed_on: Any, source: Any, takers: list[Any]) -> None:
    """Of the source a taker has every keyword, its own or handed on; and none that the source lacks."""
    known = {p.name for p in inspect.signature(source).parameters.values() if p.kind is p.KEYWORD_ONLY}
    assert handed_on.__optional_keys__ <= known
    for taker in takers:
        taken = set(inspect.signature(taker).parameters)
        assert handed_on.__optional_keys__ <= taken
        # A sequential plan goes by the threshold alone.
        assert known - taken <= {"loss_matrix"}


def test_the_fixture_takes_the_options_of_the_gate(assert_not_worse: AssertNotWorse) -> None:
    taken = inspect.signature(assert_not_worse).parameters
    assert {"margin", "question", *JudgeOptions.__optional_keys__} <= set(taken)
    decision = assert_not_worse([1, 0] * 150, [1, 0] * 150, margin=0.01, higher_is_better=True)
    assert decision.name == "pass"
