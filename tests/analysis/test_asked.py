"""Questions that nobody can answer are refused."""

from __future__ import annotations

import pytest

import ropewalk as rw
from ropewalk.errors import DataError, OptionError
from tests.analysis.suites import folds, numbers


@pytest.mark.parametrize(
    ("method", "question"),
    [("signed_rank", "average"), ("sign", "these"), ("poisson_binomial", "next"), ("t", "likeliest")],
)
def test_a_question_that_a_method_does_not_answer(method: str, question: str) -> None:
    frame = numbers(2) if method == "t" else folds(2)
    with pytest.raises(OptionError, match=f'"{question}" cannot be answered by {method}') as error:
        rw.compare(frame, method=method, question=question)
    hint = str(error.value)
    assert "hierarchical_t" in hint
    assert "signed_rank" in hint if question == "likeliest" else "hierarchical_accuracy" in hint


def test_a_question_over_tasks_with_one_task() -> None:
    with pytest.raises(DataError, match='the question "next" is about several tasks'):
        rw.compare({"a": [1, 0, 1, 1], "b": [0, 0, 1, 1]}, question="next")
