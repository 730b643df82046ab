"""One table with every default method: how often it is wrong, and when not to use it."""

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
    """The table, from the figures of the other parts; empty if one of them is missing."""
    if not {"verdicts", "verdict_edges", "task_answers", "leaderboards", "gate_rates"} <= set(found):
        return ""
    edges, tasks = found["verdict_edges"]["rows"], found["task_answers"]["rows"]
    # Where a method has two studies, the first one answers the default question.
    studies = {(s["method"], s["unit"]): s for s in reversed(found["verdicts"]["studies"])}
    over = studies["hierarchical_t", "tasks"]
    rows = [
        _line(
            "right or wrong answers on one task (`mcnemar`)",
            _of(edges, "right and wrong"),
            "dependent examples, unless `--cluster` names the column with their cluster",
        ),
        _line(
            "graded scores on one task (`t`)",
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
            "folds with a higher correlation than assumed: {}",
            "0.5",
        ),
        _studied(
            "one score per training run (`t`)",
            studies["t", "runs"],
            "training that sometimes fails: {}",
            "one in ten fails",
        ),
        _studied(
            "training runs on the same examples (`crossed`)", studies["crossed", "runs"], "a single run"
        ),
        _studied(
            "a metric of the whole test set, such as AUROC (`bootstrap`)",
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
            "one number per task (`signed_rank`, only on request)",
            _of(edges, "one number per task, signed rank"),
            "10 tasks or fewer",
        ),
        _line(
            "right or wrong answers on many tasks (`hierarchical_accuracy`)",
            [_just_beside(r) for r in tasks],
            "one model wins mainly on tasks where the two often disagree",
        ),
        _studied(
            "graded scores on many tasks (`hierarchical_t`)",
            over,
            "advantages that are skewed over the tasks: {}; larger advantages on noisier tasks: "
            f'{_at_edge(over, RELATED)[1]:.3f} false "equivalent"',
            "strong skew, long tail for B",
        ),
        _studied(
            "right or wrong answers on many tasks, on the phi scale (`hierarchical_mcnemar`)",
            studies["hierarchical_mcnemar", "tasks"],
            "fewer than about ten tasks",
        ),
        _studied(
            "ranks on tasks (`sign`)",
            studies["sign", "tasks"],
            "tasks that come in families: {}",
            "tasks in families of 5",
        ),
        _studied(
            "tasks with different metrics (`poisson_binomial`)",
            studies["poisson_binomial", "tasks"],
            "wins that are more certain than losses: {}",
            "wins clear, losses hardly seen",
        ),
        _board(found["leaderboards"]),
        _gate(found["gate_rates"]["rows"]),
    ]
    head = [
        "## Every default at a glance",
        "",
        "Each row has the worst results of the sections below: the largest share of simulated data sets "
        "with a",
        "false verdict, with the default threshold of 0.95 and a true difference at or near the edge of the",
        "ROPE, where errors are most frequent. The share should be at most 0.05. The last column names data",
        "for which the method is wrong more often, and how often.",
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
    """The false verdicts: a quarter of a point inside the ROPE "better", outside of it "equivalent"."""
    inside = row["advantage"] < 0.01
    better = row["better"] if inside else 0.0
    return {"worse": max(row["worse"], better), "equivalent": 0.0 if inside else row["equivalent"]}


def _at_edge(study: Row, setting: str | None) -> np.ndarray:
    """The largest share of each verdict over all sizes, for a truth on the edge."""
    at = 0 if setting is None else study["settings"].index(setting)
    shares = np.array(study["shares"])[at, :, study["effects"].index(study["edge"])]
    return np.asarray(shares.max(axis=0))


def _beyond(study: Row, setting: str) -> str:
    return f'{_at_edge(study, setting)[0]:.3f} false "better"'


def _studied(what: str, study: Row, limits: str, setting: str | None = None) -> str:
    """A row with the shares where the assumptions hold, and a setting in which they do not."""
    better, equivalent, *_ = _at_edge(study, None)
    without = study["edge"] == 0.5  # tests without a ROPE never say "equivalent"
    said = limits.format(_beyond(study, setting)) if setting else limits
    return f"| {what} | {better:.3f} | {'' if without else f'{equivalent:.3f}'} | {said} |"


def _line(what: str, rows: list[Row], limits: str) -> str:
    return f"| {what} | {_worst(rows, 'worse')} | {_worst(rows, 'equivalent')} | {limits} |"


def _board(figures: dict[str, Any]) -> str:
    misses = 1 - min(float(np.mean(x)) for x in figures["boards"].values())
    five, fifty = (np.mean(figures["worlds"][f"{k} models, equal"], axis=0)[0] for k in (5, 50))
    said = f"the highest P(best) of equal models is about 0.03 too high: {five:.2f} of 5, {fifty:.2f} of 50"
    what = "leaderboard over tasks (`joint_tasks`)"
    return f"| {what} | {misses:.3f} of intervals miss the truth | | {said} |"


def _gate(rows: list[Row]) -> str:
    bounded = [r for r in rows if not r["shape"].startswith("unbounded")]
    free = [r for r in rows if r["shape"].startswith("unbounded")]
    worst, open_ = (max(r["pass"] for r in x) for x in (bounded, free))
    limits = f"skewed scores without a known range: {open_:.3f} false passes"
    return f"| gate, scores with a known range | {worst:.3f} false passes | | {limits} |"
