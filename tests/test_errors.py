"""Names in messages: short, listed, and with a suggestion for what was mistyped."""

from __future__ import annotations

from copy import copy

import pytest

from ropewalk.errors import CellError, DataError, OptionError, RopewalkError, did_you_mean, listed, short


def test_a_message_says_what_where_and_what_to_do() -> None:
    problem = CellError("a cell is empty", where=["line 3", "line 7"], hint="Fill it.")
    assert str(problem) == "a cell is empty\n\n  line 3\n  line 7\n\n  Fill it."
    assert isinstance(problem, DataError)
    assert issubclass(OptionError, RopewalkError)
    assert str(copy(problem)) == str(problem)  # as pickle makes it anew in another process


@pytest.mark.parametrize("most", [10, 40])
def test_long_names_are_cut_in_the_middle_or_at_the_end_but_never_longer(most: int) -> None:
    found = short("x" * 100 + "y", most)
    assert len(found) <= most
    assert "…" in found
    assert short("svm", most) == "svm"


def test_a_name_cannot_steer_the_terminal() -> None:
    assert "\x1b" not in short("a\x1b[31mb")
    assert "\n" not in short("a\nb")


def test_lists_are_cut() -> None:
    assert listed(["a"]) == '"a"'
    cut = listed([f"m{i}" for i in range(20)], most=3)
    assert '"m2"' in cut
    assert '"m3"' not in cut
    assert "…" in cut


def test_a_near_name_is_suggested_and_else_what_there_is() -> None:
    assert "accuracy" in did_you_mean("acuracy", ["accuracy", "f1"])
    assert "f1" in did_you_mean("zork", ["accuracy", "f1"])
