"""Columns that may name clusters. Oracle of the F test: scipy.stats.f_oneway."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f_oneway

import ropewalk as rw
from ropewalk.read.unit_groups import _f_test


@pytest.mark.parametrize("sizes", [(5, 5, 5), (2, 9, 4, 30), (1, 1, 8)])
def test_the_f_test(sizes: tuple[int, ...]) -> None:
    rng = np.random.default_rng(1)
    codes = np.repeat(np.arange(len(sizes)), sizes)
    d = rng.normal(0.3 * codes, 1.0)
    wanted = f_oneway(*(d[codes == k] for k in range(len(sizes)))).pvalue
    assert _f_test(d, codes) == pytest.approx(wanted, rel=1e-10)
    assert _f_test(np.append(d, np.nan), np.append(codes, 0)) == pytest.approx(wanted, rel=1e-10)


def test_what_cannot_be_tested() -> None:
    assert _f_test(np.arange(3.0), np.arange(3)) == 1.0  # every unit is a cluster of its own
    assert _f_test(np.arange(3.0), np.zeros(3, dtype=int)) == 1.0
    assert _f_test(np.zeros(6), np.arange(6) // 2) == 1.0


def images(spread: float, column: str = "patient") -> pd.DataFrame:
    rng = np.random.default_rng(2)
    own = np.repeat(rng.normal(0, spread, 20), 10)
    a = rng.normal(0.7, 0.02, 200)
    names = {column: [f"p{i // 10}" for i in range(200)], "image_id": [f"i{i}" for i in range(200)]}
    return pd.DataFrame({**names, "a": a, "b": a + own + rng.normal(0, 0.02, 200)})


def test_rows_that_belong_together_are_doubted() -> None:
    found = rw.read(images(0.05), model=["a", "b"])
    assert "rows with the same `patient` have similar differences" in found.audit.doubts[0]
    assert 'cluster="patient" (--cluster patient)' in found.audit.doubts[0]
    report = rw.compare(images(0.05), model=["a", "b"], higher_is_better=True)
    assert report.audit.cautions == found.audit.doubts
    clustered = rw.compare(images(0.05), model=["a", "b"], higher_is_better=True, cluster="patient")
    assert clustered.audit.cautions == ()


def test_rows_that_do_not_are_noted() -> None:
    found = rw.read(images(0.0), model=["a", "b"])
    assert found.audit.doubts == ()
    assert any("`patient` is not used" in note for note in found.audit.notes)


def test_labels_of_patients() -> None:
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 200)
    hard = np.repeat(np.arange(20) % 2, 10)  # of every other patient the second model gets all wrong
    frame = images(0.0).assign(truth=truth, a=truth, b=np.where(hard, 1 - truth, truth))
    assert "rows with the same `patient`" in rw.read(frame, model=["a", "b"]).audit.doubts[0]


@pytest.mark.parametrize("form", ["doc{}_sent{}", "q{}-{}", "{}/{}", "Chapter 1.{}: {}"])
@pytest.mark.parametrize("labels", [False, True])
def test_parts_of_a_numbered_thing_are_doubted(form: str, labels: bool) -> None:
    """Twenty documents of ten sentences each, of which the ids alone tell."""
    frame = images(0.4)
    frame["image_id"] = [form.format(i // 10, i % 10) for i in range(200)]
    frame = frame.drop(columns="patient")
    if labels:
        truth = np.random.default_rng(3).integers(0, 2, 200)
        hard = np.repeat(np.arange(20) % 2, 10)
        frame = frame.assign(truth=truth, a=truth, b=np.where(hard, 1 - truth, truth))
    (doubt,) = rw.read(frame, model=["a", "b"]).audit.doubts
    first = form.format(0, 0)
    assert doubt.startswith(f'ids that begin alike, such as "{first}" and others of "')
    assert "--cluster COLUMN" in doubt
    clustered = frame.assign(document=np.arange(200) // 10)
    assert rw.read(clustered, model=["a", "b"], cluster="document").audit.doubts == ()


@pytest.mark.parametrize("form", ["doc{}_sent{}", "{}-{}"])
def test_ids_of_independent_rows_are_not(form: str) -> None:
    """In a thousand data sets without any clusters, the test is wrong in one, as it should be."""
    rng = np.random.default_rng(0)
    ids = [form.format(i // 5, i % 5) for i in range(100)]
    wrong = 0
    for graded in (True, False):
        for _ in range(150):
            a, b = rng.random((2, 100)) if graded else (rng.random((2, 100)) < 0.7).astype(int)
            frame = pd.DataFrame({"id": ids, "a": a, "b": b})
            wrong += bool(rw.read(frame, model=["a", "b"]).audit.doubts)
    assert wrong <= 2


@pytest.mark.parametrize(
    "ids",
    [
        [f"{['law', 'math', 'code'][i % 3]}-{i}" for i in range(200)],  # topics, not things
        [f"2024-{i}" for i in range(200)],
        [f"{i:032x}" for i in range(200)],
        [f"img_{i}.png" for i in range(200)],
        list(range(200)),
    ],
)
def test_other_ids_name_no_parts(ids: list[object]) -> None:
    frame = images(0.4).assign(image_id=ids).drop(columns="patient").rename(columns={"image_id": "id"})
    assert rw.read(frame, model=["a", "b"]).audit.doubts == ()
