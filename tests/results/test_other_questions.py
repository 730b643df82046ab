"""What another question than the report's own would answer."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.questions import ASKS
from ropewalk.results import Reading


@pytest.mark.parametrize("question", ["average", "next"])
def test_a_comparison_reads_the_questions_that_its_method_answers_but_for_its_own(question: str) -> None:
    d = np.random.default_rng(0).normal(0.02, 0.05, 12)
    frame = pd.DataFrame({"task": [f"t{k}" for k in range(12)], "a": 0.8 + d, "b": 0.8 - d})
    report = rw.compare(
        frame, model=["a", "b"], task="task", rope=0.01, question=question, higher_is_better=True
    )
    (c,) = report.answers
    assert question not in c.readings
    assert c.readings
    assert set(c.readings) <= set(ASKS)
    for reading in c.readings.values():
        assert isinstance(reading, Reading)
        assert reading.p.better + reading.p.equivalent + reading.p.worse == pytest.approx(1)
