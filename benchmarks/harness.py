"""Rows of the results, and the functions that time two packages in turn and compare their answers."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import statistics
import subprocess
import sys
import time
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))  # reproduce/, the figures of the papers
FLOORS = tomllib.loads((HERE / "floors.toml").read_text())
PROGRAM = ("-c", "from ropewalk.cli import main; main()")
_LONG_ENOUGH = 0.02  # seconds: what is quicker is called several times and the mean is taken
_UNITS = {
    "ratio": "at least {:g} times",
    "ratio_of_times": "under {:g} times",
    "exponent": "exponent under {:g}",
    "megabytes": "under {:g} MB",
    "seconds": "under {:g} s",
}


@dataclass(frozen=True, kw_only=True)
class Curve:
    """Seconds against one size."""

    label: str
    unit: str
    sizes: Sequence[int]
    seconds: Sequence[float]

    @property
    def exponent(self) -> float:
        """The slope on log-log axes over the upper half of the sizes, where constant costs hardly count."""
        x, y = np.log(self.sizes), np.log(self.seconds)
        half = len(x) // 2
        return float(np.polyfit(x[half:], y[half:], 1)[0])


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line of the results: the measured figures, and the limits that they must reach.

    `differs` says how the two answers disagree (empty if they agree), and `why` is the reason; without a
    reason the benchmark fails. `loses` is the reason if the other package is faster.
    """

    name: str
    what: str
    figures: dict[str, float]
    text: str
    note: str = ""
    peer: str = ""
    differs: str = ""
    why: str = ""
    loses: str = ""
    curve: Curve | None = None

    @property
    def floor(self) -> str:
        return ", ".join(
            _UNITS.get(unit, "under {:g} " + unit.replace("_", " ")).format(limit)
            for unit, limit in FLOORS.get(self.name, {}).items()
        )

    @property
    def problems(self) -> list[str]:
        found = [
            f"{self.name}: {unit} is {self.figures[unit]:.3g}, {self.floor}"
            for unit, limit in FLOORS.get(self.name, {}).items()
            if (self.figures[unit] < limit if unit == "ratio" else self.figures[unit] > limit)
        ]
        if "ratio" in self.figures and self.name not in FLOORS:
            found.append(f"{self.name}: the ratio has no floor in floors.toml")
        if self.differs and not self.why:
            found.append(f"{self.name}: the answers differ and nobody knows why: {self.differs}")
        return found


@dataclass(frozen=True, kw_only=True)
class Task:
    """A function that measures, the packages it needs, and whether it is quick enough for every commit."""

    name: str
    work: Callable[[Settings], Iterable[Row]]
    needs: tuple[str, ...]
    quick: bool

    @property
    def missing(self) -> list[str]:
        return [package for package in self.needs if importlib.util.find_spec(package) is None]


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The options of the command line."""

    folder: Path
    quick: bool = False
    rows: int = 100_000_000
    stan_limit: int = 900
    repeats: int = 7


TASKS: list[Task] = []


def task(*needs: str, quick: bool = False) -> Callable[[Callable[[Settings], Iterable[Row]]], Any]:
    """Register a function that measures, under its own name."""

    def enter(work: Callable[[Settings], Iterable[Row]]) -> Callable[[Settings], Iterable[Row]]:
        TASKS.append(Task(name=work.__name__, work=work, needs=needs, quick=quick))
        return work

    return enter


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Seconds and answer of one call; a quick call is repeated until the time can be measured."""
    start = time.perf_counter()
    answer = work()
    once = time.perf_counter() - start
    calls = int(_LONG_ENOUGH / once)
    if calls < 2:
        return once, answer
    best = np.inf
    for _ in range(3):  # the best of three, since something else may have had the core
        start = time.perf_counter()
        for _ in range(calls):
            work()
        best = min(best, (time.perf_counter() - start) / calls)
    return best, answer


@dataclass(frozen=True, kw_only=True)
class Peer:
    """The same answer from another package.

    `work` takes the data; `answer` turns what it returns into numbers that can stand beside ours. `within`
    is how far they may be apart: rounding, or the Monte Carlo error of both.
    """

    package: str
    work: Callable[[Any], Any]
    answer: Callable[[Any], Any] = np.asarray
    within: float = 1e-9
    why: str = ""
    loses: str = ""

    @property
    def title(self) -> str:
        return f"{self.package} {importlib.metadata.version(self.package)}"


def beside(
    name: str,
    what: str,
    *,
    data: Callable[[int], Any],
    ours: Callable[[Any], Any],
    peers: Mapping[str, Peer],
    answer: Callable[[Any], Any],
    repeats: int,
    note: str = "",
) -> list[Row]:
    """Time ropewalk and the peers in turn on `repeats` data sets; a ratio is the peer's time over ours."""
    ours(data(0))  # imports are paid by nobody
    for peer in peers.values():
        peer.work(data(0))
    ratios: dict[str, list[float]] = {key: [] for key in peers}
    seconds: dict[str, list[float]] = {key: [] for key in ["", *peers]}
    gaps: dict[str, list[float]] = {key: [] for key in peers}
    shown: dict[str, str] = {}
    for repeat in range(repeats):
        given = data(repeat)
        own, mine = timed(lambda given=given: ours(given))
        seconds[""].append(own)
        for key, peer in peers.items():
            taken, found = timed(lambda peer=peer, given=given: peer.work(given))
            seconds[key].append(taken)
            ratios[key].append(taken / own)
            x, y = (np.ravel(np.asarray(v, dtype=float)) for v in (answer(mine), peer.answer(found)))
            gap = float(np.max(np.abs(x - y))) if x.size == y.size else np.inf
            gaps[key].append(np.inf if np.isnan(gap) else gap)
            if gaps[key][-1] > peer.within and key not in shown:
                i = int(np.argmax(np.abs(x - y))) if x.size == y.size else 0
                shown[key] = f"ours {x[i]:.6g}, theirs {y[i]:.6g}"
    return [
        Row(
            name=f"{name}_{key}",
            what=what,
            peer=peer.title,
            figures={"ratio": statistics.median(ratios[key])},
            text=times(ratios[key]),
            note=f"{span(seconds[''])} against {span(seconds[key])}; " + (note or _agreement(max(gaps[key]))),
            differs=shown.get(key, ""),
            why=peer.why,
            loses=peer.loses,
        )
        for key, peer in peers.items()
    ]


def _agreement(gap: float) -> str:
    return f"answers differ by at most {gap:.1g}" if gap else "identical answers"


def times(ratios: Sequence[float]) -> str:
    """The median ratio with its range, as text."""
    middle = statistics.median(ratios)
    return (
        f"{middle:.2g} times ({min(ratios):.2g} to {max(ratios):.2g})"
        if middle < 10
        else (f"{middle:.0f} times ({min(ratios):.0f} to {max(ratios):.0f})")
    )


def span(seconds: Sequence[float]) -> str:
    """The median with a readable unit."""
    s = statistics.median(seconds)
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if s >= size:
            return f"{s / size:.3g} {unit}"
    return f"{s * 1e6:.2g} µs"


def process(
    arguments: Sequence[str], cwd: Path | None = None, **environment: str
) -> tuple[float, float, str]:
    """Seconds, peak megabytes and output of a fresh Python with these arguments."""
    # VmHWM, not ru_maxrss: the latter starts from the memory of the process that was forked.
    peak = "int(next(x for x in open('/proc/self/status') if x.startswith('VmHWM')).split()[1]) / 1024"
    code, *rest = arguments[1:] if arguments[0] == "-c" else (arguments[0], *arguments[1:])
    # The program may end by sys.exit, so the peak is written on the way out.
    code = f"import atexit, sys\natexit.register(lambda: print({peak}, file=sys.stderr))\n{code}"
    start = time.perf_counter()
    run = subprocess.run(
        [sys.executable, "-c", code, *rest],
        capture_output=True,
        text=True,
        cwd=cwd,
        env=os.environ | environment,
        check=False,
    )
    seconds = time.perf_counter() - start
    if run.returncode:
        raise RuntimeError(f"the program failed: {run.stderr[-2000:]}")
    return seconds, float(run.stderr.split()[-1]), run.stdout


def processor(command: Sequence[str | Path], cwd: Path | None = None) -> tuple[float, str]:
    """Seconds of processor time of a command and of all that it starts, and its output.

    On an idle machine a single process takes that long by the clock; a busy one hardly changes it.
    """
    before = os.times()
    run = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, cwd=cwd, check=False
    )
    after = os.times()
    if run.returncode:
        raise RuntimeError(f"the program failed: {run.stderr[-2000:]}")
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, run.stdout


def two_scorers(n: int, seed: int, digits: int | None = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A truth and two scores between 0 and 1 that follow it, one better than the other."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    a, b = (1 / (1 + np.exp(-k * y - rng.normal(size=n))) for k in (1.5, 1.4))
    return (y, a, b) if digits is None else (y, a.round(digits), b.round(digits))


def score_table(tasks: int, models: int, seed: int, best: float = 0.03) -> np.ndarray:
    """One score for each task and model; skill grows evenly from the first model to the last."""
    rng = np.random.default_rng(seed)
    own = np.linspace(0, best, models) + rng.normal(0, 0.02, (tasks, models))
    return 0.8 + rng.normal(0, 0.05, (tasks, 1)) + own
