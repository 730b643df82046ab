"""Every default in one table: how often it is wrong, and where not to use it."""

from __future__ import annotations

from typing import Any

import numpy as np

from verdict_edges import RARE, TINY
from verdict_studies import RELATED

Row = dict[str, Any]
GRADED = (
    "graded, nearly all alike",
    "graded, small gains and large losses",
    "five grades",
    "graded, differences everywhere",
    TINY,
)


def table(found: dict[str, dict[str, Any]]) -> str:
    """From the figures of the other parts; nothing where one of them has not been measured."""
    if not {"verdicts", "verdict_edges", "task_answers", "leaderboards", "gate_rates"} <= set(found):
        return ""
    edges, tasks = found["verdict_edges"]["rows"], found["task_answers"]["rows"]
    # Of two studies of the same kind the first asks what is asked by default.
    studies = {(s["method"], s["unit"]): s for s in reversed(found["verdicts"]["studies"])}
    over = studies["hierarchical_t", "tasks"]
    rows = [
        _line(
            "right and wrong answers, one task (`mcnemar`)",
            _of(edges, "right and wrong"),
            "dependent examples: name their cluster with `--cluster`",
        ),
        _line(
            "graded scores, one task (`t`)",
            _of(edges, *GRADED),
            f"skewed differences: {_beyond(studies['t', 'examples'], 'strong skew, long tail for B')}; small "
            "differences and rare large losses: "
            f'{_worst(_of(edges, RARE), "equivalent")} false "equivalent"',
        ),
        _line(
            "graded scores in clusters (`t` on the cluster means)",
            _of(edges, "graded, in families of five"),
            "fewer than about ten clusters",
        ),
        _studied(
            "folds of cross-validation (`correlated_t`)",
            studies["correlated_t", "folds"],
            "folds that share more than the assumed correlation: {}",
            "0.5",
        ),
        _studied(
            "one score for each training run (`t`)",
            studies["t", "runs"],
            "runs of which some fail: {}",
            "one in ten fails",
        ),
        _studied("training runs on the same examples (`crossed`)", studies["crossed", "runs"], "one run"),
        _studied(
            "a metric of the whole test set (`bootstrap`)",
            studies["bootstrap", "examples"],
            "fewer than about 30 examples of a class: {}",
            "one in ten positive",
        ),
        _line(
            "one number per task (`t`)",
            _of(edges, "one number per task"),
            "skewed differences, as above",
        ),
        _line(
            "the same by `signed_rank`, on request",
            _of(edges, "one number per task, signed rank"),
            "2 to 10 tasks",
        ),
        _line(
            "right and wrong answers over tasks (`hierarchical_accuracy`)",
            [_just_beside(r) for r in tasks],
            "tasks on which the rate of disagreement is related to which model wins",
        ),
        _studied(
            "graded scores over tasks (`hierarchical_t`)",
            over,
            "tasks whose advantages are skewed: {}; tasks that vary more have larger advantages: "
            f'{_at_edge(over, RELATED)[1]:.3f} false "equivalent"',
            "strong skew, long tail for B",
        ),
        _studied(
            "right and wrong answers over tasks, on phi (`hierarchical_mcnemar`)",
            studies["hierarchical_mcnemar", "tasks"],
            "fewer than about ten tasks",
        ),
        _studied(
            "ranks on tasks (`sign`)",
            studies["sign", "tasks"],
            "tasks in families: {}",
            "tasks in families of 5",
        ),
        _studied(
            "tasks with metrics of their own (`poisson_binomial`)",
            studies["poisson_binomial", "tasks"],
            "wins that are clearer than losses: {}",
            "wins clear, losses hardly seen",
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


def _just_beside(row: Row) -> Row:
    """A quarter of a point inside the ROPE "better" is false, outside of it "equivalent"."""
    inside = row["advantage"] < 0.01
    better = row["better"] if inside else 0.0
    return {"worse": max(row["worse"], better), "equivalent": 0.0 if inside else row["equivalent"]}


def _at_edge(study: Row, setting: str | None) -> np.ndarray:
    """The worst over all sizes of (better, equivalent, worse, undecided), the truth on the edge."""
    at = 0 if setting is None else study["settings"].index(setting)
    shares = np.array(study["shares"])[at, :, study["effects"].index(study["edge"])]
    return np.asarray(shares.max(axis=0))


def _beyond(study: Row, setting: str) -> str:
    return f'{_at_edge(study, setting)[0]:.3f} false "better"'


def _studied(what: str, study: Row, limits: str, setting: str | None = None) -> str:
    """Where the method's assumptions hold; and a setting in which they do not."""
    better, equivalent, *_ = _at_edge(study, None)
    without = study["edge"] == 0.5  # tests without a ROPE never say "equivalent"
    said = limits.format(_beyond(study, setting)) if setting else limits
    return f"| {what} | {better:.3f} | {'' if without else f'{equivalent:.3f}'} | {said} |"


def _line(what: str, rows: list[Row], limits: str) -> str:
    return f"| {what} | {_worst(rows, 'worse')} | {_worst(rows, 'equivalent')} | {limits} |"


def _board(figures: dict[str, Any]) -> str:
    misses = 1 - min(float(np.mean(x)) for x in figures["boards"].values())
    five, fifty = (np.mean(figures["worlds"][f"{k} models, equal"], axis=0)[0] for k in (5, 50))
    said = f"P(best) of equal models is about 0.03 too high: {five:.2f} with 5 models, {fifty:.2f} with 50"
    what = "leaderboard means over tasks (`joint_tasks`), and P(best)"
    return f"| {what} | {misses:.3f} of intervals miss the truth | | {said} |"


def _gate(rows: list[Row]) -> str:
    bounded = [r for r in rows if not r["shape"].startswith("unbounded")]
    free = [r for r in rows if r["shape"].startswith("unbounded")]
    worst, open_ = (max(r["pass"] for r in x) for x in (bounded, free))
    limits = f"unbounded and skewed scores: {open_:.3f} false passes"
    return f"| the gate, scores with a known range | {worst:.3f} false passes | | {limits} |"
