"""lm-evaluation-harness 0.4: samples_TASK_DATE.jsonl, a row per example and filter, and results_DATE.json."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ropewalk.data.audit import Input
from ropewalk.errors import PairingError, ReadError, listed, short
from ropewalk.read.formats.file import File, as_dict, canonical, digest, plain_number
from ropewalk.read.formats.lm_eval_results import EvalRun, folder, group_notes, innermost, members, runs_of
from ropewalk.read.formats.rows import (
    by_name,
    log_table,
    metadata_columns,
    newest,
    no_metric,
    older_note,
    skipped_notes,
)
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "lm-evaluation-harness"

_SAMPLES = re.compile(r"samples_(?P<task>.+)_(?P<date>[^_]+)\.jsonl")
_RESULTS = re.compile(r"results_.+\.json")
_SAMPLE_HEAD = re.compile(rb'\s*\{\s*"doc_id"\s*:')
_RESULTS_HEAD = re.compile(rb'\s*\{\s*"results"\s*:\s*\{')
_RESULTS_KEYS = (b'"alias"', b'"higher_is_better"', b'"n-samples"', b'"group_subtasks"', b'"n-shot"')
# Fields of a row that are not metrics, for versions that do not list the metrics.
_FIELDS = {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
_FIELDS |= {"doc_hash", "prompt_hash", "target_hash"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Samples:
    """One samples file: its model, its task, and its date."""

    file: File
    folder: str
    task: str
    date: str
    run: EvalRun | None
    model: str = ""


@dataclass(slots=True)
class _Answered:
    """The parts of a row that are kept; prompts and answers are dropped."""

    line: int
    doc: str
    target: str
    prompt: str
    values: dict[str, Any]
    fields: dict[str, Any]


def recognises(file: File) -> bool:
    """Check for a first row that begins with doc_id and has answers, or for the keys of a results file."""
    head, name = file.head, Path(file.path).name
    if _SAMPLE_HEAD.match(head):
        # If the first document is long, the answers may be beyond the first bytes.
        return b'"filtered_resps"' in head or _SAMPLES.fullmatch(name) is not None
    return _RESULTS_HEAD.match(head) is not None and (
        _RESULTS.fullmatch(name) is not None or any(key in head for key in _RESULTS_KEYS)
    )


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per model and task: the latest run of each."""
    samples = [f for f in files if _SAMPLE_HEAD.match(f.head)]
    if not samples:
        raise ReadError(
            f"{short(files[0].name)} has totals only, and no scores of single examples to pair",
            hint="Run lm_eval with --log_samples, and give the folder that it writes.",
        )
    runs = runs_of([f for f in files if not _SAMPLE_HEAD.match(f.head)])
    every = _with_models([_described(f, runs) for f in samples])
    latest, older = newest(every, key=lambda s: (s.model, s.task), date=lambda s: s.date)
    groups = {g: within for s in latest if s.run for g, within in s.run.groups.items()}
    tasks = {s.task for s in latest}
    totals = {t for t in tasks if members(t, groups) & tasks - {t}}  # groups whose tasks are present too
    latest = [s for s in latest if s.task not in totals]
    of_task = innermost(groups, tasks - totals)
    notes = [*group_notes(groups, of_task), *older_note([s.file.name for s in older])]
    if totals:
        notes.append(
            f"left out, because they are groups of tasks that are also listed: {listed(sorted(totals))}"
        )
    first, *others = (_table(s) for s in latest)
    assert first.log is not None
    log = replace(first.log, notes=(*notes, *first.log.notes), groups=of_task)
    return [replace(first, log=log), *others]  # information about the whole log goes with the first table


def _described(file: File, runs: Mapping[tuple[str, str], EvalRun]) -> _Samples:
    named = _SAMPLES.fullmatch(Path(file.path).name)
    where = folder(file)
    task, date = (named["task"], named["date"]) if named else (Path(file.path).stem, "")
    return _Samples(file=file, folder=where, task=task, date=date, run=runs.get((where, date)))


def _with_models(samples: Sequence[_Samples]) -> list[_Samples]:
    """Take the model's name from the results file of the same date; folder names if two folders share it."""
    of_folder = defaultdict(set)
    for s in samples:
        if s.run is not None and s.run.model is not None:
            of_folder[s.folder].add(s.run.model)
    told = [_told(s, of_folder[s.folder]) for s in samples]
    for depth in (1, 2):  # folders with the same name are told apart by their parent folder
        where = defaultdict(set)
        for s, name in zip(samples, told, strict=True):
            where[name].add(s.folder)
        told = [
            "/".join(Path(s.folder).parts[-depth:]) if len(where[name]) > 1 else name
            for s, name in zip(samples, told, strict=True)
        ]
    return [replace(s, model=name) for s, name in zip(samples, told, strict=True)]


def _told(sample: _Samples, of_folder: Set[str]) -> str:
    """Name a run without results: the folder's only model, or the folder's name."""
    if sample.run is not None and sample.run.model is not None:
        return sample.run.model
    return next(iter(of_folder)) if len(of_folder) == 1 else Path(sample.folder).name


def _table(sample: _Samples) -> Table:
    objects, source = sample.file.json_lines()
    rows: dict[tuple[str, str], _Answered] = {}
    again = 0
    for line, found in objects:
        if not isinstance(found.get("doc_id"), (int, str)):
            raise ReadError(
                f"{short(sample.file.name)}, line {line:,}: no doc_id", hint="Every row needs its example."
            )
        key = str(found["doc_id"]), str(found.get("filter", "none"))
        row = _row(line, found)
        before = rows.pop(key, None)  # the last one counts, at its position in the file
        if before is not None:
            again += 1
            _same_example(sample, key[0], before, row)
        rows[key] = row
    if not rows:
        raise ReadError(f"{short(sample.file.name)} has no rows", hint="Is the file complete?")
    metrics, skipped = _metrics(rows)
    if not metrics:
        raise no_metric(sample.file, skipped)
    return _long(sample, rows, metrics, skipped, _warnings(sample, rows, again), source)


def _row(line: int, found: Mapping[str, Any]) -> _Answered:
    listed_metrics = found.get("metrics")
    names = listed_metrics if isinstance(listed_metrics, list) else [k for k in found if k not in _FIELDS]
    return _Answered(
        line=line,
        doc=_hash(found, "doc"),
        target=_hash(found, "target"),
        prompt=_hash(found, "prompt", of="arguments"),
        fields={k: v if not isinstance(v, str) else v[:200] for k, v in as_dict(found.get("doc")).items()},
        values={str(m): found.get(m) if isinstance(m, str) else None for m in names},
    )


def _hash(found: Mapping[str, Any], what: str, of: str | None = None) -> str:
    """Return the tool's own hash, or compute one for versions that had no hashes."""
    told = found.get(f"{what}_hash")
    return told if isinstance(told, str) and told else digest(canonical(found.get(of or what), what))


def _same_example(sample: _Samples, doc_id: str, before: _Answered, row: _Answered) -> None:
    if (before.doc, before.target) != (row.doc, row.target):
        raise PairingError(
            f'{short(sample.file.name)}: two different examples have the doc_id "{short(doc_id)}"',
            where=[f"lines {before.line:,} and {row.line:,}"],
            hint="A rerun may repeat an example, but not put another in its place: run the task again.",
        )


def _metrics(rows: Mapping[tuple[str, str], _Answered]) -> tuple[list[str], dict[str, str]]:
    """Return the metrics with one number per example, by name and filter, and the others with the reason."""
    names: dict[str, None] = {}
    skipped: dict[str, str] = {}
    for (_, filtered), row in rows.items():
        for metric, value in row.values.items():
            name = _name(metric, filtered)
            names[name] = None
            if plain_number(value) is None:
                what = (
                    "a list"
                    if isinstance(value, list)
                    else "no number"
                    if value is None
                    else "text or an object"
                )
                skipped.setdefault(name, f"{what} for an example, not one number")
    return [n for n in names if n not in skipped], skipped


def _name(metric: str, filtered: str) -> str:
    return metric if filtered == "none" else f"{metric},{filtered}"


def _long(
    sample: _Samples,
    rows: Mapping[tuple[str, str], _Answered],
    metrics: Sequence[str],
    skipped: Mapping[str, str],
    warnings: tuple[str, ...],
    source: Input,
) -> Table:
    """Return one row per example, filter and metric."""
    known = set(metrics)
    cells = [
        (doc_id, name, plain_number(value), row.doc, row.target, row.prompt, row)
        for (doc_id, filtered), row in rows.items()
        for metric, value in row.values.items()
        if (name := _name(metric, filtered)) in known
    ]
    height = len(cells)
    names = ("doc_id", "metric", "score", "doc_hash", "target_hash", "prompt_hash", "row")
    columns = {"model": [sample.model] * height, "task": [sample.task] * height, **by_name(names, cells)}
    answered: Sequence[_Answered] = columns.pop("row")
    columns |= metadata_columns([row.fields for row in answered])
    alike = {"prompt": "prompt_hash"}
    shots = None if sample.run is None else sample.run.shots.get(sample.task)
    if isinstance(shots, int):
        columns["n_shot"] = [shots] * height
        alike = {"number of shots": "n_shot", **alike}
    ways = {} if sample.run is None else as_dict(sample.run.higher_is_better.get(sample.task))
    return log_table(
        sample.file,
        columns,
        lines=[row.line for row in answered],
        source=source,
        log=Log(
            format=NAME,
            notes=tuple(skipped_notes(skipped, sample.task)),
            warnings=warnings,
            higher_is_better={
                m: way for m in metrics if isinstance(way := ways.get(m.partition(",")[0]), bool)
            },
            same={"document": "doc_hash", "target": "target_hash"},
            alike=alike,
        ),
    )


def _warnings(sample: _Samples, rows: Mapping[tuple[str, str], _Answered], again: int) -> tuple[str, ...]:
    who = f"{short(sample.task)}, {short(sample.model)}"
    out = []
    if again:
        out.append(
            f"{who}: {again:,} row{'s are' if again > 1 else ' is'} repeated (was it run again into the same "
            "file?); the last of each is used"
        )
    promised = None if sample.run is None else as_dict(sample.run.samples.get(sample.task)).get("effective")
    examples = len({doc_id for doc_id, _ in rows})
    if isinstance(promised, int) and examples < promised:
        out.append(f"{who}: {examples:,} of the {promised:,} examples that were run are in the file")
    return tuple(out)
