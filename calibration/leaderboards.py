"""Many models at once: intervals of a pair with others on the board, P(best), and claims about many pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.random import Generator

from ropewalk import bayes
from ropewalk.analysis.leaderboard import together
from ropewalk.bayes.joint import pulled_together
from ropewalk.decide import false_discovery
from ropewalk.methods.crossed import as_cross_sums
from ropewalk.posterior import JointPosterior
from ropewalk.posterior.base import Floats

_BOARDS = 400
_WORLDS = {5: 400, 20: 100, 50: 60, 100: 20}  # boards by the number of models
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
        f"{models} models, {name}": [
            _claims(np.random.default_rng([2, i, models, r]), name, models)
            for r in range(max(2, int(scale * _WORLDS[models])))
        ]
        for models in _MODELS
        for i, name in enumerate(WORLDS)
    }
    others = {
        name: [made(np.random.default_rng([3, i, r])) for r in range(max(2, int(scale * _OTHERS)))]
        for i, (name, made) in enumerate(OTHERS.items())
    }
    return {"boards": boards, "worlds": worlds, "others": others}


def _held(rng: Generator, copies: int, spread: float, unequal: bool) -> bool:
    """Whether the 95% interval of the first pair of a board holds its advantage."""
    k = 3 + copies
    effects = rng.normal(0, 0.05, (_TASKS, k))
    effects[:, 2] *= spread / 0.05
    effects[:, 3:] = effects[:, [2]] + 0.1 * effects[:, 3:]
    level = 0.6 + rng.normal(0, 0.05, (_TASKS, 1)) + effects
    level[:, 0] += _ADVANTAGE
    tables = []
    for mean in level:
        n = int(rng.choice([3, 60])) if unequal else 10
        tables.append(mean + rng.normal(0, 0.1, (n, 1)) + rng.normal(0, 0.2, (n, k)))
    low, high = bayes.joint_tasks(tables, draws=10).alone(0, 1).hdi(0.95)
    return bool(low <= _ADVANTAGE <= high)


# --- many models --------------------------------------------------------------------------------------------

_UNITS, _MODELS = 250, tuple(_WORLDS)
_DRAWS = 10_000  # as in a report
_ERROR = _UNITS**-0.5
_EVEN = 1e-6  # in standard errors: no more than this is behind the best
WORLDS = {
    "equal": 0.0,
    "spread 0.35 standard errors": 0.35,
    "spread 0.7": 0.7,
    "spread 1.5": 1.5,
    "spread 3": 3.0,
    "equal, and one 4 standard errors ahead": -4.0,
    "equal, and one 6 standard errors ahead": -6.0,
}


def _abilities(rng: Generator, name: str, models: int) -> Floats:
    spread = WORLDS[name]
    mu = rng.normal(0, max(spread, 0.0) * _ERROR, models)
    if spread < 0:
        mu[rng.integers(models)] -= spread * _ERROR
    return mu


def _claims(rng: Generator, name: str, models: int) -> list[float]:
    """P(best) of the leader, and how often it is; then, without a ROPE and with one of three standard errors:

    of the pairs that are decided at 0.95 on their own, claims at a false discovery rate of 5%, how many are
    false, whether the practically best set at the level 0.95 holds one, and its size. Of equal models each is
    the best as often as any other.
    """
    mu = _abilities(rng, name, models)
    found = bayes.joint(mu + rng.normal(size=(_UNITS, models)), draws=_DRAWS, rng=rng)
    leader = int(found.p_best.argmax())
    best = mu >= mu.max() - _EVEN * _ERROR
    i, j = np.triu_indices(models, 1)
    row = [float(found.p_best[leader]), float(best[leader] / best.sum())]
    assert found.own is not None
    for rope in (0.0, 3 * _ERROR):
        above, gap = found.own.above(rope), mu[i] - mu[j]
        own = np.stack([above[i, j], 1 - above[i, j] - above[j, i], above[j, i]])
        decided = np.flatnonzero(own.max(axis=0) >= 0.95)
        said = own.argmax(axis=0)[decided]
        p = together(found, -rope, rope)[:, i, j][said, decided]
        truth = np.where(gap > rope, 0, np.where(gap < -rope, 2, 1))[decided]
        made = list(false_discovery(np.clip(1 - p, 0, 1), q=0.05).claims)
        members = list(found.practically_best(rope))
        held = (mu >= mu.max() - max(rope, _EVEN * _ERROR))[members].any()
        row += [float(len(made)), float(np.sum((truth != said)[made])), float(held), float(len(members))]
    return row


# --- five equal models, by a metric of the whole set and over training runs ---------------------------------


def _leaders(apart: JointPosterior, sums: bayes.CrossSums, rng: Generator) -> list[float]:
    """P(best) of the leader on its own, and with the models as drawn from one population."""
    together = pulled_together(apart, sums, draws=2000, rng=rng)
    return [float(apart.p_best.max()), float(together.p_best.max())]


def _auroc(rng: Generator) -> list[float]:
    y = rng.integers(0, 2, _UNITS)
    said = {f"m{k}": y + rng.normal(size=_UNITS) for k in range(5)}
    found = bayes.joint_bootstrap("auroc", y, said, draws=1000, rng=rng)
    return _leaders(found, found.sums, rng)


def _runs(rng: Generator) -> list[float]:
    tables = [0.05 * rng.normal(size=(4, 1)) + rng.normal(size=(4, 60)) for _ in range(5)]
    found = bayes.joint_runs(tables, draws=2000, rng=rng)
    return _leaders(found, as_cross_sums(found, 4, range(5), 5), rng)


def _answers(rng: Generator, n: int) -> list[float]:
    z = (rng.random((n, 5)) < 0.7).astype(np.float64)
    return [float(bayes.joint(z, pooling=how, rng=rng).p_best.max()) for how in (False, True)]


OTHERS = {
    "AUROC of 250 examples": _auroc,
    "4 training runs on 60 examples": _runs,
    "right and wrong answers on 250 examples": lambda rng: _answers(rng, 250),
    "right and wrong answers on 40 examples": lambda rng: _answers(rng, 40),
}
_OTHERS = 400


# --- the page -----------------------------------------------------------------------------------------------


def text(figures: dict[str, Any]) -> str:
    lines = [
        _HEAD,
        "| on the leaderboard | simulations | intervals that contain the truth |",
        "| --- | --- | --- |",
    ]
    for name, held in figures["boards"].items():
        p, n = float(np.mean(held)), len(held)
        lines.append(f"| {name} | {n:,} | {100 * p:.1f} ± {100 * np.sqrt(0.05 * 0.95 / n):.1f}% |")
    lines += [_MIDDLE]
    lines += [
        "| abilities | simulations | P(best) of the leader | leader is best | claims | false | "
        "set contains the best | set size | with a ROPE: claims | false | set contains one | set size |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for name, rows in figures["worlds"].items():
        x = np.array(rows)
        start = f"| {name} | {len(x)} | {x[:, 0].mean():.3f} | {x[:, 1].mean():.3f}"
        lines.append(" | ".join([start, _counts(x[:, 2:6]), _counts(x[:, 6:10])]) + " |")
    lines += [
        _TAIL,
        "| five equal models | simulations | P(best) without shrinkage | with shrinkage | leader is best |",
    ]
    lines += ["| --- | --- | --- | --- | --- |"]
    for name, rows in figures["others"].items():
        alone, together = np.mean(rows, axis=0)
        lines.append(f"| {name} | {len(rows)} | {alone:.2f} | {together:.2f} | 0.20 |")
    return "\n".join([*lines, ""])


def _counts(x: Floats) -> str:
    """Claims a board, the share of them that is false, how often the set holds one, its size."""
    made, false = float(x[:, 0].sum()), float(x[:, 1].sum())
    share = f"{100 * false / made:.1f}%" if made else "none"
    return f"{made / len(x):.1f} | {share} | {100 * x[:, 2].mean():.0f}% | {x[:, 3].mean():.1f}"


def draw(figures: dict[str, Any], folder: Path) -> None:
    """Nothing: two tables say it."""


_HEAD = f"""\
## Leaderboards of many models

**A pair on its own.** Model A is better than B by {_ADVANTAGE:g} on average over tasks, on {_TASKS} tasks of
10 units, on a leaderboard with other models (`bayes.joint_tasks`, the model behind `rw.compare`). How often
does the 95% interval of A - B contain this value? Where tasks have several units, the pairs of a report go by
`hierarchical_t` instead, which sees nothing of the other models: 95.2% of 400 such data sets.
"""
_MIDDLE = f"""
**All models together.** 5 to 100 models on {_UNITS} units, with equal abilities, abilities from a normal
population, or equal abilities except for one model. Claims are verdicts on pairs at 0.95 that can be made
together at a false discovery rate of 5%; between two equal models every "better" is false. The set is that of
the practically best models. The left part has no ROPE, the right part one of three standard errors of a
model's mean.
"""
_TAIL = """
For equal models, P(best) of the leader is within about 0.03 of how often it is the best. This takes a prior
that expects equal models: with probability 4/5 all are equal, with 1/10 all but one. 4/5 is the smallest
round number with a margin: 3/4 leaves five models at 0.030 on 250 units and 0.031 on 20 (200 simulations
each, standard error 0.003), 4/5 at 0.025 on both. It is a little more than 0.03 in three cases: 0.034 with
10 units, 0.032 for AUROC on 250 examples, and 0.037 for right and wrong answers on 40 examples in a second
sample (600 leaderboards through `rw.compare`, standard error 0.003). The price is caution. If models differ
by 0.7 to 1.5 standard errors, or one is four standard errors ahead of equal ones, P(best) is lower than the
frequency with which the leader is the best, by about 0.2 with five models, and by more with an outlier;
with 100 models on 250 units, one that is six standard errors ahead hardly shows. Where models differ, it is
nowhere too high by more than two standard errors. Claims that models are close use a prior probability of
1/2 for equality: with 4/5, 19% of the claims for eight models on 20 units were false, because the prior
alone made pairs equivalent. Each claim therefore uses the prior that goes against it. For equal models, no
claims are made about who is ahead. False claims stay near 5% or below, and reach 7% if one model is ahead
of equal ones or 100 models differ by 0.7 standard errors.
"""
