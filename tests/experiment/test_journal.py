"""The journal: a fit counts when its line is whole, and once."""

from __future__ import annotations

from pathlib import Path

from ropewalk.experiment import Experiment
from ropewalk.experiment.journal import line
from tests.experiment.stored import made


def test_a_line_that_was_cut_off_is_no_finished_fit(tmp_path: Path) -> None:
    exp = made(tmp_path)
    lines = [line(f) for f in exp.fits]
    (tmp_path / "results.parquet").unlink()
    (tmp_path / "journal.jsonl").write_bytes(b"".join(lines[:5]) + lines[5][:40])
    assert len(Experiment.load(tmp_path).fits) == 5
    assert len(made(tmp_path).fits) == 12


def test_a_fit_in_the_journal_and_in_the_parquet_file_counts_once(tmp_path: Path) -> None:
    """As after a kill between the two steps of folding."""
    exp = made(tmp_path)
    (tmp_path / "journal.jsonl").write_bytes(b"".join(map(line, exp.fits)))
    assert len(Experiment.load(tmp_path).fits) == 12
    assert len(made(tmp_path).fits) == 12
