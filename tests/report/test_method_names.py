"""Sentences call methods by their titles, not by the names that are typed."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.methods import known
from ropewalk.report.method_names import other_questions, why_text


def numbers(tasks: int) -> pd.DataFrame:
    x = np.random.default_rng(0).normal(0.8, 0.02, (tasks, 2))
    return pd.DataFrame({"task": [f"t{i}" for i in range(tasks)], "a": x[:, 0], "b": x[:, 1]})


def test_every_method_has_a_title() -> None:
    for name, method in known().items():
        assert method.title, name
        assert "_" not in method.title


@pytest.mark.parametrize(
    ("method", "said"),
    [("signed_rank", "Bayesian signed-rank test (set by you)"), ("t", "Bayesian t-test (set by you)")],
)
def test_a_method_that_was_asked_for(method: str, said: str) -> None:
    report = rw.compare(numbers(12), method=method, higher_is_better=True)
    assert why_text(report.overall[0]) == said
    assert f"Method {said}" in " ".join(report.to_text().split())


def test_a_default_method_says_why() -> None:
    (c,) = rw.compare(numbers(12), higher_is_better=True).overall
    assert why_text(c) == c.why == "Bayesian t-test, because there is one number per task"


def test_the_test_that_answers_another_question() -> None:
    (c,) = rw.compare(numbers(12), higher_is_better=True).overall
    rows = dict(other_questions(c))
    assert rows["likeliest"].endswith("on a new task, by the Bayesian signed-rank test")
    assert " by " not in rows["next"]  # the same test answers it
