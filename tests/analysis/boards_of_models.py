"""Models on a leaderboard."""

from __future__ import annotations

import numpy as np
import pandas as pd

from ropewalk.data import Audit, Design, Scores, TaskScores


def one_task(values: np.ndarray, names: str = "abcdefgh", **design: object) -> Scores:
    return Scores(
        models=tuple(names[: values.shape[1]]),
        tasks=(TaskScores(name=None, units=[str(i) for i in range(len(values))], values=values),),
        metric="reward",
        higher_is_better=True,
        design=Design(unit="example", **design),  # type: ignore[arg-type]
        audit=Audit(paired=len(values)),
    )


def many_tasks(skill: list[float], tasks: int = 12, n: int = 20, seed: int = 0) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    rows = []
    for t in range(tasks):
        own = rng.normal(0, 0.1, len(skill))
        z = rng.normal(size=(n, 1)) + np.array(skill) + own + rng.normal(0, 0.3, (n, len(skill)))
        rows += [("abcdefgh"[j], f"t{t}", i, z[i, j]) for i in range(n) for j in range(len(skill))]
    return pd.DataFrame(rows, columns=["model", "task", "id", "reward"])


def seed_runs(lift: dict[str, float], seeds: dict[str, list[int]], luck: float, n: int = 100) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    rows = [
        (m, s, i, lift[m] + own + x)
        for m, runs in seeds.items()
        for s in runs
        for own in [rng.normal(0, luck)]
        for i, x in enumerate(rng.normal(size=n))
    ]
    return pd.DataFrame(rows, columns=["model", "seed", "id", "reward"])
