"""What a careless input is, and the files of which it is made.

The outcomes:

- "refuses": an error that says what to type, and no answer;
- "warns": an answer, with a warning before it;
- "right": the right answer, because the data say enough;
- "undecided": no verdict.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

Outcome = Literal["refuses", "warns", "right", "undecided"]
Files = Callable[[Path], Sequence[str]]
N = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """What was done, how it is typed, what comes of it, and which words the answer must contain."""

    what: str
    command: Literal["compare", "gate"]
    files: Files
    options: tuple[str, ...] = ()
    outcome: Outcome
    says: str = ""
    best: str = ""  # the model that the right answer names


def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def table(path: Path, header: str, rows: Sequence[Sequence[Any]]) -> str:
    with path.open("w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header.split(","))
        writer.writerows(rows)
    return str(path)


def two(column: str, low: float, high: float, up: float, *, n: int = N, times: float = 1.0) -> Files:
    """Old and new files of one column; the new one is higher by `up`, and multiplied by `times`."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        old = r.uniform(low, high, n)
        new = (old + up + r.normal(0, (high - low) / 50, n)) * times
        return [
            table(folder / "old.csv", f"id,{column}", [(i, f"{x:.5f}") for i, x in enumerate(old)]),
            table(folder / "new.csv", f"id,{column}", [(i, f"{x:.5f}") for i, x in enumerate(new)]),
        ]

    return make


def lacking(column: str, lost: int, *, of: str = "new", n: int = N) -> Files:
    """Old and new files of right and wrong answers of which one lacks the first examples."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        right = {"old": r.random(n) < 0.8, "new": r.random(n) < 0.9}
        return [
            table(
                folder / f"{side}.csv",
                f"id,{column}",
                [(i, int(x)) for i, x in enumerate(values) if side != of or i >= lost],
            )
            for side, values in right.items()
        ]

    return make


def wide(header: str, *columns: str, n: int = 60) -> Files:
    """One table; each column is made by its name: answer, share, percent, grade, text, whole, count, ..."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        kinds: dict[str, Callable[[], Any]] = {
            "id": lambda: np.arange(n),
            "answer": lambda: (r.random(n) < 0.7).astype(int),
            "good": lambda: (np.arange(n) > 0).astype(int),
            "share": lambda: r.uniform(0.3, 0.9, n).round(4),
            "high": lambda: r.uniform(0.8, 0.95, n).round(4),
            "percent": lambda: r.uniform(60, 90, n).round(2),
            "grade": lambda: r.integers(1, 6, n),
            "digit": lambda: r.integers(0, 10, n),
            "whole": lambda: r.integers(100, 900, n),
            "years": lambda: r.integers(18, 80, n),
            "money": lambda: r.uniform(1, 900, n).round(2),
            "signed": lambda: r.normal(0, 1, n).round(4),
            "small": lambda: r.uniform(0.01, 0.09, n).round(5),
            "seconds": lambda: r.uniform(1, 9, n).round(3),
            "text": lambda: [f"a longer text number {i} about something" for i in range(n)],
            "copy": lambda: [f"a longer text number {i % (n - 5)} about something" for i in range(n)],
            "dash": lambda: ["-" if i == 3 else int(r.random() < 0.7) for i in range(n)],
            "empty": lambda: ["" if i < n // 3 else int(r.random() < 0.7) for i in range(n)],
            "nan": lambda: ["nan" if i == 3 else round(r.uniform(), 3) for i in range(n)],
            "comma": lambda: [f"{x:.3f}".replace(".", ",") for x in r.uniform(0.3, 0.9, n)],
            "sign": lambda: [f"{x:.1f}%" for x in r.uniform(30, 90, n)],
        }
        return [table(folder / "t.csv", header, list(zip(*(kinds[c]() for c in columns), strict=True)))]

    return make


def predictions(*, flip: bool = False, shuffle: bool = False, ids: bool = True, labels: str = "abc") -> Files:
    """Two files of predictions; of the second one the labels may be spelled, or sorted, in another way."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        truth = r.integers(0, len(labels), N)
        said = [np.where(r.random(N) < 0.9, truth, r.integers(0, len(labels), N)) for _ in range(2)]
        order = r.permutation(N) if shuffle else np.arange(N)
        spell = (lambda k: labels[k].upper()) if flip else (lambda k: labels[k])
        first = [((i,) if ids else ()) + (labels[truth[i]], labels[said[0][i]]) for i in range(N)]
        second = [((i,) if ids else ()) + (spell(said[1][i]),) for i in order]
        head = "id," if ids else ""
        return [
            table(folder / "a.csv", f"{head}truth,prediction", first),
            table(folder / "b.csv", f"{head}prediction", second),
        ]

    return make


def long(header: str, rows: Callable[[np.random.Generator], Sequence[Sequence[Any]]]) -> Files:
    return lambda folder: [table(folder / "t.csv", header, rows(rng()))]


def folds(r: np.random.Generator, *, a: float = 0.8, b: float = 0.82, times: float = 1.0, n: int = 10) -> Any:
    base = r.normal(0, 0.02, n)
    return [("a", k, round(a + base[k] + r.normal(0, 0.005), 4)) for k in range(n)] + [
        ("b", k, round(times * (b + base[k] + r.normal(0, 0.005)), 4)) for k in range(n)
    ]


def attempts(r: np.random.Generator, *, a: int, b: int) -> Any:
    rows = [("a", i, k, int(r.random() < 0.9)) for i in range(60) for k in range(a)]
    return rows + [("b", i, k, int(r.random() < 0.4)) for i in range(60) for k in range(b)]


def sides(columns: str, old: Callable[..., Any], new: Callable[..., Any], n: int = N) -> Files:
    """Old and new files with an id and these columns; `old` and `new` make a row from (r, i)."""

    def make(folder: Path) -> Sequence[str]:
        r = rng()
        return [
            table(folder / f"{side}.csv", columns, [row(r, i) for i in range(n)])
            for side, row in (("old", old), ("new", new))
        ]

    return make


def right(share: float, *, mark: Any = None, at: Callable[[int], bool] = lambda i: False) -> Any:
    """Rows (id, right or wrong), with a mark instead where `at` says so."""
    return lambda r, i: (i, mark if at(i) else int(r.random() < share))


def between(low: float, high: float, *more: Any) -> Any:
    """Rows (id, a number between these two, and more)."""
    return lambda r, i: (i, round(r.uniform(low, high), 4), *more)


def summed_up(low: float, high: float) -> Any:
    """Rows (id, a number), the last of which is called mean."""
    return lambda r, i: ("mean" if i == N - 1 else i, round(r.uniform(low, high), 4))


def gate(what: str, files: Files, *options: str, outcome: Outcome, says: str = "", best: str = "") -> Case:
    typed = options if "--margin" in options else ("--margin", "0.01", *options)
    return Case(what=what, command="gate", files=files, options=typed, outcome=outcome, says=says, best=best)


def compare(what: str, files: Files, *options: str, outcome: Outcome, says: str = "", best: str = "") -> Case:
    return Case(
        what=what, command="compare", files=files, options=options, outcome=outcome, says=says, best=best
    )


def doors(
    what: str,
    files: Files,
    *options: str,
    says: str = "",
    first: Outcome = "refuses",
    then: Outcome = "refuses",
) -> list[Case]:
    """The same files at both doors: `first` is the outcome of compare, `then` that of the gate."""
    return [
        compare(what, files, *options, outcome=first, says=says),
        gate(what, files, *options, outcome=then, says=says),
    ]


def answered(what: str, files: Files, *options: str, best: str, says: str = "") -> list[Case]:
    """The same files at both doors, and the right answer at both."""
    side = {"old": "baseline", "new": "candidate"}[best]
    return [
        compare(what, files, *options, outcome="right", best=best, says=says),
        gate(what, files, *options, outcome="right", best=side, says=says),
    ]


def both(
    what: str,
    files: Files,
    *options: str,
    outcome: Outcome,
    says: str = "",
    best: str = "",
    at_the_gate: tuple[Outcome, str] | None = None,
) -> list[Case]:
    """The same files at both doors: the gate refuses what compare warns of, or gives the same answer.

    `at_the_gate` is what the gate does instead.
    """
    then, called = at_the_gate or ("refuses" if outcome == "warns" else outcome, says)
    names = {"--rope": "--margin", "--threshold": "--probability"}
    side = {"old": "baseline", "new": "candidate"}.get(best, best or "candidate")
    return [
        compare(what, files, *options, outcome=outcome, says=says, best=best),
        gate(
            what,
            files,
            *(names.get(o, o) for o in options),
            outcome=then,
            says=called,
            best="neither" if then == "undecided" else side,
        ),
    ]
