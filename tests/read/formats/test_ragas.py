"""Exports of RAGAS."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.errors import PairingError
from ropewalk.read import read
from tests.read.formats.written import means, ragas, scores, write


def test_ragas(tmp_path: Path) -> None:
    write(tmp_path / "small.csv", ragas([0.5, 1.0, 0.25, 0.75]))
    write(tmp_path / "large.csv", list(reversed(ragas([0.75, 1.0, "", 0.5]))))
    s = scores(tmp_path)
    assert s.models == ("large", "small")
    assert s.metric == "faithfulness"
    assert s.audit.paired == 3
    assert means(s) == {"large": 2.25 / 3, "small": 2.25 / 3}
    assert s.audit.warnings[0].startswith("large: 1 of 4 rows have no number in `faithfulness`")
    rows = ragas([0.5, 1.0, 0.25, 0.75])
    rows[0]["reference"] = "other"
    write(tmp_path / "large.csv", rows)
    with pytest.raises(PairingError, match="differ in the reference of 1 unit"):
        read(tmp_path)


def test_ragas_before_version_0_2(tmp_path: Path) -> None:
    for model, shift in (("a", 0.0), ("b", 0.25)):
        rows = [
            {
                "question": f"q{i}",
                "answer": "x",
                "contexts": "[]",
                "ground_truth": "t",
                "faithfulness": i / 8 + shift,
            }
            for i in range(4)
        ]
        write(tmp_path / f"{model}.csv", rows)
    s = scores(tmp_path)
    assert s.audit.notes[0] == "read as RAGAS"
    assert [b - a for a, b in s.tasks[0].values.tolist()] == [0.25] * 4
