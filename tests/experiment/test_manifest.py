"""Results of another experiment are never mixed in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from sklearn.datasets import load_wine
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

from ropewalk.errors import OptionError
from ropewalk.experiment import Experiment
from tests.experiment.stored import made


@pytest.mark.parametrize(
    ("changed", "difference"),
    [
        (
            {"models": {"bayes": DummyClassifier(), "most": DummyClassifier()}},
            "estimator is sklearn.dummy.DummyClassifier, and was sklearn.naive_bayes.GaussianNB",
        ),
        ({"design": "2x4cv"}, "design is 2x4cv, and was 2x3cv"),
        ({"seed": 1}, "seed is 1, and was 0"),
        ({"metrics": ["accuracy"]}, "metrics is"),
        ({"stratified": False}, "stratified is False"),
        ({"keep_predictions": True}, "keep is True, and was False"),
        ({"calibrate": "platt"}, "calibrate is platt, and was auto"),
        (
            {"models": {"bayes": GaussianNB(var_smoothing=1e-3), "most": DummyClassifier()}},
            'algorithm "bayes" differs from before: var_smoothing is 0.001, and was 1e-09',
        ),
        (
            {"datasets": {"wine": (load_wine().data + 1, load_wine().target)}},
            'data set "wine" differs from before',
        ),
    ],
)
def test_another_experiment_is_never_mixed_in(
    tmp_path: Path, changed: dict[str, Any], difference: str
) -> None:
    made(tmp_path)
    before = (tmp_path / "results.parquet").read_bytes()
    with pytest.raises(OptionError, match="holds the results of another experiment") as caught:
        made(tmp_path, **changed)
    assert difference in str(caught.value)
    assert "never mixed" in caught.value.hint
    assert (tmp_path / "results.parquet").read_bytes() == before


def test_further_algorithms_and_data_sets_may_be_added(tmp_path: Path) -> None:
    made(tmp_path)
    more = {"bayes": GaussianNB(), "most": DummyClassifier(), "knn": KNeighborsClassifier()}
    exp = made(tmp_path, models=more)
    assert len(exp.fits) == 18
    exp.scores()  # the splits are the same
    assert len(made(tmp_path).fits) == 12
    assert len(Experiment.load(tmp_path).fits) == 18


def test_a_store_of_an_earlier_version_is_read_but_not_continued(tmp_path: Path) -> None:
    """Its splits were others: fits of both must not stand side by side."""
    made(tmp_path)
    path = tmp_path / "experiment.json"
    path.write_text(path.read_text().replace("ropewalk-experiment/2", "ropewalk-experiment/1"))
    before = path.read_bytes(), (tmp_path / "results.parquet").read_bytes()
    for options in ({}, {"repair": True}, {"retry_failed": True}):
        with pytest.raises(OptionError, match="was written by an earlier version of ropewalk") as caught:
            made(tmp_path, **options)
        assert "--store DIR" in caught.value.hint
        assert "Experiment.load(folder).compare()" in caught.value.hint
    assert (path.read_bytes(), (tmp_path / "results.parquet").read_bytes()) == before
    old = Experiment.load(tmp_path)
    assert len(old.fits) == 12
    assert "recorded by an earlier version of ropewalk" in old.scores().audit.notes
    assert old.compare(rope=0.01).comparisons[0].verdict.name == "better"
