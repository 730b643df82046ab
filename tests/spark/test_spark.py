"""The same sums by Spark, in local mode: `make test-spark`, because its packages are large."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Summed
from ropewalk.errors import CellError, PairingError

pyspark = pytest.importorskip("pyspark", reason="Spark is not installed: make test-spark")


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    from pyspark.sql import SparkSession

    options = {"spark.ui.enabled": "false", "spark.sql.shuffle.partitions": "4"}
    builder = SparkSession.builder.master("local[2]").appName("ropewalk")
    for key, value in options.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    yield session
    session.stop()


@pytest.fixture
def long() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    common = rng.normal(size=3_000)
    parts = [
        pd.DataFrame(
            {
                "model": model,
                "task": np.where(np.arange(3_000) % 3, "x", "y"),
                "id": np.arange(3_000),
                "score": common + rng.normal(0.1 * k, 0.5, 3_000),
            }
        )
        for k, model in enumerate("ab")
    ]
    return pd.concat(parts).sample(frac=1, random_state=0).iloc[:-5]


def test_the_same_answer_to_1e_12(spark: Any, long: pd.DataFrame) -> None:
    here, there = rw.read(long, in_place=True), rw.read(spark.createDataFrame(long))
    assert isinstance(here, Summed)
    assert isinstance(there, Summed)
    assert there.audit == here.audit
    for mine, theirs in zip(here.tasks, there.tasks, strict=True):
        assert theirs.n == mine.n
        np.testing.assert_allclose(theirs.ahead, mine.ahead, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(theirs.m2, mine.m2, rtol=1e-12)
    answers = [
        [(c.verdict.better, c.verdict.equivalent, c.verdict.worse) for c in [*r.overall, *r.comparisons]]
        for r in (rw.compare(data, rope=0.05, in_place=True) for data in (long, spark.createDataFrame(long)))
    ]
    np.testing.assert_allclose(answers[1], answers[0], atol=1e-9)


def test_labels_against_a_truth(spark: Any) -> None:
    rng = np.random.default_rng(1)
    truth = rng.choice(["cat", "dog"], 500)
    frame = pd.DataFrame({"id": np.arange(500), "label": truth})
    for model, right in (("svm", 0.8), ("forest", 0.7)):
        frame[model] = np.where(rng.random(500) < right, truth, "cat")
    here, there = rw.read(frame, in_place=True), rw.read(spark.createDataFrame(frame))
    assert isinstance(here, Summed)
    assert isinstance(there, Summed)
    assert there.counts("svm", "forest", there.tasks[0]) == here.counts("svm", "forest", here.tasks[0])


def test_what_cannot_be_paired(spark: Any, long: pd.DataFrame) -> None:
    with pytest.raises(PairingError, match="more than one row of a model"):
        rw.read(spark.createDataFrame(pd.concat([long, long.iloc[:1]])))
    long = long.reset_index(drop=True)
    long.loc[7, "score"] = np.nan
    with pytest.raises(CellError, match="1 scores are missing, NaN or infinite"):
        rw.read(spark.createDataFrame(long))
