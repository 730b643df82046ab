"""promptfoo: the JSON that `promptfoo eval -o results.json` writes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File, as_dict, as_list, canonical, digest, plain_number
from ropewalk.read.formats.rows import by_name, log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "promptfoo"

_HEAD = re.compile(rb'\s*\{(\s*"evalId"\s*:\s*[^,]{0,200},)?\s*"results"\s*:\s*\{\s*"version"\s*:\s*\d')
_ERROR = 2  # failureReason of a row whose provider or assertion could not be run
_MEASURED = {"latency_ms": "latencyMs", "cost": "cost"}


def recognises(file: File) -> bool:
    """Check for an evaluation with the version of its results."""
    return _HEAD.match(file.head) is not None


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per file, which may contain several providers and prompts."""
    return [_table(file) for file in files]


def _table(file: File) -> Table:
    document, source = file.json()
    rows = [as_dict(r) for r in as_list(as_dict(as_dict(document).get("results")).get("results"))]
    if not rows:
        raise ReadError(
            f"{short(file.name)} has no results of single tests",
            hint="Write them with promptfoo eval -o results.json.",
        )
    rows.sort(key=lambda r: tuple(plain_number(r.get(k)) or 0.0 for k in ("promptIdx", "testIdx")))
    models = _models(rows, file)
    scored: list[tuple[Any, ...]] = []
    times: Counter[tuple[str, str]] = Counter()
    broken: Counter[str] = Counter()
    for row in rows:
        model = models[str(row.get("promptIdx"))]
        case = as_dict(row.get("testCase"))
        unit = digest(canonical([row.get("vars"), case.get("description")], file.name))
        times[model, unit] += 1  # equal variables are a repeat (--repeat), or a second test with them
        broken[model] += row.get("failureReason") == _ERROR
        asked = digest(canonical(case.get("assert"), file.name))
        for metric, value in _scores(row):
            scored.append((model, unit, times[model, unit], metric, value, asked))
    return log_table(
        file,
        by_name(("model", "id", "repeat", "metric", "score", "assertions"), scored),
        source=source,
        log=Log(
            format=NAME,
            notes=("tests are paired by their variables and description",),
            warnings=tuple(
                f"{short(m)}: {n:,} test{'s' if n > 1 else ''} ended in an error, counted as failed"
                for m, n in broken.items()
                if n
            ),
            higher_is_better={"pass": True, "score": True, "latency_ms": False, "cost": False},
            same={"assertions": "assertions"},
        ),
    )


def _models(rows: Sequence[Mapping[str, Any]], file: File) -> dict[str, str]:
    """Return the provider of each result column, with the prompt if a provider has several."""
    found: dict[str, tuple[str, str]] = {}
    for row in rows:
        provider = as_dict(row.get("provider"))
        name = provider.get("label") or provider.get("id")
        if not isinstance(name, str) or not name:
            raise ReadError(f"{short(file.name)}: a result does not say which provider it comes from")
        found[str(row.get("promptIdx"))] = (name, str(as_dict(row.get("prompt")).get("label", "")))
    providers = Counter(name for name, _ in found.values())
    both = Counter(found.values())
    out = {}
    for column, (name, prompt) in found.items():
        told = f"{name} [{short(prompt, 40)}]" if providers[name] > 1 else name
        out[column] = f"{told} ({column})" if both[name, prompt] > 1 else told
    return out


def _scores(row: Mapping[str, Any]) -> list[tuple[str, float]]:
    """Return pass or fail, the weighted score, named scores, and measurements."""
    found = {"pass": row.get("success"), "score": row.get("score"), **as_dict(row.get("namedScores"))}
    found |= {name: row.get(key) for name, key in _MEASURED.items() if name not in found}
    return [(m, number) for m, v in found.items() if (number := plain_number(v)) is not None]
