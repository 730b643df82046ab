"""What a user waits for: the import, the help, a comparison of files, from the start of the process."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from harness import PROGRAM, Row, Settings, process, task


def waited(name: str, what: str, arguments: Sequence[str], cwd: Path | None = None, runs: int = 7) -> Row:
    seconds = [process(arguments, cwd)[0] for _ in range(runs)]
    return Row(
        name=name,
        what=what,
        figures={"seconds": statistics.median(seconds)},
        text=f"{statistics.median(seconds):.2f} s",
        note=f"the whole process, {min(seconds):.2f} to {max(seconds):.2f} s in {runs} runs",
    )


@task(quick=True)
def start(settings: Settings) -> Iterable[Row]:
    yield waited("import_ropewalk", "`import ropewalk`", ["-c", "import ropewalk"])
    yield waited("help", "`ropewalk --help`", [*PROGRAM, "--help"])


@task(quick=True)
def compare_csv(settings: Settings) -> Iterable[Row]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 10, 10_000)
    for model, right in (("a", 0.9), ("b", 0.88)):
        said = np.where(rng.random(10_000) < right, truth, rng.integers(0, 10, 10_000))
        rows = "\n".join(f"{i},{t},{s}" for i, (t, s) in enumerate(zip(truth, said, strict=True)))
        (settings.folder / f"{model}.csv").write_text(f"id,label,prediction\n{rows}\n")
    yield waited(
        "compare_10000_rows",
        "`ropewalk compare a.csv b.csv --rope 0.01`, 10,000 rows each",
        [*PROGRAM, "compare", "a.csv", "b.csv", "--rope", "0.01"],
        settings.folder,
    )


@task()
def compare_five_classifiers(settings: Settings) -> Iterable[Row]:
    """All ten pairs of five classifiers on 54 data sets."""
    from reproduce import published

    path = published.write_stand_in(settings.folder / "five_classifiers.csv")
    what = "`ropewalk compare five_classifiers.csv`: ten pairs on 54 tasks x 100 folds, each task and overall"
    yield waited("compare_five_classifiers", what, [*PROGRAM, "compare", str(path)], runs=3)
