"""Whatever is read, only our own errors come out, and what is accepted is sound."""

from __future__ import annotations

import csv
import importlib.util
import io
import itertools
import json
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ropewalk.data import Counts, Predictions, Scores
from ropewalk.errors import CellError, ColumnError, OptionError, ReadError, RopewalkError, did_you_mean
from ropewalk.experiment.file import read_experiment
from ropewalk.experiment.kept import outputs_path, read_outputs, save_outputs
from ropewalk.experiment.store import load
from ropewalk.experiment.work import Fit
from ropewalk.gate.policy import Policy
from ropewalk.read import read
from ropewalk.read.formats.arff import _cells


def survives(source: Any, **options: Any) -> bool:
    """Reading works or fails with a RopewalkError that says what is wrong."""
    try:
        data = read(source, **options)
    except RopewalkError as problem:
        error = problem
    else:
        return sound(data)
    assert error.what
    assert len(str(error)) < 4000
    return False


def sound(data: Any) -> bool:
    """What was accepted can be compared."""
    assert isinstance(data, (Scores, Predictions, Counts))
    if isinstance(data, Predictions):
        if data.kind == "numbers" and max(np.abs(x).max() for x in data.outputs.values()) > 1e60:
            return True  # its square is no score, which has a test of its own
        if data.kind == "scores":
            return all(np.isfinite(data.positive_score(m)).all() for m in data.models)
        data = data.scores()
    if isinstance(data, Scores):
        assert sum(len(t.units) for t in data.tasks) == data.audit.paired >= 2
        a, b = data.models[:2]
        for task in data.tasks:
            if data.shares(a, b, task):
                n = data.sums(a, b, task.name).n
                assert n == len(task.units) or (n < len(task.units) and data.has_gaps)
            else:
                assert data.has_gaps
            assert len(set(task.units)) == len(task.units)
    return True


def survives_files(contents: list[bytes], suffix: str = ".csv", **options: Any) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i, content in enumerate(contents):
            path = Path(folder) / f"m{i}{suffix}"
            path.write_bytes(content)
            paths.append(path)
        return survives(paths, **options)


_WORDS = """
    model task dataset id index seed fold split repeat run label truth prediction pred prob p_1 p_x p_y score
    accuracy loss correct metric value cluster n_test n_train n00 n01 n10 n11 svm forest a b
"""
NAMES = _WORDS.split()
HEADER = st.lists(
    st.sampled_from([*NAMES, "", "Unnamed: 0", "é", "x" * 300]), min_size=1, max_size=6, unique=True
)
CELL = st.one_of(
    st.sampled_from(
        ["0", "1", "2", "x", "y", "a", "b", "0.5", "1.0", "-1", "0.25", "true", "False", "", "nan", "f1"]
    ),
    st.sampled_from(
        ["inf", "1e400", "-inf", "NA", "0,5", "85%", " 1", "1_0", "١", "\u2028", "x" * 200, "9" * 400]
    ),
)


@st.composite
def tables(draw: st.DrawFn, cells: st.SearchStrategy[Any] = CELL) -> dict[str, list[Any]]:
    """A table of which each column draws from few values, so that units repeat and pair."""
    header = draw(HEADER)
    height = draw(st.integers(1, 8))
    columns = {}
    for name in header:
        some = draw(st.lists(cells, min_size=1, max_size=4))
        columns[name] = draw(st.lists(st.sampled_from(some), min_size=height, max_size=height))
    return columns


KEYS = {
    "model": ["a", "b", "c"],
    "task": ["t", "u"],
    "id": ["1", "2", "3.0"],
    "index": ["0", "1"],
    "repeat": ["1", "2"],
    "fold": ["1", "2"],
    "seed": ["7", "8"],
    "metric": ["f1"],
}
VALUES = [
    ["score"],
    ["loss", "cluster"],
    ["svm", "forest"],
    ["svm", "forest", "cluster"],
    ["label", "prediction"],
    ["label", "prediction", "cluster"],
    ["label", "svm", "forest"],
    ["label", "p_x", "p_y"],
    ["n00", "n01", "n10", "n11"],
    ["svm", "label", "value", "p_1"],
]
FITTING = {
    "p_x": ["0", "0.25", "1"],
    "p_y": ["1", "0.75", "0"],
    "p_1": ["0", "0.5", "1"],
    "cluster": ["p", "q"],
}
NUMBERS = [
    ["0", "1"],
    ["0.5", "0.25"],
    ["true", "false"],
    ["x", "y"],
    ["-3", "1e3"],
    ["1", "2", "3"],
    ["0.5", "1"],
]


@st.composite
def plausible(draw: st.DrawFn) -> dict[str, list[str]]:
    """What a person could have: every combination of a few keys, values that fit, and up to two odd cells."""
    keys = draw(st.lists(st.sampled_from(sorted(KEYS)), min_size=1, max_size=3, unique=True))
    columns: dict[str, list[str]] = {k: [] for k in keys}
    for row in itertools.product(*(KEYS[k] for k in keys)):
        for k, cell in zip(keys, row, strict=True):
            columns[k].append(cell)
    height = len(columns[keys[0]])
    some = draw(st.sampled_from(NUMBERS))
    truth = draw(st.sampled_from([some, some, ["0", "1"], ["x", "y"]]))
    for name in draw(st.sampled_from(VALUES)):
        cells = st.sampled_from(truth if name == "label" else FITTING.get(name, some))
        columns[name] = draw(st.lists(cells, min_size=height, max_size=height))
    for _ in range(draw(st.sampled_from([0, 0, 0, 1, 2]))):
        column = columns[draw(st.sampled_from(list(columns)))]
        column[draw(st.integers(0, height - 1))] = draw(CELL)
    return columns


@st.composite
def options_for(draw: st.DrawFn, columns: dict[str, list[Any]]) -> dict[str, Any]:
    """Now and then an option; mostly one that names a column which is there."""
    name = st.sampled_from([*columns, *columns, *columns, "nowhere"])
    every = {
        "by_position": st.booleans(),
        "higher_is_better": st.booleans(),
        "unit": name,
        "score": name,
        "truth": name,
        "cluster": name,
        "fold": name,
        "model": st.one_of(name, st.lists(name, max_size=3)),
        "positive": st.sampled_from(["x", "1", 0, True]),
        "labels": st.lists(st.sampled_from(["x", "z", 1])),
    }
    chosen = draw(st.lists(st.sampled_from(sorted(every)), max_size=2, unique=True))
    return {k: draw(every[k]) for k in chosen}


TABLE_AND_OPTIONS = st.one_of(tables(), plausible(), plausible()).flatmap(
    lambda columns: st.tuples(st.just(columns), options_for(columns))
)


def as_csv(columns: dict[str, list[Any]], delimiter: str = ",") -> bytes:
    buffer = io.StringIO()
    writer = csv.writer(buffer, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return buffer.getvalue().encode()


@settings(max_examples=60)
@given(
    st.lists(st.binary(max_size=200), min_size=1, max_size=2),
    st.sampled_from([".csv", ".parquet", ".jsonl", ""]),
)
def test_random_bytes(contents: list[bytes], suffix: str) -> None:
    survives_files(contents, suffix)


@settings(max_examples=40)
@given(st.binary(max_size=120), st.binary(max_size=60))
def test_random_parquet(middle: bytes, tail: bytes) -> None:
    survives_files([b"PAR1" + middle + b"PAR1" + tail])


@settings(max_examples=80)
@given(st.lists(st.text('id,;\t"\n\r1.x{}[]:', max_size=60), min_size=1, max_size=2))
def test_random_text(contents: list[str]) -> None:
    survives_files([c.encode() for c in contents])


@settings(max_examples=200)
@given(TABLE_AND_OPTIONS)
def test_tables(drawn: tuple[dict[str, list[Any]], dict[str, Any]]) -> None:
    columns, options = drawn
    survives_files([as_csv(columns)], **options)


@settings(max_examples=80)
@given(st.lists(tables(), min_size=2, max_size=3))
def test_different_tables(several: list[dict[str, list[Any]]]) -> None:
    survives_files([as_csv(columns) for columns in several])


@settings(max_examples=200)
@given(TABLE_AND_OPTIONS, st.lists(st.integers(0, 3), min_size=2, max_size=2), st.booleans())
def test_parts_of_one_table(
    drawn: tuple[dict[str, list[Any]], dict[str, Any]], cuts: list[int], narrower: bool
) -> None:
    columns, options = drawn
    parts = [{name: cells[cut:] for name, cells in columns.items()} for cut in cuts]
    if narrower and len(columns) > 1:
        parts[1].popitem()
    survives_files([as_csv(part) for part in parts], **options)


VALUE = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 2),
    st.integers(),
    st.floats(),
    st.sampled_from(["x", "y", "", "0.5"]),
)


@settings(max_examples=80)
@given(tables(st.one_of(VALUE, st.just([1]), st.just({"k": 1}))), st.booleans())
def test_random_json(columns: dict[str, list[Any]], array: bool) -> None:
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    content = json.dumps(rows) if array else "\n".join(json.dumps(row) for row in rows)
    survives_files([content.encode()], ".json")


@settings(max_examples=60)
@given(tables(VALUE))
def test_random_frames(columns: dict[str, list[Any]]) -> None:
    survives(pd.DataFrame(columns))
    try:
        frame = pl.DataFrame(columns, strict=False)
    except (OverflowError, pl.exceptions.PolarsError):  # polars 1.0 has no column for 2**63
        return
    survives(frame)


@settings(max_examples=60)
@given(
    st.dictionaries(
        st.one_of(st.text(max_size=3), st.integers()),
        st.one_of(VALUE, st.lists(VALUE, max_size=4), st.lists(st.floats(-1, 1), max_size=4).map(np.array)),
        max_size=4,
    )
)
def test_random_dicts(source: dict[Any, Any]) -> None:
    survives(source)


@settings(max_examples=50)
@given(st.recursive(VALUE, lambda inner: st.lists(inner, max_size=3), max_leaves=8))
def test_random_lists(source: Any) -> None:
    if not isinstance(source, str):
        survives(source)


def mutations() -> Any:
    """The fuzzer of `make calibrate`, which runs 100,000 files."""
    path = Path(__file__).parents[1] / "slow" / "fuzz.py"
    spec = importlib.util.spec_from_file_location("fuzz", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["fuzz"] = module  # its dataclasses look for it
    spec.loader.exec_module(module)
    return module


FUZZ = mutations()


@pytest.mark.parametrize("reader", FUZZ.SEEDS)
def test_mutated_files(reader: str, tmp_path: Path) -> None:
    """The first cases of each reader, the valid file before them; DuckDB is slow to start."""
    for package in ("pyarrow", "sklearn"):
        pytest.importorskip(package)
    said = FUZZ.outcome(reader, FUZZ.seed(reader), tmp_path / "seed")
    assert said == ("ReadError" if reader.startswith("foreign") else "answer")
    for number in range(2 if FUZZ._by_duckdb(reader) else 6):
        said = FUZZ.outcome(reader, FUZZ.mutated(reader, number), tmp_path / "case")
        assert not said.startswith("FAILED"), f"{reader}, case {number}: {said}"
        FUZZ.empty(tmp_path / "case")


# What the fuzzer has found, each with a small input of its own.


@pytest.mark.parametrize("value", ["9" * 5000, "[" * 5000])
def test_toml_with_a_number_or_a_nest_beyond_all_bounds(value: str, tmp_path: Path) -> None:
    path = tmp_path / "x.toml"
    path.write_text(f"seed = {value}\n")
    with pytest.raises(ReadError, match="is not TOML"):
        read_experiment(path)
    with pytest.raises(OptionError, match="is not TOML"):
        Policy.read(path)


def test_a_broken_store(tmp_path: Path) -> None:
    (tmp_path / "experiment.json").write_text("[" * 100_000)
    with pytest.raises(ReadError, match=r"experiment.json cannot be read"):
        load(tmp_path)
    (tmp_path / "experiment.json").write_text('{"schema": "ropewalk-experiment/1", "metrics": [""]}')
    with pytest.raises(ReadError, match="is not an experiment of this version"):
        load(tmp_path)
    told = {"schema": "ropewalk-experiment/1", "metrics": ["accuracy"], "design": "2x5cv"}
    (tmp_path / "experiment.json").write_text(json.dumps(told | {"stratified": True}))
    with pytest.raises(ReadError, match="lacks 'algorithms'"):
        load(tmp_path)
    told |= {"stratified": True, "algorithms": {}, "datasets": {}}
    (tmp_path / "experiment.json").write_text(json.dumps(told))
    (tmp_path / "journal.jsonl").write_text("[" * 100_000 + "\n")
    _, found = load(tmp_path)
    assert (found.fits, found.damage) == ({}, ("1 damaged lines in journal.jsonl (line 1)",))


def test_a_message_holds_no_tab(tmp_path: Path) -> None:
    path = tmp_path / "t.tsv"
    path.write_text('id\ta\n1\t"x"y\n2\tz\n')
    with pytest.raises(ReadError, match="cannot be read as a table") as caught:
        read(path)
    assert "\t" not in str(caught.value)


@pytest.mark.parametrize("byte", [b"\x00", b"\xff"])
def test_parquet_with_a_name_that_is_no_text(byte: bytes, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    parquet.write_table(arrow.table({"id": [1, 2], "svm": [0.5, 1.0], "forest": [0.5, 0.25]}), path)
    path.write_bytes(path.read_bytes().replace(b"svm", byte + b"vm"))
    with pytest.raises(ReadError, match="cannot be read as Parquet"):
        read(path)


def test_a_count_that_no_float_can_count(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"n00,n01,n10,n11\n1,2,{'9' * 300},4\n")
    with pytest.raises(CellError, match="1 cell of column `n10` holds no count"):
        read(path)


def test_time_grows_with_the_size_and_not_with_its_square(tmp_path: Path) -> None:
    """Each took a minute or more."""
    began = time.process_time()
    n = 50_000
    wide = tmp_path / "wide.csv"
    wide.write_text(",".join(f"m{i}" for i in range(n)) + ",m5\n" + ",".join("1" * (n + 1)) + "\n")
    with pytest.raises(ColumnError, match='more than one column called "m5"'):
        read(wide)
    models = tmp_path / "models.csv"
    models.write_text("model,id,score\n" + "".join(f"m{i // 2},{i % 2},0.5\n" for i in range(12_000)))
    assert isinstance(read(models), Scores)
    assert _cells("'a',x" + " " * 100_000 + "y") == ["a", "x" + " " * 100_000 + "y"]
    long = ["x" * 20_000 + str(i) for i in range(50)]
    assert did_you_mean("x" * 20_000, long).startswith("Known: ")
    assert time.process_time() - began < 20


@pytest.mark.parametrize("suffix", [".csv", ".jsonl"])
def test_a_number_whose_square_is_none_summed_in_place(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"t{suffix}"
    rows = [{"model": m, "id": i, "score": 0.25 * i if m == "a" else 1e308} for m in "ab" for i in range(3)]
    path.write_bytes(
        as_csv({k: [r[k] for r in rows] for k in rows[0]})
        if suffix == ".csv"
        else "".join(json.dumps(r) + "\n" for r in rows).encode()
    )
    with pytest.raises(CellError, match=r"3 of 6 scores are beyond 1e\+140"):
        read(path, in_place=True)


def test_a_few_kilobytes_of_parquet_that_fill_the_memory(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    word = arrow.DictionaryArray.from_arrays(arrow.array([0] * 10_000, arrow.int32()), ["x" * 10_000_000])
    path = tmp_path / "t.parquet"
    parquet.write_table(arrow.table({"id": word, "a": word}), path, compression="zstd")
    assert path.stat().st_size < 10_000
    with pytest.raises(ReadError, match=r"unpacks to 10,000 rows of 2 columns, which do not fit"):
        read(path)


def test_parquet_that_only_looks_like_a_log_of_lighteval(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    arrow = pytest.importorskip("pyarrow")
    path = tmp_path / "t.parquet"
    parquet.write_table(arrow.table({"my doc": [1], "my metric": [1], "my model_response": [1]}), path)
    with pytest.raises(ReadError, match='has none of the columns "doc", "metric", "example", … '):
        read(path)


def test_a_margin_that_is_no_float(tmp_path: Path) -> None:
    path = tmp_path / "policy.toml"
    path.write_text(f"margin = {10**400}\n")
    with pytest.raises(OptionError, match="the margin is 1000") as caught:
        Policy.read(path)
    assert len(str(caught.value)) < 300


WEKA = "key_dataset,Key_RUN,\ufeffKey_Fold,Key_Scheme,Percent_correct\n"


def test_names_in_another_case(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(WEKA + "".join(f"d,{r},{f},{m},8{r}\n" for r in "12" for f in "12" for m in "ab"))
    data = read(path)
    assert isinstance(data, Scores)
    assert data.models == ("a", "b")


@pytest.mark.parametrize(
    ("name", "text", "lacking"),
    [
        (
            "t.arff",
            "% @attribute row_id\n@attribute prediction\n@attribute correct\n@data\n1,1\n",
            "row_id",
        ),
        ("t.csv", "\ufeff\ufeffdataset,fold,framework,metric_error\nd,1,a,0.1\n", "dataset"),
        (
            "w.arff",
            "@attribute Key_Dataset\n% @attribute Key_Run @attribute Key_Scheme\n@data\nd\n",
            "Key_Run",
        ),
    ],
)
def test_a_log_without_a_column_that_its_beginning_speaks_of(
    name: str, text: str, lacking: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(text)
    with pytest.raises(ReadError, match=f'has no column called "{lacking}"'):
        read(path)


def test_outputs_of_a_fit_with_any_byte_exchanged(tmp_path: Path) -> None:
    names = dict.fromkeys(("model", "task", "split_hash", "model_hash", "data_hash"), "x")
    numbers = dict.fromkeys(("repeat", "fold", "random_state", "n_train", "n_test"), 1)
    fit = Fit(**names, **numbers, values={})  # type: ignore[arg-type]
    (tmp_path / "outputs").mkdir()
    path = outputs_path(tmp_path, fit)
    save_outputs(path, {"labels": np.array(["x", "y"]), "p": np.arange(6.0)})
    whole, refused = path.read_bytes(), 0
    for number in range(150):
        rng = random.Random(number)
        path.write_bytes(FUZZ.cut(rng, whole, b"") if number % 5 == 0 else FUZZ.flip(rng, whole, b""))
        try:
            read_outputs(tmp_path, fit)
        except ReadError:
            refused += 1
    assert refused > 75


def test_a_workbook_of_which_a_part_is_encrypted(tmp_path: Path) -> None:
    openpyxl = pytest.importorskip("openpyxl")
    path = tmp_path / "x.xlsx"
    book = openpyxl.Workbook()
    book.active.append(["id", "a", "b"])
    book.active.append([1, 0.5, 0.4])
    book.save(path)
    content = bytearray(path.read_bytes())
    at = content.rfind(b"xl/_rels/workbook.xml.rels")  # in the directory at the end, 46 bytes after its entry
    content[at - 46 + 8] |= 1
    path.write_bytes(content)
    with pytest.raises(ReadError, match="cannot be read as an Excel workbook"):
        read(path)
