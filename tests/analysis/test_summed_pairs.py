"""Comparing sums that were taken where the data lie gives the answer of the rows."""

from __future__ import annotations

import re

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import scale
from ropewalk.errors import MethodError
from tests.analysis.numbers import numbers_of


def _real(tasks: int, models: str = "ab") -> pd.DataFrame:
    rng = np.random.default_rng(tasks)
    n = 600
    common = rng.normal(size=n)
    frame = pd.DataFrame({"id": np.arange(n), "task": [f"t{i % tasks}" for i in range(n)]})
    for k, m in enumerate(models):
        frame[m] = common + 0.3 * rng.standard_t(3, n) + 0.05 * k
    return frame if tasks > 1 else frame.drop(columns="task")


def _binary(tasks: int) -> pd.DataFrame:
    rng = np.random.default_rng(10 + tasks)
    n = 600
    frame = pd.DataFrame({"id": np.arange(n), "task": [f"t{i % tasks}" for i in range(n)]})
    for k, m in enumerate("ab"):
        frame[m] = (rng.random(n) < 0.7 + 0.05 * k).astype(int)
    return frame if tasks > 1 else frame.drop(columns="task")


@pytest.mark.parametrize("tasks", [1, 6])
@pytest.mark.parametrize("higher", [True, False])
@pytest.mark.parametrize("rope", [0.05, "auto"])
@pytest.mark.parametrize("kind", ["real", "binary"])
@pytest.mark.few(3)
def test_the_answer_is_that_of_the_rows(kind: str, tasks: int, higher: bool, rope: float | str) -> None:
    frame = (_real if kind == "real" else _binary)(tasks)
    rows, sums = (
        rw.compare(frame, rope=rope, higher_is_better=higher, in_place=in_place) for in_place in (False, True)
    )
    np.testing.assert_allclose(numbers_of(sums), numbers_of(rows), rtol=1e-9, atol=1e-9)
    assert [m.name for m in sums.models] == [m.name for m in rows.models]
    for mine, theirs in zip(sums.models, rows.models, strict=True):
        assert (mine.mean, mine.low, mine.high) == pytest.approx((theirs.mean, theirs.low, theirs.high))
    for render in (sums.to_text, sums.to_markdown, sums.to_latex, sums.to_json):
        assert not re.search(r"\bnan\b", render(), flags=re.IGNORECASE)
    assert "<html" in sums.to_html()


@pytest.mark.parametrize("method", ["robust_t", "sign", "signed_rank", "mcnemar", "t"])
@pytest.mark.few(2)
def test_other_methods_use_the_tally(method: str) -> None:
    frame = _binary(1) if method == "mcnemar" else _real(1)
    rows, sums = (
        rw.compare(frame, rope=0.05, method=method, in_place=in_place) for in_place in (False, True)
    )
    close = 1e-9 if method in ("mcnemar", "t") else 0.02  # bins of 0.1 %, and some differences near the edge
    mine, theirs = (np.array(numbers_of(r))[:, :3] for r in (sums, rows))
    np.testing.assert_allclose(mine, theirs, atol=close)


def test_methods_that_need_the_rows_say_so() -> None:
    for frame, columns in ((_real(1), {}), (_clustered(1, "real"), {"cluster": "doc"})):
        with pytest.raises(MethodError, match="ess needs every row, but only sums and counts"):
            rw.compare(frame, method="ess", in_place=True, **columns)
    with pytest.raises(MethodError, match="bootstrap needs every row, but only sums and counts"):
        rw.compare(_real(1, "abc"), method="bootstrap", in_place=True)


def _clustered(tasks: int, kind: str, models: str = "ab") -> pd.DataFrame:
    """Clusters of very different sizes, which have something in common."""
    rng = np.random.default_rng(20 + tasks)
    n = 600
    doc = np.sort(rng.geometric(0.04, n))
    common = rng.normal(size=doc.max() + 1)
    frame = pd.DataFrame({"id": np.arange(n), "task": [f"t{i % tasks}" for i in range(n)], "doc": doc})
    for k, m in enumerate(models):
        score = 0.4 * k * common[doc] + rng.normal(size=n) + 0.2 * k
        frame[m] = (score > 0).astype(int) if kind == "binary" else score
    return frame if tasks > 1 else frame.drop(columns="task")


@pytest.mark.parametrize("kind", ["real", "binary"])
@pytest.mark.parametrize(
    ("tasks", "models", "higher", "method"),
    [
        (1, "ab", True, "auto"),
        (1, "ab", False, "auto"),
        (1, "ab", True, "bootstrap"),
        (1, "ab", True, "robust_t"),
        (1, "abc", True, "auto"),
        (5, "ab", False, "auto"),
    ],
)
@pytest.mark.few(3)
def test_clusters_answer_as_in_memory(kind: str, tasks: int, models: str, higher: bool, method: str) -> None:
    frame = _clustered(tasks, kind, models)
    rows, sums = (
        rw.compare(frame, cluster="doc", rope=0.1, method=method, higher_is_better=higher, in_place=in_place)
        for in_place in (False, True)
    )
    # The probabilities over many tasks and the joint draws are found by iteration: they agree to 1e-9.
    close = 1e-12 if tasks == 1 and len(models) == 2 and method == "auto" else 1e-9
    np.testing.assert_allclose(numbers_of(sums), numbers_of(rows), rtol=close, atol=close)
    assert [m.name for m in sums.models] == [m.name for m in rows.models]
    by_pair = [{(c.task, c.a, c.b): c for c in r.comparisons} for r in (rows, sums)]
    assert set(by_pair[0]) == set(by_pair[1])
    for key, theirs in by_pair[0].items():
        mine = by_pair[1][key]
        assert (mine.verdict.sentence, mine.n, mine.unit, mine.method, mine.why) == (
            theirs.verdict.sentence,
            theirs.n,
            theirs.unit,
            theirs.method,
            theirs.why,
        )
        assert [c.text for c in mine.checks] == [c.text for c in theirs.checks]
        for a, b in zip(mine.classical, theirs.classical, strict=True):
            assert (a.name, a.p_value) == (b.name, pytest.approx(b.p_value, rel=1e-9, abs=1e-12))
    assert "<html" in sums.to_html()


def test_the_same_model_twice_in_clusters() -> None:
    frame = _clustered(1, "real").assign(b=lambda f: f["a"])
    report = rw.compare(frame, cluster="doc", in_place=True)
    assert report.comparisons[0].verdict.sentence == "a and b do not differ on any cluster."


def test_one_cluster_is_one_observation() -> None:
    with pytest.raises(MethodError, match="only one cluster"):
        rw.compare(_clustered(1, "real").assign(doc=1), cluster="doc", in_place=True)


def test_bootstrap_of_the_mean_from_counts() -> None:
    """Right and wrong: three distinct differences. Real scores: bins, moved onto the exact mean."""
    for frame in (_real(1), _binary(1)):
        rows, sums = (
            rw.compare(frame, rope=0.05, method="bootstrap", in_place=in_place) for in_place in (False, True)
        )
        mine, theirs = sums.comparisons[0], rows.comparisons[0]
        assert mine.posterior.value_a == pytest.approx(theirs.posterior.value_a, abs=1e-12)
        assert mine.posterior.sd == pytest.approx(theirs.posterior.sd, rel=4 * np.sqrt(2 / 8_000))
        assert mine.verdict.better == pytest.approx(theirs.verdict.better, abs=4 * np.sqrt(0.5 / 4_000))


@pytest.mark.proof
def test_signed_ranks_from_counts() -> None:
    rows, sums = (rw.compare(_real(1), method="signed_rank", in_place=in_place) for in_place in (False, True))
    mine, theirs = sums.comparisons[0].verdict, rows.comparisons[0].verdict
    for region in ("better", "equivalent", "worse"):
        assert getattr(mine, region) == pytest.approx(getattr(theirs, region), abs=4 * 0.0013 * np.sqrt(2))


def test_signed_ranks_need_more_than_sums() -> None:
    with pytest.raises(MethodError, match="needs all 600 differences, but only their sums are known"):
        rw.compare(_real(1, "abcd"), method="signed_rank", in_place=True)


def test_the_same_model_twice() -> None:
    frame = _real(1).assign(b=lambda f: f["a"])
    report = rw.compare(frame, in_place=True)
    assert report.comparisons[0].verdict.name == "equivalent"
    # 600 differences of 0 leave (1 - r/R)^603 outside of the ROPE, which is a hundredth of the range.
    assert report.comparisons[0].verdict.equivalent == pytest.approx(1 - 0.99**603, rel=1e-9)


@pytest.mark.parametrize("tasks", [1, 12])
@pytest.mark.few(1)
def test_a_leaderboard_of_many_models(tasks: int) -> None:
    """The same joint posterior from the same sums, so the same draws."""
    frame = _real(tasks, "abcd")
    rows, sums = (rw.compare(frame, rope=0.05, in_place=in_place) for in_place in (False, True))
    assert [m.name for m in sums.models] == [m.name for m in rows.models]
    for mine, theirs in zip(sums.models, rows.models, strict=True):
        assert mine.p_best == pytest.approx(theirs.p_best, abs=0.002)
        assert mine.p_within_rope == pytest.approx(theirs.p_within_rope, abs=0.002)
        assert mine.rank == theirs.rank
    np.testing.assert_allclose(numbers_of(sums), numbers_of(rows), rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("in_place", [True, False])
def test_all_scores_are_looked_at_as_often_for_many_tasks_as_for_few(
    in_place: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    usual = scale.range_of
    monkeypatch.setattr(scale, "range_of", lambda *a: calls.append(1) or usual(*a))
    counts = []
    for tasks in (6, 30):
        calls.clear()
        rw.compare(_real(tasks), rope=0.05, higher_is_better=True, in_place=in_place)
        counts.append(len(calls))
    assert counts[0] == counts[1] > 0
