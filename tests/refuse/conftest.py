"""Small files that a careless user might have, and the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np
import pytest

from ropewalk.cli import main

Call = Callable[..., tuple[int, str, str]]
Write = Callable[[str, str, Iterable[Iterable[object]]], str]
Sides = Callable[..., tuple[str, str]]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Call:
    """Run the command line in a folder of its own: exit code, standard output, standard error."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: str) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stop:
            main(list(arguments))
        out, err = capsys.readouterr()
        return int(stop.value.code or 0), out, err

    return call


@pytest.fixture
def write(command: Call) -> Write:
    """Write a CSV file."""

    def to(path: str, header: str, rows: Iterable[Iterable[object]]) -> str:
        Path(path).parent.mkdir(parents=True, exist_ok=True)
        Path(path).write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
        return path

    return to


@pytest.fixture
def sides(write: Write) -> Sides:
    """A baseline and a candidate whose `column` is higher by `up` on average."""

    def make(column: str, *, up: float = 0.3, n: int = 200, lacks: range = range(0)) -> tuple[str, str]:
        rng = np.random.default_rng(0)
        old = rng.uniform(0.1, 0.5, n)
        new = old + up + rng.normal(0, 0.02, n)
        rows = [(i, f"{x:.4f}") for i, x in enumerate(new) if i not in lacks]
        return (
            write("old.csv", f"id,{column}", [(i, f"{x:.4f}") for i, x in enumerate(old)]),
            write("new.csv", f"id,{column}", rows),
        )

    return make
