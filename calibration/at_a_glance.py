"""Every default in one table: how often it is wrong, and where not to use it."""

from __future__ import annotations

from typing import Any

import numpy as np

Row = dict[str, Any]


def table(found: dict[str, dict[str, Any]]) -> str:
    """From the figures of the other parts; nothing where one of them has not been measured."""
    if not {"verdict_edges", "task_answers", "leaderboards", "gate_rates"} <= set(found):
        return ""
    edges, tasks = found["verdict_edges"]["rows"], found["task_answers"]["rows"]
    rows = [
        _line(
            "right and wrong answers, one task (`mcnemar`)",
            _of(edges, "right and wrong"),
            "dependent examples: name their cluster with `--cluster`",
        ),
        _line(
            "graded scores, one task (`t`)",
            _of(edges, "five grades", "graded, differences everywhere"),
            "skewed differences; scores that agree except for a few large losses: "
            + _shares(_of(edges, "graded, nearly all alike", "graded, small gains and large losses")),
        ),
        _line(
            "graded scores in clusters (`t` on the cluster means)",
            _of(edges, "graded, in families of five"),
            "fewer than about ten clusters",
        ),
        _line(
            "one number per task (`signed_rank`)",
            _of(edges, "one number per task"),
            "3 to 10 tasks",
        ),
        _line(
            "right and wrong answers over tasks (`hierarchical_accuracy`)",
            [{"worse": r["worse"], "equivalent": r["equivalent"]} for r in tasks if r["advantage"] > 0.01],
            "tasks on which the rate of disagreement is related to which model wins",
        ),
        _board(found["leaderboards"]),
        _gate(found["gate_rates"]["rows"]),
    ]
    head = [
        "## Every default at a glance",
        "",
        "The worst results of the sections below: the share of data sets with a false verdict at a threshold",
        "of 0.95, with the truth at or near the edge of the ROPE. The nominal rate is 0.05.",
        "",
        '| data and default method | false "better" or "worse" | false "equivalent" | when not to use it |',
        "| --- | ---: | ---: | --- |",
    ]
    return "\n".join([*head, *rows, ""])


def _of(rows: list[Row], *shapes: str) -> list[Row]:
    return [r for r in rows if r["shape"] in shapes]


def _worst(rows: list[Row], name: str) -> str:
    return f"{max(r[name] for r in rows):.3f}"


def _shares(rows: list[Row]) -> str:
    return f'{_worst(rows, "equivalent")} false "equivalent"'


def _line(what: str, rows: list[Row], limits: str) -> str:
    return f"| {what} | {_worst(rows, 'worse')} | {_worst(rows, 'equivalent')} | {limits} |"


def _board(figures: dict[str, Any]) -> str:
    misses = 1 - min(float(np.mean(x)) for x in figures["boards"].values())
    five, fifty = (np.mean(figures["worlds"][f"{k} models, equal"], axis=0)[0] for k in (5, 50))
    said = f"P(best) of equal models is at most 0.03 too high: {five:.2f} with 5 models, {fifty:.2f} with 50"
    what = "leaderboard means over tasks (`joint_tasks`), and P(best)"
    return f"| {what} | {misses:.3f} of intervals miss the truth | | {said} |"


def _gate(rows: list[Row]) -> str:
    bounded = [r for r in rows if not r["shape"].startswith("unbounded")]
    free = [r for r in rows if r["shape"].startswith("unbounded")]
    worst, open_ = (max(r["pass"] for r in x) for x in (bounded, free))
    limits = f"unbounded and skewed scores: {open_:.3f} false passes"
    return f"| the gate, scores with a known range | {worst:.3f} false passes | | {limits} |"
