"""Side by side with other packages: the same data, the same work, one run; both answers are checked.

`make bench` installs the peers into an environment of its own, runs this, and writes RESULTS.md and
scaling.svg. `--quick` is a subset for the trend: it needs SciPy and scikit-learn only, prints, and writes
nothing. `--only NAME` runs the tasks whose names begin so, with `--quick` at small sizes; what is found is
printed and nothing is written, or with `--renew` put into RESULTS.md in the place of the same rows.
"""

from __future__ import annotations

import argparse
import os
import platform
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import differences
import plot
import rows  # noqa: F401  # enters the tasks
from harness import HERE, TASKS, Row, Settings


def main() -> None:
    options = _options()
    chosen = [
        task
        for task in TASKS
        if (task.quick or not options.quick or options.only)
        and not (options.no_stan and task.name == "hierarchical_stan")
        and (not options.only or any(task.name.startswith(name) for name in options.only))
    ]
    whole = not (options.quick or options.only)
    found: list[Row] = []
    skipped = ["hierarchical_stan was left out (`--no-stan`)"] if options.no_stan else []
    failed: list[str] = []
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        settings = Settings(
            folder=Path(folder),
            quick=options.quick,
            rows=options.rows,
            stan_limit=options.stan_limit,
            repeats=3 if options.quick else 7,
        )
        for task in chosen:
            if task.missing:
                skipped.append(f"{task.name}: {', '.join(task.missing)} cannot be imported")
                continue
            began = time.perf_counter()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of other packages
                try:
                    found += task.work(settings)
                except Exception as error:  # noqa: BLE001  # what was measured for half an hour is kept
                    traceback.print_exc()
                    failed.append(f"{task.name}: {type(error).__name__}, its message is in the log")
            print(f"{task.name}: {time.perf_counter() - began:.1f} s", file=sys.stderr, flush=True)
    minutes = (time.perf_counter() - start) / 60
    text = report(
        found, skipped + failed, minutes, probes=[] if options.quick or options.only else differences.lines()
    )
    if whole:
        (HERE / "RESULTS.md").write_text(text)
        plot.draw([row.curve for row in found if row.curve], HERE / "scaling.svg")
    elif options.renew:
        path = HERE / "RESULTS.md"
        path.write_text(renewed(path.read_text(), found))
    print(text)
    problems = [problem for row in found for problem in row.problems]
    if problems:
        print("\n".join(["These rows do not reach the limits in floors.toml:", *problems]), file=sys.stderr)
    if failed:
        print("\n".join(["These tasks failed:", *failed]), file=sys.stderr)
    if failed or (problems and not options.quick):  # a busy machine must not stop a commit
        sys.exit(1)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Compare the speed and the answers of ropewalk with those of other packages."
    )
    parser.add_argument(
        "--only", nargs="+", metavar="NAME", help="run only the tasks whose names begin with one of these"
    )
    parser.add_argument("--renew", action="store_true", help="with --only: replace these rows in RESULTS.md")
    parser.add_argument(
        "--no-stan", action="store_true", help="leave out the row for which Stan needs many minutes"
    )
    parser.add_argument(
        "--stan-limit", type=int, default=900, metavar="S", help="stop Stan after this many seconds"
    )
    parser.add_argument(
        "--rows", type=int, default=100_000_000, metavar="N", help="rows of each of the two large files"
    )
    parser.add_argument(
        "--folder", metavar="DIR", help="folder for the large files (default: the temporary folder)"
    )
    parser.add_argument(
        "--quick", action="store_true", help="run in under three minutes, without the other packages"
    )
    options = parser.parse_args()
    if options.renew and (options.quick or not options.only):
        parser.error("--renew goes with --only, and not with --quick")
    return options


def line(row: Row) -> str:
    """A row of a table."""
    peer = [row.peer] if "ratio" in row.figures else []
    return f"| {' | '.join([row.what, *peer, row.text, row.floor, row.note])} |"


def renewed(text: str, found: Sequence[Row]) -> str:
    """The results with these rows replaced, or added at the end of their table.

    Rows with another package are only renewed together, by a complete run.
    """
    lines, said = text.splitlines(), "These rows were measured later, in separate runs: "
    named = [old.removeprefix(said).rstrip(".").split(", ") for old in lines if old.startswith(said)]
    again = dict.fromkeys(name for names in named for name in names)
    if named:
        at = next(i for i, old in enumerate(lines) if old.startswith(said))
        del lines[at : at + 2]
    for row in found:
        if "ratio" in row.figures:
            continue
        title = "## How the cost grows" if row.curve else "## Without a counterpart"
        first = lines.index("| --- | --- | --- | --- |", lines.index(title)) + 1
        last = lines.index("", first)
        same = [i for i in range(first, last) if lines[i].startswith(f"| {row.what} |")]
        lines[same[0] if same else last : same[0] + 1 if same else last] = [line(row)]
        again[row.name] = None
    place = next(i for i, old in enumerate(lines) if old.startswith("## "))
    mark = [f"{said}{', '.join(again)}.", ""] if again else []
    return "\n".join([*lines[:place], *mark, *lines[place:], ""])


def report(found: Sequence[Row], skipped: Sequence[str], minutes: float, probes: Sequence[str]) -> str:
    """The results as Markdown."""
    beside = [row for row in found if "ratio" in row.figures]
    alone = [row for row in found if "ratio" not in row.figures and row.curve is None]
    curves = [row for row in found if row.curve]
    differ = [row for row in found if row.differs]
    lost = sorted((row for row in beside if row.figures["ratio"] < 1), key=lambda row: row.figures["ratio"])
    lines = [
        "# Benchmarks",
        "",
        "How fast is ropewalk, and do other packages give the same answers? `make bench` runs ropewalk and",
        "each other package in turn on the same data, compares their times and their answers, and writes",
        "this page. *Times faster* is the other package's time divided by ours: the median of several",
        "repeats, with the range in parentheses. *Required* is the limit below which `make bench` fails",
        "(`floors.toml`).",
        "",
        f"Measured with Python {platform.python_version()} and NumPy {np.__version__} on "
        f"{os.cpu_count()} cores, in {minutes:.0f} minutes.",
        "",
        "## Compared with other packages",
        "",
        f"ropewalk is faster in {len(beside) - len(lost)} of {len(beside)} rows.",
        "",
        "| task | compared with | times faster | required | details |",
        "| --- | --- | --- | --- | --- |",
        *(line(r) for r in beside),
        "",
        "## Without a counterpart",
        "",
        "No other package does these tasks, so only our own time, memory or cost is shown.",
        "",
        "| task | result | limit | details |",
        "| --- | --- | --- | --- |",
        *(line(r) for r in alone),
        "",
        "## How the cost grows",
        "",
        *(
            ["![Seconds against rows, tasks, models and pairs on log-log axes](scaling.svg)", ""]
            if curves
            else []
        ),
        "The cost is a power of the size: with rows^1.0, ten times the rows take ten times as long. The last",
        "column has the time for each size.",
        "",
        "| task | cost | limit | details |",
        "| --- | --- | --- | --- |",
        *(line(r) for r in curves),
        "",
        "## Where the answers differ, and why",
        "",
        *(
            f"- **{r.peer}**, {r.what}: {r.differs}. Why: {r.why or 'unknown, and the benchmark fails'}"
            for r in differ
        ),
        *probes,
        *([] if differ or probes else ["No answers differ."]),
        "",
        "## Where ropewalk is slower",
        "",
        *(
            f"- {r.what}, compared with {r.peer}: {r.figures['ratio']:.2g} times as fast. "
            f"Why: {r.loses or 'unknown'}."
            for r in lost
        ),
        *([] if lost else ["Nowhere."]),
    ]
    if skipped:
        lines += ["", "## What was not measured", "", *(f"- {line}." for line in skipped)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
