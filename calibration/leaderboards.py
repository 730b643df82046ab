"""Many models: intervals of one pair on a leaderboard, P(best), and claims about many pairs."""

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
_WORLDS = {5: 400, 20: 100, 50: 60, 100: 20}  # leaderboards for each number of models
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
    """Whether the 95% interval of the first pair of a leaderboard contains the true advantage."""
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
    """P(best) of the leader and how often it is the best, then four numbers for each of two ROPEs.

    The ROPEs are none and three standard errors. The numbers are the claims at a false discovery rate of 5%
    among the pairs that are decided at 0.95 on their own, how many of them are false, whether the set of
    practically best models at the level 0.95 contains one, and its size. With equal models, each is the best
    in an equal share of cases.
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
    """P(best) of the leader without shrinkage, and with the models as draws from one population."""
    together = pulled_together(apart, sums, draws=_DRAWS, rng=rng)
    return [float(apart.p_best.max()), float(together.p_best.max())]


def _auroc(rng: Generator) -> list[float]:
    y = rng.integers(0, 2, _UNITS)
    said = {f"m{k}": y + rng.normal(size=_UNITS) for k in range(5)}
    found = bayes.joint_bootstrap("auroc", y, said, rng=rng)
    return _leaders(found, found.sums, rng)


def _runs(rng: Generator) -> list[float]:
    tables = [0.05 * rng.normal(size=(4, 1)) + rng.normal(size=(4, 60)) for _ in range(5)]
    found = bayes.joint_runs(tables, draws=_DRAWS, rng=rng)
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
        "set contains the best | set size | with a ROPE: claims | false | set contains the best | set size |",
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
    """Claims per leaderboard, the share that is false, how often the set contains one, and its size."""
    made, false = float(x[:, 0].sum()), float(x[:, 1].sum())
    share = f"{100 * false / made:.1f}%" if made else "none"
    return f"{made / len(x):.1f} | {share} | {100 * x[:, 2].mean():.0f}% | {x[:, 3].mean():.1f}"


def draw(figures: dict[str, Any], folder: Path) -> None:
    """There is no plot: the tables say it all."""


_HEAD = f"""\
## Leaderboards of many models

**One pair.** Model A is better than B by {_ADVANTAGE:g} on average, on {_TASKS} tasks of 10 units, and both
are on a leaderboard with other models. How often does the 95% interval of A - B contain this value? The
leaderboard comes from `bayes.joint_tasks`, as in `rw.compare`. (If tasks have several units, the pairs of a
report come from `hierarchical_t` instead, which does not use the other models. Its intervals contain the
truth in 95.2% of 400 such data sets.)
"""
_MIDDLE = f"""
**All models together.** 5 to 100 models are compared on {_UNITS} units. Their abilities are equal, equal
except for one model, or drawn from a normal population; spreads and leads are in standard errors of a model's
mean. The columns are:

- *P(best) of the leader*: the largest probability of being the best; *leader is best*: how often this model
  really is the best. The two should be close.
- *claims*: verdicts about pairs with a probability of at least 0.95 that can be made together at a false
  discovery rate of 5%; *false*: the share of them that is wrong. If two models are equal, "better" is wrong.
- *set contains the best*: how often the set of practically best models contains one; *set size*: the number
  of models in it.

The first columns are without a ROPE, the last four with a ROPE of three standard errors.
"""
_TAIL = """
*Equal models.* P(best) of the leader is within about 0.03 of how often it is the best. Without a correction
it would be far too high (next table), because the leader is chosen after looking at the data. ropewalk
therefore shrinks the models toward each other, with a prior that expects equal models: all are equal with
probability 4/5, and all but one with 1/10. We chose 4/5 because it is the smallest round number with some
margin. With 3/4, P(best) of five equal models is too high by 0.030 on 250 units and by 0.031 on 20 (200
simulations each, standard error 0.003); with 4/5 it is 0.025 for both. With 10 units it is slightly more than
0.03: 0.034, and 0.037 in a second sample of 600 (standard error 0.002), because so few units sometimes show
one model far ahead by chance. For right or wrong answers on 40 examples it is about 0.03: 0.025, 0.029 and
0.037 in three samples of 400 to 600. The leader has the largest of several probabilities that the draws
estimate, which adds 0.001 with the 10,000 draws of a report, and 0.005 with 2,000.

*Different models.* The price is caution. If models differ by 0.7 to 1.5 standard errors, or if one is four
standard errors ahead of equal ones, P(best) is lower than the frequency with which the leader is the best: by
about 0.2 with five models, and by more if one model is far ahead. Among 100 models on 250 units, even a lead
of six standard errors raises P(best) only a little. For models that differ, P(best) is never too high by more
than two standard errors.

*Claims.* Each claim uses the prior that makes it harder. For the claim that two models are equivalent, the
prior probability of equal models is only 1/2: with 4/5, 19% of the claims for eight models on 20 units were
false, because the prior alone made pairs equivalent. If all models are equal, no claim is made that one is
ahead. The share of false claims is near 5% or below, and reaches 7% if one model is ahead of equal ones or
100 models differ by 0.7 standard errors.
"""
