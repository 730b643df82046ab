"""The calibration lab: how often the verdicts are wrong, on data where the truth is known.

`python calibration/run.py` measures every part, stores its figures and writes docs/calibration.md with its
pictures. `--only PART ...` measures some of them, `--scale 0.1` with a tenth of the replications, `--page`
none at all: the page and the pictures come from the figures that are stored.
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
        "--only", nargs="+", choices=PARTS, metavar="PART", help=f"some of {', '.join(PARTS)}"
    )
    parser.add_argument("--scale", type=float, default=1.0, help="share of the replications, such as 0.1")
    parser.add_argument("--page", action="store_true", help="page and pictures only, from the stored figures")
    return parser.parse_args(arguments)


def measure(name: str, scale: float) -> float:
    """Measure a part and store its figures; the seconds that it took."""
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
    """The whole file or nothing."""
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_suffix(f".{os.getpid()}")
    half.write_text(text)
    half.replace(path)


_INTRODUCTION = """\
# Calibration

A statistics tool is only as good as its error rates. This page reports them, from simulations in which the
truth is known:

- **Posteriors.** Does a 95% interval contain the truth in 95% of cases if the model is true?
- **Verdicts.** How often is each verdict given, and how often is it wrong, if the model is not true: heavy
  tails, skew, clusters, few tasks?
- **Classical tests.** How often do they reject a true null hypothesis, and how often a false one, compared
  with other packages on the same data?

Every number is a share of simulations and has a Monte Carlo error: with 1,000 simulations, a share of 5% has
a standard error of 0.7 points. `make calibrate` runs `python calibration/run.py`, which stores the figures in
`calibration/figures` with fixed seeds and writes this page; `--page` only rewrites the page. To try it:
`python calibration/run.py --only sbc --scale 0.05`.
"""


if __name__ == "__main__":
    main()
