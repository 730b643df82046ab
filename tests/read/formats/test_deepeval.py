"""Test runs of DeepEval."""

from __future__ import annotations

from pathlib import Path

import pytest

from ropewalk.errors import PairingError
from ropewalk.read import read
from tests.read.formats.written import deepeval, scores


def test_deepeval(tmp_path: Path) -> None:
    (tmp_path / "gpt-a.json").write_text(deepeval([0.9, 0.8, 0.2, 0.7]))
    (tmp_path / "gpt-b.json").write_text(deepeval([0.5, 0.4, 0.3, 0.6], inner=True))
    s = scores(tmp_path)
    assert s.models == ("gpt-a", "gpt-b")
    assert s.metric == "Answer Relevancy"
    assert s.tasks[0].values.tolist() == [[0.9, 0.5], [0.8, 0.4], [0.2, 0.3], [0.7, 0.6]]
    passed = scores(tmp_path, score="pass")
    assert passed.tasks[0].values.tolist() == [[1, 1], [1, 0], [0, 0], [1, 1]]


def test_deepeval_a_metric_that_failed_to_run_is_left_out_and_said(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(deepeval([0.9, 0.8, 0.2, 0.7], error=1))
    (tmp_path / "b.json").write_text(deepeval([0.5, 0.4, 0.3, 0.6]))
    s = scores(tmp_path)
    assert s.audit.paired == 3
    assert any("1 test case without a score of `Answer Relevancy`" in w for w in s.audit.warnings)
    other = deepeval([0.5, 0.4, 0.3, 0.6]).replace("answer 2", "another")
    (tmp_path / "b.json").write_text(other)
    with pytest.raises(PairingError, match="differ in the expected output of 1 unit"):
        read(tmp_path)
