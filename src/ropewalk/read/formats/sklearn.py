"""scikit-learn: what cross_validate returns, and cv_results_ of a search; as objects, JSON or CSV."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ropewalk.data.audit import Input
from ropewalk.errors import ReadError, short
from ropewalk.read.formats.exports import read_export
from ropewalk.read.formats.file import File, as_dict, as_list, canonical, digest, plain_number
from ropewalk.read.formats.rows import log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table, as_text, parsed

NAME = "scikit-learn"

_JSON_HEAD = re.compile(rb'\s*\{.*"(mean_)?fit_time"\s*:\s*\[', re.DOTALL)
_TEST = re.compile(r"test_(.+)")
_SPLIT_TEST = re.compile(r"split(\d{1,6})_test_(.+)")
_TIMES = ("fit_time", "score_time")


def recognises(file: File) -> bool:
    """Check for JSON with the fit times of the splits, or the header line of a saved cv_results_."""
    if _JSON_HEAD.match(file.head):
        return b'score_time"' in file.head
    header = file.head.split(b"\n", 1)[0]
    return b"split0_test_" in header and b"params" in header


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per file; a file of one cross-validation is named after its model."""
    out = []
    for file in files:
        if file.head.lstrip()[:1] != b"{":
            out += cv_results_table(read_export(file))
            continue
        document, source = file.json()
        found = _tables(as_dict(document), file, source)
        if not found:
            raise ReadError(
                f"{short(file.name)} has no test scores of single splits",
                hint='Save what cross_validate returned ({"fit_time": [...], "test_score": [...]}), or '
                "cv_results_.",
            )
        out += found
    return out


def from_objects(source: Mapping[Any, Any]) -> list[Table]:
    """Convert cv_results_, or {model: result of cross_validate}; none for anything else."""
    keys = [k for k in source if isinstance(k, str)]
    if len(keys) < len(source):
        return []
    return _tables(source, File(path="", name="the dict", stem="model"), None)


def cv_results_table(table: Table) -> list[Table]:
    """Convert a frame or CSV file made from cv_results_; none for anything else."""
    known = {*table.columns, *table.skipped}  # columns of dicts, such as a frame's params, were set aside
    if "params" not in known or not any(_SPLIT_TEST.fullmatch(c) for c in table.columns):
        return []
    file = File(path="", name=table.name, stem=table.stem)
    cells = {c: parsed(v).tolist() for c, v in table.columns.items() if _SPLIT_TEST.fullmatch(c)}
    return [_search(_candidates(table), cells, file, table.input)]


def _candidates(table: Table) -> list[str]:
    """Name the candidates from one column per parameter: C=1, kernel=rbf."""
    each = {c.removeprefix("param_"): as_text(v) for c, v in table.columns.items() if c.startswith("param_")}
    if not each and "params" in table.columns:
        return list(as_text(table.columns["params"]))
    rows = ({name: cells[i] for name, cells in each.items() if cells[i]} for i in range(table.height))
    return [_params(row) for row in rows]


def _tables(source: Mapping[str, Any], file: File, found_in: Input | None) -> list[Table]:
    if "params" in source and any(_SPLIT_TEST.fullmatch(k) for k in source):
        cells = {k: _numbers(v) for k, v in source.items() if _SPLIT_TEST.fullmatch(k)}
        return [_search([_params(p) for p in _listed(source["params"])], cells, file, found_in)]
    if _is_cross_validation(source):
        return [_cross_validation(source, file.stem, file, found_in)]
    if source and all(isinstance(v, Mapping) and _is_cross_validation(v) for v in source.values()):
        return [_cross_validation(v, model, file, found_in) for model, v in source.items()]
    return []


def _is_cross_validation(found: Mapping[Any, Any]) -> bool:
    return all(t in found for t in _TIMES) and any(isinstance(k, str) and _TEST.fullmatch(k) for k in found)


def _numbers(values: Any) -> list[float]:
    """Return the scores of the splits, NaN for anything that is not a number; use of a NaN is reported."""
    numbers = (plain_number(v) for v in _listed(values))
    return [float("nan") if n is None else n for n in numbers]


def _listed(values: Any) -> list[Any]:
    """Convert an array, a list or a tuple to a list; anything else gives an empty one."""
    if isinstance(values, tuple):
        return list(values)
    return as_list(values.tolist() if isinstance(values, np.ndarray) else values)


def _params(params: Any) -> str:
    """Name a candidate by its parameters: C=1, kernel=rbf."""
    if isinstance(params, Mapping):
        return ", ".join(f"{k}={v}" for k, v in params.items()) or "default"
    return str(params)


# --- one cross-validation of one model -------------------------------------------------------------------


def _cross_validation(found: Mapping[str, Any], model: str, file: File, source: Input | None) -> Table:
    scores = {m[1]: _numbers(v) for k, v in found.items() if (m := _TEST.fullmatch(k))}
    folds = {len(v) for v in scores.values()}
    if len(folds) > 1:
        raise ReadError(f"{short(model)}: the metrics have different numbers of splits: {sorted(folds)}")
    k = folds.pop()
    splits = _splits(found.get("indices"), k, file.name)
    columns: dict[str, list[Any]] = {
        "model": [model] * k * len(scores),
        "metric": [metric for metric in scores for _ in range(k)],
        "score": [v for values in scores.values() for v in values],
        **{name: list(cells) * len(scores) for name, cells in splits.items()},
    }
    same = {"split": "split_hash"} if "split_hash" in splits else {}
    return log_table(file, columns, source=source, log=Log(format=NAME, same=same))


def _splits(indices: Any, k: int, name: str) -> dict[str, list[Any]]:
    """Number the splits; `indices` also gives the repeat, the sizes and a hash of the rows."""
    found = indices if isinstance(indices, Mapping) else {}
    train, test = ([_whole(part) for part in _listed(found.get(side))] for side in ("train", "test"))
    if len(train) != k or len(test) != k:
        return {"fold": list(range(k))}
    return {
        **_rounds(test),
        "n_test": [len(t) for t in test],
        "n_train": [len(t) for t in train],
        "split_hash": [
            digest(canonical([sorted(a), sorted(b)], name)) for a, b in zip(train, test, strict=True)
        ],
    }


def _whole(part: Any) -> list[int]:
    cells = _listed(part)
    if not cells or not all(isinstance(i, int) for i in cells):
        raise ReadError("the indices of a split are not whole numbers", hint="Save them as they are.")
    return cells


def _rounds(test: Sequence[Sequence[int]]) -> dict[str, list[Any]]:
    """Number the rounds: disjoint test sets form one round; rounds that cover the same rows are repeats."""
    rounds: list[list[set[int]]] = []
    for rows in map(set, test):
        if not rounds or any(rows & before for before in rounds[-1]):
            rounds.append([])
        rounds[-1].append(rows)
    covered = {frozenset().union(*folds) for folds in rounds}
    if len({len(folds) for folds in rounds}) > 1 or len(covered) > 1:  # random splits: no two form a round
        return {"repeat": list(range(len(test))), "fold": list(range(len(test)))}
    return {
        "repeat": [r for r, folds in enumerate(rounds) for _ in folds],
        "fold": [f for folds in rounds for f in range(len(folds))],
    }


# --- a search: the candidates are the models -------------------------------------------------------------


def _search(
    names: Sequence[str], cells: Mapping[str, Sequence[float]], file: File, source: Input | None
) -> Table:
    columns: dict[str, list[Any]] = {c: [] for c in ("model", "fold", "metric", "score")}
    for key, values in cells.items():
        split = _SPLIT_TEST.fullmatch(key)
        assert split is not None
        if len(values) != len(names):
            raise ReadError(f"{len(names):,} candidates, but `{short(key)}` has {len(values):,} values")
        columns["model"] += names
        columns["fold"] += [int(split[1])] * len(names)
        columns["metric"] += [split[2]] * len(names)
        columns["score"] += values
    return log_table(file, columns, source=source, log=Log(format=NAME))
