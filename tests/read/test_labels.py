"""Labels in one spelling and in their order."""

from __future__ import annotations

import numpy as np

from ropewalk.data.arrays import strings
from ropewalk.read.labels import are_fractions, given_labels, label_text, sort_labels, truth_labels
from ropewalk.read.roles import Options
from ropewalk.read.table import table_of


def test_one_spelling() -> None:
    assert label_text(strings(["1.0", "-2.00", "TRUE", "1.5", "Cat"])).tolist() == [
        "1",
        "-2",
        "True",
        "1.5",
        "Cat",
    ]


def test_numbers_are_sorted_by_value_and_names_by_name() -> None:
    assert sort_labels({"10", "9", "-1"}) == ["-1", "9", "10"]
    assert sort_labels({"10", "9", "x"}) == ["10", "9", "x"]


def test_the_truth_and_the_labels_that_were_given() -> None:
    table = table_of({"y": ["2.0", "1", "2", ""]}, name="t", stem="t")
    assert truth_labels([(table, "y")], Options(labels=("3.0",))) == ["1", "2", "3"]
    assert given_labels(Options()) == []


def test_nobody_calls_a_class_a_fraction() -> None:
    assert are_fractions([np.array([0.0, 0.37])])
    assert not are_fractions([np.array([0.0, 1.0])])
    assert not are_fractions([strings(["a", "0.5"])])
    table = table_of({"y": [0.5, 1.25]}, name="t", stem="t")
    assert truth_labels([(table, "y")], Options()) == []
