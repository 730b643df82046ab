"""The journal: a fit counts when its line is whole, and once."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from ropewalk.experiment import Experiment, Fit, journal
from ropewalk.experiment.journal import Journal, line, read_journal
from tests.experiment.stored import made

METRICS = ("accuracy",)


def a_fit(fold: int) -> Fit:
    values = {"accuracy": 0.1 * fold}
    return Fit(
        model="svm",
        task="wine",
        repeat=0,
        fold=fold,
        random_state=1,
        split_hash="a",
        model_hash="b",
        data_hash="c",
        n_train=90,
        n_test=10,
        values=values,
    )


def folds(path: Path) -> tuple[list[int], tuple[int, ...]]:
    """The folds of the fits that are whole, and the numbers of the damaged lines."""
    found = read_journal(path, METRICS)
    return [fit.fold for fit in found.fits], found.damaged


def test_every_changed_bit_of_a_line_is_noticed(tmp_path: Path) -> None:
    first, second, third = (line(a_fit(k)) for k in range(3))
    for at in range(len(second) - 1):
        for bit in (0, 7):
            changed = bytearray(second)
            changed[at] ^= 1 << bit
            (tmp_path / "j").write_bytes(first + changed + third)
            found, damaged = folds(tmp_path / "j")
            assert found == [0, 2]
            assert damaged == ((2, 3) if b"\n" in changed[:-1] else (2,))


def test_what_follows_a_line_that_was_cut_off_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "j"
    path.write_bytes(line(a_fit(0)) + line(a_fit(1))[:40])
    opened = Journal(path, read_journal(path, METRICS).end)
    opened.append(a_fit(2))
    opened.close()
    assert folds(path) == ([0, 2], ())


def test_half_a_line_is_taken_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The disk is full in the middle of a line, and has room again for the next one."""
    path = tmp_path / "j"
    opened = Journal(path, 0)
    opened.append(a_fit(0))
    real = journal.write_all

    def half(handle: int, data: bytes) -> None:
        real(handle, data[:40])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(journal, "write_all", half)
        with pytest.raises(OSError, match="No space"):
            opened.append(a_fit(1))
    opened.append(a_fit(2))
    opened.close()
    assert folds(path) == ([0, 2], ())


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
