"""Many models at once: intervals of a pair with others on the board, P(best), and claims about many pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.random import Generator

import ropewalk as rw
from ropewalk import bayes
from ropewalk.decide import false_discovery
from ropewalk.posterior.base import Floats

_BOARDS = 400
_WORLDS = 250
_TASKS = 20
_ADVANTAGE = 0.05

_Board = tuple[int, float, bool]  # near copies of a third model, spread of that model, tasks of unequal size
BOARDS: dict[str, _Board] = {
    "three models": (0, 0.05, False),
    "and 2 near copies of the third": (2, 0.05, False),
    "and 4 near copies": (4, 0.05, False),
    "and 8 near copies": (8, 0.05, False),
    "the third varies ten times as much": (0, 0.5, False),
    "tasks of 3 to 60 units": (2, 0.05, True),
}


def measure(scale: float) -> dict[str, Any]:
    boards = {
        name: [_held(np.random.default_rng([1, i, r]), *board) for r in range(max(4, int(scale * _BOARDS)))]
        for i, (name, board) in enumerate(BOARDS.items())
    }
    worlds = {
        name: [_claims(np.random.default_rng([2, i, r]), name) for r in range(max(2, int(scale * _WORLDS)))]
        for i, name in enumerate(WORLDS)
    }
    return {"boards": boards, "worlds": worlds}


def _held(rng: Generator, copies: int, spread: float, unequal: bool) -> bool:
    """Whether the 95% interval of the first pair of a report holds its advantage."""
    k = 3 + copies
    effects = rng.normal(0, 0.05, (_TASKS, k))
    effects[:, 2] *= spread / 0.05
    effects[:, 3:] = effects[:, [2]] + 0.1 * effects[:, 3:]
    level = 0.6 + rng.normal(0, 0.05, (_TASKS, 1)) + effects
    level[:, 0] += _ADVANTAGE
    rows = []
    for t, mean in enumerate(level):
        n = int(rng.choice([3, 60])) if unequal else 10
        scores = mean + rng.normal(0, 0.1, (n, 1)) + rng.normal(0, 0.2, (n, k))
        table = pd.DataFrame(scores, columns=[f"m{j}" for j in range(k)]).assign(task=f"t{t}", unit=range(n))
        rows.append(table.melt(["task", "unit"], var_name="model", value_name="value"))
    report = rw.compare(
        pd.concat(rows), pairs=[("m0", "m1")], rope=0.01, score="value", higher_is_better=True
    )
    (found,) = report.overall
    return bool(found.estimate.low <= _ADVANTAGE <= found.estimate.high)


# --- fifty models -------------------------------------------------------------------------------------------

_UNITS, _MODELS = 250, 50
_ERROR = _UNITS**-0.5
WORLDS = {
    "equal": 0.0,
    "spread 0.35 standard errors": 0.35,
    "spread 0.7": 0.7,
    "spread 1.5": 1.5,
    "spread 3": 3.0,
    "equal, and one 4 standard errors ahead": -4.0,
    "equal, and one 6 standard errors ahead": -6.0,
}


def _abilities(rng: Generator, name: str) -> Floats:
    spread = WORLDS[name]
    mu = rng.normal(0, max(spread, 1e-6) * _ERROR, _MODELS)  # never exactly equal: one is the best
    if spread < 0:
        mu[rng.integers(_MODELS)] -= spread * _ERROR
    return mu


def _claims(rng: Generator, name: str) -> list[float]:
    """P(best) of the leader, whether it is; claims at a false discovery rate of 5%, and how many are false.

    Also whether the practically best set, at the level 0.95 and without a ROPE, holds the best, and its size.
    """
    mu = _abilities(rng, name)
    found = bayes.joint(mu + rng.normal(size=(_UNITS, _MODELS)), draws=2000, rng=rng)
    leader = int(found.p_best.argmax())
    i, j = np.triu_indices(_MODELS, 1)
    better = np.array([np.mean(found.draws[:, a] > found.draws[:, b]) for a, b in zip(i, j, strict=True)])
    made = list(false_discovery(np.minimum(better, 1 - better), q=0.05).claims)
    false = np.sum((better[made] > 0.5) != (mu[i[made]] > mu[j[made]]))
    members = found.practically_best(0.0)
    return [
        float(found.p_best[leader]),
        float(leader == mu.argmax()),
        float(len(made)),
        float(false),
        float(mu.argmax() in members),
        float(len(members)),
    ]


# --- the page -----------------------------------------------------------------------------------------------


def text(figures: dict[str, Any]) -> str:
    lines = [_HEAD, "| on the board | reports | the interval holds the truth |", "| --- | --- | --- |"]
    for name, held in figures["boards"].items():
        p, n = float(np.mean(held)), len(held)
        lines.append(f"| {name} | {n:,} | {100 * p:.1f} ± {100 * np.sqrt(0.05 * 0.95 / n):.1f}% |")
    lines += [_MIDDLE]
    lines += [
        "| abilities | boards | P(best) of the leader | it is the best | claims a board | false | "
        "the set holds the best | its size |",
        "| --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for name, rows in figures["worlds"].items():
        x = np.array(rows)
        made, false = float(x[:, 2].sum()), float(x[:, 3].sum())
        share = f"{100 * false / made:.1f}%" if made else "none"
        lines.append(
            f"| {name} | {len(x)} | {x[:, 0].mean():.2f} | {x[:, 1].mean():.2f} | {made / len(x):.0f} | "
            f"{share} | {100 * x[:, 4].mean():.0f}% | {x[:, 5].mean():.0f} |"
        )
    return "\n".join([*lines, _TAIL])


def draw(figures: dict[str, Any], folder: Path) -> None:
    """Nothing: two tables say it."""


_HEAD = f"""\
## Many models on one board

**A pair on its own.** Model A is better than B by {_ADVANTAGE:g} on average over tasks, on {_TASKS} tasks of
10 units, compared by `rw.compare` together with other models. How often does the 95% interval of A - B hold
that?
"""
_MIDDLE = f"""
**All models together.** {_MODELS} models on {_UNITS} units, their abilities equal (or nearly so: somebody is
the best), drawn from a normal population, or equal but for one. A false claim names the wrong one of two as
the better.
"""
_TAIL = """
P(best) is right on average over how far models may be apart, not in every world. Where all are exactly equal
it is too sure of the leader, and where one stands alone among equals it is not sure enough until that one is
five or six standard errors ahead. Claims about pairs are false in about 5% where abilities vary. Where all
are equal few claims are made (of 1,225 pairs), and they are a toss-up; one model far ahead of equals lets a
few of these in.
"""
