"""Splits, seeds and hyperparameter draws varied together."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from ropewalk.cli import cli
from ropewalk.errors import CellError, OptionError
from ropewalk.experiment import cross_validate
from ropewalk.experiment.experiment import Experiment
from ropewalk.experiment.splits import SplitPlan
from ropewalk.experiment.variation_text import variation_text
from ropewalk.variation import variation

pytest.importorskip("sklearn")

DESIGN = "3x2x2sources"
Y = np.arange(60) % 2


def test_every_combination_once() -> None:
    plan = SplitPlan.parse(DESIGN)
    assert (plan.kind, plan.count, plan.independent, plan.levels) == ("sources", 12, 3, (3, 2, 2))
    splits = list(plan.splits(60, classes=Y, groups=None, seed=0))
    assert [s.repeat for s in splits] == list(range(12))
    # A level is the same wherever it occurs: 3 sets of rows, 2 seeds, 2 draws, and all 12 combinations.
    keys = [(s.digest, s.seed, s.draw) for s in splits]
    assert len(set(keys)) == 12
    assert [len({key[k] for key in keys}) for k in range(3)] == [3, 2, 2]
    assert splits[0].digest == splits[3].digest != splits[4].digest
    assert all(len(s.test) == 12 for s in splits)
    again = list(plan.splits(60, classes=Y, groups=None, seed=0))
    assert [s.seed for s in again] == [s.seed for s in splits]


def test_one_draw_tries_everything() -> None:
    splits = SplitPlan.parse("3x2x1sources@0.7").splits(60, classes=Y, groups=None, seed=0)
    assert {s.draw for s in splits} == {-1}


@pytest.mark.parametrize("text", ["1x3x3sources", "3x1x1sources"])
def test_a_design_that_varies_too_little(text: str) -> None:
    with pytest.raises(OptionError, match=f'the design "{text}" varies too little'):
        SplitPlan.parse(text)


@pytest.fixture(scope="module")
def experiment() -> Experiment:
    from sklearn.linear_model import LogisticRegression
    from sklearn.tree import DecisionTreeClassifier

    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 4))
    y = (X[:, 0] + 0.8 * rng.normal(size=80) > 0).astype(int)
    models = {"tree": DecisionTreeClassifier(max_features=1), "line": LogisticRegression()}
    select = {"tree": {"max_depth": [1, 2, 4, 8]}}
    return cross_validate(models, {"made": (X, y)}, design=DESIGN, select=select)


def test_the_comparison_has_one_unit_for_each_split(experiment: Experiment) -> None:
    scores = experiment.scores()
    (task,) = scores.tasks
    assert task.values.shape == (3, 2)
    assert scores.design.repeats == 3
    assert scores.design.rho == pytest.approx(0.2)
    every = np.array([f.values["accuracy"] for f in experiment.fits if f.model == "tree"])
    by_split = {r: [] for r in range(3)}
    for f in experiment.fits:
        if f.model == "tree":
            by_split[f.repeat // 4].append(f.values["accuracy"])
    assert task.values[:, list(scores.models).index("tree")] == pytest.approx(
        [np.mean(v) for v in by_split.values()]
    )
    assert every.size == 12
    assert experiment.compare(rope=0.01).comparisons[0].n == 3


def test_the_variance_is_that_of_the_runs(experiment: Experiment) -> None:
    found = experiment.variation()
    assert set(found) == {("made", "tree"), ("made", "line")}
    runs = np.full(12, np.nan)
    for f in experiment.fits:
        if f.model == "tree":
            runs[f.repeat] = f.values["accuracy"]
    expected = variation(runs.reshape(3, 2, 2), ("split", "seed", "hyperparameter draw"))
    assert found["made", "tree"].sources == expected.sources
    # Logistic regression has no seed and nothing to choose: only the splits vary.
    line = {s.name: s.variance for s in found["made", "line"].sources}
    assert line["split"] > 0
    assert line["seed"] == line["hyperparameter draw"] == 0
    text = variation_text(found, metric="accuracy")
    assert "Sample more splits: one more costs 4 runs" in text
    assert re.search(r"tree: mean 0\.\d{4}, error", text)
    assert max(map(len, text.splitlines())) < 80


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


def test_a_draw_tries_half_of_the_choices(experiment: Experiment) -> None:
    chosen = {(f.repeat % 2, f.chosen) for f in experiment.fits if f.model == "tree"}
    # Each of the two draws has two of four depths to choose from, the same two on every split.
    for draw in (0, 1):
        assert 1 <= len({c for d, c in chosen if d == draw}) <= 2


def test_other_designs_have_one_source(experiment: Experiment) -> None:
    from sklearn.dummy import DummyClassifier

    X, y = np.zeros((20, 1)), np.arange(20) % 2
    one = cross_validate({"a": DummyClassifier()}, {"d": (X, y)}, design="2cv")
    with pytest.raises(OptionError, match="the design varies one source only"):
        one.variation()


def test_on_the_command_line(tmp_path: Path) -> None:
    file = tmp_path / "e.toml"
    file.write_text(
        'design = "2x2x1sources"\n[algorithms]\n'
        'bayes = "sklearn.naive_bayes.GaussianNB"\n'
        'tree = { class = "sklearn.tree.DecisionTreeClassifier", max_depth = 2 }\n'
        '[datasets]\nwine = "wine"\n',
        encoding="utf-8",
    )
    result = CliRunner().invoke(cli, ["run", str(file)], obj="ropewalk run e.toml", catch_exceptions=False)
    assert result.exit_code == 0
    assert "Sources of variation of accuracy" in result.output
    assert "shares: split" in result.output
