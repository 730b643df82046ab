"""Each question has its wording, and a report answers under that name."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.questions import ASKS, Asks
from ropewalk.report.compose import question_line


def test_every_question_is_worded_and_no_two_alike() -> None:
    assert set(ASKS) == set(get_args(Asks))
    for part in ("asks", "of", "short", "about", "option"):
        assert len({getattr(w, part) for w in ASKS.values()}) == len(ASKS)


@pytest.mark.parametrize("question", ["average", "these"])
@pytest.mark.few(1)
def test_the_report_says_which_question_it_answers(question: Asks) -> None:
    rng = np.random.default_rng(0)
    rows = [(f"t{t}", k, *rng.normal(0.8, 0.02, 2)) for t in range(6) for k in range(5)]
    frame = pd.DataFrame(rows, columns=["task", "fold", "a", "b"])
    report = rw.compare(frame, model=["a", "b"], question=question, rope=0.01, higher_is_better=True)
    assert report.asks == question
    assert question_line(question) in " ".join(report.to_text(width=400).split())
