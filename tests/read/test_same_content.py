"""The same text, or the same scores of all models, under another id."""

from __future__ import annotations

import numpy as np

from ropewalk.read.same_content import same_content, same_scores
from tests.read.wide import block

QUESTIONS = [f"What is the capital of country number {i}?" for i in range(6)]


def test_texts_that_come_back_are_counted_and_the_first_is_named() -> None:
    cells = {"id": list(range(8)), "a": [0, 1] * 4, "question": [*QUESTIONS, QUESTIONS[2], QUESTIONS[0]]}
    (warning,) = same_content([block(cells, models="a", unit="id")])
    assert warning.startswith("t.csv: 2 of 8 rows hold the same text as an earlier one under another id")
    assert "rows 3, 7" in warning


def test_labels_and_rows_without_ids_say_nothing() -> None:
    cells = {"id": list(range(6)), "a": [0, 1] * 3, "kind": ["easy", "hard"] * 3}
    assert same_content([block(cells, models="a", unit="id")]) == []
    cells["question"] = QUESTIONS[:3] * 2
    assert same_content([block(cells, models="a")]) == []


def test_scores_of_all_models_that_come_back() -> None:
    x = np.random.default_rng(0).normal(size=(40, 2))
    assert same_scores(x, distinct_units=True) == []
    (warning,) = same_scores(np.vstack([x, x]), distinct_units=True)
    assert warning.startswith("40 of 80 units have exactly the scores of another unit")
    assert same_scores(np.vstack([x, x]), distinct_units=False) == []
