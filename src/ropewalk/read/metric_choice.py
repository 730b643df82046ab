"""Tables of evaluation logs -> one metric for each task, without a question where the logs say enough."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ropewalk.data import SEVERAL, direction
from ropewalk.data.arrays import Strings, strings
from ropewalk.errors import ColumnError, DataError, PairingError, did_you_mean, listed, short
from ropewalk.read.log import NO_TASK, Log
from ropewalk.read.roles import Options, written
from ropewalk.read.table import Table, numbers

_LISTED = 6  # most tasks that a note names
_METADATA = "metadata."


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The rows of the chosen metrics, and notes about the choice."""

    tables: list[Table]
    options: Options
    metric: str
    higher_is_better: bool | None
    notes: tuple[str, ...]
    warnings: tuple[str, ...]
    groups: Mapping[str, str]


def choose_metrics(tables: Sequence[Table], options: Options) -> Choice:
    """Choose for each task the metric that most of its models have; the first in the file breaks ties."""
    logs = [_log(t) for t in tables]
    notes = list(dict.fromkeys(n for log in logs for n in log.notes))
    warnings = list(dict.fromkeys(w for log in logs for w in log.warnings))
    models = _models_by_metric(tables)
    everyone = {m for metrics in models.values() for names in metrics.values() for m in names}
    wanted = _wanted(models, options.score)
    chosen: dict[str, str] = {}
    for task, metrics in wanted.items():
        best = max(metrics, key=lambda m: len(metrics[m])) if metrics else None
        if best is None:
            continue
        ran = set().union(*models[task].values())
        without = sorted(ran - metrics[best])
        if without and len(ran) > 1:
            other = [m for m, names in models[task].items() if without[0] in names]
            warnings.append(
                f"{short(task)}: {listed(without)} without metric `{short(best)}`, but with {listed(other)}"
            )
        if len(metrics[best]) > 1 or len(everyone) < 2:
            chosen[task] = best
    if not chosen:
        raise PairingError(
            "the models share no task and metric",
            where=[f"{short(t)}: {_who(metrics)}" for t, metrics in list(models.items())[:5]],
            hint="Give logs of at least two models on the same task, with the same filter.",
        )
    notes += _chosen_notes(models, chosen)
    kept = [_rows_of(t, chosen) for t in tables]
    kept = [t for t in kept if t.height]
    ways = {m: way for log in logs for m, way in log.higher_is_better.items()}
    kept, metric, higher, note = _one_scale(kept, chosen, ways)
    return Choice(
        tables=[_plain(t) for t in kept],
        options=_named_columns(kept, options),
        metric=metric,
        higher_is_better=higher,
        notes=(f"read as {logs[0].format}", *notes, *note),
        warnings=tuple(warnings),
        groups={task: group for log in logs for task, group in log.groups.items()},
    )


def _log(table: Table) -> Log:
    if table.log is None:
        raise DataError(
            f"{short(table.name)} is a plain table, and other files are logs of an evaluation tool",
            hint="Give files of one kind.",
        )
    return table.log


def _tasks(table: Table) -> Strings:
    return table.columns.get("task", strings([NO_TASK] * table.height))


def _models_by_metric(tables: Sequence[Table]) -> dict[str, dict[str, set[str]]]:
    """Return the models that have each metric of each task."""
    out: dict[str, dict[str, set[str]]] = {}
    for table in tables:
        model = table.columns.get("model", strings([table.stem] * table.height))
        rows = zip(_tasks(table), table.columns["metric"], model, strict=True)
        for task, metric, name in dict.fromkeys(rows):
            out.setdefault(task, {}).setdefault(metric, set()).add(name)
    return out


def _wanted(
    models: Mapping[str, Mapping[str, set[str]]], score: str | None
) -> Mapping[str, Mapping[str, set[str]]]:
    """Return the metrics that `score` matches: by the whole name, or without its filter."""
    if score is None:
        return models
    known = list(dict.fromkeys(m for metrics in models.values() for m in metrics))
    meant = [m for m in known if m == score] or [m for m in known if m.partition(",")[0] == score]
    if meant:
        return {t: {m: n for m, n in metrics.items() if m in meant} for t, metrics in models.items()}
    raise ColumnError(f"the logs have no metric `{short(score)}`", hint=did_you_mean(score, known))


def _who(metrics: Mapping[str, set[str]]) -> str:
    return "; ".join(
        f"`{short(m)}` of {listed(sorted(names), most=3)}" for m, names in list(metrics.items())[:4]
    )


def _chosen_notes(models: Mapping[str, Mapping[str, set[str]]], chosen: Mapping[str, str]) -> list[str]:
    """Note which metric was used on which tasks, and which others exist."""
    notes = []
    for metric in dict.fromkeys(chosen.values()):
        tasks = [t for t, m in chosen.items() if m == metric]
        others = list(dict.fromkeys(m for t in tasks for m in models[t] if m != metric))
        shown = ", ".join(map(short, tasks[:_LISTED])) + (", …" if len(tasks) > _LISTED else "")
        note = f"metric: {short(metric)} on {shown}"
        if others:
            named = ", ".join(map(short, others[:_LISTED]))
            note += f"; other metrics there: {named} ({written('score', others[0])})"
        notes.append(note)
    left = [t for t in models if t not in chosen]
    if left:
        notes.append(f"tasks without a metric that two models share: {listed(left)}")
    return notes


def _rows_of(table: Table, chosen: Mapping[str, str]) -> Table:
    rows = zip(_tasks(table), table.columns["metric"], strict=True)
    return table.filtered(np.flatnonzero([chosen.get(task) == metric for task, metric in rows]))


def _one_scale(
    tables: list[Table], chosen: Mapping[str, str], ways: Mapping[str, bool]
) -> tuple[list[Table], str, bool | None, list[str]]:
    """Use one name and direction for all tasks; right or wrong is accuracy, whatever a task calls it."""
    metrics = list(dict.fromkeys(chosen.values()))
    higher = {m: ways[m] if m in ways else direction(m.partition(",")[0]) for m in metrics}
    if len(metrics) == 1:
        return tables, metrics[0], ways.get(metrics[0]), []
    binary = all(np.isin(numbers(t, "score"), (0.0, 1.0)).all() for t in tables)
    if binary and all(higher.values()):
        return tables, "accuracy", None, ["every metric is right or wrong (1 or 0): accuracy"]
    unknown = next((m for m, way in higher.items() if way is None), None)
    if unknown is not None:
        raise ColumnError(
            f"the metric differs by task, and neither the log nor the name `{short(unknown)}` says whether "
            "higher is better",
            hint=f"Compare the tasks of one metric at a time: {written('score', unknown)}.",
        )
    return [_upward(t, higher) for t in tables], SEVERAL, None, []


def _upward(table: Table, higher: Mapping[str, bool | None]) -> Table:
    """Negate the scores of metrics where lower is better."""
    metric: Strings = table.columns["metric"]
    sign = np.array([1.0 if higher[m] else -1.0 for m in metric])
    return replace(table, columns={**table.columns, "score": sign * numbers(table, "score")})


def _plain(table: Table) -> Table:
    return replace(table, columns={c: cells for c, cells in table.columns.items() if c != "metric"})


def _named_columns(tables: Sequence[Table], options: Options) -> Options:
    """Use the column named as the score; a cluster may be given by its metadata field alone."""
    columns = {c for t in tables for c in t.columns}
    cluster = options.cluster
    if cluster is not None and cluster not in columns and _METADATA + cluster in columns:
        cluster = _METADATA + cluster
    return replace(options, score="score", cluster=cluster)
