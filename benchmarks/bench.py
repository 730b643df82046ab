"""Side by side with other packages: the same data, the same work, one run; both answers are checked.

`make bench` installs the peers into an environment of its own, runs this, and writes RESULTS.md.
"""

from __future__ import annotations

import json
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
    # VmHWM, not ru_maxrss: the latter starts from the memory of the process that was forked.
    peak = "int(next(x for x in open('/proc/self/status') if x.startswith('VmHWM')).split()[1]) / 1024"
    watch = f"{code}\nprint({peak})"
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


def two_scorers(n: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A truth and two scores between 0 and 1 that follow it, one better than the other."""
    y = rng.integers(0, 2, n)
    a, b = (1 / (1 + np.exp(-k * y - rng.normal(size=n))) for k in (1.5, 1.4))
    return y, a, b


def delong() -> list[Row]:
    """DeLong's test beside MLstatkit's: statistic, p-value, both AUROCs and an interval from each."""
    from MLstatkit import Delong_test

    from ropewalk import nhst

    ratios, notes = [], []
    for seed in range(5):
        y, a, b = two_scorers(20_000, np.random.default_rng(seed))
        m_time, theirs = timed(lambda y=y, a=a, b=b: Delong_test(y, a, b))

        def ours_too(y: np.ndarray = y, a: np.ndarray = a, b: np.ndarray = b) -> nhst.DelongResult:
            result = nhst.delong(y, a, b)
            result.confidence_interval(0.95)
            return result

        o_time, ours = timed(ours_too)
        if abs(theirs[1] - ours.p_value) > 1e-6 * max(ours.p_value, 1e-3):
            raise AssertionError(f"the p-values differ: {theirs[1]} and {ours.p_value}")
        ratios.append(m_time / o_time)
        notes.append((o_time, m_time))
    y, a, b = two_scorers(1_000_000, np.random.default_rng(0))
    million = statistics.median(timed(lambda: nhst.delong(y, a, b))[0] for _ in range(3))
    ours, theirs = (statistics.median(column) for column in zip(*notes, strict=True))
    return [
        Row(
            name="delong_20000",
            what="DeLong's test, 20,000 rows, beside MLstatkit 0.1.91",
            figures={"ratio": statistics.median(ratios)},
            text=f"{statistics.median(ratios):.0f} times faster ({min(ratios):.0f} to {max(ratios):.0f})",
            note=f"{ours:.3f} s against {theirs:.2f} s; the same p-values",
        ),
        Row(
            name="delong_million",
            what="DeLong's test, a million rows",
            figures={"seconds": million},
            text=f"{million:.2f} s",
            note="two sorts; a table of all pairs would have 10^12 cells",
        ),
    ]


def bootstrap_auroc() -> Row:
    """The Bayesian bootstrap of AUROC beside the obvious loop over scikit-learn's weighted roc_auc_score."""
    from sklearn.metrics import roc_auc_score

    from ropewalk import bayes

    rows, draws, loops = 100_000, 4_000, 10
    y, a, b = two_scorers(rows, np.random.default_rng(0))
    code = (
        "import numpy as np\nfrom ropewalk import bayes\nrng = np.random.default_rng(0)\n"
        f"y = rng.integers(0, 2, {rows})\na, b = (k * y + rng.normal(size={rows}) for k in (1.5, 1.4))\n"
        f"bayes.bootstrap('auroc', y, a, b, draws={draws})"
    )
    whole, megabytes = in_process(code)
    seconds, posterior = timed(lambda: bayes.bootstrap("auroc", y, a, b, draws=draws))

    def loop() -> np.ndarray:
        rng = np.random.default_rng(1)
        found = []
        for _ in range(loops):
            w = rng.standard_exponential(rows)
            found.append(roc_auc_score(y, a, sample_weight=w) - roc_auc_score(y, b, sample_weight=w))
        return np.array(found)

    l_time, sample = timed(loop)
    if abs(sample.mean() - posterior.mean) > 5 * posterior.sd / np.sqrt(loops):
        raise AssertionError(f"the answers differ: {sample.mean()} and {posterior.mean}")
    ratio = l_time / loops * draws / seconds
    return Row(
        name="bootstrap_auroc",
        what="Bayesian bootstrap of AUROC, 100,000 rows x 4,000 draws, beside a loop over scikit-learn's",
        figures={"ratio": ratio, "seconds": whole, "megabytes": megabytes},
        text=f"{ratio:.0f} times faster, {seconds:.1f} s, {megabytes:.0f} MB at its peak",
        note=f"{l_time / loops:.3f} s for one draw of the loop, of which {loops} were timed",
    )


def beside_autorank() -> Row:
    """Six models on fifty tasks, one number each: every pair by the signed-rank test with 50,000 draws."""
    import contextlib
    import io
    import itertools
    import warnings

    import pandas as pd
    from autorank import autorank

    from ropewalk import bayes

    rng = np.random.default_rng(0)
    skill = np.array([0.0, 0.005, 0.01, 0.012, 0.02, 0.03])
    z = 0.8 + rng.normal(0, 0.05, (50, 1)) + skill + rng.normal(0, 0.02, (50, 6))
    names = list("abcdef")

    def theirs() -> object:
        options = {"approach": "bayesian", "rope": 0.01, "rope_mode": "absolute", "nsamples": 50_000}
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return autorank(pd.DataFrame(z, columns=names), verbose=False, **options)

    def ours() -> tuple[dict[tuple[str, str], object], object]:
        pairs = {
            (names[i], names[j]): bayes.signed_rank(z[:, i] - z[:, j], 0.01, draws=50_000).most_probable
            for i, j in itertools.permutations(range(6), 2)
            if i > j
        }
        board = bayes.joint(z)
        return pairs, (board.p_best, board.practically_best(0.01))

    a_time, found = timed(theirs)
    runs = [timed(ours) for _ in range(5)]
    seconds = statistics.median(t for t, _ in runs)
    matrix = found.posterior_matrix
    for (a, b), p in runs[0][1][0].items():
        first, second = (a, b) if isinstance(matrix.loc[a, b], tuple) else (b, a)
        cell = matrix.loc[first, second]  # the second smaller, equal, larger
        same = (p.better, p.equivalent, p.worse) if first == a else (p.worse, p.equivalent, p.better)
        if max(abs(x - y) for x, y in zip(cell, same, strict=True)) > 0.02:
            raise AssertionError(f"the answers for {a} and {b} differ: {cell} and {same}")
    return Row(
        name="autorank_6x50",
        what="6 models x 50 tasks, every pair by the signed-rank test, beside autorank 1.3.0 (Bayesian)",
        figures={"ratio": a_time / seconds},
        text=f"{a_time / seconds:.0f} times faster",
        note=f"{seconds:.2f} s, with the joint posterior of all six, against {a_time:.1f} s",
    )


def hundred_models() -> Row:
    """A hundred models on fifty tasks of a thousand examples: all 4,950 pairs and the joint model."""
    code = (
        "import numpy as np, ropewalk as rw\n"
        "from ropewalk.data import Audit, Design, Scores, TaskScores\n"
        "rng = np.random.default_rng(0)\nskill = rng.normal(0, 0.1, 100)\n"
        "units = [str(i) for i in range(1000)]\n"
        "def task(t):\n"
        "    own = skill + rng.normal(0, 0.05, 100)\n"
        "    z = rng.normal(size=(1000, 1)) + own + rng.normal(size=(1000, 100))\n"
        "    return TaskScores(name=f't{t}', units=units, values=z)\n"
        "data = Scores(models=tuple(f'm{i}' for i in range(100)), tasks=tuple(map(task, range(50))),\n"
        "              metric='reward', higher_is_better=True, design=Design(unit='example'),\n"
        "              audit=Audit(paired=50_000))\n"
        "report = rw.compare(data, rope=0.05)\nassert len(report.overall) == 4950\nreport.to_text()"
    )
    seconds, megabytes = in_process(code)
    return Row(
        name="hundred_models",
        what="100 models x 50 tasks x 1,000 examples: 4,950 pairs, joint model, report",
        figures={"seconds": seconds, "megabytes": megabytes},
        text=f"{seconds:.0f} s, {megabytes:.0f} MB at its peak",
        note="the whole process, making the data included",
    )


def many_tasks(tasks: int, units: int) -> list[np.ndarray]:
    """Tasks of one population: means around 0.01, each with its own spread."""
    rng = np.random.default_rng(tasks * units)
    means, spreads = 0.01 + 0.02 * rng.standard_t(5, tasks), rng.uniform(0.01, 0.05, tasks)
    return [m + s * rng.normal(size=units) for m, s in zip(means, spreads, strict=True)]


def hierarchical(folder: Path) -> Row:
    """baycomp with PyStan once (it takes minutes), ropewalk five times, the same 54 x 100 differences."""
    from ropewalk import bayes

    data = many_tasks(54, 100)
    bounds = {"alpha": (1.0, 2.0), "beta": (0.01, 0.1)}  # what baycomp uses
    ours = [
        timed(lambda: bayes.hierarchical_t(data, rho=0.1, rope=0.01, **bounds).next_task(0.01))
        for _ in range(5)
    ]
    seconds = statistics.median(t for t, _ in ours)
    np.save(folder / "tasks.npy", np.stack(data))
    # baycomp writes a pickle into the working directory, so it runs in one of its own.
    code = (
        "import baycomp, json, numpy as np\nd = np.load('tasks.npy')\n"
        "p = baycomp.HierarchicalTest.probs(d, np.zeros_like(d), rope=0.01, runs=10)\n"
        "print('ANSWER', json.dumps([float(v) for v in p]))"
    )
    b_time, run = timed(
        lambda: subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True, cwd=folder
        )
    )
    theirs = json.loads(run.stdout.split("ANSWER")[-1])
    p = ours[0][1].most_probable
    gap = max(abs(p.better - theirs[0]), abs(p.equivalent - theirs[1]), abs(p.worse - theirs[2]))
    if gap > 0.02:  # Stan's own Monte Carlo error is up to 0.01
        raise AssertionError(f"the answers differ by {gap}: {p} and {theirs}")
    return Row(
        name="hierarchical_t_54x100",
        what="hierarchical t-test, 54 tasks x 100 folds, beside baycomp 1.0.3 with PyStan",
        figures={"ratio": b_time / seconds, "seconds": seconds},
        text=f"{b_time / seconds:.0f} times faster, {seconds:.2f} s",
        note=f"{b_time:.0f} s for Stan, compiling included; the answers differ by {gap:.3f}",
    )


def hierarchical_scaling() -> list[Row]:
    """The cost against tasks, and against units once their sums are taken."""
    from ropewalk import bayes
    from ropewalk.sums import Sums

    sizes = [10, 100, 1_000, 10_000]
    times = []
    for n in sizes:
        data = [Sums.of(x) for x in many_tasks(n, 10)]
        times.append(timed(lambda d=data: bayes.hierarchical_t(d, rho=0.1, rope=0.01))[0])
    slope = float(np.polyfit(np.log(sizes[1:]), np.log(times[1:]), 1)[0])
    few, many = ([Sums.of(x) for x in many_tasks(54, k)] for k in (100, 100_000))
    pairs = [
        [timed(lambda d=d: bayes.hierarchical_t(d, rho=0.1, rope=0.01))[0] for _ in range(3)]
        for d in (few, many)
    ]
    ratio = statistics.median(pairs[1]) / statistics.median(pairs[0])
    return [
        Row(
            name="hierarchical_t_tasks",
            what="hierarchical t-test, 10 to 10,000 tasks",
            figures={"exponent": slope},
            text=f"cost grows as tasks^{slope:.2f}",
            note=", ".join(f"{n:,}: {t:.2f} s" for n, t in zip(sizes, times, strict=True)),
        ),
        Row(
            name="hierarchical_t_units",
            what="hierarchical t-test, 100,000 units a task against 100, sums taken",
            figures={"ratio_of_times": ratio},
            text=f"{ratio:.2f} times the cost",
            note="the data enter through n, mean and M2 only",
        ),
    ]


def compare_cv54() -> list[Row]:
    """All ten pairs of five classifiers on 54 data sets, where the data are at hand."""
    path = HERE.parents[1] / "shared" / "data" / "cv54.csv"
    if not path.exists():
        print("cv54.csv is not here: `ropewalk compare` on it is left out")
        return []
    program = ["-c", "from ropewalk.cli import main; main()"]
    what = "`ropewalk compare cv54.csv`: ten pairs on 54 tasks x 100 folds, each task and overall"
    return [start_up("compare_cv54", what, [*program, "compare", str(path)], runs=3)]


def start_up(name: str, what: str, arguments: list[str], cwd: Path | None = None, runs: int = 7) -> Row:
    times = [
        timed(lambda: subprocess.run([sys.executable, *arguments], check=True, capture_output=True, cwd=cwd))[
            0
        ]
        for _ in range(runs)
    ]
    seconds = statistics.median(times)
    return Row(
        name=name,
        what=what,
        figures={"seconds": seconds},
        text=f"{seconds:.2f} s",
        note=f"the whole process, {min(times):.2f} to {max(times):.2f} s in {runs} runs",
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


def main(arguments: list[str]) -> None:
    """`--no-stan` leaves out the comparison that takes Stan several minutes."""
    with tempfile.TemporaryDirectory() as folder:
        rows = [
            signed_rank(54, repeats=5),
            signed_rank(1000, repeats=1),
            signed_rank_memory(),
            *([] if "--no-stan" in arguments else [hierarchical(Path(folder))]),
            *hierarchical_scaling(),
            robust_t(),
            *delong(),
            bootstrap_auroc(),
            beside_autorank(),
            hundred_models(),
            *compare_cv54(),
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
            f"at least {limit:g} times" if unit == "ratio" else f"under {limit:g} {unit.replace('_', ' ')}"
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
    main(sys.argv[1:])
