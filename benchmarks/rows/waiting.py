"""What a user waits for besides the numbers: the page, the plots, the process around a comparison."""

from __future__ import annotations

import statistics
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from harness import HERE, PROGRAM, Row, Settings, processor, task

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
start = time.process_time()
for _ in range(10):
    plain()
print(time.process_time() - start)
"""
_PAGE = """
import sys, time
import ropewalk
report = ropewalk.compare(sys.argv[1], rope=0.01)
start = time.process_time()
page = report.to_html()
print(time.process_time() - start, len(page.encode()) / 1e6, start)
"""
_PLOTS = """
import os, sys
from pathlib import Path
import ropewalk
from ropewalk.cli import figures
report = ropewalk.compare(sys.argv[1], rope=0.01)
before = sum(os.times()[:4])
drawn = figures.draw_all(report, Path(sys.argv[2]), everything=bool(sys.argv[3]))
print(sum(os.times()[:4]) - before, len(drawn.files), figures.processes(len(drawn.files)))
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
        bare, _ = processor([sys.executable, "-c", _BARE])
        seconds.append(processor([sys.executable, *PROGRAM, "compare", "right.csv"], settings.folder)[0])
        ratios.append(seconds[-1] / bare)
    yield Row(
        name="compare_against_imports",
        what="`ropewalk compare right.csv`, 10,000 rows, against importing NumPy, scipy.special and click",
        figures={"ratio_of_times": statistics.median(ratios)},
        text=f"{statistics.median(ratios):.1f} times the processor time",
        note=f"{statistics.median(seconds):.2f} s; {min(ratios):.1f} to {max(ratios):.1f} in 7 runs",
    )


@task()
def pages(settings: Settings) -> Iterable[Row]:
    """The page of a finished report, as it is made once, in a process of its own."""
    from reproduce import published

    cases = [
        (published.write_stand_in(settings.folder / "five_classifiers.csv"), 5, 54),
        (folds(settings.folder / "twelve.csv", 12, 30), 12, 30),
        (folds(settings.folder / "thirty.csv", 30, 100), 30, 100),
    ]
    for path, models, tasks in cases:
        _, said = processor([sys.executable, "-c", _PAGE, path])
        seconds, megabytes, without = map(float, said.split())
        yield Row(
            name=f"page_{models}x{tasks}",
            what=f"the page for {models} models x {tasks} tasks",
            figures={"seconds": seconds, "megabytes": megabytes},
            text=f"{seconds:.2f} s, {megabytes:.1f} MB",
            note=f"processor time; the comparison itself takes {without:.1f} s",
        )


@task()
def plots(settings: Settings) -> Iterable[Row]:
    """All plots of ten pairs against ten plain figures, and those of 66 pairs that are drawn by default."""
    from reproduce import published

    plain = min(float(processor([sys.executable, "-c", _PLAIN])[1]) for _ in range(3))
    for name, path, everything, what in (
        (
            "plots_all",
            published.write_stand_in(settings.folder / "five_classifiers.csv"),
            "all",
            "all plots of 5 models x 54 tasks, against ten plain matplotlib figures",
        ),
        (
            "plots_default",
            folds(settings.folder / "twelve.csv", 12, 30),
            "",
            "the plots of 12 models x 30 tasks that are drawn by default",
        ),
    ):
        _, said = processor([sys.executable, "-c", _PLOTS, path, settings.folder / name, everything])
        used, count, processes = map(float, said.split())
        seconds = used / processes
        figures = {"ratio_of_times": seconds / plain} if everything else {"seconds": seconds}
        yield Row(
            name=name,
            what=what,
            figures=figures,
            text=f"{seconds:.1f} s for {count:.0f} plots"
            + (f", {seconds / plain:.1f} times" if everything else ""),
            note=f"processor time for each of {processes:.0f} processes; "
            f"ten plain matplotlib figures take {plain:.2f} s",
        )


@task()
def fresh_demo(settings: Settings) -> Iterable[Row]:
    """The first command of the README in a fresh clone, with all that it installs."""
    demo, _ = processor(["make", "demo"], _clone(settings))
    yield Row(
        name="make_demo",
        what="`make demo` in a fresh clone, with the packages already downloaded",
        figures={"seconds": demo},
        text=f"{demo:.0f} s",
        note="processor time, including installation",
    )


@task()
def fresh_test(settings: Settings) -> Iterable[Row]:
    """The second one, with all that both install."""
    tests, _ = processor(["make", "test"], _clone(settings))
    yield Row(
        name="make_test",
        what="`make test` in a fresh clone, on two cores",
        figures={"seconds": tests / 2},
        text=f"{tests / 2:.0f} s",
        note=f"half of {tests:.0f} s of processor time, including installation",
    )


def _clone(settings: Settings) -> Path:
    folder = Path(tempfile.mkdtemp(dir=settings.folder))
    processor(["git", "clone", "--quiet", HERE.parent, folder])
    return folder
