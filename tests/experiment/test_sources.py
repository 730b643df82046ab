"""Splits, seeds and hyperparameter draws varied together."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ropewalk.errors import OptionError
from ropewalk.experiment import cross_validate
from ropewalk.experiment.experiment import Experiment
from ropewalk.experiment.splits import SplitPlan
from ropewalk.experiment.variation_text import variation_text
from ropewalk.variation import variation

DESIGN = "3x2x2sources"


pytest.importorskip("sklearn")


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
    with pytest.raises(OptionError, match=f'the design "{text}" has too few levels'):
        SplitPlan.parse(text)


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


def test_a_draw_tries_half_of_the_choices(experiment: Experiment) -> None:
    chosen = {(f.repeat % 2, f.chosen) for f in experiment.fits if f.model == "tree"}
    # Each of the two draws has two of four depths to choose from, the same two on every split.
    for draw in (0, 1):
        assert 1 <= len({c for d, c in chosen if d == draw}) <= 2


def test_other_designs_have_one_source(experiment: Experiment) -> None:
    from sklearn.dummy import DummyClassifier

    X, y = np.zeros((20, 1)), np.arange(20) % 2
    one = cross_validate({"a": DummyClassifier()}, {"d": (X, y)}, design="2cv")
    with pytest.raises(OptionError, match="the design varies only one source"):
        one.variation()
