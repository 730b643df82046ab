"""Careless files through both executors: what one refuses the other refuses, what one reads both read alike.

Without a second look the executor in place is on its own: then it may refuse more, but whatever it accepts
it must read as the reader in memory does.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Predictions, Scores, Summed
from ropewalk.errors import DataError, OptionError, RopewalkError
from ropewalk.read import sources, typed

Files: TypeAlias = dict[str, str | bytes]
N = 24


def table(header: str, *columns: list[Any], delimiter: str = ",") -> str:
    rows = [delimiter.join(map(str, row)) for row in zip(*columns, strict=True)]
    return "\n".join([header.replace(",", delimiter), *rows, ""])


IDS = list(range(1, N + 1))
TRUTH = ["cat" if i % 3 else "dog" for i in IDS]
SVM = ["cat" if i % 5 else "dog" for i in IDS]
FOREST = ["dog" if i % 4 == 1 else "cat" for i in IDS]
A = [i % 7 / 8 for i in IDS]
B = [i % 5 / 4 for i in IDS]
WIDE = table("id,label,svm,forest", IDS, TRUTH, SVM, FOREST)
SCORES = table("id,a,b", IDS, A, B)
LONG = table("model,id,score", ["a"] * N + ["b"] * N, IDS * 2, A + B)


def swapped(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def pair(first: str | bytes, second: str | bytes, suffix: str = ".csv") -> Files:
    return {f"a{suffix}": first, f"b{suffix}": second}


def json_lines(*columns: Sequence[object], keys: str = "id,score") -> str:
    names = keys.split(",")
    rows = (
        ", ".join(f'"{n}": {c}' for n, c in zip(names, row, strict=True))
        for row in zip(*columns, strict=True)
    )
    return "".join(f"{{{row}}}\n" for row in rows)


def scores(*cells: object) -> str:
    """One model's file with these scores first."""
    return table("id,score", IDS, [*cells, *A[len(cells) :]])


PLAIN = scores()
CASES: dict[str, Files] = {
    "plain wide labels": {"t.csv": WIDE},
    "plain wide scores": {"t.csv": SCORES},
    "plain long": {"t.csv": LONG},
    "plain pair": pair(PLAIN, scores(0.5, 0.25)),
    "an unknown label": {"t.csv": swapped(WIDE, "1,cat,cat", "1,cat,catt")},
    "unknown labels of one model": {"t.csv": table("id,label,svm,knn", IDS, TRUTH, SVM, ["katze"] * N)},
    "an unknown label in a model's file": pair(
        table("id,label,prediction", IDS, TRUTH, SVM),
        table("id,label,prediction", IDS, TRUTH, ["Cat", *FOREST[1:]]),
    ),
    "an empty prediction": {"t.csv": swapped(WIDE, "1,cat,cat", "1,cat,")},
    "an empty truth": {"t.csv": swapped(WIDE, "1,cat,cat", "1,,cat")},
    "labels 1.0 and 1": {
        "t.csv": table(
            "id,label,svm,knn", IDS, [i % 2 for i in IDS], [float(i % 3 == 0) for i in IDS], [1] * N
        )
    },
    "labels true and 1": {
        "t.csv": table("id,label,svm,knn", IDS, [i % 2 for i in IDS], ["true", *["False"] * (N - 1)], [1] * N)
    },
    "labels TRUE and 0.0": {
        "t.csv": table("id,label,svm,knn", IDS, ["TRUE", "false"] * 12, ["0.0", *["1"] * 23], ["True"] * N)
    },
    "a comment row on top": {"t.csv": "# made on Monday\n" + SCORES},
    "a comment row inside": {"t.csv": swapped(SCORES, "\n5,", "\n# halfway\n5,")},
    "a comment row of three fields": {"t.csv": swapped(SCORES, "\n5,", "\n#5,")},
    "a title line": {"t.csv": "My results\n" + SCORES},
    "two title lines": {"t.csv": "My results\n\n" + SCORES},
    "a thousand with an underscore": pair(scores("1_000"), PLAIN),
    "an underscore in a wide table": {"t.csv": table("id,a,b", IDS, ["1_0", *A[1:]], B)},
    "single quotes": pair(scores("'0.5'"), PLAIN),
    "single quotes around ids": pair(
        table("id,score", [f"'{i}'" for i in IDS], A), table("id,score", IDS, B)
    ),
    "single quotes around labels": {"t.csv": swapped(WIDE, "1,cat,cat", "1,cat,'cat'")},
    "single quotes with the delimiter": {"t.csv": swapped(WIDE, "1,cat,cat", "1,cat,'c,t'")},
    "a decimal comma": {"t.csv": table("id,a,b", IDS, A, B, delimiter=";").replace(".", ",")},
    "percent": pair(scores("85%"), PLAIN),
    "NA among scores": pair(scores("NA"), PLAIN),
    "NaN among scores": pair(scores("nan"), PLAIN),
    "infinity among scores": pair(scores("inf"), PLAIN),
    "an empty score": pair(scores(""), PLAIN),
    "true among scores": pair(scores("true", "False"), PLAIN),
    "scores that are words": pair(table("id,score", IDS, ["good"] * N), PLAIN),
    "Arabic digits": pair(scores("١"), PLAIN),
    "spaces around cells": {"t.csv": SCORES.replace(",", " , ")},
    "spaces after delimiters": {"t.csv": SCORES.replace(",", ", ")},
    "ids of one file as floats": pair(
        table("id,score", [f"{i}.0" for i in IDS], A), table("id,score", IDS, B)
    ),
    "some ids as floats": pair(table("id,score", ["1.0", "2.0", *IDS[2:]], A), table("id,score", IDS, B)),
    "ids with leading zeros": pair(table("id,score", [f"{i:03}" for i in IDS], A), table("id,score", IDS, B)),
    "versions as ids": pair(
        table("id,score", ["1.0", "1.10", "1.1", *IDS[3:]], A),
        table("id,score", ["1.0", "1.10", "1.1", *IDS[3:]], B),
    ),
    "an empty id": {"t.csv": swapped(SCORES, "\n5,", "\n,")},
    "an id of spaces": {"t.csv": swapped(SCORES, "\n5,", "\n  ,")},
    "a task of spaces": {"t.csv": table("id,task,a,b", IDS, ["x"] * 9 + ["  "] + ["y"] * (N - 10), A, B)},
    "a space inside of quotes": pair(table("id,score", ['" 1"', *IDS[1:]], A), table("id,score", IDS, B)),
    "spaces inside of quotes": {"t.csv": swapped(WIDE, "1,cat,cat", '" 1",cat," cat"')},
    "nothing but a space inside of quotes": {"t.csv": swapped(SCORES, "\n5,", '\n" ",')},
    "an id twice": {"t.csv": swapped(SCORES, "\n5,", "\n4,")},
    "an id twice that the other file lacks": pair(table("id,score", [*IDS, 99, 99], [*A, 0.5, 0.5]), PLAIN),
    "an id twice that the other models lack": {"t.csv": LONG + "c,1,0.5\nc,2,0.5\nc,99,0.5\nc,99,0.5\n"},
    "dates as ids": pair(
        table("id,score", [f"2024-01-{i:02}" for i in IDS], A),
        table("id,score", [f"2024-1-{i}" for i in IDS], B),
    ),
    "true and false as ids beside others": pair(
        table("id,score", ["true", "TRUE", *IDS[2:]], A), table("id,score", ["TRUE", "true", *IDS[2:]], B)
    ),
    "a label called NULL": {"t.csv": WIDE.replace("dog", "NULL")},
    "a quoted cell with a line break": {"t.csv": swapped(WIDE, "1,cat,cat", '"1\nx",cat,cat')},
    "a quote inside a cell": {"t.csv": swapped(WIDE, "1,cat,cat", '1"x,cat,cat')},
    "a quote that is never closed": {"t.csv": swapped(WIDE, "1,cat,cat", '"1,cat,cat')},
    "a row too long": {"t.csv": swapped(SCORES, "\n5,", "\n5,7,")},
    "a row too short": {"t.csv": swapped(SCORES, "\n5,", "\n")},
    "blank lines": {"t.csv": "\n\n" + SCORES.replace("\n", "\n\n")},
    "a cell of 200,000 characters": {"t.csv": swapped(WIDE, "1,cat,cat", f'"{"x" * 200_000}",cat,cat')},
    "a line of spaces": {"t.csv": swapped(SCORES, "\n5,", "\n   \n5,")},
    "line ends of two kinds": {"t.csv": swapped(SCORES, "\n5,", "\r\n5,")},
    "old line ends": {"t.csv": SCORES.replace("\n", "\r")},
    "a byte order mark": {"t.csv": b"\xef\xbb\xbf" + SCORES.encode()},
    "latin-1": {"t.csv": WIDE.replace("dog", "chien à poil").encode("latin-1")},
    "latin-1 late": {"t.csv": (WIDE + "99,caf\u00e9,cat,cat\n").encode("latin-1")},
    "utf-16": {"t.csv": SCORES.encode("utf-16")},
    "a zero byte": {"t.csv": WIDE.replace("dog", "d\x00g")},
    "two columns of one name": {"t.csv": swapped(SCORES, "id,a,b", "id,a,a")},
    "names that differ in their case": {"t.csv": swapped(SCORES, "id,a,b", "id,a,A")},
    "a column without a name": {"t.csv": swapped(SCORES, "id,a,b", ",a,b")},
    "every line ends in a delimiter": {"t.csv": SCORES.replace("\n", ",\n")},
    "no header": {"t.csv": SCORES.partition("\n")[2]},
    "a header alone": {"t.csv": "id,a,b\n"},
    "tabs": {"t.tsv": SCORES.replace(",", "\t")},
    "semicolons": {"t.csv": SCORES.replace(",", ";")},
    "bars": {"t.csv": SCORES.replace(",", "|")},
    "two metrics": pair(PLAIN.replace("score", "accuracy"), PLAIN.replace("score", "error")),
    "tasks in one file only": pair(table("id,task,score", IDS, ["x"] * N, A), PLAIN),
    "other units": pair(PLAIN, table("id,score", [i + 100 for i in IDS], B)),
    "some other units": pair(PLAIN, table("id,score", [i + 3 for i in IDS], B)),
    "a task that one model lacks": {
        "t.csv": table(
            "model,task,id,score",
            ["a"] * N + ["b"] * N,
            ["x"] * (N // 2) + ["y"] * (N // 2) + ["x"] * N,
            IDS * 2,
            A + B,
        )
    },
    "a task that one of three models lacks": {
        "t.csv": table(
            "model,task,id,score",
            ["a"] * N + ["b"] * N + ["c"] * (N // 2),
            (["x"] * (N // 2) + ["y"] * (N // 2)) * 2 + ["x"] * (N // 2),
            IDS * 2 + IDS[: N // 2],
            A + B + A[: N // 2],
        )
    },
    "one score a task": {
        "t.csv": table("task,id,a,b", [f"t{i}" for i in IDS], IDS, A, B),
    },
    "whole numbers that may be labels": {
        "t.csv": table("id,a,b", IDS, [i % 3 for i in IDS], [i % 2 for i in IDS])
    },
    "json": pair(json_lines(IDS, A), json_lines(IDS, B), ".jsonl"),
    "json ids as text and numbers": pair(
        json_lines([f'"{i}"' for i in IDS], A), json_lines(IDS, B), ".jsonl"
    ),
    "json ids as floats": pair(json_lines([f"{i}.0" for i in IDS], A), json_lines(IDS, B), ".jsonl"),
    "json dates as ids": pair(
        json_lines([f'"2024-01-{i:02}"' for i in IDS], A),
        json_lines([f'"2024-01-{i:02}T00:00:00"' for i in IDS], B),
        ".jsonl",
    ),
    "json scores as text": pair(json_lines(IDS, [f'"{a}"' for a in A]), json_lines(IDS, B), ".jsonl"),
    "json scores with true": pair(json_lines(IDS, ["true", *A[1:]]), json_lines(IDS, B), ".jsonl"),
    "json null": pair(json_lines(IDS, ["null", *A[1:]]), json_lines(IDS, B), ".jsonl"),
    "json NaN": pair(json_lines(IDS, ["NaN", *A[1:]]), json_lines(IDS, B), ".jsonl"),
    "json key twice": pair(
        json_lines(IDS, A) + '{"id": 77, "score": 1, "score": 0}\n',
        json_lines(IDS, B),
        ".jsonl",
    ),
    "json broken line": pair(json_lines(IDS, A) + '{"id": 77, "score"\n', json_lines(IDS, B), ".jsonl"),
    "json labels": {
        "t.jsonl": json_lines(
            IDS,
            [["true", "false"][i % 2] for i in IDS],
            ["1"] * N,
            ["0.0", *["1.0"] * (N - 1)],
            keys="id,label,svm,knn",
        )
    },
    "json unknown labels": {
        "t.jsonl": json_lines(
            IDS,
            [f'"{t}"' for t in TRUTH],
            [f'"{t}"' for t in SVM],
            ['"owl"', *[f'"{t}"' for t in SVM[1:]]],
            keys="id,label,svm,knn",
        )
    },
}


def outcome(paths: list[str], *, in_place: bool) -> dict[str, Any]:
    """What a reader makes of the files: the data in numbers, or the error."""
    try:
        data = rw.read(paths, in_place=in_place)
    except RopewalkError as error:
        return {"error": type(error).__name__, "says": str(error)}
    found = data.scores().as_accuracy() if isinstance(data, Predictions) else data
    assert isinstance(found, (Scores, Summed))
    a, b = found.models[:2]
    pairs = {}
    for task in found.tasks:
        sums = found.sums(a, b, task) if isinstance(found, Summed) else found.sums(a, b, task.name)
        pairs[task.name] = (sums.n, round(sums.mean, 12), round(sums.m2, 10))
    return {
        "models": found.models,
        "metric": found.metric,
        "higher": found.higher_is_better,
        "paired": data.audit.paired,
        "dropped": data.audit.dropped,
        "warnings": data.audit.warnings,
        "sums": dict(sorted(pairs.items(), key=lambda item: str(item[0]))),
    }


@pytest.fixture(params=CASES)
def paths(request: pytest.FixtureRequest, tmp_path: Path) -> list[str]:
    out = []
    for name, content in CASES[request.param].items():
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        out.append(str(path))
    return out


@pytest.mark.few(12)
def test_both_refuse_and_accept_the_same(paths: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """In place never accepts what memory refuses, nor reads otherwise; looked at again, both say the same."""
    here = outcome(paths, in_place=False)
    with monkeypatch.context() as patch:
        patch.setattr(sources, "_LOOK_AGAIN", 10**15)
        there = outcome(paths, in_place=True)
    if "error" in there:  # what is refused in place is looked at again
        there = outcome(paths, in_place=True)
    if "cannot be aggregated in place" not in there.get("says", ""):  # a design for which every row is needed
        assert there == here


@pytest.mark.few(10)
def test_large_csv_files_are_read_by_another_reader_and_nobody_notices(
    paths: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Columns of numbers straight from DuckDB, or of text from the standard library: also the same errors."""
    text = outcome(paths, in_place=False)
    monkeypatch.setattr(typed, "_LARGE", 0)
    assert outcome(paths, in_place=False) == text


@pytest.mark.parametrize("in_place", [True, False])
def test_unknown_labels_are_never_counted_as_wrong(in_place: bool, tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text(table("id,label,svm,knn", IDS, TRUTH, SVM, ["katze"] * N))
    with pytest.raises(DataError, match="does not occur in the truth") as caught:
        rw.read(tmp_path / "t.csv", in_place=in_place)
    assert "rows 1" in str(caught.value) or "row 1 (line 2)" in str(caught.value)


def test_missing_units_cannot_count_as_wrong_in_a_metric_of_sums(tmp_path: Path) -> None:
    path = tmp_path / "labels.csv"
    path.write_text("id,truth,a,b\n1,x,x,y\n2,y,y,y\n")
    with pytest.raises(OptionError, match="counting missing units as wrong in macro F1 needs every row"):
        rw.compare(path, truth="truth", metric="f1_macro", missing="worst", in_place=True)


@pytest.mark.parametrize("metric", [None, "auroc"])
def test_the_report_says_what_is_not_checked_where_rows_stay(
    metric: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both for scores and for a metric of the whole test set, and only for large files."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 400)
    for model in ("old", "new"):
        output = np.clip(0.3 + 0.4 * truth + 0.25 * rng.normal(size=400), 0, 1).round(3)
        frame = pd.DataFrame({"id": range(400), "label": truth, "prob": output})
        if metric is None:
            frame = frame.assign(correct=(output > 0.5) == truth)[["id", "correct"]]
        frame.to_parquet(tmp_path / f"{model}.parquet")
    paths = sorted(tmp_path.glob("*.parquet"))
    said = "single values, columns other than the questions and the order of the rows were not checked"
    assert said not in " ".join(rw.compare(paths, metric=metric).to_text().split())
    for room in ("files", "sources", "engines"):
        monkeypatch.setattr(import_module(f"ropewalk.read.{room}"), "MANY", 10)
    assert said in " ".join(rw.compare(paths, metric=metric).to_text().split())
