"""Side by side with other packages: the same data, the same work, one run; both answers are checked.

`make bench` installs the peers into an environment of its own, runs this, and writes RESULTS.md.
"""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
FLOORS = tomllib.loads((HERE / "floors.toml").read_text())


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the results: a figure for each unit that was measured, and what it is held to."""

    name: str
    what: str
    figures: dict[str, float]
    text: str
    note: str

    @property
    def passed(self) -> bool:
        floor = FLOORS[self.name]
        return all(
            self.figures[unit] >= limit if unit == "ratio" else self.figures[unit] <= limit
            for unit, limit in floor.items()
        )


def timed(work: Callable[[], object]) -> tuple[float, object]:
    start = time.perf_counter()
    answer = work()
    return time.perf_counter() - start, answer


def signed_rank(units: int, repeats: int) -> Row:
    """150,000 draws of the Bayesian signed-rank test; baycomp 1.0.3 beside it, turn by turn."""
    import baycomp

    from ropewalk import bayes

    d = np.random.default_rng(units).normal(0.15, 1.0, units)
    ratios, ours, theirs = [], [], []
    for seed in range(repeats):
        b_time, b = timed(
            lambda s=seed: baycomp.SignedRankTest.probs(
                np.zeros(units), d, rope=0.1, nsamples=150_000, random_state=s
            )
        )
        o_time, o = timed(lambda s=seed: bayes.signed_rank(d, 0.1, draws=150_000, rng=s))
        # baycomp's left is its first argument, which is zero here: our "worse".
        p = o.most_probable
        gap = max(abs(p.worse - b[0]), abs(p.equivalent - b[1]), abs(p.better - b[2]))
        if gap > 5 * np.sqrt(2) * max(o.error, 1e-3):
            raise AssertionError(f"the answers differ by {gap}: a faster wrong answer does not count")
        ratios.append(b_time / o_time)
        ours.append(o_time)
        theirs.append(b_time)
    return Row(
        name=f"signed_rank_{units}",
        what=f"signed-rank test, {units:,} units, 150,000 draws, beside baycomp 1.0.3",
        figures={"ratio": statistics.median(ratios)},
        text=f"{statistics.median(ratios):.0f} times faster ({min(ratios):.0f} to {max(ratios):.0f})",
        note=f"{statistics.median(ours):.3f} s against {statistics.median(theirs):.1f} s; "
        "the same probabilities within Monte Carlo error",
    )


def in_process(code: str) -> tuple[float, float]:
    """Seconds and peak megabytes of a fresh Python that runs `code`."""
    peak = "resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024"  # kilobytes on Linux
    watch = f"import resource\n{code}\nprint({peak})"
    seconds, run = timed(
        lambda: subprocess.run([sys.executable, "-c", watch], check=True, capture_output=True, text=True)
    )
    return seconds, float(run.stdout.split()[-1])


def signed_rank_memory() -> Row:
    seconds, megabytes = in_process(
        "import numpy as np\nfrom ropewalk import bayes\n"
        "bayes.signed_rank(np.random.default_rng(0).normal(0.01, 1, 100_000), 0.1, draws=150_000)"
    )
    return Row(
        name="signed_rank_100000",
        what="signed-rank test, 100,000 units, 150,000 draws",
        figures={"megabytes": megabytes},
        text=f"{megabytes:.0f} MB at its peak",
        note=f"{seconds:.0f} s; baycomp would hold 100,000 x 100,000 products, 80 GB",
    )


def robust_t() -> Row:
    from ropewalk import bayes

    d = np.random.default_rng(0).standard_t(3, 1_000_000) + 0.01
    times = [timed(lambda: bayes.robust_t(d))[0] for _ in range(3)]
    return Row(
        name="robust_t_million",
        what="robust t, a million differences",
        figures={"seconds": statistics.median(times)},
        text=f"{statistics.median(times):.2f} s",
        note="no peer integrates it",
    )


def start_up(name: str, what: str, arguments: list[str], cwd: Path | None = None) -> Row:
    times = [
        timed(lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=cwd))[
            0
        ]
        for _ in range(7)
    ]
    seconds = statistics.median(times)
    return Row(
        name=name,
        what=what,
        figures={"seconds": seconds},
        text=f"{seconds:.2f} s",
        note=f"the whole process, {min(times):.2f} to {max(times):.2f} s in seven runs",
    )


def compare_rows(folder: Path) -> Row:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 10, 10_000)
    for model, right in (("a", 0.9), ("b", 0.88)):
        said = np.where(rng.random(10_000) < right, truth, rng.integers(0, 10, 10_000))
        rows = "\n".join(f"{i},{t},{s}" for i, (t, s) in enumerate(zip(truth, said, strict=True)))
        (folder / f"{model}.csv").write_text(f"id,label,prediction\n{rows}\n")
    program = ["-c", "from ropewalk.cli import main; main()"]
    return start_up(
        "compare_10000_rows",
        "`ropewalk compare a.csv b.csv --rope 0.01`, 10,000 rows each",
        [*program, "compare", "a.csv", "b.csv", "--rope", "0.01"],
        folder,
    )


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            signed_rank(54, repeats=5),
            signed_rank(1000, repeats=1),
            signed_rank_memory(),
            robust_t(),
            start_up("import_ropewalk", "`import ropewalk`", ["-c", "import ropewalk"]),
            start_up("help", "`ropewalk --help`", ["-c", "from ropewalk.cli import main; main(['--help'])"]),
            compare_rows(Path(folder)),
        ]
    (HERE / "RESULTS.md").write_text(report(rows))
    print((HERE / "RESULTS.md").read_text())
    failed = [row.name for row in rows if not row.passed]
    if failed:
        sys.exit(f"below the floor in floors.toml: {', '.join(failed)}")


def report(rows: list[Row]) -> str:
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`: both sides in one run on the same data, both answers checked against each",
        f"other. Python {platform.python_version()}, NumPy {np.__version__}, {os.cpu_count()} cores.",
        "A ratio is the other's time over ours, the median over repeats with its range; the floors are in",
        "`floors.toml`.",
        "",
        "| what | result | floor | |",
        "| --- | --- | --- | --- |",
    ]
    for row in rows:
        floor = ", ".join(
            f"{'at least ' if unit == 'ratio' else 'under '}{limit:g} {unit if unit != 'ratio' else 'times'}"
            for unit, limit in FLOORS[row.name].items()
        )
        lines.append(f"| {row.what} | {row.text} | {floor} | {row.note} |")
    lines += [
        "",
        "## Where we lose",
        "",
        "- The signed-rank test costs O(units) a draw: at 100,000 units 150,000 draws take minutes. Fewer",
        "  draws do there: with 10,000 the Monte Carlo error is at most 0.005, and it is printed.",
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
