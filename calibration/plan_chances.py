"""Whether the chances that `rw.plan` predicts are right: undecided pilots are planned and then continued."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

import ropewalk as rw
from prose import paragraph

Floats = NDArray[np.float64]
Models = dict[str, Floats]

SPREAD = 0.015  # of the true differences
FLAT = float("inf")
_PILOTS = 400
_DRAWS = 400  # futures of a plan


def answers(rng: Generator, difference: float, n: int, *, disagree: float) -> Models:
    """Right and wrong answers of two models that disagree on this share of the examples."""
    u = rng.random(n)
    a, b = np.ones(n), np.ones(n)
    b[u < (disagree + difference) / 2] = 0
    a[u > 1 - (disagree - difference) / 2] = 0
    return {"a": a, "b": b}


def grades(rng: Generator, difference: float, n: int) -> Models:
    """Scores between 0 and 1 whose differences have a standard deviation of about 0.2."""
    b = rng.uniform(0.35, 0.65, n)
    return {"a": b + difference + rng.uniform(-0.35, 0.35, n) * 0.85, "b": b}


def unbounded(rng: Generator, difference: float, n: int) -> Models:
    """Scores without a range; the differences have a standard deviation of 3, the true ones of 0.15."""
    b = rng.normal(10, 5, n)
    return {"a": b + 10 * difference + rng.normal(0, 3, n), "b": b}


@dataclass(frozen=True, kw_only=True)
class Pilot:
    """Data of a first run, how much is added to it, and the ROPE."""

    name: str
    draw: Callable[[Generator, float, int], Models]
    n: int
    more: int
    rope: float
    metric: str


PILOTS = (
    Pilot(
        name="right and wrong, 10% disagree", draw=lambda r, d, n: answers(r, d, n, disagree=0.1), n=200,
        more=2_000, rope=0.01, metric="accuracy",
    ),
    Pilot(
        name="right and wrong, 20% disagree", draw=lambda r, d, n: answers(r, d, n, disagree=0.2), n=500,
        more=5_000, rope=0.01, metric="accuracy",
    ),
    Pilot(name="graded scores", draw=grades, n=200, more=1_000, rope=0.01, metric="f1"),
    Pilot(name="unbounded scores", draw=unbounded, n=200, more=2_000, rope=0.1, metric="score"),
)  # fmt: skip


def held(pilot: Pilot, pilots: int, *, seed: int = 0) -> dict[str, Any]:
    """The mean predicted chance, and the share of pilots that were decided with the further units."""
    rng = np.random.default_rng([seed, len(pilot.name)])
    options: dict[str, Any] = {"rope": pilot.rope, "score": pilot.metric}
    said: dict[float | None, list[float]] = {None: [], FLAT: []}
    came = []
    for _ in range(pilots):
        truth = rng.normal(0, SPREAD)
        first, further = (pilot.draw(rng, truth, n) for n in (pilot.n, pilot.more))
        data = _frame(first, pilot.metric)
        if rw.compare(data, **options).comparisons[0].verdict.name != "undecided":
            continue
        for prior_sd, chances in said.items():
            plan = rw.plan(data, more=[pilot.more], prior_sd=prior_sd, draws=_DRAWS, **options).pairs[0]
            chances.append(float(plan.directions[0].curve.decided[0]))
        both = {m: np.concatenate([first[m], further[m]]) for m in first}
        verdict = rw.compare(_frame(both, pilot.metric), **options).comparisons[0].verdict.name
        came.append(verdict != "undecided")
    apart = np.array(came, dtype=float) - np.array(said[None])
    return {
        "pilot": pilot.name,
        "n": pilot.n,
        "more": pilot.more,
        "undecided": len(came),
        "said": round(float(np.mean(said[None])), 4),
        "said_flat": round(float(np.mean(said[FLAT])), 4),
        "came": round(float(np.mean(came)), 4),
        "error": round(float(np.std(apart) / np.sqrt(len(came))), 4),
    }


def _frame(models: Models, metric: str) -> Any:
    import pandas as pd

    n = len(models["a"])
    return pd.DataFrame(
        {
            "model": np.repeat(["a", "b"], n),
            "id": np.tile(np.arange(n), 2),
            metric: np.concatenate([models["a"], models["b"]]),
        }
    )


def measure(scale: float) -> dict[str, Any]:
    pilots = max(20, round(scale * _PILOTS))
    return {"rows": [held(p, pilots) for p in PILOTS]}


def text(figures: dict[str, Any]) -> str:
    rows = figures["rows"]
    worst = max(rows, key=lambda r: abs(r["said"] - r["came"]))
    times = max(r["said_flat"] / r["came"] for r in rows)
    lines = [
        "| pilot | units | further units | undecided pilots | predicted, default prior | actual "
        "| predicted, flat prior |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
        *(
            f"| {r['pilot']} | {r['n']:,} | {r['more']:,} | {r['undecided']:,} | {r['said']:.2f} "
            f"| {r['came']:.2f} ± {r['error']:.2f} | {r['said_flat']:.2f} |"
            for r in rows
        ),
    ]
    return "\n\n".join(
        [
            "## Plans",
            paragraph(
                "`rw.plan` predicts the chance that more data will decide an undecided comparison. To check",
                "the prediction, we draw a first data set (the pilot). If it is undecided, `rw.plan` "
                "predicts",
                "the chance of a verdict with a given number of further units. We then draw these units and",
                "run `rw.compare` on all data: the actual chance is the share of data sets with a verdict, ±",
                "one Monte Carlo standard error. The true differences come from a normal distribution with",
                "mean 0 and standard deviation 0.015 (0.15 for the unbounded scores).",
            ),
            "\n".join(lines),
            paragraph(
                "With the default prior, predicted and actual chances differ by at most",
                f"{abs(worst['said'] - worst['came']):.2f} ({worst['pilot']}). With a flat prior, the",
                f"predicted chance was up to {times:.1f} times the actual one, because an undecided pilot is",
                "compatible with differences far larger than any that occur. If differences in your "
                "field are",
                "typically larger or smaller than 0.015, set `--prior-sd`: the prediction is only as good as",
                "this number.",
            ),
        ]
    )


def draw(figures: dict[str, Any], folder: Path) -> None:
    """There is no plot: the table says it all."""
