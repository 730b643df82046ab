"""What `ropewalk compare` prints first fits a terminal of 80 x 24 for two models."""

from __future__ import annotations

import io
from collections.abc import Callable

import numpy as np
import pandas as pd
import pytest
from rich.console import Console

import ropewalk as rw
from ropewalk.cli.show import brief
from ropewalk.report.text import show


def screen(report: rw.Report) -> list[str]:
    """The lines that the command prints for this report on a terminal of 80 columns."""
    console = Console(file=io.StringIO(), width=80, color_system=None, legacy_windows=False)
    show(brief(report), console, plain=False)
    lines = console.file.getvalue().splitlines()  # type: ignore[attr-defined]  # a StringIO
    return [line.rstrip() for line in lines]


def examples(models: str, *, tasks: int = 1, seeds: int = 0, graded: bool = False) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = []
    for t in range(tasks):
        hard = 0.1 * rng.normal(size=200)
        for k, m in enumerate(models):
            for s in range(seeds or 1):
                p = np.clip(0.8 + 0.01 * k + hard + 0.02 * rng.normal(size=200), 0, 1)
                score = p if graded else (rng.random(200) < p).astype(int)
                rows += [(m, f"t{t}", s, f"{t}-{i}", x) for i, x in enumerate(score)]
    frame = pd.DataFrame(rows, columns=["model", "task", "seed", "id", "accuracy"])
    frame = frame if seeds else frame.drop(columns="seed")
    return frame if tasks > 1 else frame.drop(columns="task")


def folds(models: str, tasks: int) -> pd.DataFrame:
    rng = np.random.default_rng(2)
    rows = [
        (m, f"t{t}", f, 0.8 + 0.01 * k + 0.02 * rng.normal())
        for t in range(tasks)
        for k, m in enumerate(models)
        for f in range(10)
    ]
    frame = pd.DataFrame(rows, columns=["model", "task", "fold", "accuracy"])
    return frame if tasks > 1 else frame.drop(columns="task")


def numbers(models: str, tasks: int) -> pd.DataFrame:
    """One number per task under a column name that says nothing: the direction is a warning."""
    rng = np.random.default_rng(3)
    columns = {m: 0.8 + 0.015 * k + 0.02 * rng.normal(size=tasks) for k, m in enumerate(models)}
    return pd.DataFrame({"dataset": [f"d{t}" for t in range(tasks)], **columns})


def probabilities() -> pd.DataFrame:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 2, 200)
    said = {m: np.round(y * gain + rng.normal(size=200), 3) for m, gain in (("a", 1.0), ("b", 1.2))}
    return pd.DataFrame({"id": range(200), "truth": y, **said})


def errors() -> pd.DataFrame:
    """Squared errors have no range and heavy tails: a caution before the answer, two warnings after it."""
    rng = np.random.default_rng(5)
    y = np.round(rng.normal(50, 10, 400), 2)
    said = {m: np.round(y + rng.normal(0, sd, 400), 2) for m, sd in (("lin", 4.0), ("gbm", 3.6))}
    return pd.DataFrame({"id": range(400), "y": y, **said})


PAIRS: dict[str, Callable[[], rw.Report]] = {
    "right or wrong": lambda: rw.compare(examples("ab")),
    "decided": lambda: rw.compare(examples("ab"), rope=0.2),
    "graded": lambda: rw.compare(examples("ab", graded=True)),
    "folds": lambda: rw.compare(folds("ab", 1)),
    "training runs": lambda: rw.compare(examples("ab", seeds=3, graded=True)),
    "right or wrong over tasks": lambda: rw.compare(examples("ab", tasks=6)),
    "folds over tasks": lambda: rw.compare(folds("ab", 8)),
    "one number per task, unknown direction": lambda: rw.compare(numbers("ab", 20)),
    "few tasks, unknown direction": lambda: rw.compare(numbers("ab", 7)),
    "squared errors": lambda: rw.compare(errors()),
    "set metric": lambda: rw.compare(probabilities(), metric="auroc", model=["a", "b"]),
    "long names": lambda: rw.compare(
        examples("ab").replace({"a": "meta-llama/Llama-3.1-8B-Instruct", "b": "Qwen/Qwen2.5-7B-Instruct"})
    ),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.few(4)
def test_two_models_fit_a_terminal(name: str) -> None:
    """Oracle: the size of a terminal. The first line is empty, and scrolls away when the prompt returns."""

    report = PAIRS[name]()
    lines = screen(report)
    assert len(lines) <= 24, "\n".join(lines)
    assert max(map(len, lines)) <= 80
    text = " ".join(" ".join(lines).split())
    bars = [line for line in lines if "█" in line or "░" in line]
    assert len(bars) == 3
    assert str(report).split("\n\n")[0].strip().split("\n")[0] in "\n".join(
        lines
    )  # the headline, or a warning
    for part in ("paired", "Verdict: ", "ROPE ", "Method ", "Details: --verbose"):
        assert part in text
    undecided = (report.overall or report.comparisons)[0].verdict.name == "undecided"
    assert ("Next " in text) == undecided


@pytest.mark.parametrize("make", [lambda: examples("abcd"), lambda: folds("abc", 6)])
def test_many_models_have_leaderboard_matrix_and_decided_pairs(make: Callable[[], pd.DataFrame]) -> None:
    report = rw.compare(make())
    lines = screen(report)
    text = "\n".join(lines)
    order = [text.index(part) for part in ("P(tied", "row >", "Decided ", "ROPE   ", "Method ")]
    assert order == sorted(order)
    assert "pair " not in text  # the table of pairs is a detail
    decided = sum(c.verdict.name != "undecided" for c in report.answers)
    assert f"{decided} of {len(report.answers)} pairs" in text
    assert max(map(len, lines)) <= 80


def test_warnings_beyond_two_are_counted() -> None:
    report = PAIRS["few tasks, unknown direction"]()
    text = "\n".join(screen(report))
    found = str(report).count("\n  warning: ")
    shown = text.count("\n  warning: ")
    assert shown == min(found, 3)  # a caution before the headline, two warnings after the answer
    assert ("more warning" in text) == (found > 3)


def test_warnings_that_do_not_fit_are_counted() -> None:
    report = PAIRS["squared errors"]()
    assert str(report).count("\n  warning: ") == 3
    text = "\n".join(screen(report))
    assert text.count("\n  warning: ") == 2
    assert "\n  1 more warning: --verbose\n" in text


def test_details_come_after_a_rule() -> None:
    report = PAIRS["right or wrong"]()
    first, rest = report.to_text().split("─── Details ─")
    assert "Verdict: " in first
    assert "Classical tests" in rest
    assert "Classical tests" not in "\n".join(screen(report))


def test_pairs_without_a_joint_model_have_a_matrix_too() -> None:
    """Oracle: the verdicts of the pairs. Probabilities for the next task have no leaderboard."""
    report = rw.compare(numbers("abcd", 12), question="next", higher_is_better=True)
    assert report.board is None
    rows = [line.split() for line in screen(report) if line[2:4] in ("1 ", "2 ", "3 ", "4 ")]
    signs = {"better": "><", "worse": "<>", "equivalent": "==", "undecided": "??"}
    names = [m.name for m in report.models]
    assert [row[1] for row in rows] == names
    for c in report.answers:
        for one, other, sign in zip((c.a, c.b), (c.b, c.a), signs[c.verdict.name], strict=True):
            i, j = names.index(one), names.index(other)
            assert rows[i][2:][j - (j > i)] == sign
