"""The same sums by every engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Predictions, Scores, Summed
from ropewalk.grouped import ClusterSums
from tests.read.large_tables import same_sums


@pytest.mark.few(3)
def test_a_long_table_in_every_engine(in_engine: Callable[[pd.DataFrame], Any], long: pd.DataFrame) -> None:
    rows = rw.read(long)
    assert isinstance(rows, Scores)
    found = rw.read(in_engine(long), in_place=True)
    same_sums(found, rows, [("a", "b"), ("b", "a")])
    assert [t.name for t in found.tasks] == ["x", "y", "z"]


@pytest.mark.few(3)
def test_labels_against_a_truth_in_every_engine(in_engine: Callable[[pd.DataFrame], Any]) -> None:
    rng = np.random.default_rng(2)
    truth = rng.choice(["cat", "dog", "owl"], 300)
    frame = pd.DataFrame({"id": np.arange(300), "label": truth})
    for model, right in (("svm", 0.8), ("forest", 0.7)):
        frame[model] = np.where(rng.random(300) < right, truth, "cat")
    rows = rw.read(frame)
    assert isinstance(rows, Predictions)
    scores = rows.scores()
    found = rw.read(in_engine(frame), in_place=True)
    assert isinstance(found, Summed)
    assert found.is_binary
    n00, n01, n10, n11 = found.counts("svm", "forest", found.tasks[0])
    right_or_wrong = scores.as_accuracy()
    assert (n00, n01, n10, n11) == right_or_wrong.counts("svm", "forest")
    assert found.counts("forest", "svm", found.tasks[0]) == (n00, n10, n01, n11)


@pytest.mark.few(3)
def test_one_frame_a_model_and_ids_of_two_kinds(
    in_engine: Callable[[pd.DataFrame], Any], long: pd.DataFrame
) -> None:
    """Ids that are numbers for one model and words for the other are compared as text."""
    one = long[long.task == "x"].drop(columns="task")
    a, b = (one[one.model == m].drop(columns="model") for m in "ab")
    b = b.assign(id=b.id.astype(str))
    rows = rw.read({"a": a, "b": b})
    assert isinstance(rows, Scores)
    found = rw.read({"a": in_engine(a), "b": in_engine(b)}, in_place=True)
    same_sums(found, rows, [("a", "b")])


@pytest.mark.few(3)
def test_clusters_in_every_engine(in_engine: Callable[[pd.DataFrame], Any], long: pd.DataFrame) -> None:
    """Sums by cluster beside those of the rows in memory: sizes to the unit, means and M2 to 1e-12."""
    clustered = long.assign(cluster=[f"doc {i // 7}" for i in long.id])
    rows = rw.read(clustered)
    assert isinstance(rows, Scores)
    found = rw.read(in_engine(clustered), in_place=True)
    same_sums(found, rows, [("a", "b"), ("b", "a")])
    assert isinstance(found, Summed)
    assert "clusters: `cluster`" in found.audit.notes
    for task in found.tasks:
        assert task.clusters is not None
        clusters = rows.task(task.name).clusters
        assert clusters is not None
        for a, b in (("a", "b"), ("b", "a")):
            here = found.cluster_sums(a, b, task.clusters)
            there = ClusterSums.of(rows.differences(a, b, task.name), clusters)
            np.testing.assert_array_equal(here.sizes, there.sizes)
            np.testing.assert_allclose(here.means, there.means, rtol=0, atol=1e-12)
            assert here.within == pytest.approx(there.within, rel=1e-12)
    assert [list(t.units) for t in found.by_cluster().tasks] == [
        sorted(t.units) for name in "xyz" for t in [rows.by_cluster().task(name)]
    ]
