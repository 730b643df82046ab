"""How often `rw.compare` is wrong at the edge of the ROPE, on scores that are graded, ordinal or few.

The truth lies exactly on the edge. Just inside of it "worse" would be wrong, just outside of it "equivalent":
both are counted, through `rw.compare` with its default method.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import gate_rates
import ropewalk as rw
from prose import paragraph

EDGE = 0.02
SIZES = (20, 50, 200)
TASKS = (3, 4, 5, 10, 20)
SKEWED = ("graded, nearly all alike", "graded, small gains and large losses")
_TIMES = 120


def at_edge(shape: str, n: int, times: int) -> dict[str, Any]:
    """Shares of data sets on which A, worse by exactly the ROPE, is called worse, and equivalent."""
    draw = gate_rates.BOUNDED[shape]
    rng = np.random.default_rng([n, len(shape)])
    found = []
    for _ in range(times):
        baseline, candidate = draw(rng, n, EDGE)
        report = rw.compare({"a": candidate, "b": baseline}, rope=EDGE, higher_is_better=True)
        found.append(report.comparisons[0].verdict.name)
    return _row(shape, n, found)


def over_tasks(n: int, times: int) -> dict[str, Any]:
    """The same of one number for each of n tasks: the Bayesian signed-rank test."""
    import pandas as pd

    rng = np.random.default_rng([n, 1])
    found = []
    for _ in range(times):
        scores = _task_scores(rng, n)
        tasks = [f"t{i}" for i in range(n)]
        frame = pd.DataFrame(
            {"task": tasks * 2, "model": ["a"] * n + ["b"] * n, "accuracy": np.concatenate(scores)}
        )
        report = rw.compare(frame, rope=EDGE)
        found.append((report.overall or report.comparisons)[0].verdict.name)
    return _row("one number per task", n, found)


def _task_scores(rng: Generator, n: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    b = rng.uniform(0.7, 0.9, n)
    return b - EDGE + rng.normal(0, 0.02, n), b


def _row(shape: str, n: int, found: list[str]) -> dict[str, Any]:
    shares = {name: float(np.mean([f == name for f in found])) for name in ("worse", "equivalent")}
    return {"shape": shape, "n": n, "times": len(found), **{k: round(v, 4) for k, v in shares.items()}}


def measure(scale: float) -> dict[str, Any]:
    times = max(20, round(scale * _TIMES))
    rows = [at_edge(shape, n, times) for shape in gate_rates.BOUNDED for n in SIZES]
    return {"rows": rows + [over_tasks(n, times) for n in TASKS]}


def text(figures: dict[str, Any]) -> str:
    rows = figures["rows"]
    lines = ["| scores | n | false worse | false equivalent |", "| --- | ---: | ---: | ---: |"]
    lines += [f"| {r['shape']} | {r['n']:,} | {r['worse']:.2f} | {r['equivalent']:.2f} |" for r in rows]
    skewed = [r for r in rows if r["shape"] in SKEWED]
    calm = [r for r in rows if r["shape"] not in SKEWED and r["shape"] != "one number per task"]
    few = [r for r in rows if r["shape"] == "one number per task" and r["n"] <= 5]
    times = rows[0]["times"]
    return "\n\n".join(
        [
            "## Verdicts at the edge: graded, ordinal and few scores",
            paragraph(
                f'A is worse than B by exactly the ROPE, {EDGE:g}. Just inside of the edge "worse" would be',
                'wrong, just outside of it "equivalent"; 5% of each are allowed. Through `rw.compare` with',
                f"the default method, {times} data sets a row, so that one standard error of 0.05 is",
                f"{np.sqrt(0.05 * 0.95 / times):.2f}.",
            ),
            "\n".join(lines),
            paragraph(
                "Right and wrong answers, ordinal grades and scores that differ everywhere: at most",
                f'{max(r["worse"] for r in calm):.2f} false "worse" and',
                f'{max(r["equivalent"] for r in calm):.2f} false "equivalent" (20 right and wrong answers,',
                "where the models may be alike on every example). **Where not to use the default:** graded",
                "scores that are alike but for a few large losses. The t-test does not see a loss that has",
                'not occurred yet, and says "equivalent" wrongly in up to',
                f"{max(r['equivalent'] for r in skewed):.2f} of data sets. Count such answers as right and",
                "wrong, or use `ropewalk gate`, whose bounds hold for them. One number for each of 3 to 5",
                'tasks: the signed-rank test says "equivalent" wrongly in up to',
                f"{max(r['equivalent'] for r in few):.2f}, because its prior observation at no difference",
                "weighs half as much as a task, and the report warns of it.",
            ),
        ]
    )


def draw(figures: dict[str, Any], folder: Path) -> None:
    """There is no plot: the table says it all."""
