"""One whole and valid source for every reader, made by code: what the fuzzer starts from."""

from __future__ import annotations

import bz2
import contextlib
import csv
import gzip
import io
import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

Files = dict[str, bytes]  # path below a folder -> content
N = 6


def _csv(columns: dict[str, list[Any]], delimiter: str = ",", encoding: str = "utf-8") -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow(columns)
    writer.writerows(zip(*columns.values(), strict=True))
    return out.getvalue().encode(encoding)


def _lines(rows: list[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(r) + "\n" for r in rows).encode()


def _parquet(rows: list[dict[str, Any]], **options: Any) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet

    out = io.BytesIO()
    pyarrow.parquet.write_table(pa.Table.from_pylist(rows), out, **options)
    return out.getvalue()


LONG = {
    "model": ["a"] * N + ["b"] * N,
    "task": (["t"] * 3 + ["u"] * 3) * 2,
    "id": [str(i) for i in range(N)] * 2,
    "score": [0.1 * i for i in range(N)] + [0.15 * i for i in range(N)],
}
WIDE = {
    "id": list(range(N)),
    "svm": [0.5, 0.25, 1, 0.75, 0.5, 1],
    "forest": [0.5, 1, 0.5, 0.75, 0.25, 1],
    "site": ["p", "q", "r"] * 2,
}
FOLDS = {
    "model": ["a"] * 4 + ["b"] * 4,
    "fold": [1, 2, 3, 4] * 2,
    "accuracy": [0.5, 0.6, 0.7, 0.6, 0.7, 0.8, 0.6, 0.7],
}
LABELS = {
    "id": list(range(N)),
    "label": ["x", "y"] * 3,
    "svm": ["x", "x", "y", "y", "x", "y"],
    "forest": ["x", "y"] * 3,
}
CHANCES = {
    "id": list(range(N)),
    "label": [0, 1] * 3,
    "svm": [0.2, 0.8, 0.4, 0.6, 0.1, 0.9],
    "forest": [0.3, 0.7, 0.6, 0.4, 0.2, 0.7],
}
NUMBERS = {
    "id": list(range(N)),
    "truth": [0.5, 1.5, 2.5, 3.5, 4.5, 5.25],
    "svm": [1.0] * N,
    "forest": [0.5, 1.0, 3.0, 3.5, 4.0, 5.5],
}
COUNTS = {"task": ["t", "u"], "n00": [3, 4], "n01": [1, 2], "n10": [5, 0], "n11": [9, 8]}


def rows(columns: dict[str, list[Any]]) -> list[dict[str, Any]]:
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def two_files() -> Files:
    one = {"id": [1, 2, 3], "label": ["x", "y", "x"], "prediction": ["x", "y", "y"]}
    return {f"{m}.csv": _csv(one) for m in "ab"}


def lm_eval() -> Files:
    files = {}
    for m in "ab":
        row = {"doc": {"q": 1}, "target": "1", "arguments": [["p"]], "resps": [], "filtered_resps": []}
        more = {"filter": "none", "metrics": ["acc"], "doc_hash": "h", "prompt_hash": "p", "target_hash": "t"}
        samples = [{"doc_id": i, **row, **more, "acc": 1.0} for i in range(3)]
        files[f"{m}/samples_t_d.jsonl"] = _lines(samples)
        told = {"model_name": m, "n-shot": {"t": 1}, "n-samples": {"t": {"effective": 3}}}
        ways = {"higher_is_better": {"t": {"acc": True}}, "group_subtasks": {"g": ["t", "u"], "u": ["g"]}}
        files[f"{m}/results_d.json"] = json.dumps({"results": {"t": {}}, **told, **ways}).encode()
    return files


def _inspect(model: str) -> dict[str, Any]:
    scores = {"match": {"value": "C"}, "r": {"value": {"k": 1}}}
    samples = [
        {"id": i, "epoch": 1, "input": "q", "target": "t", "metadata": {"s": 1}, "scores": scores}
        for i in range(3)
    ]
    spec = {"task": "t", "model": model, "created": "d"}
    return {"version": 2, "status": "success", "eval": spec, "samples": samples}


def inspect_json() -> Files:
    return {f"{m}.json": json.dumps(_inspect(m)).encode() for m in "ab"}


def zipped(members: dict[str, Any], method: int) -> bytes:
    writer: Any = zipfile
    if method == 93:
        with contextlib.suppress(ImportError):  # Python 3.14 needs nothing
            from backports.zstd import zipfile as writer
    out = io.BytesIO()
    with writer.ZipFile(out, "w", method) as file:
        for name, content in members.items():
            body = content if isinstance(content, bytes) else json.dumps(content)
            file.writestr(writer.ZipInfo(name), body, method)  # without the time: the same bytes each time
    return out.getvalue()


def inspect_zip(method: int = zipfile.ZIP_DEFLATED) -> Files:
    files = {}
    for m in "ab":
        log = _inspect(m)
        parts = {"header.json": {**log, "samples": None}, "summaries.json": log["samples"]}
        files[f"{m}.eval"] = zipped(parts, method)
    return files


def inspect_journal() -> Files:
    files = {}
    for m in "ab":
        log = _inspect(m)
        parts = {f"samples/{i}_epoch_1.json": s for i, s in enumerate(log["samples"])}
        files[f"{m}.eval"] = zipped({"_journal/start.json": {**log, "samples": None}, **parts}, 0)
    return files


def lighteval(*, new: bool = True) -> Files:
    def row(i: int) -> dict[str, Any]:
        if new:
            doc = {"query": f"question {i}", "choices": ["a", "b"], "gold_index": [i % 2], "id": str(i)}
            return {"doc": doc, "model_response": {"text": ["..."]}, "metric": {"em": 1.0, "maj": [1.0]}}
        own = {"example": f"question {i}", "full_prompt": "few", "gold": ["a"], "choices": ["a", "b"]}
        return {**own, "predictions": ["a"], "metrics": {"em": 1.0, "maj": [1.0]}}

    return {f"details/{m}/d/details_t_d.parquet": _parquet([row(i) for i in range(4)]) for m in "ab"}


def helm() -> Files:
    files = {}
    for m in "ab":
        stat = {"name": {"name": "f1_score", "split": "test"}, "count": 1, "sum": 1, "mean": 1}
        each = [{"instance_id": f"i{i}", "train_trial_index": 0, "stats": [stat]} for i in range(3)]
        files[f"{m}/per_instance_stats.json"] = json.dumps(each).encode()
        spec = {"name": "t:model=x", "adapter_spec": {"model": m}}
        files[f"{m}/run_spec.json"] = json.dumps(spec).encode()
    return files


def openai_evals() -> Files:
    def lines(model: str) -> list[dict[str, Any]]:
        events = [
            {"sample_id": str(i), "type": "match", "data": {"correct": i > 0, "expected": "e"}}
            for i in range(3)
        ]
        return [{"spec": {"completion_fns": [model], "eval_name": "t"}}, *events, {"final_report": {}}]

    return {f"{m}.jsonl": _lines(lines(m)) for m in "ab"}


def mlflow() -> Files:
    table = {"columns": ["inputs", "targets", "f1/v1/score"], "data": [[f"q{i}", "t", 0.5] for i in range(3)]}
    return {f"{m}/eval_results_table.json": json.dumps(table).encode() for m in "ab"}


def cross_validate() -> Files:
    cut = {"train": [[0, 1], [2, 3], [0, 3]], "test": [[2, 3], [0, 1], [1, 2]]}
    run = {"fit_time": [1.0] * 3, "score_time": [1.0] * 3, "indices": cut, "test_accuracy": [0.5, 0.6, 0.7]}
    return {f"{m}.json": json.dumps(run).encode() for m in "ab"}


def _search() -> dict[str, list[Any]]:
    splits = {f"split{k}_test_score": [0.5, 0.6] for k in range(3)}
    times = {"mean_fit_time": [1, 1], "mean_score_time": [1, 1]}
    return {**times, "params": [{"C": 1}, {"C": 2}], "param_C": [1, 2], **splits}


def openml() -> Files:
    head = "% run\n@RELATION openml_task_59_predictions\n\n" + "".join(
        f"@ATTRIBUTE {n} NUMERIC\n" for n in ("repeat", "fold", "row_id")
    )
    head += "@ATTRIBUTE prediction {yes,'n o'}\n@ATTRIBUTE correct {yes,'n o'}\n"
    head += "@ATTRIBUTE confidence.yes NUMERIC\n@ATTRIBUTE 'confidence.n o' NUMERIC\n\n@DATA\n"
    said = ["yes" if i % 3 else "'n o'" for i in range(N)]
    body = "".join(f"0,{i % 2},{i},{word},yes,0.5,0.5\n" for i, word in enumerate(said))
    return {f"{m}.arff": (head + body).encode() for m in "ab"}


_WEKA = ("Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options", "Percent_correct")


def _weka_rows() -> list[tuple[Any, ...]]:
    return [
        (d, r, f, f"weka.{s}", "'-K 3, x'", 80 + r + f)
        for d in ("iris", "glass")
        for s in ("Bayes", "Tree")
        for r in (1, 2)
        for f in (1, 2)
    ]


def weka_csv() -> Files:
    body = "".join(",".join(map(str, row)) + "\n" for row in _weka_rows())
    return {"experiment.csv": (",".join(_WEKA) + "\n" + body).encode()}


def weka_arff() -> Files:
    head = "@relation results\n" + "".join(f"@attribute {n} string\n" for n in _WEKA) + "@data\n"
    body = "".join(",".join(map(str, row)) + "\n" for row in _weka_rows())
    return {"experiment.arff": (head + body).encode()}


def autogluon() -> Files:
    table = {
        "dataset": ["d", "d", "e", "e"] * 2,
        "fold": [0, 1] * 4,
        "framework": ["cat"] * 4 + ["forest"] * 4,
        "metric": ["auc"] * 8,
        "metric_error": [0.1, 0.2, 0.3, 0.2, 0.2, 0.1, 0.3, 0.4],
        "imputed": [False] * 7 + [True],
    }
    return {"results.csv": _csv(table)}


def mteb() -> Files:
    scores = {"test": [{"main_score": 0.5, "hf_subset": "default"}]}
    return {
        f"{m}/{t}.json": json.dumps(
            {"dataset_revision": "r", "task_name": t, "mteb_version": "1", "scores": scores}
        ).encode()
        for m in "ab"
        for t in "xyz"
    }


def every_eval_ever() -> Files:
    def row(m: str, i: int) -> dict[str, Any]:
        names = {"evaluation_id": "e", "model_id": m, "evaluation_name": "t", "sample_id": str(i)}
        return {**names, "sample_hash": "h", "evaluation": {"score": 0.5, "is_correct": True}}

    return {f"{m}.jsonl": _lines([row(m, i) for i in range(3)]) for m in "ab"}


def samples(tool: str) -> Files:
    """Files that a tool wrote."""
    folder = Path(__file__).parents[1] / "read" / "formats" / "samples"
    found = sorted((folder / tool).iterdir()) if (folder / tool).is_dir() else [folder / tool]
    return {path.name: path.read_bytes() for path in found}


def swe_bench() -> Files:
    counts = {"total_instances": 4, "resolved_instances": 2, "completed_ids": list("wxyz")}
    lists = {"resolved_ids": ["w", "x"], "unresolved_ids": ["y", "z"], "incomplete_ids": []}
    return {f"{m}.json": json.dumps({**counts, **lists}).encode() for m in "ab"}


def workbook() -> Files:
    import openpyxl

    book = openpyxl.Workbook()
    for row in [list(LABELS), *zip(*LABELS.values(), strict=True)]:
        book.active.append(row)
    out = io.BytesIO()
    book.save(out)
    return {"t.xlsx": out.getvalue()}


def archive() -> Files:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in two_files().items():
            packed.writestr(f"results/{name}", content)
    return {"t.zip": out.getvalue()}


DATASET = {"a": [0.5, 1.5, 2, 3], "b": ["u", "v", "u", ""], "target": ["x", "y", "x", "y"]}


def dataset_arff() -> Files:
    text = "@relation r\n@attribute a numeric\n@attribute 'b c' {u,v}\n@attribute class {x,y}\n@data\n"
    return {"d.arff": (text + "1,u,x\n2,'v',y\n?,u,x\n4,\"v\",y\n").encode()}


EXPERIMENT = b"""design = "2x5cv"
metrics = ["accuracy", "log_loss"]
seed = 0
stratified = true
timeout = 60
[algorithms]
bayes = "sklearn.naive_bayes.GaussianNB"
tree = { class = "sklearn.tree.DecisionTreeClassifier", min_samples_leaf = 2, select = { max_depth = [1, 2] } }
knn = ["sklearn.preprocessing.StandardScaler", { class = "sklearn.neighbors.KNeighborsClassifier" }]
[datasets]
iris = "iris"
hard = { sklearn = "iris", classes = [1, 2] }
mine = { file = "mine.csv", target = "target", drop = ["b"] }
sugar = { sklearn = "diabetes", above = "median" }
[compare]
rope = [-0.01, 0.01]
method = ["auto", "signed_rank"]
"""  # noqa: E501
POLICY = b"""[tool.ropewalk.gate]
margin = 0.01
probability = 0.9
on_undecided = "fail"
must_not_regress = ["safety"]
[tool.ropewalk.gate.margins]
safety = 0.0
"law and order" = 0.02
"""


def store() -> Files:
    fit = {"model": "a", "task": "t", "repeat": 0, "fold": 0, "random_state": 1, "split_hash": "s"}
    fit |= {"model_hash": "m", "data_hash": "d", "n_train": 9, "n_test": 3, "fit_seconds": 0.5}
    fit |= {"predict_seconds": 0.5, "chosen": "", "warning": "", "error": "", "accuracy": 0.5}
    told = {"schema": "ropewalk-experiment/1", "metrics": ["accuracy"], "design": "2x5cv"}
    told |= {"stratified": True, "algorithms": {}, "datasets": {}}
    return {
        "experiment.json": json.dumps(told).encode(),
        "journal.jsonl": _lines([{**fit, "fold": k} for k in range(3)]),
        "results.parquet": _parquet([{**fit, "fold": k} for k in range(3, 6)]),
    }


def ledger() -> Files:
    told = {"schema": "ropewalk-gate-ledger/1", "looks": {"base": ["first", "second"]}}
    return {"looks.json": json.dumps(told).encode()}


def _npz() -> bytes:
    return zipped({"a.npy": _npy(), "b.npy": _npy()}, zipfile.ZIP_STORED)


def _npy() -> bytes:
    out = io.BytesIO()
    np.save(out, np.arange(12.0).reshape(6, 2))
    return out.getvalue()


def _sqlite() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.db"
        connection = sqlite3.connect(path)
        connection.execute("create table scores (id, model, score)")
        connection.commit()
        connection.close()
        return path.read_bytes()


def _zstd(content: bytes) -> bytes:
    try:
        from compression import zstd
    except ImportError:
        from backports import zstd

    packed: bytes = zstd.compress(content)
    return packed


# What is not a table at all, under the name of one: refused by what it begins with.
FOREIGN: dict[str, Callable[[], bytes]] = {
    "array.npy": _npy,
    "arrays.npz": _npz,
    "base.csv": _sqlite,
    "packed.csv.bz2": lambda: bz2.compress(_csv(LONG)),
    "packed.json": lambda: _zstd(_csv(LONG)),
    "weights.csv": lambda: b"\x80\x04\x95\x1a\x00\x00\x00\x00\x00\x00\x00\x8c\x05posix\x8c\x06system\x93.",
}

# reader -> (door, files): "read" is rw.read of the folder, "file" of its only file, "in place" by DuckDB.
SEEDS: dict[str, tuple[str, Callable[[], Files]]] = {
    "csv long": ("file", lambda: {"t.csv": _csv(LONG)}),
    "csv wide": ("file", lambda: {"t.csv": _csv(WIDE)}),
    "csv folds": ("file", lambda: {"t.csv": _csv(FOLDS)}),
    "csv labels": ("file", lambda: {"t.csv": _csv(LABELS)}),
    "csv probabilities": ("file", lambda: {"t.csv": _csv(CHANCES)}),
    "csv numbers": ("file", lambda: {"t.csv": _csv(NUMBERS)}),
    "csv counts": ("file", lambda: {"t.csv": _csv(COUNTS)}),
    "csv, a file per model": ("read", two_files),
    "tsv": ("file", lambda: {"t.tsv": _csv(LONG, "\t")}),
    "semicolons": ("file", lambda: {"t.csv": _csv(LONG, ";")}),
    "utf-16": ("file", lambda: {"t.txt": _csv(LONG, "\t", "utf-16")}),
    "json lines": ("file", lambda: {"t.jsonl": _lines(rows(LONG))}),
    "json array": ("file", lambda: {"t.json": json.dumps(rows(LABELS)).encode()}),
    "parquet": ("file", lambda: {"t.parquet": _parquet(rows(LONG), compression="none")}),
    "parquet packed": ("file", lambda: {"t.parquet": _parquet(rows(LABELS), compression="zstd")}),
    "parquet plain": (
        "file",
        lambda: {"t.parquet": _parquet(rows(CHANCES), use_dictionary=False, compression="snappy")},
    ),
    "in place csv": ("in place", lambda: {"t.csv": _csv(LONG)}),
    "in place parquet": ("in place", lambda: {"t.parquet": _parquet(rows(LONG))}),
    "in place json": ("in place", lambda: {"t.jsonl": _lines(rows(LONG))}),
    "lm_eval": ("read", lm_eval),
    "inspect_ai json": ("read", inspect_json),
    "inspect_ai deflate": ("read", inspect_zip),
    "inspect_ai zstd": ("read", lambda: inspect_zip(93)),
    "inspect_ai unfinished": ("read", inspect_journal),
    "lighteval": ("read", lighteval),
    "lighteval old": ("read", lambda: lighteval(new=False)),
    "helm": ("read", helm),
    "openai_evals": ("read", openai_evals),
    "mlflow": ("read", mlflow),
    "sklearn cross_validate": ("read", cross_validate),
    "sklearn search": ("read", lambda: {"s.json": json.dumps(_search()).encode()}),
    "sklearn search csv": ("read", lambda: {"s.csv": _csv(_search())}),
    "openml": ("read", openml),
    "weka csv": ("read", weka_csv),
    "weka arff": ("read", weka_arff),
    "autogluon": ("read", autogluon),
    "mteb": ("read", mteb),
    "every_eval_ever": ("read", every_eval_ever),
    "promptfoo": ("file", lambda: samples("promptfoo.json")),
    "deepeval": ("read", lambda: samples("deepeval")),
    "ragas": ("read", lambda: samples("ragas")),
    "langsmith": ("read", lambda: samples("langsmith")),
    "swe_bench": ("read", swe_bench),
    "workbook": ("file", workbook),
    "gzip": ("file", lambda: {"t.csv.gz": gzip.compress(_csv(LONG))}),
    "zip of a folder": ("file", archive),
    "as large csv": ("as large", lambda: {"t.csv": _csv(LONG)}),
    "as large csv labels": ("as large", lambda: {"t.csv": _csv(LABELS)}),
    "dataset csv": ("dataset", lambda: {"d.csv": _csv(DATASET)}),
    "dataset arff": ("dataset", dataset_arff),
    "dataset parquet": ("dataset", lambda: {"d.parquet": _parquet(rows(DATASET))}),
    "experiment": ("experiment", lambda: {"e.toml": EXPERIMENT, "mine.csv": _csv(DATASET)}),
    "experiment results": ("store", store),
    "policy": ("policy", lambda: {"pyproject.toml": POLICY}),
    "ledger": ("ledger", ledger),
    **{
        f"foreign {name}": ("file", lambda name=name, make=make: {name: make()})  # type: ignore[misc]
        for name, make in FOREIGN.items()
    },
}
