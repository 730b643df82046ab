"""Sums taken where the data lie, in every engine, beside the rows read into memory."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pytest

import ropewalk as rw
from ropewalk import bayes, nhst
from ropewalk.data import Scores, Summed
from ropewalk.errors import CellError, DataError, PairingError, ReadError
from ropewalk.read import engines, in_place, joined, sources
from tests.read.large_tables import same_sums


def test_probabilities_are_no_labels() -> None:
    """A column of probabilities for each model: without a metric that counts them the rows are needed."""
    frame = pd.DataFrame({"id": range(4), "label": [0, 1, 0, 1], "a": [0.1, 0.8, 0.3, 0.9], "b": 0.5})
    with pytest.raises(DataError, match="cannot be aggregated in place"):
        rw.read(frame, in_place=True)


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_files_stay_on_the_disk(suffix: str, long: pd.DataFrame, tmp_path: Path) -> None:
    write = {".parquet": "to_parquet", ".csv": "to_csv", ".jsonl": "to_json"}[suffix]
    options = {".parquet": {}, ".csv": {"index": False}, ".jsonl": {"orient": "records", "lines": True}}
    paths = []
    for model, part in long.groupby("model"):
        paths.append(tmp_path / f"{model}{suffix}")
        getattr(part.drop(columns="model"), write)(paths[-1], **options[suffix])
    rows = rw.read([str(p) for p in paths])
    assert isinstance(rows, Scores)
    found = rw.read([str(p) for p in paths], in_place=True)
    assert isinstance(found, Summed)
    assert found.audit.inputs == rows.audit.inputs
    for task in found.tasks:
        assert found.sums("a", "b", task).mean == pytest.approx(rows.sums("a", "b", task.name).mean, abs=1e-9)


def test_large_files_stay_on_the_disk_by_themselves(
    long: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "long.parquet"
    long.to_parquet(path)
    assert isinstance(rw.read(path), Scores)
    monkeypatch.setattr(engines, "_LARGE", 1_000)
    monkeypatch.setattr(sources, "MANY", 1_000)
    assert isinstance(rw.read(path), Summed)
    assert isinstance(rw.read(path, in_place=False), Scores)


def test_lazy_frames_of_many_rows_are_not_fetched(
    long: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = pl.from_pandas(long).lazy()
    assert isinstance(rw.read(frame), Scores)
    monkeypatch.setattr(engines, "MANY", 1_000)
    assert isinstance(rw.read(frame), Summed)


def test_shards_are_parts_of_one_table(long: pd.DataFrame, tmp_path: Path) -> None:
    """Files called part-0, part-1, ... with other units each; files with other names are tasks."""
    one = long.drop(columns="task")
    for k in range(3):
        one[one.id % 3 == k].to_parquet(tmp_path / f"part-{k}.parquet")
    pattern = str(tmp_path / "part-*.parquet")
    rows = rw.read(pattern)
    assert isinstance(rows, Scores)
    assert len(rows.tasks) == 1
    same_sums(rw.read(pattern, in_place=True), rows, [("a", "b")])
    for k, name in enumerate(("gsm", "mmlu", "arc")):
        one[one.id % 3 == k].to_parquet(tmp_path / f"{name}.parquet")
    files = [str(tmp_path / f"{name}.parquet") for name in ("gsm", "mmlu", "arc")]
    found = rw.read(files, in_place=True)
    assert isinstance(found, Summed)
    assert {t.name for t in found.tasks} == {"gsm", "mmlu", "arc"}


@pytest.mark.few(3)
def test_a_million_values_around_1e9_keep_ten_digits(
    in_engine: Callable[[pd.DataFrame], Any], request: pytest.FixtureRequest
) -> None:
    """The oracle is NumPy in two passes, on differences that are whole quarters and so exact."""
    rng = np.random.default_rng(3)
    fast = request.node.callspec.params["in_engine"] in ("duckdb", "polars")
    n = 1_000_000 if fast else 20_000
    b = rng.integers(0, 8, n) / 4
    a = 1e9 + rng.integers(0, 40, n) / 4
    frame = pd.DataFrame({"id": np.arange(n), "a": a, "b": b})
    found = rw.read(in_engine(frame), in_place=True, model=["a", "b"])
    assert isinstance(found, Summed)
    sums, d = found.sums("a", "b", found.tasks[0]), a - b
    assert sums.mean == pytest.approx(d.mean(), rel=1e-15)
    assert sums.m2 == pytest.approx(float(((d - d.mean()) ** 2).sum()), rel=1e-10)


def test_a_task_far_from_the_others_gets_a_centre_of_its_own() -> None:
    """One task's differences are around 1e8 with spread 1, and the first rows know nothing of it."""
    rng = np.random.default_rng(4)
    n = 20_000
    a = np.concatenate([rng.normal(0, 1, n), 1e8 + rng.integers(0, 9, 500) / 4])
    frame = pd.DataFrame({"task": ["near"] * n + ["far"] * 500, "id": np.arange(n + 500), "a": a, "b": 0.0})
    found = rw.read(duckdb.from_df(frame), in_place=True, model=["a", "b"])
    assert isinstance(found, Summed)
    far = next(t for t in found.tasks if t.name == "far")
    d = a[n:]
    assert found.sums("a", "b", far).m2 == pytest.approx(float(((d - d.mean()) ** 2).sum()), rel=1e-10)


def test_right_and_wrong_in_the_first_rows_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A score of 0.5 in a later row makes them real-valued; nothing is lost."""
    monkeypatch.setattr(in_place, "SAMPLE", 50)
    rng = np.random.default_rng(5)
    frame = pd.DataFrame({"id": np.arange(100), "a": rng.integers(0, 2, 100), "b": rng.integers(0, 2, 100)})
    found = rw.read(frame, in_place=True)
    assert isinstance(found, Summed)
    assert found.is_binary
    frame["a"] = frame["a"].astype(float)
    frame.loc[80, "a"] = 0.5
    found = rw.read(frame, in_place=True)
    assert isinstance(found, Summed)
    assert not found.is_binary
    assert found.tasks[0].tally is not None
    with pytest.raises(rw.errors.MethodError, match="not 0 and 1, so right and wrong cannot be counted"):
        found.counts("a", "b", found.tasks[0])


@pytest.mark.parametrize("higher", [True, False])
def test_three_models(higher: bool) -> None:
    rng = np.random.default_rng(6)
    frame = pd.DataFrame(
        {"id": np.arange(400), **{m: rng.normal(i, 1 + i, 400) for i, m in enumerate("abc")}}
    )
    rows = rw.read(frame, higher_is_better=higher)
    assert isinstance(rows, Scores)
    found = rw.read(frame, higher_is_better=higher, in_place=True)
    same_sums(found, rows, [("a", "b"), ("c", "a"), ("b", "c")])
    cross = bayes.CrossSums.of(rows.tasks[0].values)
    np.testing.assert_allclose(found.tasks[0].covariance, cross.m2, rtol=1e-12)
    np.testing.assert_allclose(found.tasks[0].means, cross.mean, rtol=1e-12)


def test_the_tally_stands_for_the_differences(long: pd.DataFrame) -> None:
    """Ranks and the robust test from bins of 0.1 %, beside those of every difference."""
    rows = rw.read(long)
    assert isinstance(rows, Scores)
    found = rw.read(long, in_place=True)
    assert isinstance(found, Summed)
    for a, b in (("a", "b"), ("b", "a")):
        d = rows.differences(a, b, "x")
        tally = found.tally(a, b, found.tasks[0])
        assert tally is not None
        assert tally.counts.sum() == d.size
        spread = np.sqrt(rows.task("x").values.std(axis=0) @ rows.task("x").values.std(axis=0))
        nearest = np.repeat(tally.values, tally.counts) - np.sort(d)
        assert np.all(np.abs(nearest) <= (2 * spread + np.abs(np.sort(d))) / tally.fine)
        by_bins, by_rows = nhst.wilcoxon(tally.values, counts=tally.counts), nhst.wilcoxon(d)
        assert by_bins.z == pytest.approx(by_rows.z, abs=0.01)
        whole, binned = bayes.robust_t(d), bayes.robust_t(tally.values, counts=tally.counts)
        assert binned.mean == pytest.approx(whole.mean, abs=0.01 * whole.sd)
        assert binned.sd == pytest.approx(whole.sd, rel=0.01)


def test_two_clusters_of_one_unit_and_rows_without_one() -> None:
    a = pd.DataFrame({"id": [1, 2, 3], "cluster": ["p", "p", "q"], "score": [0.1, 0.2, 0.4]})
    with pytest.raises(PairingError, match="a and b differ in the cluster of 1 units"):
        rw.read({"a": a, "b": a.assign(cluster=["p", "q", "q"])}, in_place=True)
    with pytest.raises(CellError, match="b: 1 rows have no cluster"):
        rw.read({"a": a, "b": a.assign(cluster=["p", None, "q"])}, in_place=True)
    wide = a.rename(columns={"score": "a"}).assign(b=0.5, cluster=["p", None, "q"])
    with pytest.raises(CellError, match="the table: 1 rows have no cluster"):
        rw.read(wide, in_place=True)
    found = rw.read({"a": a, "b": a.drop(columns="cluster")}, in_place=True)
    assert isinstance(found, Summed)
    assert found.is_clustered


def test_bins_are_as_narrow_as_they_say() -> None:
    """Half of a thousandth of the scale, or of the difference where that is larger; zero is exact."""
    d = np.concatenate([[0.0, 1.0, -1.0], np.random.default_rng(3).standard_cauchy(4_000)])
    base = np.random.default_rng(4).normal(0.0, 1.0, d.size)
    frame = pd.DataFrame({"id": np.arange(d.size), "a": base + d, "b": base})
    d = frame.a - frame.b
    for source in (frame, pl.from_pandas(frame).lazy(), duckdb.from_df(frame)):
        found = rw.read(source, in_place=True)
        assert isinstance(found, Summed)
        tally = found.tally("a", "b", found.tasks[0])
        assert tally is not None
        assert tally.counts.sum() == d.size
        scale = float(np.hypot(frame.a.std(ddof=0), frame.b.std(ddof=0)))
        off = np.abs(np.repeat(tally.values, tally.counts) - np.sort(d))
        assert np.all(off <= 1.001 * np.maximum(scale, np.abs(np.sort(d))) / 2_000)
        assert np.any(tally.values == 0) == bool((d == 0).any())


@pytest.mark.few(3)
def test_a_score_that_is_no_number(in_engine: Callable[[pd.DataFrame], Any], long: pd.DataFrame) -> None:
    long = long.reset_index(drop=True)
    long.loc[3, "score"] = np.nan
    with pytest.raises(CellError, match="1 scores are missing, NaN or infinite"):
        rw.read(in_engine(long), in_place=True)


@pytest.mark.parametrize("value", [None, np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("unit", [3, 90])
@pytest.mark.parametrize("models", ["ab", "abc"])
@pytest.mark.few(4)
def test_no_missing_score_is_overlooked(value: float | None, unit: int, models: str) -> None:
    """Of every model, among shared units and those that only one model has. Oracle: the reader of rows."""
    for wrong in models:
        frame = pd.DataFrame(
            [(m, i, ((7 * i + ord(m)) % 11) / 10) for m in models for i in [*range(40), 90 * (m == wrong)]],
            columns=["model", "id", "score"],
        ).query("id != 0")
        frame["score"] = frame.score.mask((frame.model == wrong) & (frame.id == unit), value)
        with pytest.raises(CellError, match="1 cell of column `score` holds no finite number"):
            rw.read(frame)
        for source in (frame, pl.from_pandas(frame).lazy(), duckdb.from_df(frame)):
            with pytest.raises(CellError, match=f"{wrong}: 1 scores are missing, NaN or infinite"):
                rw.read(source, in_place=True)


def test_a_design_that_needs_every_row() -> None:
    folds = pd.DataFrame(
        {"model": list("aabb"), "repeat": 1, "fold": [1, 2, 1, 2], "score": [0.8, 0.7, 0.6, 0.7]}
    )
    with pytest.raises(DataError, match="cannot be aggregated in place"):
        rw.read(folds, in_place=True)


def test_too_many_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined, "_MOST_MODELS", 2)
    frame = pd.DataFrame({"model": list("abc") * 3, "id": np.repeat([1, 2, 3], 3), "score": np.arange(9) / 9})
    with pytest.raises(DataError, match="3 models with many rows each; at most 2"):
        rw.read(frame, in_place=True)


def test_a_file_that_breaks_off_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second look names row and line; a file that is too large for one has the line of the engine."""
    rows = [f"{i},{i % 7},{i % 5}" for i in range(60_000)]
    rows[50_000] = "1,2,3,4,5"
    (tmp_path / "late.csv").write_text("\n".join(["id,a,b", *rows, ""]))
    with pytest.raises(ReadError, match=r"row 50,001 \(line 50,002\): 5 fields"):
        rw.read(tmp_path / "late.csv", in_place=True)
    monkeypatch.setattr(sources, "_LOOK_AGAIN", 10**12)
    with pytest.raises(ReadError, match="the files cannot be read") as caught:
        rw.read(tmp_path / "late.csv", in_place=True)
    assert "CSV Error on Line: 50002" in str(caught.value)


def test_tasks_are_in_the_order_of_their_first_appearance(tmp_path: Path) -> None:
    rows = [(m, t, i, (i * 7 + len(t)) % 5) for m in ("b", "a") for t in ("wine", "iris") for i in range(4)]
    pd.DataFrame(rows, columns=["model", "task", "id", "score"]).to_csv(tmp_path / "t.csv", index=False)
    for where in (True, False):
        data = rw.read(tmp_path / "t.csv", in_place=where)
        assert (data.models, [t.name for t in data.tasks]) == (("b", "a"), ["wine", "iris"])


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_a_quote_in_the_name_of_a_file(suffix: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"id": range(9), "a": range(9), "b": [i % 4 for i in range(9)]})
    path = tmp_path / f"it's;--{suffix}"
    frame.to_csv(path, index=False) if suffix == ".csv" else frame.to_json(path, orient="records", lines=True)
    assert rw.read(path, in_place=True).audit.paired == 9
