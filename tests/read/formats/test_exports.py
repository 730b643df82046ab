"""Tables that tools export, and votes, which are none."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.errors import DataError
from ropewalk.read import read
from tests.read.formats.written import SAMPLES, scores, write


@pytest.mark.parametrize(
    ("tool", "name", "metric"),
    [
        ("deepeval", "DeepEval", "Exact Match"),  # 4.3.1
        ("ragas", "RAGAS", "exact_match"),  # 0.4.3
        ("langsmith", "LangSmith", "correctness"),  # 0.14.17, evaluate(...).to_pandas().to_csv(...)
    ],
)
def test_files_that_the_tools_wrote(tool: str, name: str, metric: str) -> None:
    """Six sums; "base" gets those of 1, 2 and 4 wrong, "tuned" that of 1."""
    s = scores(SAMPLES / tool)
    assert s.models == ("base", "tuned")
    assert s.metric == metric
    assert s.tasks[0].values.T.tolist() == [[1, 0, 0, 1, 0, 1], [1, 0, 1, 1, 1, 1]]
    assert s.higher_is_better
    assert f"read as {name}" in s.audit.notes
    assert s.audit.warnings == ()


@pytest.mark.parametrize("in_place", [None, True])
def test_votes_are_recognised_and_named(in_place: bool | None, tmp_path: Path) -> None:
    rows = [
        {
            "question_id": i,
            "model_a": "x",
            "model_b": "y",
            "winner": "tie",
            "judge": "j",
            "turn": 1,
            "tstamp": 5,
        }
        for i in range(3)
    ]
    write(tmp_path / "votes.csv", rows)
    with pytest.raises(DataError, match=r"votes between two models \(Chatbot Arena\)") as caught:
        read(tmp_path / "votes.csv", in_place=in_place)
    assert "columns: `model_a`, `model_b`, `winner`" in str(caught.value)
