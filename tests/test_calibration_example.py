"""The example of calibration tells the story that it promises."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[1] / "examples" / "calibration.py"


def test_the_verdict_on_breast_cancer_falls_once_calibrated(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """As in Williams, sec. 6.1: better with probability 1 on raw outputs, undecided after Platt scaling."""
    pytest.importorskip("sklearn")
    runpy.run_path(str(EXAMPLE))["main"](tmp_path)
    lines = capsys.readouterr().out.splitlines()
    cancer = [line.split() for line in lines[1:5]]
    assert [line[-1] for line in cancer] == ["better", "undecided", "better", "undecided"]
    assert [line[2] for line in cancer] == ["squeezed", "calibrated"] * 2
    assert "  probabilities: Platt scaling, 5-fold cross-fitted" in lines
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "reliability-breast-cancer.png",
        "reliability-digits.png",
    ]
