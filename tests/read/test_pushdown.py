"""Sums taken where the data lie, in every engine, beside the rows read into memory."""

from __future__ import annotations

import sys
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
from ropewalk.data import Predictions, Scores, Summed
from ropewalk.errors import CellError, DataError, PairingError, ReadError
from ropewalk.grouped import ClusterSums
from ropewalk.read import engines, in_place, joined


@pytest.fixture
def long() -> pd.DataFrame:
    """Two models on three tasks, shuffled, with a few rows missing."""
    rng = np.random.default_rng(1)
    n = 600
    frame = pd.DataFrame(
        {
            "model": np.repeat(["a", "b"], n),
            "task": np.tile(np.array(["x", "y", "z"])[np.arange(n) % 3], 2),
            "id": np.tile(np.arange(n), 2),
            "score": np.concatenate([rng.normal(1.2, 1, n), rng.standard_t(3, n)]),
        }
    )
    return frame.sample(frac=1, random_state=0).iloc[:-7]


def _same(found: Any, rows: Scores, pairs: list[tuple[str, str]]) -> None:
    """n to the unit, mean and M2 to 1e-12 of the size of the scores."""
    assert isinstance(found, Summed)
    assert found.audit.paired == rows.audit.paired
    assert found.audit.dropped == rows.audit.dropped
    for task in found.tasks:
        for a, b in pairs:
            here, there = found.sums(a, b, task), rows.sums(a, b, task.name)
            assert here.n == there.n
            assert here.mean == pytest.approx(there.mean, abs=1e-12)
            assert here.m2 == pytest.approx(there.m2, rel=1e-12)


def test_a_long_table_in_every_engine(in_engine: Callable[[pd.DataFrame], Any], long: pd.DataFrame) -> None:
    rows = rw.read(long)
    assert isinstance(rows, Scores)
    found = rw.read(in_engine(long), in_place=True)
    _same(found, rows, [("a", "b"), ("b", "a")])
    assert [t.name for t in found.tasks] == ["x", "y", "z"]


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


def test_probabilities_are_no_labels() -> None:
    """A column of probabilities for each model: without a metric that counts them the rows are needed."""
    frame = pd.DataFrame({"id": range(4), "label": [0, 1, 0, 1], "a": [0.1, 0.8, 0.3, 0.9], "b": 0.5})
    with pytest.raises(DataError, match="cannot be summed in place"):
        rw.read(frame, in_place=True)


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
    _same(found, rows, [("a", "b")])


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
    monkeypatch.setattr(sys.modules["ropewalk.read.read"], "MANY", 1_000)
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
    _same(rw.read(pattern, in_place=True), rows, [("a", "b")])
    for k, name in enumerate(("gsm", "mmlu", "arc")):
        one[one.id % 3 == k].to_parquet(tmp_path / f"{name}.parquet")
    files = [str(tmp_path / f"{name}.parquet") for name in ("gsm", "mmlu", "arc")]
    found = rw.read(files, in_place=True)
    assert isinstance(found, Summed)
    assert {t.name for t in found.tasks} == {"gsm", "mmlu", "arc"}


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
    _same(found, rows, [("a", "b"), ("c", "a"), ("b", "c")])
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


# --- clusters ---------------------------------------------------------------------------------------------


def test_clusters_in_every_engine(in_engine: Callable[[pd.DataFrame], Any], long: pd.DataFrame) -> None:
    """Sums by cluster beside those of the rows in memory: sizes to the unit, means and M2 to 1e-12."""
    clustered = long.assign(cluster=[f"doc {i // 7}" for i in long.id])
    rows = rw.read(clustered)
    assert isinstance(rows, Scores)
    found = rw.read(in_engine(clustered), in_place=True)
    _same(found, rows, [("a", "b"), ("b", "a")])
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


# --- what cannot be paired ---------------------------------------------------------------------------------


def test_two_rows_of_one_unit(long: pd.DataFrame) -> None:
    twice = pd.concat([long, long.iloc[:2]])
    with pytest.raises(PairingError, match="some units have more than one row of a model"):
        rw.read(twice, in_place=True)
    wide = pd.DataFrame({"id": [1, 1, 2], "a": [0.1, 0.2, 0.3], "b": [0.2, 0.3, 0.5]})
    with pytest.raises(PairingError, match="3 rows and 2 units"):
        rw.read(wide, in_place=True)


def test_a_unit_twice_in_both_files_is_seen() -> None:
    """Two and two rows make four: n_a·n_b = n_a only where n_b is 1."""
    frame = pd.DataFrame({"model": list("aabbab"), "id": [1, 1, 1, 1, 2, 2], "score": np.arange(6) / 10})
    with pytest.raises(PairingError, match="more than one row of a model"):
        rw.read(frame, in_place=True)


def test_a_score_that_is_no_number(in_engine: Callable[[pd.DataFrame], Any], long: pd.DataFrame) -> None:
    long = long.reset_index(drop=True)
    long.loc[3, "score"] = np.nan
    with pytest.raises(CellError, match="1 scores are missing, NaN or infinite"):
        rw.read(in_engine(long), in_place=True)


def test_a_row_without_an_id(long: pd.DataFrame) -> None:
    frame = pl.from_pandas(long).with_columns(
        id=pl.when(pl.col("id") == 5).then(None).otherwise(pl.col("id"))
    )
    with pytest.raises(CellError, match="rows have no unit"):
        rw.read(frame, in_place=True)


def test_nothing_shared() -> None:
    a = pd.DataFrame({"id": [1, 2, 3], "score": [0.1, 0.2, 0.3]})
    with pytest.raises(PairingError, match="a and b share no unit"):
        rw.read({"a": a, "b": a.assign(id=[7, 8, 9])}, in_place=True)


def test_two_truths_for_one_unit() -> None:
    a = pd.DataFrame({"id": [1, 2, 3], "label": ["x", "y", "x"], "prediction": ["x", "x", "x"]})
    b = a.assign(label=["x", "x", "x"])
    with pytest.raises(PairingError, match="a and b differ in the truth of 1 units"):
        rw.read({"a": a, "b": b}, in_place=True)
    found = rw.read({"a": a, "b": b.drop(columns="label")}, in_place=True)
    assert isinstance(found, Summed)
    assert found.counts("a", "b", found.tasks[0]) == (1, 0, 0, 2)


def test_a_design_that_needs_every_row() -> None:
    folds = pd.DataFrame(
        {"model": list("aabb"), "repeat": 1, "fold": [1, 2, 1, 2], "score": [0.8, 0.7, 0.6, 0.7]}
    )
    with pytest.raises(DataError, match="cannot be summed in place"):
        rw.read(folds, in_place=True)


def test_too_many_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joined, "_MOST_MODELS", 2)
    frame = pd.DataFrame({"model": list("abc") * 3, "id": np.repeat([1, 2, 3], 3), "score": np.arange(9) / 9})
    with pytest.raises(DataError, match="3 models with many rows each; 2 at most"):
        rw.read(frame, in_place=True)


def test_a_file_that_breaks_off_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A second look names row and line; a file that is too large for one has the line of the engine."""
    rows = [f"{i},{i % 7},{i % 5}" for i in range(60_000)]
    rows[50_000] = "1,2,3,4,5"
    (tmp_path / "late.csv").write_text("\n".join(["id,a,b", *rows, ""]))
    with pytest.raises(ReadError, match=r"row 50,001 \(line 50,002\): 5 fields"):
        rw.read(tmp_path / "late.csv", in_place=True)
    monkeypatch.setattr(sys.modules["ropewalk.read.read"], "_LOOK_AGAIN", 10**12)
    with pytest.raises(ReadError, match="the files cannot be read") as caught:
        rw.read(tmp_path / "late.csv", in_place=True)
    assert "CSV Error on Line: 50002" in str(caught.value)


def _large(folder: Path, monkeypatch: pytest.MonkeyPatch, **files: pd.DataFrame) -> list[str]:
    """Files that are too large for a second look in memory."""
    monkeypatch.setattr(sys.modules["ropewalk.read.read"], "_LOOK_AGAIN", 10**15)
    for name, frame in files.items():
        frame.to_csv(folder / f"{name}.csv", index=False)
    return [str(folder / f"{name}.csv") for name in files]


def test_rows_are_found_in_files_that_do_not_fit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Looked up by another pass over the files: the same rows that the reader in memory names."""
    score = [str(x / 8) for x in range(30)]
    good = pd.DataFrame({"id": range(30), "score": score})
    bad = good.assign(score=[*score[:6], "n/a", *score[7:28], "", "inf"])
    files = _large(tmp_path, monkeypatch, a=good, b=bad)
    with pytest.raises(CellError) as there:
        rw.read(files, in_place=True)
    with pytest.raises(CellError) as here:
        rw.read(files, in_place=False)
    for row, cell in ((7, '"n/a"'), (29, "empty"), (30, '"inf"')):
        assert f"row {row}, `score`: {cell}" in str(there.value)
        assert f"row {row} (line {row + 1}): {cell}" in str(here.value)
    assert "a.csv row" not in str(there.value)


def test_units_that_come_twice_are_found_in_files_that_do_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = pd.DataFrame({"id": range(30), "score": range(30)})
    files = _large(tmp_path, monkeypatch, a=good, b=good.assign(id=[0, 1, 2, 3, 3, *range(5, 29), 28]))
    with pytest.raises(PairingError, match=r'b\.csv rows 4, 5: "3"') as error:
        rw.read(files, in_place=True)
    assert 'rows 29, 30: "28"' in str(error.value)


def test_unknown_labels_are_found_in_files_that_do_not_fit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = ["cat", "dog"] * 15
    table = pd.DataFrame(
        {"id": range(30), "label": truth, "svm": truth, "knn": [*truth[:8], "owl", *truth[9:]]}
    )
    (file,) = _large(tmp_path, monkeypatch, t=table)
    with pytest.raises(CellError, match=r't\.csv row 9, `knn`: "owl"'):
        rw.read(file, in_place=True)


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


@pytest.mark.parametrize("where", [True, False])
def test_units_of_a_task_that_a_model_lacks_whole_are_told_apart(where: bool, tmp_path: Path) -> None:
    own = {"a": {"x": 60, "y": 40, "z": 30}, "b": {"x": 60, "z": 30}}
    rows = [
        (m, t, i, (i * (3 if m == "a" else 5)) % 7 / 8)
        for m, tasks in own.items()
        for t, n in tasks.items()
        for i in range(n)
    ]
    path = tmp_path / "t.csv"
    pd.DataFrame(rows, columns=["model", "task", "id", "accuracy"]).to_csv(path, index=False)
    data = rw.read(path, in_place=where)
    assert [(d.reason, d.units, d.with_task) for d in data.audit.dropped] == [("only in a", 40, True)]
