"""What the sources of variation say, in words."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from ropewalk.cli import cli
from ropewalk.errors import CellError
from ropewalk.experiment.experiment import Experiment

pytest.importorskip("sklearn")


def test_the_report_carries_it(experiment: Experiment) -> None:
    report = experiment.compare(rope=0.01)
    assert report.variation["made", "tree"].sources == experiment.variation()["made", "tree"].sources
    tree, line = json.loads(report.to_json())["variation"]
    assert (tree["task"], tree["name"], line["name"], tree["runs"]) == ("made", "tree", "line", 12)
    assert [s["name"] for s in tree["sources"]] == ["split", "seed", "hyperparameter draw", "rest"]
    assert line["sample_more"] == "split"
    # Where a run is missing the sources cannot be told apart: the comparison stands, without them.
    few = replace(experiment, fits=[f for f in experiment.fits if (f.model, f.repeat) != ("tree", 11)])
    assert few.compare(rope=0.01, missing="drop").variation == {}
    with pytest.raises(CellError, match="1 of 12 results are NaN"):
        few.variation()


def test_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "e.toml"
    file.write_text(
        'design = "2x2x1sources"\n[algorithms]\n'
        'bayes = "sklearn.naive_bayes.GaussianNB"\n'
        'tree = { class = "sklearn.tree.DecisionTreeClassifier", max_depth = 2 }\n'
        '[datasets]\nwine = "wine"\n',
        encoding="utf-8",
    )
    result = CliRunner().invoke(
        cli, ["run", str(file), "--jobs", "1"], obj="ropewalk run e.toml", catch_exceptions=False
    )
    assert result.exit_code == 0
    assert "Sources of variation of accuracy" in result.output
    assert "shares: split" in result.output
