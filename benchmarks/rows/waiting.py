"""What a user waits for besides the numbers: the page, the plots, the process around a comparison."""

from __future__ import annotations

import statistics
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from harness import PROGRAM, Row, Settings, process, task

_BARE = "import numpy, scipy.special, click"
_PLAIN = """
import io, time
import matplotlib
matplotlib.use("agg")
import matplotlib.pyplot as plt
def plain():
    figure, ax = plt.subplots()
    ax.plot([0, 1, 2], [0, 1, 4])
    ax.set_xlabel("x")
    figure.savefig(io.BytesIO(), format="png")
    plt.close(figure)
plain()
start = time.perf_counter()
for _ in range(10):
    plain()
print(time.perf_counter() - start)
"""


def folds(path: Path, models: int, tasks: int, *, folds: int = 10) -> Path:
    """Scores of models on tasks, a column per model; some of the pairs can be told apart."""
    rng = np.random.default_rng(1)
    hard, ability = rng.uniform(0.7, 0.9, tasks), rng.normal(0, 0.01, models)
    own = rng.normal(0, 0.015, (tasks, models))
    noise = rng.normal(0, 0.02, (tasks, folds, 1)) + rng.normal(0, 0.01, (tasks, folds, models))
    scores = np.clip(hard[:, None, None] + (ability + own)[:, None, :] + noise, 0, 1)
    lines = [
        f"t{t},{k}," + ",".join(f"{x:.4f}" for x in scores[t, k]) for t in range(tasks) for k in range(folds)
    ]
    header = "task,fold," + ",".join(f"m{m:02d}" for m in range(models))
    path.write_text("\n".join([header, *lines, ""]))
    return path


@task(quick=True)
def around_a_comparison(settings: Settings) -> Iterable[Row]:
    """The whole command on 10,000 rows against importing NumPy, scipy.special and click."""
    rng = np.random.default_rng(0)
    right = rng.random((10_000, 2)) < (0.80, 0.79)
    rows = "\n".join(f"{i},{int(a)},{int(b)}" for i, (a, b) in enumerate(right))
    (settings.folder / "right.csv").write_text(f"id,a,b\n{rows}\n")
    ratios, seconds = [], []
    for _ in range(7):
        bare = process(["-c", _BARE])[0]
        seconds.append(process([*PROGRAM, "compare", "right.csv"], settings.folder)[0])
        ratios.append(seconds[-1] / bare)
    yield Row(
        name="compare_against_imports",
        what="`ropewalk compare right.csv`, 10,000 rows, against importing NumPy, scipy.special and click",
        figures={"ratio_of_times": statistics.median(ratios)},
        text=f"{statistics.median(ratios):.1f} times the time",
        note=f"{statistics.median(seconds):.2f} s; {min(ratios):.1f} to {max(ratios):.1f} in 7 runs",
    )


@task()
def pages(settings: Settings) -> Iterable[Row]:
    """The page alone: with it, less without it."""
    from reproduce import published

    cases = [
        (published.write_stand_in(settings.folder / "five_classifiers.csv"), 5, 54),
        (folds(settings.folder / "twelve.csv", 12, 30), 12, 30),
        (folds(settings.folder / "thirty.csv", 30, 100), 30, 100),
    ]
    page = settings.folder / "page.html"
    for path, models, tasks in cases:
        command = [*PROGRAM, "compare", str(path), "--rope", "0.01"]
        without = min(process(command)[0] for _ in range(3))
        seconds = min(process([*command, "--html", str(page)])[0] for _ in range(3)) - without
        megabytes = page.stat().st_size / 1e6
        yield Row(
            name=f"page_{models}x{tasks}",
            what=f"the page for {models} models x {tasks} tasks",
            figures={"seconds": seconds, "megabytes": megabytes},
            text=f"{seconds:.1f} s, {megabytes:.1f} MB",
            note=f"beside {without:.1f} s for the comparison itself; the best of 3 runs each",
        )


@task()
def plots(settings: Settings) -> Iterable[Row]:
    """All plots of ten pairs against ten plain figures, and those of 66 pairs that are drawn by default."""
    from reproduce import published

    plain = min(float(process(["-c", _PLAIN])[2]) for _ in range(3))
    for name, path, options, what in (
        (
            "plots_all",
            published.write_stand_in(settings.folder / "five_classifiers.csv"),
            ["--all"],
            "all plots of 5 models x 54 tasks, against ten plain figures of matplotlib",
        ),
        (
            "plots_default",
            folds(settings.folder / "twelve.csv", 12, 30),
            [],
            "the plots of 12 models x 30 tasks that are drawn by default",
        ),
    ):
        folder = settings.folder / name
        command = [*PROGRAM, "compare", str(path), "--rope", "0.01"]
        without = min(process(command)[0] for _ in range(2))
        seconds = min(process([*command, "--plots", str(folder), *options])[0] for _ in range(2)) - without
        figures = {"ratio_of_times": seconds / plain} if options else {"seconds": seconds}
        count = len(list(folder.glob("*.png")))
        yield Row(
            name=name,
            what=what,
            figures=figures,
            text=f"{seconds:.1f} s for {count} plots" + (f", {seconds / plain:.1f} times" if options else ""),
            note=f"ten plain figures take {plain:.2f} s; {without:.1f} s for the comparison not counted",
        )
