"""Cost against rows, tasks, models and pairs: two sizes a decade, the exponent fitted to the upper half."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from harness import Curve, Row, Settings, score_table, task, timed
from rows.bayesian import many_tasks
from rows.files import write

_SLOW = 3.0  # seconds from which on once is enough


def curve(
    name: str,
    what: str,
    unit: str,
    sizes: Sequence[int],
    made: Callable[[int], Any],
    work: Callable[[Any], Any],
) -> Row:
    work(made(sizes[0]))
    seconds = []
    for size in sizes:
        given = made(size)
        first = timed(lambda given=given: work(given))[0]
        seconds.append(first if first > _SLOW else min(first, timed(lambda given=given: work(given))[0]))
    found = Curve(label=what, unit=unit, sizes=sizes, seconds=seconds)
    return Row(
        name=name,
        what=what,
        figures={"exponent": found.exponent},
        text=f"{unit}^{found.exponent:.2f}",
        note=", ".join(f"{n:,}: {_short(t)}" for n, t in zip(sizes, seconds, strict=True)),
        curve=found,
    )


def spaced(first: int, last: int) -> list[int]:
    """1, 3, 10, 30, ... times the first."""
    steps = round(2 * np.log10(last / first)) + 1
    return [round(first * 10 ** (i // 2) * (3 if i % 2 else 1)) for i in range(steps)]


def _short(seconds: float) -> str:
    value, unit = (seconds, "s") if seconds >= 0.095 else (1000 * seconds, "ms")
    return f"{value:.2g} {unit}"


def scores(units: int, models: int, tasks: int = 1) -> Any:
    """In memory: real scores of examples."""
    from ropewalk.data import Audit, Design, Scores, TaskScores

    rng = np.random.default_rng(units)
    skill = np.linspace(0, 0.1, models)
    names = [str(i) for i in range(units)]
    return Scores(
        models=tuple(f"m{i}" for i in range(models)),
        tasks=tuple(
            TaskScores(
                name=f"t{t}" if tasks > 1 else None,
                units=names,
                values=rng.normal(size=(units, 1)) + skill + rng.normal(size=(units, models)),
            )
            for t in range(tasks)
        ),
        metric="reward",
        higher_is_better=True,
        design=Design(unit="example"),
        audit=Audit(paired=units * tasks),
    )


@task(quick=True)
def rows_in_memory(settings: Settings) -> Iterable[Row]:
    import ropewalk

    sizes = spaced(1_000, 100_000 if settings.quick else 1_000_000)
    what = "compare two models, scores in memory"
    yield curve(
        "rows_in_memory",
        what,
        "rows",
        sizes,
        lambda n: scores(n, 2),
        lambda s: ropewalk.compare(s, rope=0.05),
    )


@task("duckdb")
def rows_in_place(settings: Settings) -> Iterable[Row]:
    import ropewalk

    sizes = spaced(10_000, 1_000_000 if settings.quick else 10_000_000)
    yield curve(
        "rows_in_place",
        "compare two models, Parquet files in place",
        "rows",
        sizes,
        lambda n: write(settings.folder / f"place_{n}", n),
        lambda files: ropewalk.compare(files, rope=0.05, in_place=True),
    )


@task(quick=True)
def tasks_of_hierarchy(settings: Settings) -> Iterable[Row]:
    from ropewalk import bayes
    from ropewalk.sums import Sums

    sizes = spaced(10, 1_000 if settings.quick else 10_000)
    yield curve(
        "hierarchical_t_tasks",
        "hierarchical t-test over tasks",
        "tasks",
        sizes,
        lambda n: [Sums.of(x) for x in many_tasks(n, 10)],
        lambda tasks: bayes.hierarchical_t(tasks, rho=0.1),
    )


@task(quick=True)
def models_of_joint(settings: Settings) -> Iterable[Row]:
    from ropewalk import bayes

    def work(z: np.ndarray) -> None:
        board = bayes.joint(z)
        board.practically_best(0.01)

    sizes = spaced(10, 100 if settings.quick else 1_000)
    made = lambda k: score_table(2_000, k, seed=k)  # noqa: E731
    yield curve("models_of_joint", "joint posterior of models, 2,000 examples", "models", sizes, made, work)


@task()
def compare_models(settings: Settings) -> Iterable[Row]:
    """More than 5,000 pairs: each model is held against the best one only."""
    import ropewalk

    sizes = [125, 250] if settings.quick else [125, 250, 500, 1_000]
    yield curve(
        "compare_models",
        "compare models with the best, 1,000 examples",
        "models",
        sizes,
        lambda k: scores(1_000, k),
        lambda s: ropewalk.compare(s, rope=0.05),
    )


@task()
def compare_pairs(settings: Settings) -> Iterable[Row]:
    """All pairs of 3 to 100 models on one task of 500 examples."""
    import ropewalk

    models = [3, 6, 10, 20, 30] if settings.quick else [3, 6, 10, 20, 35, 60, 100]
    sizes = [k * (k - 1) // 2 for k in models]
    by_pairs = dict(zip(sizes, models, strict=True))
    yield curve(
        "compare_pairs",
        "compare all pairs of models, 500 examples",
        "pairs",
        sizes,
        lambda pairs: scores(500, by_pairs[pairs]),
        lambda s: ropewalk.compare(s, rope=0.05),
    )
