"""The demonstration from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.files import names


def test_demo_end_to_end(run, tmp_path: Path) -> None:
    pytest.importorskip("sklearn", reason="the demo trains scikit-learn models")
    code, out, err = run("demo")
    assert (code, err) == (0, "")
    folder = tmp_path / "ropewalk-demo"
    content = json.loads((folder / "report.json").read_text())
    assert len(content["comparisons"]) == 6
    for c in content["comparisons"]:
        listed = c["sentence"].removesuffix(".") in " ".join(out.split())
        assert listed == (c["verdict"] != "undecided")
    decided = sum(c["verdict"] != "undecided" for c in content["comparisons"])
    assert len(names(folder / "plots")) == decided + 2  # and the leaderboard and the verdict matrix
    assert (folder / "report.html").exists()
    assert str(Path("ropewalk-demo") / "plots") in out
    assert out.endswith(f"Open the report in a browser: {Path('ropewalk-demo') / 'report.html'}\n")
