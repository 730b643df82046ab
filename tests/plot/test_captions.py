"""What the pictures say."""

from __future__ import annotations

import pytest

import ropewalk as rw
from ropewalk.plot import captions
from ropewalk.results import formatting


@pytest.mark.parametrize(
    ("x", "text"),
    [
        (0.0, "0"),
        (0.01, "+0.01"),
        (-0.005, "−0.005"),
        (12.345, "+12.3"),
        (54321.0, "+54,321"),
        (1e-8, "+1e−08"),
    ],
)
def test_amounts(x, text):
    assert formatting.amount(x) == text
    assert formatting.amount(abs(x), signed=False) == text.lstrip("+−")


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.2994, 0.3006, "+0.2994 to +0.3006"),
        (-0.172, 3.97, "−0.2 to +4.0"),
        (-120.0, 1340.0, "−120 to +1,340"),
        (1.58e-9, 5.84e-8, "+1.58e−09 to +5.84e−08"),
    ],
)
def test_spans_have_the_decimals_that_their_width_asks_for(low, high, text):
    assert formatting.span(low, high) == text


def test_names_are_one_line_of_at_most_60_letters():
    assert captions.name("a\nb\tc") == "a�b�c"
    assert captions.name("x" * 10_000) == "x" * 30 + "…" + "x" * 29
    assert captions.name("$\\alpha_{1}$") == "$\\alpha_{1}$"


def test_a_name_from_right_to_left_does_not_turn_its_title():
    name = "\u0646\u0645\u0648\u0630\u062c"  # Arabic
    assert captions.name(name) == f"\u200e{name}\u200e"


def test_captions_are_text_and_need_no_font():
    name = "\u6a21\u578b"  # Chinese
    report = rw.compare({name: [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]})
    said = rw.plot.caption(report.comparisons[0])
    assert name in said
    assert "\ufffd" not in said


def test_the_rope_in_words(case):
    assert captions.rope(case("better")) == "ROPE ±0.01"
    assert captions.rope(case("worse")) == "ROPE −0.005 to +0.02"
    assert captions.rope(case("phi")) == "ROPE 0.45 to 0.55"
    assert captions.rope(case("no rope")) == "no ROPE"
    assert captions.rope(case("identical")) == "ROPE ±0.01"
