"""How often the gate lets a candidate pass that is worse by exactly the margin: the worst case of a pass.

Right and wrong answers on one task are enumerated: every table of lost and won examples with its chance, and
the worst share of examples that the candidate wins. Everything else is simulated. Over several tasks the
posterior of right and wrong answers is computed instead of sampled (gate_tasks.py), for many more data sets.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray
from scipy.special import gammaln

import gate_tasks
from prose import paragraph
from ropewalk.bayes import t
from ropewalk.data.ranges import Range
from ropewalk.gate.claims import (
    GateClaims,
    counted,
    nothing,
    on_bounded,
    on_counts,
    varied,
)
from ropewalk.gate.overall import FEWEST, counted_over_tasks, or_population
from ropewalk.outcomes import Outcomes
from ropewalk.sums import LEAST_VARIED

Floats = NDArray[np.float64]
Scores = tuple[Floats, Floats]

SIZES = (5, 10, 20, 50, 100, 200)
MARGIN = 0.02
MARGINS = (0.01, 0.02, 0.05, 0.1, 0.2)
P = 0.95
TASKS = (3, 6)  # fewer than five speak of themselves alone, more of other tasks too
_ONE, _SEVERAL = 1_000, {3: 1_000, 6: 500}  # gates in a cell
_COUNTED = 20_000  # of right and wrong answers over tasks, for each share that is won


# --- data whose candidate is worse by exactly the margin -------------------------------------------------


def right_and_wrong(rng: Generator, n: int, margin: float) -> Scores:
    """4% of the answers are won, 4% and the margin are lost."""
    u = rng.random(n)
    baseline, candidate = np.ones(n), np.ones(n)
    candidate[u < 0.04 + margin] = 0
    baseline[u > 0.96] = 0
    return baseline, candidate


def nearly_alike(rng: Generator, n: int, margin: float) -> Scores:
    """The same graded score everywhere, but for the share `margin` of examples that the candidate fails."""
    baseline = np.where(np.arange(n) % 2, 1.0, 0.7)
    lost = rng.random(n) < margin / 0.85
    return baseline, np.where(lost, 0.0, baseline)


def small_gains_large_losses(rng: Generator, n: int, margin: float) -> Scores:
    """A gain of 0.05 on most examples, a loss of 0.8 on a few."""
    lost = rng.random(n) < (margin + 0.05) / 0.85
    return np.full(n, 0.8), np.where(lost, 0.0, 0.85)


def five_grades(rng: Generator, n: int, margin: float) -> Scores:
    """Grades 0, 1/4, ... 1 of a judge, which differ by one step on 40% of the examples."""
    baseline = rng.integers(1, 4, n) / 4
    u = rng.random(n)
    step = np.where(u < 0.2 + 2 * margin, -0.25, np.where(u > 0.8 + 2 * margin, 0.25, 0.0))
    return baseline, baseline + step


def continuous(rng: Generator, n: int, margin: float) -> Scores:
    """Scores that differ a little everywhere, and as often upwards as downwards."""
    baseline = rng.uniform(0.35, 0.65, n)
    return baseline, baseline - margin + rng.uniform(-0.15, 0.15, n)


BOUNDED: dict[str, Callable[[Generator, int, float], Scores]] = {
    "right and wrong": right_and_wrong,
    "graded, nearly all alike": nearly_alike,
    "graded, small gains and large losses": small_gains_large_losses,
    "five grades": five_grades,
    "graded, differences everywhere": continuous,
}


def _unbounded(noise: Callable[[Generator, int], Floats]) -> Callable[[Generator, int, float], Scores]:
    def draw(rng: Generator, n: int, margin: float) -> Scores:
        baseline = rng.normal(5, 3, n)
        return baseline, baseline - margin + 0.1 * noise(rng, n)

    return draw


UNBOUNDED = {
    "unbounded, normal": _unbounded(lambda rng, n: rng.normal(size=n)),
    "unbounded, heavy tails (t, 3 df)": _unbounded(lambda rng, n: rng.standard_t(3, n)),
    "unbounded, skewed against the candidate (exponential)": _unbounded(
        lambda rng, n: 1 - rng.standard_exponential(n)
    ),
}


# --- rates ------------------------------------------------------------------------------------------------


def simulated(shape: str, n: int, tasks: int, gates: int) -> dict[str, float]:
    """Shares of gates that pass and fail overall, by the claims that `judge` reads them from."""
    draw = {**BOUNDED, **UNBOUNDED}[shape]
    rng = np.random.default_rng([n, tasks, len(shape)])
    edge = float(np.nextafter(-MARGIN, -np.inf))
    passed = failed = 0
    for _ in range(gates):
        d = [candidate - baseline for baseline, candidate in (draw(rng, n, MARGIN) for _ in range(tasks))]
        found = claims(shape, d)
        passed += bool(found.not_worse.sf(edge) >= P)
        failed += bool(found.worse.cdf(edge) >= P)
    return {"pass": round(passed / gates, 4), "fail": round(failed / gates, 4)}


def claims(shape: str, d: list[Floats]) -> GateClaims:
    """The claims on one task or over several, as in `ropewalk.gate.claims` and `ropewalk.gate.overall`."""
    if shape == "right and wrong":
        tables = [
            Outcomes(n00=0, n01=int((x < 0).sum()), n10=int((x > 0).sum()), n11=int((x == 0).sum()))
            for x in d
        ]
        return counted(tables[0]) if len(d) == 1 else _wider(counted_over_tasks(tables, 0), d)
    if shape in BOUNDED:
        weights = np.concatenate([np.full(x.size, 1 / x.size) for x in d])
        return _wider(on_bounded(np.concatenate(d), Range(low=0.0, high=1.0), weights=weights), d)
    if varied(d[0]) < LEAST_VARIED:
        return nothing("too few units vary", None)
    posterior = t(d[0])
    return GateClaims(not_worse=posterior, worse=posterior, what="")


def _wider(these: GateClaims, d: list[Floats]) -> GateClaims:
    """From five tasks on the population of tasks counts too, where it is the more careful one."""
    return these if len(d) < FEWEST else or_population(these, np.array([x.mean() for x in d]), P)[0]


def passing(n: int, margin: float) -> list[int]:
    """For each number of won examples the largest number of lost ones with which the gate still passes."""
    found = []
    for won in range(n + 1):
        low, high = -1, n - won
        while low < high:
            lost = (low + high + 1) // 2
            fine = float(on_counts(lost, won, n - lost - won)[0].sf(-margin)) >= P
            low, high = (lost, high) if fine else (low, lost - 1)
        found.append(low)
    return found


def enumerated(n: int, margin: float) -> float:
    """The chance of a pass at exactly the margin, for the worst share of examples that are won."""
    most = passing(n, margin)
    lost = np.concatenate([np.arange(k + 1) for k in most])
    won = np.concatenate([np.full(k + 1, w) for w, k in enumerate(most)])
    if lost.size == 0:
        return 0.0
    alike = n - lost - won
    ways = gammaln(n + 1) - gammaln(lost + 1) - gammaln(won + 1) - gammaln(alike + 1)
    top = (1 - margin) / 2
    shares = np.concatenate([np.geomspace(1e-6, top * (1 - 1e-9), 150), np.linspace(0.01, top * 0.9999, 60)])
    return max(
        float(
            np.exp(
                ways + lost * np.log(w + margin) + won * np.log(w) + alike * np.log1p(-margin - 2 * w)
            ).sum()
        )
        for w in shares
    )


def measure(scale: float) -> dict[str, Any]:
    one, counted_tasks = (max(20, round(scale * x)) for x in (_ONE, _COUNTED))
    several = {tasks: max(20, round(scale * x)) for tasks, x in _SEVERAL.items()}
    exact = [{"n": n, "margin": m, "pass": round(enumerated(n, m), 4)} for n in SIZES for m in MARGINS]
    rows = []
    for tasks in (1, *TASKS):
        for shape in BOUNDED:
            exactly = tasks > 1 and shape == "right and wrong"
            gates = counted_tasks if exactly else one if tasks == 1 else several[tasks]
            for n in SIZES:
                found = (
                    gate_tasks.worst(n, tasks, MARGIN, gates)
                    if exactly
                    else simulated(shape, n, tasks, gates)
                )
                rows.append({"shape": shape, "n": n, "tasks": tasks, "gates": gates, **found})
    rows += [
        {"shape": shape, "n": n, "tasks": 1, "gates": one, **simulated(shape, n, 1, one)}
        for shape in UNBOUNDED
        for n in (20, 30, 50, 100, 200)
    ]
    return {"enumerated": exact, "rows": rows}


def limit(gates: int) -> float:
    """5% and three and a half Monte Carlo standard errors."""
    return float(0.05 + 3.5 * np.sqrt(0.05 * 0.95 / gates))


# --- the page ---------------------------------------------------------------------------------------------


def text(figures: dict[str, Any]) -> str:
    rows = figures["rows"]
    exact = figures["enumerated"]
    bounded = [r for r in rows if r["shape"] in BOUNDED]
    return "\n\n".join(
        [
            "## The gate",
            paragraph(
                "A gate passes a candidate that is not worse than the baseline by more than the margin. The",
                "hardest case is a candidate that is worse by exactly the margin: a pass and a fail are then",
                "both wrong, and each may occur in at most 5% of cases. The table has the share of wrong",
                "passes.",
            ),
            paragraph(
                "For right or wrong answers on one task the share is exact, the worst over all shares of",
                f"examples that the candidate can win: at most {max(e['pass'] for e in exact):.3f} in",
                f"{len(exact)} settings. Everything else was simulated with a margin of {MARGIN:g}, "
                "through the",
                "claims on which the gate bases its decision. For right or wrong answers and bounded scores,",
                f"the gate wrongly passed at most {max(r['pass'] for r in bounded):.3f} of the data sets, "
                "and",
                f"wrongly failed at most {max(r['fail'] for r in bounded):.3f}. The rows with right or wrong",
                "answers on several tasks show the worst of three shares of examples that the candidate wins",
                "(0, 0.01 and 0.04), with 20,000 data sets each.",
            ),
            table(figures),
            paragraph(
                "For scores without a known range, no method can guarantee 5%. The gate then assumes that",
                "the mean is approximately normal, and stays undecided with fewer than 30 units that vary.",
                "With skewed differences the assumption fails, and the last row shows how often the gate is",
                "wrong.",
            ),
        ]
    )


def table(figures: dict[str, Any]) -> str:
    """Wrong passes by kind of score and number of examples."""
    head = "| scores | tasks | " + " | ".join(f"n = {n}" for n in SIZES) + " |"
    lines = [head, "| --- | --- |" + " ---: |" * len(SIZES)]
    worst = {n: max(e["pass"] for e in figures["enumerated"] if e["n"] == n) for n in SIZES}
    lines.append(
        "| right and wrong, worst case, enumerated | 1 | "
        + " | ".join(f"{worst[n]:.3f}" for n in SIZES)
        + " |"
    )
    kinds = dict.fromkeys((r["shape"], r["tasks"]) for r in figures["rows"])
    for shape, tasks in kinds:
        found = {r["n"]: r["pass"] for r in figures["rows"] if (r["shape"], r["tasks"]) == (shape, tasks)}
        cells = " | ".join(f"{found[n]:.3f}" if n in found else "" for n in SIZES)
        lines.append(f"| {shape} | {tasks} | {cells} |")
    return "\n".join(lines)


def draw(figures: dict[str, Any], folder: Path) -> None:
    """There is no plot: the table says it all."""
