"""inspect_ai: one log per task and model, as .json or as .eval (a zip of JSON members)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ropewalk.data.audit import Input
from ropewalk.errors import PairingError, ReadError, short
from ropewalk.read.formats.archive import Archive, Room, opened
from ropewalk.read.formats.file import File, as_dict, as_list, canonical, digest, plain_number
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

NAME = "inspect_ai"

_JSON_HEAD = re.compile(rb'\s*\{\s*"version"\s*:\s*\d+\s*,\s*"status"\s*:\s*"')
_ZIP = b"PK\x03\x04"
_MEMBERS = (b"_journal/start.json", b"header.json", b"summaries.json")
# CORRECT, INCORRECT, PARTIAL, NOANSWER
_LETTERS = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
_KEPT = ("id", "epoch", "input", "target", "scores", "metadata")  # without the messages
_WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}


@dataclass(frozen=True, slots=True, kw_only=True)
class _EvalLog:
    file: File
    source: Input
    model: str
    task: str
    created: str
    status: str
    samples: list[dict[str, Any]]


def recognises(file: File) -> bool:
    """Check for a document that begins with version and status, or a zip with the members of a log."""
    if file.head.startswith(_ZIP):
        return Path(file.path).suffix == ".eval" or any(m in file.head for m in _MEMBERS)
    return _JSON_HEAD.match(file.head) is not None and b'"eval"' in file.head


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per model and task: the latest log of each."""
    room = Room()
    logs = _told_apart([_from_zip(f, room) if f.head.startswith(_ZIP) else _from_json(f) for f in files])
    kept, older = newest(logs, key=lambda log: (log.model, log.task), date=lambda log: log.created)
    notes = older_note([log.file.name for log in older])
    return [_table(log, notes if log is kept[0] else []) for log in kept]


def _from_json(file: File) -> _EvalLog:
    document, source = file.json()
    log = as_dict(document)
    return _log(file, source, log, as_list(log.get("samples")))


def _from_zip(file: File, room: Room) -> _EvalLog:
    with opened(file, room) as archive:
        header = "header.json" if "header.json" in archive.names else "_journal/start.json"
        if header not in archive.names:
            raise ReadError(f"{short(file.name)} is not a log of inspect_ai: it has no header.json")
        return _log(file, file.source(), as_dict(archive.json(header)), list(_samples(archive)))


def _samples(archive: Archive) -> Iterator[Any]:
    """Yield the samples: from the summaries of a finished log, otherwise from what was written so far."""
    if "summaries.json" in archive.names:
        yield from as_list(archive.json("summaries.json"))
        return
    journal = [n for n in archive.names if re.fullmatch(r"_journal/summaries/\d+\.json", n)]
    for name in journal:
        yield from as_list(archive.json(name))
    if not journal:
        for name in archive.names:
            if re.fullmatch(r"samples/.+\.json", name):
                yield archive.json(name, keep=_KEPT)


def _log(file: File, source: Input, header: Mapping[str, Any], samples: list[Any]) -> _EvalLog:
    spec = as_dict(header.get("eval"))
    model, task = spec.get("model"), spec.get("task")
    if not isinstance(model, str) or not isinstance(task, str):
        raise ReadError(f"{short(file.name)} does not say which model and task it is about")
    if not samples:
        raise ReadError(
            f"{short(file.name)} has no samples to pair",
            hint="Totals cannot be compared: run inspect without --no-log-samples.",
        )
    return _EvalLog(
        file=file,
        source=source,
        model=model,
        task=task,
        created=str(spec.get("created", "")),
        status=str(header.get("status", "started")),
        samples=[as_dict(s) for s in samples],
    )


def _told_apart(logs: list[_EvalLog]) -> list[_EvalLog]:
    """Give several logs of a single model different names: these are settings to compare, not reruns."""
    times = Counter(log.task for log in logs)
    if len({log.model for log in logs}) > 1 or max(times.values()) == 1:
        return logs
    return [replace(log, model=f"{log.model} ({log.file.stem})") for log in logs]


def _table(log: _EvalLog, notes: Sequence[str]) -> Table:
    metadata = metadata_columns([as_dict(s.get("metadata")) for s in log.samples])
    names = ("model", "task", "id", "repeat", "metric", "score", "target", "input_hash", *metadata)
    rows: list[tuple[Any, ...]] = []
    scored = [(s, as_dict(s.get("scores"))) for s in log.samples]
    skipped = _skipped(scores for _, scores in scored)
    seen: set[tuple[str, str]] = set()
    for i, (sample, scores) in enumerate(scored):
        key = _key(log, sample)
        if key in seen:
            raise PairingError(
                f'{short(log.file.name)}: the sample "{short(key[0])}" occurs twice in epoch {short(key[1])}',
                hint="Ids must be unique within a data set: give the samples ids of their own.",
            )
        seen.add(key)
        target, asked = (_text(sample.get(part), log.file) for part in ("target", "input"))
        for metric, value in _values(scores):
            if metric in skipped:
                continue
            cells = (log.model, log.task, *key, metric, number(value), target, digest(asked))
            rows.append((*cells, *(m[i] for m in metadata.values())))
    if skipped and not rows:
        raise no_metric(log.file, skipped)
    if not rows and log.status != "success":
        raise ReadError(
            f"{short(log.file.name)}: the run ended with the status {short(log.status)}, and no sample has a "
            "score",
            hint="Run the task again.",
        )
    return log_table(
        log.file,
        by_name(names, rows),
        source=log.source,
        log=Log(
            format=NAME,
            notes=(*notes, *skipped_notes(skipped, log.task)),
            warnings=_warnings(log, sum(not scores for _, scores in scored)),
            higher_is_better=_letters(scores for _, scores in scored),
            same={"target": "target"},
            alike={"input": "input_hash"},
        ),
    )


def _key(log: _EvalLog, sample: Mapping[str, Any]) -> tuple[str, str]:
    if not isinstance(sample.get("id"), (int, str)) or sample["id"] == "":
        raise ReadError(f"{short(log.file.name)}: a sample has no id", hint="Every sample needs its id.")
    return str(sample["id"]), str(sample.get("epoch", 1))


def _values(scores: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the value of each scorer; a scorer with several values has one entry for each."""
    for scorer, score in scores.items():
        value = as_dict(score).get("value")
        if isinstance(value, dict):
            yield from ((f"{scorer}/{key}", v) for key, v in value.items())
        else:
            yield scorer, value


def _skipped(samples: Iterator[dict[str, Any]]) -> dict[str, str]:
    """Return the scorers whose values are not numbers, and why."""
    out: dict[str, str] = {}
    for scores in samples:
        for metric, value in _values(scores):
            if number(value) is None:
                what = "a list" if isinstance(value, list) else "no number"
                out.setdefault(metric, f"{what} for a sample")
    return out


def _letters(samples: Iterator[dict[str, Any]]) -> dict[str, bool]:
    """Return the direction of letter grades: C is correct, so higher is better."""
    return {m: True for scores in samples for m, value in _values(scores) if value in ("C", "I")}


def number(value: Any) -> float | None:
    """Convert a score's value to a number as inspect_ai does.

    >>> number("C"), number("P"), number(True), number("0.25"), number([1])
    (1.0, 0.5, 1.0, 0.25, None)
    """
    if not isinstance(value, str):
        return plain_number(value)
    known = _LETTERS.get(value, _WORDS.get(value.lower()))
    if known is None and re.fullmatch(r"-?\d{1,15}(\.\d{1,15})?", value):
        return float(value)
    return known


def _text(value: Any, file: File) -> str:
    return value if isinstance(value, str) else canonical(value, file.name)


def _warnings(log: _EvalLog, without: int) -> tuple[str, ...]:
    who = f"{short(log.task)}, {short(log.model)}"
    out = []
    if log.status != "success":
        out.append(f"{who}: the run did not finish (status: {short(log.status)})")
    if without:
        out.append(f"{who}: {without:,} sample{'s have' if without > 1 else ' has'} no score (errors?)")
    return tuple(out)
