"""Columns that are called after classes."""

from __future__ import annotations

import pytest

from ropewalk.read.outputs import class_columns, class_of


def test_columns_like_the_classes_come_first() -> None:
    assert class_columns(["id", "cat", "dog", "p_cat", "p_dog"], ["cat", "dog"]) == {
        "cat": "cat",
        "dog": "dog",
    }


def test_a_prefix_must_be_the_same_for_all_and_fit_one_class() -> None:
    assert class_columns(["prob_0", "prob_1"], ["0", "1"]) == {"0": "prob_0", "1": "prob_1"}
    assert class_columns(["proba cat", "Proba-Dog", "p_fish"], ["cat", "dog"]) == {
        "cat": "proba cat",
        "dog": "Proba-Dog",
    }
    assert class_columns(["p_x", "p_y"], ["cat", "dog"]) == {}


@pytest.mark.parametrize(
    ("column", "found"), [("p_spam", "spam"), ("P Spam", "spam"), ("spam", None), ("p_x", None)]
)
def test_a_single_column_may_say_its_class(column: str, found: str | None) -> None:
    assert class_of(column, ["ham", "spam"]) == found
