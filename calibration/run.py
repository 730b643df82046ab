"""How often the posteriors, verdicts and classical tests are wrong, on data where the truth is known.

`python calibration/run.py` runs the simulations of every part, stores their figures and writes
docs/calibration.md with its plots. `--only PART ...` runs some parts, `--scale 0.1` uses a tenth of the
replications, and `--page` only writes the page and its plots from the stored figures.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

import at_a_glance

HERE = Path(__file__).resolve().parent
FIGURES = HERE / "figures"
PAGE = HERE.parent / "docs" / "calibration.md"
PICTURES = HERE.parent / "docs" / "img" / "calibration"
PARTS = (
    "sbc",
    "verdicts",
    "classical",
    "permuted",
    "poisson_binomial",
    "gate_rates",
    "plan_chances",
    "verdict_edges",
    "leaderboards",
    "task_answers",
)


class Part(Protocol):
    """What every part can do."""

    def measure(self, scale: float) -> dict[str, Any]: ...

    def text(self, figures: dict[str, Any]) -> str: ...

    def draw(self, figures: dict[str, Any], folder: Path) -> None: ...


def part(name: str) -> Part:
    return cast(Part, import_module(name))


def main(arguments: Sequence[str] | None = None) -> None:
    options = _options(arguments)
    if not options.page:
        chosen = options.only or PARTS
        with ProcessPoolExecutor(min(2, len(chosen))) as pool:
            running = {pool.submit(measure, name, options.scale): name for name in chosen}
            for done in as_completed(running):
                print(f"{running[done]}: {done.result() / 60:.1f} minutes", file=sys.stderr, flush=True)
    found = stored()
    for name, figures in found.items():
        part(name).draw(figures, PICTURES)
    write(PAGE, page(found))


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="How often the verdicts are wrong, where the truth is known."
    )
    parser.add_argument(
        "--only", nargs="+", choices=PARTS, metavar="PART", help=f"run only these parts: {', '.join(PARTS)}"
    )
    parser.add_argument(
        "--scale", type=float, default=1.0, help="share of the replications to run, such as 0.1"
    )
    parser.add_argument(
        "--page", action="store_true", help="write only the page and its plots, from the stored figures"
    )
    return parser.parse_args(arguments)


def measure(name: str, scale: float) -> float:
    """Run the simulations of a part, store its figures, and return the seconds that this took."""
    start = time.perf_counter()
    figures = {"scale": scale, **part(name).measure(scale)}
    write(FIGURES / f"{name}.json", json.dumps(figures, separators=(",", ":")) + "\n")
    return time.perf_counter() - start


def stored() -> dict[str, dict[str, Any]]:
    """The figures of every part that has been measured."""
    files = {name: FIGURES / f"{name}.json" for name in PARTS}
    return {name: json.loads(file.read_text()) for name, file in files.items() if file.exists()}


def page(found: dict[str, dict[str, Any]]) -> str:
    """The page, from the figures of all parts."""
    small = [f"{name} ({figures['scale']:g})" for name, figures in found.items() if figures["scale"] != 1]
    lines = [_INTRODUCTION]
    if small:
        lines.append(f"Measured with fewer replications (share in parentheses): {', '.join(small)}.\n")
    lines += [glance] if (glance := at_a_glance.table(found)) else []
    return "\n".join([*lines, *(part(name).text(figures).rstrip() + "\n" for name, figures in found.items())])


def write(path: Path, text: str) -> None:
    """Write the file completely or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(f".{os.getpid()}")
    half.write_text(text)
    half.replace(path)


_INTRODUCTION = """\
# Calibration

How often is ropewalk wrong? To find out, we simulate data for which the truth is known, compare the models,
and count the errors. There are three questions:

- **Posteriors.** If the assumptions of a method hold, do 95% of its 95% intervals contain the truth?
- **Verdicts.** How often is each verdict wrong, both when the assumptions hold and when they do not (heavy
  tails, skew, clusters, few tasks)?
- **Classical tests.** How often do they find a difference where there is none, and how often do they miss a
  real one? Other packages were run on the same data for comparison.

Every share on this page was estimated from a finite number of simulations, so it has a standard error itself
(its Monte Carlo error). For a share of 5% and 1,000 simulations it is 0.7 percentage points.

In the tables, a *unit* is whatever the two models were paired on: an example, a fold, a training run or a
task. The *ROPE* is the region of practical equivalence, and its *edge* is the largest difference that still
counts as practically equivalent.

To repeat everything, run `make calibrate`. It stores the figures in `calibration/figures`, with fixed seeds,
and writes this page. For a quick try, run `python calibration/run.py --only sbc --scale 0.05`; with `--page`,
only the page is written again.
"""


if __name__ == "__main__":
    main()
