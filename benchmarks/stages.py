"""What a user waits for, stage by stage: start, read and pair, test, text, page, pictures.

    python benchmarks/stages.py [--rows 10_000_000]

On the predictions of the demo, on the folds of five classifiers on 54 data sets, and on two Parquet files
summed in place.
Each data set has a process of its own, so that every import is paid where a user pays it.
"""

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

STAGES = ("start", "read and pair", "test", "text", "page", "pictures")


def stages(source: Any, rope: str, **options: Any) -> list[float]:
    """Seconds of processor time of each stage, from `import ropewalk` on: of all threads and processes."""
    marks = [sum(os.times()[:4])]

    def mark() -> None:
        marks.append(sum(os.times()[:4]))

    import ropewalk

    mark()
    data = ropewalk.read(source, **options)
    mark()
    report = ropewalk.compare(data, rope=rope)
    mark()
    report.to_text()
    mark()
    report.to_html()
    mark()
    from ropewalk.cli.figures import draw_all

    with tempfile.TemporaryDirectory() as folder:
        draw_all(report, Path(folder), everything=True)
    mark()
    return [after - before for before, after in itertools.pairwise(marks)]


def main() -> None:
    parser = argparse.ArgumentParser(description="What a user waits for, stage by stage.")
    parser.add_argument("--rows", type=int, default=10_000_000, help="of the two files summed in place")
    parser.add_argument("--of", nargs="+", metavar="FILE", help="the stages of these files, in this process")
    parser.add_argument("--rope", default="auto")
    parser.add_argument("--in-place", action="store_true")
    options = parser.parse_args()
    if options.of:
        source = options.of if len(options.of) > 1 else options.of[0]
        seconds = stages(source, options.rope, **({"in_place": True} if options.in_place else {}))
        print(" | ".join(f"{s:.2f}" for s in seconds), f"| {sum(seconds):.2f} |")
        return
    import harness  # noqa: F401  # puts reproduce/ on the path; not at the top, where it would import NumPy
    from reproduce import published
    from rows.files import write

    print(f"| data | {' | '.join(STAGES)} | all |\n|{' --- |' * (len(STAGES) + 2)}")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-c", "from ropewalk.cli import main; main()", "demo"],
            cwd=folder,
            capture_output=True,
            check=True,
        )
        demo = sorted(str(path) for path in (Path(folder) / "ropewalk-demo").glob("*.csv"))
        jobs = {"the demo's predictions": [*demo, "--rope", "0.01"]}
        folds = published.write_stand_in(Path(folder) / "five_classifiers.csv")
        jobs["five classifiers on 54 data sets"] = [str(folds)]
        jobs[f"two files x {options.rows:,} rows"] = [*write(Path(folder), options.rows), "--in-place"]
        for name, arguments in jobs.items():
            command = [sys.executable, __file__, "--of", *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            print(f"| {name} | {done.stdout.strip()}", flush=True)


if __name__ == "__main__":
    main()
