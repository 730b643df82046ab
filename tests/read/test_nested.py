"""Dicts of dicts: which level holds the models, and that the answer is that of the long table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import DataError, OptionError, PairingError

Nested = dict[str, dict[str, list[float]]]


@pytest.fixture
def by_data_set() -> Nested:
    """Three data sets with 10, 20 and 15 scores of each of two models."""
    rng = np.random.default_rng(0)
    return {
        name: {m: rng.normal(0.8 + 0.02 * j, 0.02, n).tolist() for j, m in enumerate(("svm", "forest"))}
        for name, n in (("iris", 10), ("wine", 20), ("digits", 15))
    }


def turned(data: dict) -> dict:
    inner = next(iter(data.values()))
    return {b: {a: data[a][b] for a in data} for b in inner}


def table(by_data_set: Nested) -> pd.DataFrame:
    rows = [
        (task, model, i, x)
        for task, models in by_data_set.items()
        for model, values in models.items()
        for i, x in enumerate(values)
    ]
    return pd.DataFrame(rows, columns=["task", "model", "unit", "score"])


def test_both_ways_are_the_long_table(by_data_set: Nested) -> None:
    expected = rw.read(table(by_data_set))
    for source, form in (
        (by_data_set, "{data set: {model: scores}}"),
        (turned(by_data_set), "{model: {data set: scores}}"),
    ):
        scores = rw.read(source)
        assert scores.models == expected.models == ("svm", "forest")
        for ours, theirs in zip(scores.tasks, expected.tasks, strict=True):
            assert ours.name == theirs.name
            np.testing.assert_array_equal(ours.values, theirs.values)
        assert f'the dict was read as {form}: the models are "svm", "forest"' in scores.audit.notes
    report = rw.compare(by_data_set, rope=0.01)
    same = rw.compare(table(by_data_set), rope=0.01)
    assert report.overall[0].verdict.probabilities == same.overall[0].verdict.probabilities
    assert "read as {data set: {model: scores}}" in " ".join(report.to_text().split())


def test_equal_lengths_are_ambiguous_until_the_models_are_named(by_data_set: Nested) -> None:
    equal = {task: {m: x[:10] for m, x in models.items()} for task, models in by_data_set.items()}
    with pytest.raises(DataError, match="not clear which names of the dict are the models") as caught:
        rw.read(equal)
    assert "model=['svm', 'forest'] or model=['iris', 'wine', 'digits']" in str(caught.value)
    for source in (equal, turned(equal)):
        assert rw.read(source, model=["forest", "svm"]).models == ("svm", "forest")
    with pytest.raises(OptionError, match='model= names "tree", and the dict holds "iris"'):
        rw.read(equal, model=["tree"])


def test_one_data_set_or_one_number_each(by_data_set: Nested) -> None:
    iris = {"iris": by_data_set["iris"]}
    assert rw.read(iris).models == rw.read(turned(iris)).models == ("svm", "forest")
    means = {t: {m: float(np.mean(x)) for m, x in models.items()} for t, models in by_data_set.items()}
    scores = rw.read(means, model=["svm", "forest"])
    assert scores.design.unit == "task"
    assert len(scores.tasks[0].units) == 3


def test_a_model_that_was_not_run_everywhere(by_data_set: Nested) -> None:
    by_data_set["wine"]["tree"] = [0.7] * 20
    by_data_set["iris"]["tree"] = [0.6] * 10
    assert rw.read(by_data_set).models == ("svm", "forest", "tree")


def test_lists_of_different_lengths_are_not_cut_to_the_shorter_one(by_data_set: Nested) -> None:
    """Nothing says which scores the shorter list lacks, so pairs by place would be wrong."""
    by_data_set["wine"]["forest"].pop(0)
    with pytest.raises(PairingError, match="on wine, svm has 20 scores and forest has 19"):
        rw.read(by_data_set, model=["svm", "forest"])
    wine = by_data_set["wine"]
    ids = [f"q{k}" for k in range(20)]
    by_data_set["wine"] = {"svm": pd.Series(wine["svm"], ids), "forest": pd.Series(wine["forest"], ids[1:])}
    found = rw.read({"wine": by_data_set["wine"]}, model=["svm", "forest"])
    assert found.tasks[0].units.tolist() == ids[1:]


def test_models_without_a_common_data_set(by_data_set: Nested) -> None:
    with pytest.raises(PairingError, match="no data set occurs for more than one model"):
        rw.read({"svm": {"iris": [0.1, 0.2]}, "forest": {"wine": [0.1, 0.2]}}, model=["svm", "forest"])


def test_scores_that_may_be_folds_are_asked_about(by_data_set: Nested) -> None:
    """They are paired by their place, as in a plain dict."""
    equal = {task: {m: x[:10] for m, x in models.items()} for task, models in by_data_set.items()}
    report = rw.compare(equal, model=["svm", "forest"], rope=0.01)
    assert any("if they come from cross-validation" in c for c in report.audit.cautions)
    assert not rw.compare(equal, model=["svm", "forest"], rope=0.01, runs=1).audit.cautions[1:]
