"""Which plots are drawn, and that several processes draw the same ones."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.cli import figures
from ropewalk.errors import OptionError, RopewalkError
from ropewalk.results import Report


@pytest.fixture(scope="module")
def report() -> Report:
    """Four models on eight tasks: two alike, one better, one far behind."""
    rng = np.random.default_rng(0)
    rows = [
        {"model": model, "task": f"t{t}", "fold": k, "score": ability + hard + rng.normal(0, 0.004)}
        for t, hard in enumerate(rng.normal(0, 0.02, 8))
        for k in range(5)
        for model, ability in (("a", 0.80), ("b", 0.801), ("c", 0.84), ("d", 0.60))
    ]
    return rw.compare(pd.DataFrame(rows), rope=0.01, higher_is_better=True)


def stems(report: Report, *, everything: bool) -> set[str]:
    return {job.stem for job in figures.jobs(report, everything=everything)}


def test_by_default_those_of_all_models_and_the_posteriors_of_decided_pairs(report: Report) -> None:
    decided = {
        f"overall-{i:02d}-{c.a}-vs-{c.b}-{kind}"
        for i, c in enumerate(report.answers, start=1)
        if c.verdict.name != "undecided"
        for kind in ("forest", "posterior")
    }
    assert decided
    expected = {"leaderboard", "verdicts", "critical-difference"} | decided
    assert stems(report, everything=False) == expected
    every = stems(report, everything=True)
    assert expected < every
    assert {"ranks", "models-by-tasks", "overall-06-c-vs-d-sensitivity"} < every


def test_an_undecided_pair_is_drawn_where_it_was_asked_for() -> None:
    close = {"a": [1, 0, 1, 1, 0, 1], "b": [1, 1, 0, 1, 0, 1]}
    report = rw.compare(close, rope=0.01)
    assert report.answers[0].verdict.name == "undecided"
    assert stems(report, everything=False) == {"a-vs-b-posterior"}
    three = {**close, "c": [0, 1, 1, 1, 0, 1]}
    assert stems(rw.compare(three, rope=0.01), everything=False) == {"leaderboard", "verdicts"}
    asked = rw.compare(three, rope=0.01, reference="a")
    assert stems(asked, everything=False) == {
        "leaderboard",
        "verdicts",
        "01-b-vs-a-posterior",
        "02-c-vs-a-posterior",
    }


def test_several_processes_draw_the_same_bytes(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module in the working directory is not imported by them."""
    monkeypatch.chdir(tmp_path)
    Path("pickle.py").write_text("raise SystemExit(9)")
    some = [job for job in figures.jobs(report) if job.kind in ("posterior", "verdict_matrix")]
    assert len(some) == 7
    alone, together = Path("alone"), Path("together")
    for folder in (alone, together):
        folder.mkdir()
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    figures._draw(report, some, alone, "png")
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(figures, "_SHARE", 3)
    here: list[int] = []
    write = figures._write
    monkeypatch.setattr(
        figures, "_write", lambda r, jobs, *rest: (here.append(len(jobs)), write(r, jobs, *rest))
    )
    figures._draw(report, some, together, "png")
    assert here == [4]  # the other three elsewhere
    assert {p.name: p.read_bytes() for p in alone.iterdir()} == {
        p.name: p.read_bytes() for p in together.iterdir()
    }


def test_what_another_process_runs_into_is_said_here(
    report: Report, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pickle

    with pytest.raises(OptionError, match="cannot be written"):
        figures._elsewhere(pickle.dumps((report, figures.jobs(report)[:1], tmp_path / "missing", "png")))
    with pytest.raises(RopewalkError, match="a process that draws plots ended with exit code 1"):
        figures._elsewhere(b"no pickle")


@pytest.mark.parametrize(("form", "begins"), [("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_plots_for_a_paper(form: str, begins: bytes, tmp_path: Path) -> None:
    """Words stay words: TrueType in PDF, text in SVG."""
    close = rw.compare({"a": [1, 0, 1, 1, 0, 1], "b": [1, 1, 0, 1, 0, 1]}, rope=0.01)
    drawn = figures.draw_all(close, tmp_path, form=form)
    assert [p.name for p in drawn.files] == [f"a-vs-b-posterior.{form}"]
    content = drawn.files[0].read_bytes()
    assert content.startswith(begins)
    assert b"/Type3" not in content
    assert (b"/CIDFontType2" in content or b"/TrueType" in content) if form == "pdf" else b"<text" in content
    assert (tmp_path / "captions.txt").read_text().startswith(f"a-vs-b-posterior.{form}: ")


def test_the_format_is_typed(tmp_path: Path, command: Any) -> None:
    (tmp_path / "s.csv").write_text(
        "id,accuracy_a,accuracy_b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(9))
    )
    options = ("--model", "accuracy_a", "--model", "accuracy_b", "--plots", str(tmp_path / "plots"))
    code, _, err = command("compare", str(tmp_path / "s.csv"), *options, "--format", "svg")
    assert code == 0, err
    assert {p.suffix for p in (tmp_path / "plots").iterdir()} == {".svg", ".txt"}
    code, _, err = command("compare", str(tmp_path / "s.csv"), *options, "--format", "gif")
    assert code == 3
    assert "svg" in err
