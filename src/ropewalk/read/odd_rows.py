"""Rows that may not be what they seem: failed requests, other judges, epochs of one run, shifted numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from ropewalk.data.arrays import Floats
from ropewalk.data.metrics import is_resource
from ropewalk.errors import listed, short
from ropewalk.read.block import Block
from ropewalk.read.pairing import Paired
from ropewalk.read.roles import compact, written
from ropewalk.read.table import Column, as_text, parsed

# Columns that count along a training run, where each score depends on the previous one.
_RUNNING = frozenset((
    "checkpoint", "ckpt", "epoch", "epochs", "globalstep", "step", "steps", "timestep", "timesteps",
    "trainingstep", "trainingsteps", "trainstep",
))  # fmt: skip
# The same only if the scores of every model rise or fall along the column; otherwise rows may be independent.
_NUMBERED = frozenset(
    ("episode", "episodes", "gameindex", "iter", "iteration", "iterations", "round", "rounds")
)
# Columns that number resamples of the same examples.
_RESAMPLED = re.compile(
    r"(boot(strap(ped)?)?|resample|jackknife|permutation|posteriordraw)(id|no|index|sample|run)?\d*"
)
_TREND = 0.5  # a rank correlation of at least this size is a trend
# Columns with the outcome of a request: in words, as a code, or as an error message.
_STATUS = frozenset((
    "finishreason", "outcome", "resultstatus", "runstatus", "state", "status", "stopreason",
))  # fmt: skip
_CODES = frozenset(("httpcode", "httpstatus", "responsecode", "statuscode"))
_EXITS = frozenset(("exitcode", "exitstatus", "returncode"))
_MESSAGES = frozenset(("error", "errormessage", "errormsg", "errortype", "exception", "stderr", "traceback"))
_FAILED = frozenset((
    "abort", "aborted", "cancelled", "canceled", "crash", "crashed", "err", "error", "errored", "exception",
    "fail", "failed", "failure", "killed", "oom", "timedout", "timeout",
))  # fmt: skip
# Columns of flags: 0 is a failure in the first set, 1 in the second.
_DONE = frozenset(("completed", "ok", "succeeded", "success", "successful"))
_NOT_DONE = frozenset((
    "crashed", "failed", "haserror", "iserror", "istimeout", "skipped", "timedout", "timeout",
))  # fmt: skip
_NOTHING = frozenset(("", "-", "0", "false", "n/a", "na", "nan", "no", "none", "null", "ok"))
# Columns that must agree for scores to be comparable, and the wording of the doubt.
_JUDGES = frozenset((
    "evaluator", "evaluatormodel", "grader", "gradermodel", "judge", "judgemodel", "judgename", "rubric",
    "rubricversion", "scorer", "scorerversion",
))  # fmt: skip
_MAXIMA = frozenset((
    "maxpoints", "maxscore", "outof", "pointspossible", "possible", "possiblepoints", "scale", "scoremax",
))  # fmt: skip
_DEVICES = frozenset(("accelerator", "device", "gpu", "gpuname", "gputype", "hardware", "instancetype"))
# Settings of a run. Different values explain different scores, and may be what is compared.
_SETTINGS = frozenset((
    "contextlength", "contextsize", "fewshot", "fewshots", "maxcontext", "maxgentoks", "maxlength",
    "maxnewtokens", "maxoutputtokens", "maxtokens", "nfewshot", "nshot", "nshots", "numfewshot", "numshots",
    "seqlen", "shots", "timelimit", "timeoutseconds",
))  # fmt: skip
_ALL = _STATUS | _CODES | _EXITS | _MESSAGES | _DONE | _NOT_DONE
_VARIED, _FOLLOWS = 10, 0.8  # number of different values; rank correlation with the truth
_ENOUGH, _RIGHT = 20, 0.5  # units, and the share of right answers, that make labels of a column
_SOME = 0.01  # share of a model's rows, and at least two rows


def doubts_on_rows(paired: Paired, values: Floats, metric: str, *, higher: bool) -> tuple[str, ...]:
    """Return doubts that other columns raise about the rows, which could reverse the answer."""
    return (
        *one_run(paired, values),
        *_resampled(paired),
        *_failed_rows(paired, values, higher=higher),
        *_measured_otherwise(paired, metric),
        *shifted(paired),
        *_a_truth(paired, values),
    )


def one_run(paired: Paired, values: Floats) -> tuple[str, ...]:
    """Return a doubt if the rows are the epochs of a training run."""
    named = [c for b in paired.blocks for c in b.named(r for r in paired.key.roles if r != "task")]
    if "row" in paired.key.roles:
        named += [c for b in paired.blocks for c in b.table.columns if c not in _outputs(b)]
    found = next((c for c in named if compact(c) in _RUNNING | _NUMBERED), None)
    if found is None or (compact(found) in _NUMBERED and not all(map(_has_trend, values.T))):
        return ()
    return (
        f"the rows are the values of `{short(found)}` in one training run: each score depends on the one "
        "before, and the answer is far too certain. Give the last score of several runs, in a column `seed`, "
        "or scores of single examples.",
    )


def _resampled(paired: Paired) -> Iterator[str]:
    """Yield a doubt if the rows are bootstrap samples: a thousand of them add nothing to the examples."""
    for block in paired.blocks:
        keys = block.named(r for r in paired.key.roles if r != "task")
        ids = [compact(str(c)) for k in keys for c in block.table.columns[k][block.rows][:3].tolist()]
        called = [*keys, *([] if keys else set(block.table.columns) - _outputs(block))]
        found = [c for c in called if _RESAMPLED.fullmatch(compact(c))]
        if found or (ids and all(map(_RESAMPLED.fullmatch, ids))):
            what = f"`{short(found[0])}`" if found else f'"{short(ids[0])}"'
            yield (
                f"the rows are resamples of the same examples, as {what} says: more of them are not more "
                "data, and the answer is far too certain. Give the score of each example, or the predictions."
            )
            return


def _has_trend(v: Floats) -> bool:
    """Whether scores rise or fall along the rows.

    >>> _has_trend(np.array([1.0, 2.0, 4.0, 3.0, 5.0])), _has_trend(np.array([3.0, 1.0, 5.0, 2.0, 3.5]))
    (True, False)
    """
    if v.size < 3 or not np.all(np.isfinite(v)) or np.ptp(v) == 0:
        return False
    return abs(_correlation(np.arange(v.size, dtype=np.float64), v)) >= _TREND


def _failed_rows(paired: Paired, values: Floats, *, higher: bool) -> Iterator[str]:
    """Yield doubts about models whose failed rows are not worse than the others: failures are fast."""
    models = list(dict.fromkeys(m for b in paired.blocks for m in b.columns))
    every = ((column, *own) for column, by_model in _columns(paired, _ALL) for own in by_model.items())
    for column, model, cells in every:
        failed = _failures(column, cells)
        x = values[:, models.index(model)]
        bad, good = x[failed & np.isfinite(x)], x[~failed & np.isfinite(x)]
        if bad.size < max(2, _SOME * x.size) or not good.size:
            continue
        if bad.mean() >= good.mean() if higher else bad.mean() <= good.mean():
            yield (
                f"{bad.size:,} of {x.size:,} rows of {short(model)} failed according to "
                f"`{short(column)}`, but their scores are not worse than the others: if they are not "
                "results, "
                "leave these cells empty and set --missing worst or --missing drop (missing=)."
            )


def _failures(column: str, cells: Column) -> NDArray[np.bool_]:
    """Return which rows failed, according to the cells of a column with this name.

    >>> _failures("status", np.array(["ok", "Timed out", "error"], dtype=object)).tolist()
    [False, True, True]
    >>> _failures("status_code", np.array([200, 503])).tolist()
    [False, True]
    """
    name, texts = compact(column), [str(c or "").strip().lower() for c in as_text(cells)]
    if name in _MESSAGES:
        return np.array([t not in _NOTHING for t in texts])
    numbers = parsed(np.array(texts, dtype=object))
    if name in _EXITS:
        return np.asarray(np.isfinite(numbers) & (numbers != 0))
    if name in _DONE | _NOT_DONE:
        return np.array(
            [t in (("0", "false", "no") if name in _DONE else ("1", "true", "yes")) for t in texts]
        )
    words = np.array([compact(t) in _FAILED for t in texts])
    return np.asarray(words | (numbers >= 400) & (numbers < 600))


def _measured_otherwise(paired: Paired, metric: str) -> Iterator[str]:
    """Yield doubts if the models have different judges, maximum scores or devices."""
    for names, what in (
        (_JUDGES, "were given by"),
        (_MAXIMA, "are out of"),
        (_DEVICES if is_resource(metric) else frozenset(), "were measured on"),
    ):
        for column, by_model in _columns(paired, names):
            for first, own, model, texts in _apart(by_model):
                yield (
                    f"the scores of {short(first)} {what} {listed(own)}, and those of {short(model)} {what} "
                    f"{listed(texts)} (`{short(column)}`): they can hardly be compared. If they can, "
                    "leave the column out."
                )
                return


def other_settings(paired: Paired) -> Iterator[str]:
    """Yield a caution if each model was run with other settings, such as the examples in its prompt."""
    for column, by_model in _columns(paired, _SETTINGS):
        for first, own, model, texts in _apart(by_model):
            yield (
                f"`{short(column)}` is {listed(own)} for {short(first)} and {listed(texts)} "
                f"for {short(model)}: the difference may come from that, and not from the models."
            )
            return


def shifted(paired: Paired) -> tuple[str, ...]:
    """Return a doubt if one model's rows are numbered from 0 and another's from 1."""
    if not paired.dropped or "row" in paired.key.roles:
        return ()
    ranges: dict[str, tuple[int, int]] = {}
    for block in paired.blocks:
        (column, *more) = block.named(r for r in paired.key.roles if r != "task") or [""]
        if more or not column or len(block.columns) != 1 or "task" in paired.parts:
            return ()
        numbers = parsed(block.table.columns[column][block.rows])
        if not np.all(np.isfinite(numbers)) or np.ptp(numbers) != len(numbers) - 1:
            return ()
        ranges[next(iter(block.columns))] = (int(numbers.min()), int(numbers.max()))
    if {low for low, _ in ranges.values()} != {0, 1} or len({b - a for a, b in ranges.values()}) != 1:
        return ()
    first = next(m for m, (low, _) in ranges.items() if low == 0)
    second = next(m for m, (low, _) in ranges.items() if low == 1)
    return (
        f"the rows of {short(first)} are numbered from 0 and those of {short(second)} from 1: if they are "
        "the same rows, each was paired with its neighbor. Use the same numbering in both.",
    )


def _a_truth(paired: Paired, values: Floats) -> Iterator[str]:
    """Yield a doubt if scores are equal for every model and another column follows them: predictions."""
    if np.any(values != values[:, :1]):
        return
    if np.unique(values[:, 0]).size <= _VARIED:
        yield from _a_true_label(paired, values[:, 0])
        return
    for block in paired.blocks:
        ((score, *_), *_) = block.columns.values()
        used = {*block.keys.values(), block.cluster, block.split}
        for column, cells in block.table.columns.items():
            if column == score or column in used or len(block.columns) != 1:
                continue
            x, y = parsed(cells[block.rows]), parsed(block.table.columns[score][block.rows])
            if np.all(np.isfinite(x)) and np.unique(x).size > _VARIED and _correlation(x, y) >= _FOLLOWS:
                yield (
                    f"`{short(score)}` is the same for every model, in all {len(values):,} units, and "
                    f"`{short(column)}` follows it: it is the truth rather than a score. Name it: "
                    f"{written('truth', score)}."
                )
                return


def _a_true_label(paired: Paired, score: Floats) -> Iterator[str]:
    """Yield a doubt if a column has the same values as the scores, but not the same for every model."""
    known = np.unique(score)
    if len(score) < _ENOUGH or known.size < 2:
        return
    for column, by_model in _columns(paired, None):
        of_models = [parsed(cells) for cells in by_model.values()]
        right = [float(np.mean(x == score)) for x in of_models]
        differ = any(np.any(x != of_models[0]) for x in of_models)
        if differ and min(right) > _RIGHT and all(np.all(np.isin(x, known)) for x in of_models):
            name = next(c for b in paired.blocks for (c, *_) in b.columns.values())
            yield (
                f"`{short(name)}` is the same for every model, in all {len(score):,} units, and "
                f"`{short(column)}` has the same values but differs between models: `{short(name)}` seems to "
                f"be the right answer. Name it: {written('truth', name)}."
            )
            return


def _correlation(x: Floats, y: Floats) -> float:
    first, second = (np.argsort(np.argsort(v)) for v in (x, y))
    return float(np.corrcoef(first, second)[0, 1])


def _columns(paired: Paired, names: frozenset[str] | None) -> Iterator[tuple[str, dict[str, Column]]]:
    """Yield the columns with these names, or all: name and cells by model."""

    def called(block: Block) -> list[str]:
        used = {*_outputs(block), *block.keys.values()}
        named = (c for c in block.table.columns if names is None or compact(c) in names)
        return [c for c in named if c not in used]

    return paired.by_model(called)


def _apart(by_model: Mapping[str, Column]) -> Iterator[tuple[str, list[str], str, list[str]]]:
    """Yield the first model and every other one whose texts are all different, with both models' texts."""
    texts = {m: {str(c).strip() for c in cells if c not in (None, "")} for m, cells in by_model.items()}
    (first, own), *others = texts.items()
    for model, said in others:
        if own and said and not own & said:
            yield first, sorted(own), model, sorted(said)


def _outputs(block: Block) -> set[str]:
    """Return the columns of scores, predictions or the truth."""
    truth = set() if block.truth is None else {block.truth}
    return truth | {c for columns in block.columns.values() for c in columns}
