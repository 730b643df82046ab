"""How often `rw.compare` is wrong at the edge of the ROPE: graded, ordinal, families, boards, few tasks.

The truth lies exactly on the edge. Just inside of it "worse" would be wrong, just outside of it "equivalent":
both are counted, through `rw.compare` with its default method. The tests on one number for each task, and
the t-test with rare losses, are computed by their functions, which are what `rw.compare` calls.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import gate_rates
import ropewalk as rw
from prose import paragraph
from ropewalk import bayes
from ropewalk.decide import by_threshold, in_scores, probabilities

EDGE = 0.02
SIZES = (20, 50, 100, 200)
TASKS = (2, 3, 4, 5, 6, 8, 10, 20)
SPREADS = (0.25, 0.5, 1.0, 2.0)  # of the tasks' differences around their mean, in half widths of the ROPE
BY_T = "one number per task"
RANKED = "one number per task, signed rank"
RARE = "graded, small differences and rare large losses"
TINY = "graded, tiny differences and rare large losses"
_SD = {RARE: 0.02, TINY: 0.001}  # of the differences that are no losses
_TIMES, _BOARDS, _RANKED = 400, 200, 1_000


def at_edge(shape: str, n: int, times: int) -> dict[str, Any]:
    """Shares of data sets on which A, worse by exactly the ROPE, is called worse, and equivalent."""
    draw = gate_rates.BOUNDED[shape]
    rng = np.random.default_rng([n, len(shape)])

    def verdict() -> str:
        baseline, candidate = draw(rng, n, EDGE)
        report = rw.compare({"a": candidate, "b": baseline}, rope=EDGE, higher_is_better=True)
        return report.comparisons[0].verdict.name

    return _row(shape, n, times, verdict)


def rare_losses(rng: np.random.Generator, n: int, edge: float, sd: float) -> gate_rates.Scores:
    """Scores of 0.9 and small differences, but for some examples that the candidate fails completely."""
    lost = rng.random(n) < edge / 0.9
    return np.full(n, 0.9), np.where(lost, 0.0, 0.9 + rng.normal(0, sd, n))


def with_rare_losses(shape: str, n: int, times: int) -> dict[str, Any]:
    """Small differences as large as the ROPE, by the t-test; or tiny ones, within half a percentage point."""
    rng = np.random.default_rng([n, 5])

    def verdict() -> str:
        baseline, candidate = rare_losses(rng, n, EDGE, _SD[shape])
        if shape == RARE:
            p = probabilities(bayes.t(candidate - baseline), in_scores(-EDGE, EDGE, "given"))
            return by_threshold(p, 0.95)
        report = rw.compare({"a": candidate, "b": baseline}, rope=EDGE, higher_is_better=True)
        return report.comparisons[0].verdict.name

    return _row(shape, n, times, verdict)


def in_families(n: int, times: int) -> dict[str, Any]:
    """Graded examples in n families of five; a third of the variance of a difference is the family's."""
    rng = np.random.default_rng([n, 2])
    family = np.repeat([f"f{k}" for k in range(n)], 5)

    def verdict() -> str:
        shift = np.repeat(rng.normal(0, 0.05, n), 5) + rng.normal(0, 0.07, 5 * n)
        b = rng.uniform(0.4, 0.6, 5 * n)
        frame = pd.DataFrame({"family": family, "a": b - EDGE + shift, "b": b})
        report = rw.compare(frame, cluster="family", rope=EDGE, higher_is_better=True)
        return report.comparisons[0].verdict.name

    return _row("graded, in families of five", n, times, verdict)


def on_a_board(tasks: int, times: int) -> dict[str, Any]:
    """Two of five models, on 100 examples of one task, or on so many tasks of ten."""
    rng = np.random.default_rng([tasks, 3])
    models = list("abcde")
    shift = np.array([-EDGE, 0.0, 0.0, 0.05, -0.05])

    def verdict() -> str:
        parts = []
        for t in range(tasks):
            n = 100 if tasks == 1 else 10
            own = rng.normal(0, 0.03, 5) if tasks > 1 else np.zeros(5)
            z = 0.5 + rng.normal(0, 0.1, (n, 1)) + shift + own + rng.normal(0, 0.05, (n, 5))
            parts.append(pd.DataFrame(z, columns=models).assign(task=f"t{t}", unit=range(n)))
        frame = pd.concat(parts).melt(["task", "unit"], var_name="model", value_name="value")
        report = rw.compare(frame, pairs=[("a", "b")], rope=EDGE, score="value", higher_is_better=True)
        return (report.overall or report.comparisons)[0].verdict.name

    return _row("a pair on a board of five", tasks if tasks > 1 else 100, times, verdict)


def over_tasks_by_t(n: int, times: int) -> dict[str, Any]:
    """One number for each of n tasks, the Bayesian t-test: the worst over how far they spread."""
    rng = np.random.default_rng([n, 4])

    def verdict(spread: float) -> str:
        p = probabilities(bayes.t(-EDGE + rng.normal(0, spread * EDGE, n)), in_scores(-EDGE, EDGE, "given"))
        return by_threshold(p, 0.95)

    return _worst_spread(BY_T, n, times, verdict)


def over_tasks(n: int, times: int) -> dict[str, Any]:
    """One number for each of n tasks, the Bayesian signed-rank test: the worst over how far they spread."""
    rng = np.random.default_rng([n, 1])

    def verdict(spread: float) -> str:
        d = -EDGE + rng.normal(0, spread * EDGE, n)
        p = bayes.signed_rank(d, EDGE, draws=1_000, rng=rng).most_probable
        return "worse" if p.worse >= 0.95 else "equivalent" if p.equivalent >= 0.95 else "undecided"

    return _worst_spread(RANKED, n, times, verdict)


def _worst_spread(shape: str, n: int, times: int, verdict: Callable[[float], str]) -> dict[str, Any]:
    rows = [_row(shape, n, times, lambda s=s: verdict(s)) for s in SPREADS]
    worst = {name: max(r[name] for r in rows) for name in ("worse", "equivalent")}
    return {**rows[0], **worst}


def _row(shape: str, n: int, times: int, verdict: Callable[[], str]) -> dict[str, Any]:
    found = [verdict() for _ in range(times)]
    shares = {name: float(np.mean([f == name for f in found])) for name in ("worse", "equivalent")}
    return {"shape": shape, "n": n, "times": times, **{k: round(v, 4) for k, v in shares.items()}}


def measure(scale: float) -> dict[str, Any]:
    times, boards, ranked = (max(20, round(scale * x)) for x in (_TIMES, _BOARDS, _RANKED))
    rows = [at_edge(shape, n, times) for shape in gate_rates.BOUNDED for n in SIZES]
    rows += [with_rare_losses(TINY, n, times) for n in SIZES]
    rows += [with_rare_losses(RARE, n, ranked) for n in SIZES]
    rows += [in_families(n, times) for n in SIZES[:2]]
    rows += [on_a_board(tasks, boards) for tasks in (1, 20)]
    rows += [over_tasks_by_t(n, ranked) for n in TASKS]
    return {"rows": rows + [over_tasks(n, ranked) for n in TASKS]}


def text(figures: dict[str, Any]) -> str:
    rows = figures["rows"]
    lines = ["| scores | n | data sets | false worse | false equivalent |", "| --- |" + " ---: |" * 4]
    for r in rows:
        shares = f"{r['worse']:.3f} | {r['equivalent']:.3f}"
        lines.append(f"| {r['shape']} | {r['n']:,} | {r['times']:,} | {shares} |")
    default = [r for r in rows if r["shape"] not in (RANKED, RARE)]
    rare = max(r["equivalent"] for r in rows if r["shape"] == RARE)
    few = [r for r in rows if r["shape"] == RANKED and r["n"] <= 5]
    many = [r for r in rows if r["shape"] == RANKED and r["n"] > 5]
    return "\n\n".join(
        [
            "## Verdicts at the edge: graded and ordinal scores, clusters, leaderboards, few tasks",
            paragraph(
                "This section tries further kinds of scores. A is worse than B by exactly the half width of",
                f'the ROPE, {EDGE:g}. Just inside the edge "worse" would be wrong, and just outside it',
                '"equivalent"; each may occur in 5% of data sets. A share of 0.05 has a standard error '
                "of 0.011",
                "for 400 data sets and 0.015 for 200. All data sets go through `rw.compare` with the default",
                "method, or through the function that it calls (tests check that both agree). In the "
                "table, n",
                "is the number of examples, clusters (families) or tasks. Leaderboards have 100 examples, or",
                "20 tasks of ten. The rows with one number per task show the worst of four spreads between",
                "tasks, from a quarter of the half width of the ROPE to twice its half width.",
            ),
            "\n".join(lines),
            paragraph(
                f"With the default methods, at most {max(r['worse'] for r in default):.3f} of data sets",
                f'are falsely called "worse" and {max(r["equivalent"] for r in default):.3f} falsely called',
                '"equivalent". If graded scores agree except for a few large losses, the t-test cannot know',
                'how large the next loss may be. By itself it wrongly claimed "equivalent" in up to '
                "0.145 of such",
                "data sets, and in 0.65 of those of 20 examples with tiny differences (standard "
                "deviation 0.001)",
                "and rare large losses. There is therefore a safeguard: if at least nine of ten examples "
                "have the",
                "same difference, give or take half a percentage point, and fewer than 30 do not, the answer",
                "allows for one further example at each end of the range of the scores.",
            ),
            paragraph(
                "**When not to use it:** the safeguard does not cover graded scores whose differences "
                "vary more.",
                f"With small differences (standard deviation {_SD[RARE]:g}) and rare large losses, up to",
                f'{rare:.2f} of the data sets were falsely called "equivalent", because many of them '
                "contain no",
                "loss. The gate's bound allows for such losses.",
            ),
            paragraph(
                "**When not to use the signed-rank test,** which is only used on request: with one "
                "number for",
                'each of 2 to 5 tasks it wrongly claims "equivalent" in up to',
                f"{max(r['equivalent'] for r in few):.2f} of data sets, because its prior observation at "
                "zero",
                "difference has half the weight of a task. The report warns about this. With more tasks the",
                f"share is up to {max(r['equivalent'] for r in many):.2f}.",
            ),
        ]
    )


def draw(figures: dict[str, Any], folder: Path) -> None:
    """There is no plot: the table says it all."""
