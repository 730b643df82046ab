"""HELM: per_instance_stats.json of a run, and the run_spec.json next to it, which names the model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ropewalk.errors import ReadError, short
from ropewalk.read.formats.file import File, as_dict, as_list, plain_number
from ropewalk.read.formats.rows import by_metric, log_table
from ropewalk.read.log import Log
from ropewalk.read.table import Table

NAME = "HELM"

_STATS_HEAD = re.compile(rb'\s*\[\s*\{\s*"instance_id"\s*:')
_SPEC_HEAD = re.compile(rb'\s*\{\s*"name"\s*:.*"adapter_spec"\s*:\s*\{', re.DOTALL)
_MODEL = re.compile(r"[,:]model=([^,]*)")
# Resources and outcomes of a run, which do not measure its quality.
_BOOKKEEPING = ("num_", "inference_", "finish_reason_", "training_", "batch_size", "max_prob", "prompt_")
# The preferred metrics, in this order; the others follow in file order.
_USUAL = ("exact_match", "quasi_exact_match", "prefix_exact_match", "f1_score", "rouge_l", "bleu_4")


def recognises(file: File) -> bool:
    """Check for instances with their statistics, or the specification of a run."""
    return (_STATS_HEAD.match(file.head) is not None and b'"stats"' in file.head) or (
        _SPEC_HEAD.match(file.head) is not None
    )


def tables(files: Sequence[File]) -> list[Table]:
    """Return one table per run."""
    stats = [f for f in files if _STATS_HEAD.match(f.head)]
    if not stats:
        raise ReadError(
            f"{short(files[0].name)} has no scores of single instances",
            hint="Give the folder of the run, with its per_instance_stats.json.",
        )
    specs = {str(Path(f.path).parent): as_dict(f.json()[0]) for f in files if f not in stats}
    return [_table(f, specs.get(str(Path(f.path).parent), {})) for f in stats]


def _run(file: File, spec: Mapping[str, Any]) -> tuple[str, str]:
    """Return model and task; HELM names a run and its folder SCENARIO:ARGUMENT=VALUE,...,model=MODEL."""
    name = spec.get("name")
    run = name if isinstance(name, str) else Path(file.path).absolute().parent.name
    told, named = as_dict(spec.get("adapter_spec")).get("model"), _MODEL.search(run)
    if not isinstance(told, str) and named is None:
        raise ReadError(
            f"nothing says which model {short(file.name)} is about",
            hint="Keep run_spec.json next to it, or the folder's name, which ends in model=MODEL.",
        )
    return told if isinstance(told, str) else named[1] if named else "", _MODEL.sub("", run)


def _table(file: File, spec: Mapping[str, Any]) -> Table:
    model, task = _run(file, spec)
    document, source = file.json()
    instances = [as_dict(i) for i in as_list(document)]
    plain = [i for i in instances if not i.get("perturbation")]
    values = [_means(i) for i in plain]
    metrics, partial = _metrics(values)
    if not metrics:
        raise ReadError(f"{short(file.name)} has no statistic that every instance has")
    shared = {
        "model": [model] * len(plain),
        "task": [task] * len(plain),
        "id": [i.get("instance_id", "") for i in plain],
        "repeat": [i.get("train_trial_index", 0) for i in plain],
    }
    notes = [f"skipped: {short(m)} of {short(task)} (not on every instance)" for m in partial]
    if len(plain) < len(instances):
        notes.append(f"{short(task)}: perturbed instances are left out")
    return log_table(
        file,
        by_metric(shared, {m: [v[m] for v in values] for m in metrics}),
        source=source,
        log=Log(format=NAME, notes=tuple(notes)),
    )


def _means(instance: Mapping[str, Any]) -> dict[str, float]:
    out = {}
    for stat in map(as_dict, as_list(instance.get("stats"))):
        name, count = as_dict(stat.get("name")).get("name"), plain_number(stat.get("count"))
        mean, total = plain_number(stat.get("mean")), plain_number(stat.get("sum"))
        if mean is None and total is not None and count:
            mean = total / count
        if isinstance(name, str) and count and mean is not None and not name.startswith(_BOOKKEEPING):
            out[name] = mean
    return out


def _metrics(values: Sequence[Mapping[str, float]]) -> tuple[list[str], list[str]]:
    """Return the metrics that every instance has, preferred ones first, and those that only some have."""
    names = list(dict.fromkeys(m for v in values for m in v))
    whole = [m for m in names if all(m in v for v in values)]
    ordered = [m for m in _USUAL if m in whole] + [m for m in whole if m not in _USUAL]
    return ordered, [m for m in names if m not in whole]
