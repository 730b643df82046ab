"""Power failures, short writes, full disks and damaged files: a fit is there whole, or made again."""

from __future__ import annotations

import errno
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier
from sklearn.naive_bayes import GaussianNB

from ropewalk.cli import main
from ropewalk.errors import OptionError, ReadError, RopewalkWarning
from ropewalk.experiment import Experiment, cross_validate, journal
from ropewalk.experiment import store as stores
from ropewalk.experiment.journal import line
from tests import forked
from tests.power import NEEDED, Disk

FITS = 12


@pytest.fixture
def made(rows: tuple[Any, Any]) -> Callable[..., Experiment]:
    """Make an experiment of twelve fits in a folder."""

    def make(folder: Path | None, **options: Any) -> Experiment:
        models = {"bayes": GaussianNB(), "most": DummyClassifier()}
        return cross_validate(models, {"d": rows}, design="2x3cv", store=folder, **options)

    return make


def values(exp: Experiment) -> list[tuple[Any, ...]]:
    return sorted((f.identity, f.values["accuracy"]) for f in exp.fits)


@NEEDED
@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.few(1)
def test_a_power_failure_at_any_moment_loses_no_folder(
    made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, keep: bool
) -> None:
    """The power fails after every fit, and after the end; oracle: a run without failures."""
    expected = values(made(None))
    monkeypatch.setattr(stores, "_SOME", 5)  # fold twice on the way
    failed = recorded_while_failing(made, tmp_path, monkeypatch, "with_all_names", keep=keep)
    for k, folder in enumerate(failed):
        with warnings.catch_warnings():
            if k < FITS:  # in the end everything was waited for, and nothing is damaged
                warnings.simplefilter("ignore", RopewalkWarning)
            assert values(made(folder, keep_predictions=keep)) == expected
        if keep:
            Experiment.load(folder).predictions()
    # What was folded before the failure is not made again.
    assert len(Experiment.load(failed[-1]).fits) == FITS


@NEEDED
def test_every_fit_is_on_the_disk_when_it_is_a_second_old(
    made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also its name, and those of the folders that it is in: with no second to wait, none of them is lost."""
    monkeypatch.setattr(stores, "_SOME", 5)
    monkeypatch.setattr(journal, "_OFTEN", -1.0)
    failed = recorded_while_failing(made, tmp_path, monkeypatch, "with_old_names", keep=True)
    for k, folder in enumerate(failed):
        assert len(Experiment.load(folder).fits) == min(k + 1, FITS)
    with monkeypatch.context() as now:  # after the end also every prediction is there
        now.setattr(stores.Store, "add", lambda *_: pytest.fail("a fit is made again"))
        made(failed[-1], keep_predictions=True)
    Experiment.load(failed[-1]).predictions()


def recorded_while_failing(
    made: Any, where: Path, monkeypatch: pytest.MonkeyPatch, names: str, *, keep: bool
) -> list[Path]:
    """Make the experiment; copies of what a failure would leave after each fit, and after the end."""
    folder, copies, add = where / "r", [where / f"failed-{k}" for k in range(FITS + 1)], stores.Store.add
    left = iter(copies)
    with Disk(monkeypatch) as disk, monkeypatch.context() as watched:

        def then_fail(self: stores.Store, fit: Any) -> None:
            add(self, fit)
            getattr(disk, names)(folder, next(left))

        watched.setattr(stores.Store, "add", then_fail)
        made(folder, keep_predictions=keep)
        getattr(disk, names)(folder, next(left))
    assert next(left, None) is None
    return copies


def test_short_writes_are_continued(made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data)[:13]))
    monkeypatch.setattr(stores.Store, "fold", lambda self: None)
    made(tmp_path)
    assert len(Experiment.load(tmp_path).fits) == FITS


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """A disk that is full after so many bytes: the last write takes what there is room for."""
    real = os.write

    def fill(room: int) -> None:
        def write(handle: int, data: Any) -> int:
            nonlocal room
            if room <= 0:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            done = real(handle, bytes(data)[:room])
            room -= done
            return done

        monkeypatch.setattr(os, "write", write)

    return fill


@pytest.mark.parametrize("room", [0, 50, 1_500, 2_600])
def test_a_full_disk_is_one_message_and_a_rerun_completes(
    made: Any, full: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: int
) -> None:
    expected = values(made(None))
    with monkeypatch.context() as now:
        now.setattr("ropewalk.experiment.store.write_parquet", _no_room)
        full(room)
        with pytest.raises(OptionError, match=r"results cannot be written to .*: No space left on device"):
            made(tmp_path / "r")
    monkeypatch.undo()
    assert values(made(tmp_path / "r")) == expected
    assert len(Experiment.load(tmp_path / "r").fits) == FITS


def _no_room(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_disk_that_fills_up_while_folding_loses_nothing(
    made: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as now:
        now.setattr("ropewalk.experiment.store.write_parquet", _no_room)
        with pytest.raises(OptionError, match="No space left on device") as caught:
            made(tmp_path)
    assert "resumes where it stopped" in caught.value.hint
    assert len(Experiment.load(tmp_path).fits) == FITS
    made(tmp_path)
    assert (tmp_path / "journal.jsonl").stat().st_size == 0


def journal_of(made: Any, folder: Path) -> list[bytes]:
    """A finished folder whose fits are all in the journal."""
    lines = [line(f) for f in made(folder).fits]
    (folder / "results.parquet").unlink()
    return lines


def flipped(text: bytes) -> bytes:
    return text[:40] + bytes([text[40] ^ 1]) + text[41:]


@pytest.mark.parametrize(
    "damage",
    [
        flipped,
        lambda text: b"\0" * len(text.rstrip()) + b"\n",
        lambda text: text[:60] + b"\n",
        lambda text: text.replace(b"0", b"1", 1),
        lambda text: text[: text.index(b', "check"')] + b"}\n",
        lambda text: b'{"model": "x"}\n',
    ],
)
@pytest.mark.few(2)
def test_a_damaged_line_loses_its_fit_only(
    made: Any, tmp_path: Path, damage: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = values(made(None))
    lines = journal_of(made, tmp_path)
    lines[4] = damage(lines[4])
    (tmp_path / "journal.jsonl").write_bytes(b"".join(lines))
    seen = Experiment.load(tmp_path)
    assert len(seen.fits) == FITS - 1
    assert seen.notes == ("damaged, and left out: 1 damaged lines in journal.jsonl (line 5)",)
    added: list[Any] = []
    add = stores.Store.add
    monkeypatch.setattr(stores.Store, "add", lambda self, fit: (added.append(fit), add(self, fit)))
    with pytest.warns(RopewalkWarning, match=r"lines .* \(line 5\); what is missing is computed again"):
        exp = made(tmp_path)
    assert values(exp) == expected
    assert len(added) == 1
    made(tmp_path)  # without a warning
    assert len(added) == 1


def test_a_folder_without_any_whole_line_is_made_again(made: Any, tmp_path: Path) -> None:
    lines = journal_of(made, tmp_path)
    (tmp_path / "journal.jsonl").write_bytes(b"".join(map(flipped, lines)))
    with pytest.warns(RopewalkWarning, match="12 damaged lines"):
        assert len(made(tmp_path).fits) == FITS


@pytest.mark.parametrize("content", [b"", b"{", b"\0" * 300])
def test_a_damaged_manifest_can_be_repaired(made: Any, tmp_path: Path, content: bytes) -> None:
    expected = values(made(tmp_path))
    (tmp_path / "experiment.json").write_bytes(content)
    with pytest.raises(ReadError, match=r"experiment\.json cannot be read") as caught:
        made(tmp_path)
    assert "--repair" in caught.value.hint
    with pytest.warns(RopewalkWarning, match=r"experiment\.json"):
        assert values(made(tmp_path, repair=True)) == expected
    assert (tmp_path / "experiment.json.damaged").read_bytes() == content
    made(tmp_path)


def test_a_lost_manifest_can_be_repaired(made: Any, tmp_path: Path) -> None:
    expected = values(made(tmp_path))
    (tmp_path / "experiment.json").unlink()
    with pytest.raises(ReadError, match=r"has results, but no experiment\.json"):
        made(tmp_path)
    with pytest.warns(RopewalkWarning, match="written again from this experiment"):
        assert values(made(tmp_path, repair=True)) == expected


def test_another_experiment_is_not_repaired(made: Any, tmp_path: Path) -> None:
    made(tmp_path)
    with pytest.raises(OptionError, match="holds the results of another experiment"):
        made(tmp_path, seed=1, repair=True)


@pytest.mark.parametrize("content", [b"", b"PAR1 nonsense PAR1", b"\0" * 4_000])
def test_damaged_results_can_be_repaired(made: Any, tmp_path: Path, content: bytes) -> None:
    expected = values(made(tmp_path))
    (tmp_path / "results.parquet").write_bytes(content)
    with pytest.raises(ReadError, match=r"results\.parquet cannot be read as results") as caught:
        made(tmp_path)
    assert "--repair" in caught.value.hint
    with pytest.warns(RopewalkWarning, match=r"moved to results\.parquet\.damaged"):
        assert values(made(tmp_path, repair=True)) == expected
    assert (tmp_path / "results.parquet.damaged").read_bytes() == content


def test_predictions_of_zero_bytes_are_made_again(made: Any, tmp_path: Path) -> None:
    whole = made(tmp_path, keep_predictions=True).predictions().scores().tasks[0].values
    kept = sorted((tmp_path / "outputs").iterdir())
    kept[0].write_bytes(b"")
    kept[1].unlink()
    kept[2].write_bytes(kept[2].read_bytes()[:-30])
    with pytest.warns(RopewalkWarning, match="the predictions of 3 fits are missing or damaged"):
        exp = made(tmp_path, keep_predictions=True)
    assert np.array_equal(exp.predictions().scores().tasks[0].values, whole)
    made(tmp_path, keep_predictions=True)


def test_a_flipped_bit_in_a_prediction_is_found_by_repair(made: Any, tmp_path: Path) -> None:
    made(tmp_path, keep_predictions=True)
    kept = sorted((tmp_path / "outputs").iterdir())[0]
    data = bytearray(kept.read_bytes())
    data[200] ^= 1
    kept.write_bytes(data)
    with pytest.warns(RopewalkWarning, match="the predictions of 1 fits"):
        made(tmp_path, keep_predictions=True, repair=True)
    Experiment.load(tmp_path).predictions()


@pytest.mark.parametrize("name", ["a[1]b", "what?", "*", "a[!x]*", "{a,b}"])
@pytest.mark.few(2)
def test_the_folder_may_have_any_name(made: Any, tmp_path: Path, name: str) -> None:
    if os.name == "nt" and set(name) & set("?*"):
        pytest.skip("Windows has no such names")
    for other in ("a1b", "whatx", "axy", "a"):  # which the names would match as patterns
        made(tmp_path / other, seed=1)
    made(tmp_path / name)
    assert len(Experiment.load(tmp_path / name).fits) == FITS
    assert values(made(tmp_path / name)) == values(made(None))


def test_what_a_killed_run_was_writing_is_removed(made: Any, tmp_path: Path) -> None:
    made(tmp_path, keep_predictions=True)
    left = [
        tmp_path / "results.parquet.new",
        tmp_path / "results.jsonl.new",
        tmp_path / "outputs" / f"{'0a' * 12}.new",
    ]
    others = [tmp_path / "thesis.new", tmp_path / "outputs" / "0a.new", tmp_path / "outputs" / "notes.new"]
    for path in (*left, *others):
        path.write_bytes(b"half")
    made(tmp_path, keep_predictions=True)
    assert not any(path.exists() for path in left)
    assert all(path.read_bytes() == b"half" for path in others)  # whoever wrote these, it was not ropewalk


def test_the_command_says_it_in_one_message_and_exits_with_three(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("e.toml").write_text(
        'design = "2x2cv"\n[datasets]\nwine = "wine"\n[algorithms]\n'
        'bayes = "sklearn.naive_bayes.GaussianNB"\nmost = "sklearn.dummy.DummyClassifier"\n'
    )
    with monkeypatch.context() as now:
        now.setattr("ropewalk.experiment.journal.write_all", _no_room)
        assert _code("run", "e.toml", "--jobs", "1") == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert "error: results cannot be written to e-results: No space left on device" in err
    assert "Traceback" not in err
    Path("e-results/experiment.json").write_text("")
    assert _code("run", "e.toml", "--jobs", "1") == 4
    assert "--repair" in capsys.readouterr().err
    assert _code("run", "e.toml", "--jobs", "1", "--repair", "--json") == 0
    assert "warning: e-results/experiment.json cannot be read" in capsys.readouterr().err
    assert len(Experiment.load("e-results").fits) == 8


def _code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


def test_workers_that_are_given_up_say_nothing(tmp_path: Path) -> None:
    """A full disk is one message, also with fits under way in other processes."""
    (tmp_path / "e.toml").write_text(
        'design = "20x2cv"\n[datasets]\nwine = "wine"\n[algorithms]\n'
        'bayes = "sklearn.naive_bayes.GaussianNB"\nmost = "sklearn.dummy.DummyClassifier"\n'
    )
    code = (
        "import errno, os\n"
        "from ropewalk.experiment import journal\n"
        "real, count = journal.write_all, iter(range(99))\n"
        "def write_all(handle, data):\n"
        "    if next(count) == 5: raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))\n"
        "    real(handle, data)\n"
        "journal.write_all = write_all\n"
        "from ropewalk_cli import main; main()"
    )
    done = forked.run("run", "e.toml", "--jobs", "2", "--json", cwd=tmp_path, code=code)
    assert done.returncode == 3
    assert done.stdout == ""
    assert done.stderr == (
        "error: results cannot be written to e-results: No space left on device\n\n"
        "  Finished fits are kept; the same command resumes where it stopped.\n"
    )
