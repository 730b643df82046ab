"""Predictions on another scale than the truth, and labels among probabilities."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data.odd_predictions import (
    are_class_ids,
    copied_truth,
    hits_among_numbers,
    labels_among_probabilities,
    near_misses,
    one_answer,
    other_scale,
)
from ropewalk.errors import DataError

TRUTH = np.random.default_rng(5).normal(200, 40, 100)
NEAR = TRUTH + np.random.default_rng(6).normal(0, 20, 100)


def numbers(said: np.ndarray) -> rw.Predictions:
    outputs = {"near": NEAR, "far": np.asarray(said, dtype=np.float64)}
    units = np.array([str(i) for i in range(len(said))], dtype=object)
    return rw.Predictions(
        models=("near", "far"),
        units=units,
        truth=TRUTH,
        outputs=outputs,
        kind="numbers",
        audit=rw.Audit(paired=len(said)),
    )


@pytest.mark.parametrize(
    "said", [np.log(NEAR), (NEAR - 200) / 40, 1000 * NEAR, NEAR / 1000], ids=["log", "z", "thousands", "k"]
)
def test_numbers_on_another_scale_than_the_truth(said: np.ndarray) -> None:
    (doubt,) = other_scale(numbers(said))
    assert doubt.startswith("the predictions of far go from ")
    assert "near" not in doubt


@pytest.mark.parametrize(
    "said",
    [
        NEAR,
        np.full(100, 200.0),  # the mean, whatever the input
        200 + 0.01 * (NEAR - 200),  # a model that hardly dares
        NEAR + 60,  # biased
        np.random.default_rng(7).normal(0, 1, 100),  # not trained: it does not rise with the truth
    ],
    ids=["near", "mean", "shrunk", "biased", "noise"],
)
def test_a_bad_model_is_not_one_on_another_scale(said: np.ndarray) -> None:
    assert other_scale(numbers(said)) == ()


def files(folder: Path, first: np.ndarray, second: np.ndarray, truth: np.ndarray) -> list[Path]:
    paths = [folder / "first.csv", folder / "second.csv"]
    for path, said in zip(paths, (first, second), strict=True):
        pd.DataFrame({"id": range(len(said)), "truth": truth, "prediction": said}).to_csv(path, index=False)
    return paths


def test_labels_in_one_file_and_probabilities_in_the_other(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    y = rng.integers(0, 2, 100)
    p = np.clip(0.2 + 0.6 * y + rng.normal(0, 0.2, 100), 0.01, 0.99)
    paths = files(tmp_path, (p > 0.5).astype(int), p, y)
    caution = rw.compare(paths).audit.cautions[0]
    assert caution.startswith(
        'the probabilities of "first" are all 0 or 1, like labels, and those of "second"'
    )
    with pytest.raises(DataError, match='the probabilities of "baseline" are all 0 or 1'):
        rw.gate(*paths, margin=0.05)
    # whoever says how predictions are scored has chosen
    assert not any("all 0 or 1" in c for c in rw.compare(paths, loss="brier").audit.cautions)
    assert rw.gate(*paths, margin=0.05, loss="zero_one").overall is not None


def test_two_models_of_labels_or_two_of_probabilities_are_alike() -> None:
    p = np.array([[0.3, 0.7], [0.6, 0.4]])
    data = rw.Predictions(
        models=("a", "b"),
        units=np.array(["1", "2"], dtype=object),
        truth=np.array(["1", "0"], dtype=object),
        outputs={"a": p, "b": p[::-1]},
        kind="probabilities",
        classes=("0", "1"),
        audit=rw.Audit(paired=2),
    )
    assert labels_among_probabilities(data) == ()


def labelled(n: int, *, wrong: int) -> rw.Predictions:
    truth = np.array(["ab"[i % 2] for i in range(n)], dtype=object)
    other = truth.copy()
    other[:wrong] = ["ab"[(i + 1) % 2] for i in range(wrong)]
    return rw.Predictions(
        models=("copy", "other"),
        units=np.array([str(i) for i in range(n)], dtype=object),
        truth=truth,
        outputs={"copy": truth.copy(), "other": other},
        kind="labels",
        classes=("a", "b"),
        audit=rw.Audit(paired=n),
    )


def test_a_model_without_a_mistake_may_be_a_copy_of_the_truth() -> None:
    assert copied_truth(labelled(50, wrong=1)) == (
        "copy is right on all 50 examples: is the truth among its predictions, or among its features?",
    )
    assert copied_truth(labelled(49, wrong=20)) == ()  # few examples can all be easy
    assert copied_truth(labelled(50, wrong=0)) == ()  # both are: then the examples are easy


def test_a_copy_of_the_truth_at_both_doors(tmp_path: Path) -> None:
    data = labelled(60, wrong=9)
    for model in data.models:
        rows = {"id": data.units, "truth": data.truth, "prediction": data.outputs[model]}
        pd.DataFrame(rows).to_csv(tmp_path / f"{model}.csv", index=False)
    paths = [tmp_path / "other.csv", tmp_path / "copy.csv"]
    assert "copy is right on all 60 examples" in str(rw.compare(paths))
    decision = rw.gate(*paths, margin=0.02)
    assert any("candidate is right on all 60 examples" in said for said in decision.warnings)


def test_numbers_that_fall_or_that_are_ranks() -> None:
    (said,) = other_scale(numbers(-NEAR))
    assert said.startswith("the predictions of far fall where the truth rises (rank correlation -0.")
    ranks = np.argsort(np.argsort(TRUTH)).astype(np.float64)
    (said,) = other_scale(numbers(ranks))
    assert said.startswith("the predictions of far go from 0 to 99, the truth from ")
    assert other_scale(numbers(TRUTH + 10)) == ()  # a bias is no scale


def test_one_answer_to_everything(tmp_path: Path) -> None:
    """Always the frequent class: 96% right, and no use."""
    truth = np.where(np.arange(60) % 25, "ok", "fraud")
    other = np.where(np.arange(60) % 20, "ok", "fraud")
    paths = [tmp_path / "other.csv", tmp_path / "always.csv"]
    for path, said in zip(paths, (other, np.full(60, "ok")), strict=True):
        pd.DataFrame({"id": range(60), "truth": truth, "prediction": said}).to_csv(path, index=False)
    (caution,) = rw.compare(paths).audit.cautions
    assert caution.startswith('always answers "ok" to all 60 examples, and other models do not')
    assert any('candidate answers "ok" to all 60' in w for w in rw.gate(*paths, margin=0.2).warnings)
    data = rw.read(paths)
    assert isinstance(data, rw.Predictions)
    assert one_answer(replace(data, truth=np.full(60, "ok", dtype=object))) == ()
    same = {m: np.full(60, "ok", dtype=object) for m in data.models}
    assert one_answer(replace(data, outputs=same)) == ()


IDS = np.random.default_rng(9).integers(0, 1000, 200).astype(np.float64)


def hits(share: float, misses: np.ndarray) -> np.ndarray:
    """Predictions of which this share is right."""
    return np.where(np.arange(200) < 200 * share, IDS, misses)


FAR = np.random.default_rng(10).integers(0, 1000, 200).astype(np.float64)
CLOSE = IDS + np.random.default_rng(11).integers(1, 4, 200)


@pytest.mark.parametrize(
    ("said", "ids"),
    [
        (hits(0.9, FAR), True),
        (hits(0.5, FAR), True),
        (hits(0.4, FAR), False),  # as few are hit where most counts are 0
        (hits(0.6, CLOSE), False),  # what is missed is not missed by much
        (hits(0.99, CLOSE), True),  # two misses say nothing
        (IDS + 0.5, False),
    ],
)
def test_whole_numbers_that_name_classes(said: np.ndarray, ids: bool) -> None:
    assert are_class_ids(IDS, [said, FAR]) is ids
    assert are_class_ids(IDS, [said, FAR + 0.1]) is False  # one model's numbers are none of the names


def test_predictions_of_classes_by_number_are_labels(tmp_path: Path) -> None:
    """1,000 classes of which 200 rows have few: the worse model once won by its squared error."""
    far, near = hits(0.9, 999 - IDS), hits(0.5, np.clip(FAR, 400, 600))
    data = rw.read(files(tmp_path, far, near, IDS))
    assert isinstance(data, rw.Predictions)
    assert data.kind == "labels"
    assert "whole numbers that equal `truth` exactly or are far from it" in " ".join(data.audit.notes)
    comparison = rw.compare([tmp_path / "first.csv", tmp_path / "second.csv"]).comparisons[0]
    assert (comparison.metric, comparison.verdict.name) == ("accuracy", "better")


def test_numbers_that_are_often_exactly_right_may_be_classes(tmp_path: Path) -> None:
    paths = files(tmp_path, hits(0.3, FAR), hits(0.2, FAR[::-1]), IDS)
    (caution,) = [c for c in rw.compare(paths).audit.cautions if "names of classes" in c]
    assert caution.startswith("the predictions of first are exactly the truth in 30% of the rows")
    with pytest.raises(DataError, match="the predictions of baseline are exactly the truth in 30%"):
        rw.gate(*paths, margin=0.01)
    chosen = rw.compare(paths, loss="absolute")
    assert not any("names of classes" in c for c in chosen.audit.cautions)
    data = rw.read(files(tmp_path, hits(0.3, CLOSE), CLOSE, IDS))
    assert isinstance(data, rw.Predictions)
    assert hits_among_numbers(data) == ()  # a regression


def test_labels_that_are_numbers_may_be_amounts(tmp_path: Path) -> None:
    age = np.repeat(np.arange(40), 5)
    close = np.clip(age + np.random.default_rng(12).integers(-2, 3, 200), 0, 39)
    paths = files(tmp_path, close, age[::-1], age)
    (caution,) = rw.compare(paths).audit.cautions
    assert caution.startswith(
        "the truth has 40 whole numbers, which are read as classes, and the wrong predi"
    )
    with pytest.raises(DataError, match='of "baseline" are close to it: if they are amounts'):
        rw.gate(*paths, margin=0.01)
    few = rw.read(files(tmp_path, close // 4, age[::-1] // 4, age // 4))
    assert isinstance(few, rw.Predictions)
    assert near_misses(few) == ()  # ten classes, as digits are


def test_probabilities_of_the_predicted_class(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 80)
    p = [np.clip(0.5 + (truth - 0.5) * g + rng.normal(0, 0.2, 80), 0.01, 0.99) for g in (0.3, 0.6)]

    def files(values: list[np.ndarray]) -> list[Path]:
        paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
        for path, x in zip(paths, values, strict=True):
            pd.DataFrame({"id": range(80), "truth": truth, "confidence": x}).to_csv(path, index=False)
        return paths

    sure = files([np.maximum(x, 1 - x) for x in p])
    says = 'the probabilities of "old", "new" are never below 0.5'
    for metric in (None, "auroc"):
        assert rw.compare(sure, metric=metric).audit.cautions[0].startswith(says)
        with pytest.raises(DataError, match="are never below"):
            rw.gate(*sure, margin=0.01, metric=metric)
    assert rw.gate(*sure, margin=0.01, loss="brier").name
    assert rw.gate(*files(p), margin=0.01).name
