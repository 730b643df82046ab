"""Columns that are hardly models: what a person would say of their names and values."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.data.odd_columns import (
    ColumnFacts,
    correlated,
    is_called_count,
    is_called_total,
    is_called_truth,
    odd_ones,
)


def column(name: str, *values: float) -> ColumnFacts:
    found = ColumnFacts.of(name, np.array(values))
    assert found is not None
    return found


RIGHT, WRONG = column("svm", 0, 1, 1, 0), column("forest", 1, 1, 0, 0)
GRADED = [
    column(name, *np.linspace(0.1, 0.9, 20) + shift) for name, shift in (("svm", 0.01), ("forest", 0.0))
]


def test_facts_by_hand() -> None:
    facts = column("x", -3, 0.5, 2, 2, np.nan, np.inf)
    assert (facts.low, facts.middle, facts.high) == (-3, 1.25, 2)
    assert (facts.fractions, facts.distinct, facts.size, facts.span) == (0.25, 3, 3, "-3 to 2")
    assert not facts.binary
    assert RIGHT.binary


def test_of_a_column_without_numbers_nothing_is_known() -> None:
    assert ColumnFacts.of("words", np.array([np.nan, np.inf])) is None


@pytest.mark.parametrize(
    ("others", "one", "why"),
    [
        ([RIGHT, WRONG], column("text_length", 3, 8, 5, 4), "property of the example"),
        ([RIGHT, WRONG], column("hasImage", 0, 1, 0, 1), "property of the example"),
        ([RIGHT, WRONG], column("churned", 0, 1, 1, 1), "may be that of the truth"),
        ([RIGHT, WRONG], column("svm_std", 0.1, 0.2, 0.1, 0.2), "a standard deviation or an interval"),
        ([RIGHT, WRONG], column("mean", 0.5, 1, 0.5, 0), "computed from the others"),
        ([column("svm_test", 0.8, 0.7)], column("svm_train", 0.9, 0.95), "measured on the training data"),
        (
            [RIGHT, WRONG],
            column("zork", 120, 340, 500, 900),
            "its values are 120 to 900, those of the others 0",
        ),
        (GRADED, column("zork", 0, 1, 0, 1), "its values are whole numbers, those of the others are not"),
        ([RIGHT, WRONG], column("zork", *np.linspace(0, 1, 20)), "it is not 0 and 1, as the others are"),
    ],
)
def test_the_odd_one(others: list[ColumnFacts], one: ColumnFacts, why: str) -> None:
    found = odd_ones([*others, one])
    assert list(found) == [one.name]
    assert why in found[one.name]


@pytest.mark.parametrize(
    "columns",
    [
        [RIGHT, WRONG],
        GRADED,
        [column("svm", 81.0, 92.5), column("forest", 0.8, 0.9)],  # percent: there is another error for that
        [column("age", 1, 2), column("price", 2, 3)],  # all of them odd: they may be models after all
    ],
)
def test_nothing_odd(columns: list[ColumnFacts]) -> None:
    assert odd_ones(columns) == {}


def test_names() -> None:
    assert is_called_truth("Correct Answer")
    assert not is_called_truth("answer_svm")
    assert is_called_count("n_correct")
    assert not is_called_count("correct_share")
    assert is_called_total("NumExamples")
    assert not is_called_total("total_cost")


def test_numbers_that_follow_the_truth_may_be_predictions() -> None:
    truth = np.arange(20.0)
    rng = np.random.default_rng(0)
    assert correlated(truth + rng.normal(0, 2, 20), truth)
    assert correlated(-truth, truth)
    assert not correlated(rng.uniform(0, 1, 20), truth)
    assert not correlated(np.ones(20), truth)  # does not vary
    assert not correlated(truth[:2], truth[:2])  # two points always lie on a line
