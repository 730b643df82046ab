"""Examples counted where the data lie, in every engine, beside the rows read into memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ropewalk as rw
from ropewalk.data import Predictions
from ropewalk.errors import CellError, DataError, OptionError, PairingError
from ropewalk.metrics import METRICS, custom
from ropewalk.read import cells, engines, in_place


def _long(wide: pd.DataFrame, *keys: str) -> pd.DataFrame:
    """One row per model and example, shuffled, a few of them missing."""
    models = [c for c in wide.columns if c not in keys]
    return wide.melt(list(keys), models, "model", "prediction").sample(frac=1, random_state=1).iloc[:-5]


def _labels(n: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    truth = rng.choice(["cat", "dog", "owl"], n)
    frame = pd.DataFrame({"id": np.arange(n), "task": np.where(np.arange(n) % 3, "u", "v"), "label": truth})
    for model, right in (("svm", 0.8), ("forest", 0.7)):
        frame[model] = np.where(rng.random(n) < right, truth, rng.choice(["cat", "dog"], n))
    return frame


def _scores(n: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, n)
    common = rng.normal(size=n)
    frame = pd.DataFrame({"id": np.arange(n), "label": y})
    for model, lift in (("a", 1.5), ("b", 1.0)):
        frame[model] = 1 / (1 + np.exp(-(lift * y + common + 0.5 * rng.normal(size=n))))
    return frame


def _expanded(p: Predictions) -> list[tuple[Any, ...]]:
    """The examples one by one, without their names."""
    assert p.counts is not None
    tasks = [None] * len(p.units) if p.tasks is None else p.tasks
    rows = zip(tasks, p.truth, *(p.outputs[m] for m in sorted(p.models)), p.counts, strict=True)
    return sorted(tuple(row) for *row, count in rows for _ in range(count))


def _one_by_one(p: Predictions) -> list[tuple[Any, ...]]:
    tasks = [None] * len(p.units) if p.tasks is None else p.tasks
    return sorted(zip(tasks, p.truth, *(p.outputs[m] for m in sorted(p.models)), strict=True))


@pytest.mark.few(3)
def test_labels_in_every_engine(in_engine: Callable[[pd.DataFrame], Any]) -> None:
    long = _long(_labels(), "id", "task", "label")
    rows = rw.read(long)
    assert isinstance(rows, Predictions)
    found = rw.read(in_engine(long), in_place=True, metric="f1_macro")
    assert isinstance(found, Predictions)
    assert _expanded(found) == _one_by_one(rows)
    assert (found.kind, found.classes) == (rows.kind, rows.classes)
    assert found.examples == found.audit.paired == rows.audit.paired
    assert sum(d.units for d in found.audit.dropped) == 5


@pytest.mark.few(3)
def test_bins_of_scores_in_every_engine(
    in_engine: Callable[[pd.DataFrame], Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The AUROC from the narrow bins is within the bounds that they state, and the wide bins rank alike."""
    monkeypatch.setattr(cells, "_EVERY", 0)
    monkeypatch.setattr(cells, "_FINE", 1024)
    monkeypatch.setattr(cells, "_DRAWN", 300)
    long = _long(_scores(), "id", "label")
    rows = rw.read(long)
    assert isinstance(rows, Predictions)
    found = rw.read(in_engine(long), in_place=True, metric="auroc")
    assert isinstance(found, Predictions)
    assert (found.kind, found.classes) == ("probabilities", ("0", "1"))
    assert found.counts is not None
    assert found.examples == rows.audit.paired
    assert len(found.counts) <= 300
    for name in ("auroc", "average_precision"):
        metric = METRICS[name]
        assert metric.bounds is not None
        for model in rows.models:
            b = found.binned[model]
            assert (b.number, b.counts.sum()) == (1024, found.examples)
            exact = metric.value(rows.truth_codes, rows.positive_score(model))
            counts = b.counts.astype(float)
            low, high = metric.bounds(found.codes(b.truth), b.scores, counts, b.differ)
            assert low <= exact <= high
            assert 0 < high - low < 0.01
            wide = found.positive_score(model)
            every = np.ones(wide.size, dtype=bool)
            low, high = metric.bounds(found.truth_codes, wide, found.counts.astype(float), every)
            assert low <= exact <= high


def test_bins_of_each_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """On each task the bounds hold; the bins are those of all tasks."""
    monkeypatch.setattr(cells, "_EVERY", 0)
    wide = _scores().assign(task=lambda f: np.where(f["id"] % 4, "most", "few"))
    rows, found = rw.read(wide), rw.read(pl.from_pandas(wide), in_place=True, metric="auroc")
    assert isinstance(rows, Predictions)
    assert isinstance(found, Predictions)
    metric = METRICS["auroc"]
    assert metric.bounds is not None
    own = {part.tasks[0]: part for part in rows.by_task() if part.tasks is not None}
    for part in found.by_task():
        assert part.tasks is not None
        same = own[part.tasks[0]]
        assert part.examples == len(same.units)
        for model, b in part.binned.items():
            assert b.counts.sum() == part.examples
            low, high = metric.bounds(found.codes(b.truth), b.scores, b.counts.astype(float), b.differ)
            assert low <= metric.value(same.truth_codes, same.positive_score(model)) + 1e-12
            assert metric.value(same.truth_codes, same.positive_score(model)) <= high + 1e-12


def test_few_scores_are_counted_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "_EVERY", 0)
    wide = _scores().round(1)
    rows, found = rw.read(wide), rw.read(wide, in_place=True, metric="auroc")
    assert isinstance(rows, Predictions)
    assert isinstance(found, Predictions)
    assert not found.binned
    for model in rows.models:
        exact = METRICS["auroc"].value(rows.truth_codes, rows.positive_score(model))
        mine = METRICS["auroc"].value(found.truth_codes, found.positive_score(model), weights=found.counts)
        assert mine == pytest.approx(exact, abs=1e-14)


def test_scores_that_the_first_rows_do_not_look_like(monkeypatch: pytest.MonkeyPatch) -> None:
    """Decision scores of which the first are between 0 and 1: the bins are uneven, the bounds still hold."""
    monkeypatch.setattr(cells, "_EVERY", 0)
    monkeypatch.setattr(cells, "_FEW", 10)
    monkeypatch.setattr(in_place, "SAMPLE", 20)
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 300)
    wide = pd.DataFrame(
        {"id": range(300), "label": y, "a": y + rng.normal(size=300), "b": rng.normal(size=300)}
    )
    wide.loc[:19, ["a", "b"]] = rng.random((20, 2))
    rows, found = rw.read(wide), rw.read(wide, in_place=True, metric="auroc")
    assert isinstance(rows, Predictions)
    assert isinstance(found, Predictions)
    assert found.kind == rows.kind == "scores"
    metric, b = METRICS["auroc"], found.binned["a"]
    assert metric.bounds is not None
    low, high = metric.bounds(found.codes(b.truth), b.scores, b.counts.astype(float), b.differ)
    assert low <= metric.value(rows.truth_codes, rows.positive_score("a")) <= high


def test_labels_of_probabilities_are_a_half() -> None:
    """F1 of probabilities needs the side of one half only; one half itself is no positive answer."""
    wide = _scores(200)
    wide.loc[0, "a"] = 0.5
    rows, found = rw.read(wide), rw.read(wide, in_place=True, metric="f1")
    assert isinstance(rows, Predictions)
    assert isinstance(found, Predictions)
    assert len(found.units) == 8
    for model in rows.models:
        exact = METRICS["f1"].value(rows.truth_codes, rows.label_codes(model))
        mine = METRICS["f1"].value(found.truth_codes, found.label_codes(model), weights=found.counts)
        assert mine == pytest.approx(exact, abs=1e-14)


def test_clusters_are_kept_apart() -> None:
    wide = _labels().assign(cluster=lambda f: f["id"] // 10).drop(columns="task")
    found = rw.read(wide, in_place=True, metric="f1_macro")
    assert isinstance(found, Predictions)
    assert found.clusters is not None
    assert found.counts is not None
    assert np.bincount(found.clusters.astype(int), found.counts).tolist() == [10] * 30


# --- what cannot be counted ---------------------------------------------------------------------------------


def test_metrics_that_need_every_row() -> None:
    for metric, why in (
        ("ndcg", "NDCG needs every row: it ranks the rows within each group"),
        ("ece", "ECE needs every row: its error on binned scores is unknown"),
        (custom(lambda y, p, w: 0.0, name="mine"), "mine needs every row: its error on binned"),
    ):
        with pytest.raises(OptionError, match=why):
            rw.read(_scores(), in_place=True, metric=metric)
    three = _scores().assign(c=lambda f: f["a"] ** 2)
    with pytest.raises(
        OptionError, match="AUROC needs every row: scores can be binned for two models at a time"
    ):
        rw.read(three, in_place=True, metric="auroc")
    assert isinstance(rw.read(pl.from_pandas(three).lazy(), metric="auroc"), Predictions)  # few: read


def test_too_many_different_examples(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cells, "_CELLS", 10)
    with pytest.raises(DataError, match="more than 10 different examples by truth, predictions and cluster"):
        rw.read(_labels(), in_place=True, metric="mcc")
    monkeypatch.setattr(engines, "MANY", 100)
    rows = rw.read(pl.from_pandas(_labels()).lazy(), metric="mcc")  # nobody asked for it in place
    assert isinstance(rows, Predictions)
    assert rows.counts is None


def test_missing_predictions_and_truths() -> None:
    long = _long(_labels(), "id", "task", "label").reset_index(drop=True)
    with pytest.raises(CellError, match="1 scores are missing, NaN or infinite"):
        rw.read(long.assign(prediction=long.prediction.where(long.index != 3)), in_place=True, metric="mcc")
    with pytest.raises(CellError, match="3 examples have no truth"):
        rw.read(_labels().assign(label=lambda f: f["label"].where(f.index > 2)), in_place=True, metric="mcc")
    other = "owl" if long.label[3] == "cat" else "cat"
    with pytest.raises(PairingError, match="differ in the truth of 1 units"):
        rw.read(long.assign(label=long.label.where(long.index != 3, other)), in_place=True, metric="mcc")


def test_labels_of_what_is_no_probability(monkeypatch: pytest.MonkeyPatch) -> None:
    wide = _scores()
    wide.loc[390, "a"] = 1.7
    with pytest.raises(
        OptionError, match="F1 needs every row: it takes labels, and there are numbers outside"
    ):
        rw.read(wide, in_place=True, metric="f1")
    monkeypatch.setattr(in_place, "SAMPLE", 100)
    with pytest.raises(
        CellError, match="1 examples have numbers outside 0 to 1, which are not probabilities"
    ):
        rw.read(wide, in_place=True, metric="f1")


def test_a_column_called_after_the_positive_class() -> None:
    """p_ham: ham is the positive class, although spam comes after it."""
    frames = {
        m: pd.DataFrame({"id": range(6), "label": ["ham", "spam"] * 3, "p_ham": np.arange(6) / 7 + k / 50})
        for k, m in enumerate("ab")
    }
    rows, found = rw.read(frames), rw.read(frames, in_place=True, metric="auroc")
    assert isinstance(rows, Predictions)
    assert isinstance(found, Predictions)
    assert found.classes == rows.classes == ("spam", "ham")


def test_what_was_counted_has_no_loss_of_each_example() -> None:
    found = rw.read(_labels(), in_place=True, metric="mcc")
    assert isinstance(found, Predictions)
    with pytest.raises(OptionError, match="a loss needs every example, but these data were aggregated"):
        found.scores()
    with pytest.raises(OptionError, match="a calibration needs every example"):
        found.calibrated("platt")
    with pytest.raises(OptionError, match="a threshold needs every example"):
        found.at_threshold(fpr=0.1)
