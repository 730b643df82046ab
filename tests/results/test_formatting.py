"""How numbers are written: what is not certain never looks certain."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ropewalk as rw
from ropewalk.gate.decision import _cut
from ropewalk.results import Comparison, formatting
from ropewalk.results.formatting import rope_text


@pytest.mark.parametrize(
    ("p", "said"),
    [(0.0, "0.00"), (0.004, "<0.01"), (0.005, "0.01"), (0.994, "0.99"), (0.9999, ">0.99"), (1.0, "1.00")],
)
def test_a_probability(p: float, said: str) -> None:
    assert formatting.probability(p) == said


def test_names_in_a_row_are_counted_from_the_fifth_on() -> None:
    assert formatting.listing(list("abcd"), "or") == "a, b, c or d"
    assert formatting.listing(list("abcdef"), "or") == "a, b, c, d or 2 more"


@pytest.mark.parametrize(("n", "said"), [(0, "0 folds"), (1, "1 fold"), (1200, "1,200 folds")])
def test_things_are_counted(n: int, said: str) -> None:
    assert formatting.counted(n, "fold") == said


WRITTEN: dict[str, Callable[[float, float], str]] = {
    "two decimals": formatting.probability,
    "sampled": formatting.share,
    "three decimals": formatting.decimals,
    "of a gate": lambda p, least: _cut(p, least, 3),
}


@pytest.mark.parametrize("form", WRITTEN)
@given(
    least=st.sampled_from([0.6, 0.95, 0.9505, 1 - 0.05 / 3, 0.99, 0.999, 0.9999996, 1.0])
    | st.floats(0.5001, 1.0),
    p=st.floats(0.0, 1.0),
    near=st.floats(-12, 0).map(lambda x: 10.0**x),
    sign=st.sampled_from([-1, 0, 1, None]),
)
def test_a_probability_stands_on_its_side_of_the_threshold(
    form: str, least: float, p: float, near: float, sign: int | None
) -> None:
    if sign is not None:  # as close to the threshold as one likes
        p = min(max(least + sign * near, 0.0), 1.0)
    text = WRITTEN[form](p, least)
    value = float(text.lstrip("<>="))
    if text.startswith("<"):
        assert p < value <= least or value < least
    elif text.startswith(">") and not text.startswith(">="):
        assert value >= least <= p or (p < 1 == least)
    else:
        assert (value >= least) == (p >= least)
        assert abs(value - p) <= 1e-2


@pytest.mark.parametrize(
    ("p", "least", "said"),
    [
        (0.946, 0.95, "0.946"),
        (0.944, 0.95, "0.94"),
        (0.95, 0.95, "0.95"),
        (0.94996, 0.95, "<0.95"),
        (0.9504, 0.9503, "0.9504"),
        (0.9985, 0.999, "0.9985"),
        (0.99999, 0.999, ">0.999"),
        (0.99999, 1.0, ">0.99"),
        (0.9999995, 0.9999996, "<0.9999996"),
        (0.003, 0.95, "<0.01"),
    ],
)
def test_more_digits_where_two_would_mislead(p: float, least: float, said: str) -> None:
    assert formatting.probability(p, least) == said


def test_more_pairs_than_are_listed_leave_those_among_the_models_in_front() -> None:
    places = [(a, b) for a in range(5, -1, -1) for b in range(a)]
    found = cast(list[Comparison], [SimpleNamespace(places=p) for p in places])
    assert [c.places for c in formatting.leading(found, 3)] == [(2, 0), (2, 1), (1, 0)]
    assert formatting.leading(found, 99) == found


def test_names_in_a_row_are_one_text_of_which_only_the_names_are_cut() -> None:
    cell = formatting.Named("llama", "gpt", after=" *")
    assert (cell, cell.names, cell.after) == ("llama - gpt *", ("llama", "gpt"), " *")
    assert formatting.winner_named("gpt - 3", "gpt-4", "better").names == ("gpt - 3",)
    assert not isinstance(formatting.winner_named("gpt-3.5", "gpt-4", "undecided"), formatting.Named)


@pytest.mark.parametrize(
    ("rope", "said"),
    [
        ("auto", "default: 0.1 standard deviations"),
        ("0.2sd", "0.2 standard deviations, set by you"),
        ("0.1sd", "0.1 standard deviations, set by you"),
        (0.05, "set by you"),
    ],
)
def test_a_rope_that_was_set_is_not_called_a_default(rope: str | float, said: str) -> None:
    x = np.random.default_rng(0).normal(5, 2, (40, 2))
    report = rw.compare({"a": x[:, 0], "b": x[:, 1]}, rope=rope, higher_is_better=True)
    (c,) = report.comparisons
    assert rope_text(c).endswith(f" in score ({said})")
    (item,) = [item for item in report.checklist() if item.name == "ROPE justified"]
    assert ("This is a default" in item.text) == (rope == "auto")
    ours = said.replace("set by you", "our choice")
    if said.startswith("default: "):
        ours = f"{said.removeprefix('default: ')}, the default of ropewalk"
    assert f"{c.rope.in_scores} in score ({ours})" in report.results_text()
    assert ("we set" in report.methods_text()) == (rope != "auto")


def test_an_upper_end_says_below_where_the_digits_end() -> None:
    assert (formatting.at_most(0.3), formatting.at_most(0.001), formatting.at_most(0.7999, 0.8)) == (
        "at most 0.30",
        "below 0.01",
        "at most 0.7999",
    )
