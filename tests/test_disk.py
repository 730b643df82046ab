"""Output files: whole, with the right mode, and never in the place of something that is no file."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ropewalk import disk
from ropewalk.disk import write
from ropewalk.errors import OptionError
from tests.power import NEEDED, Disk

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="there are no such files on Windows")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def device(path: Path, minor: int) -> Path:
    """A device of this test's own: if it is replaced after all, the machine is not harmed."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        path.open("ab").close()
    except (OSError, AttributeError):
        pytest.skip("devices cannot be made here")
    return path


def test_a_device_is_written_to_not_replaced(tmp_path: Path) -> None:
    null = device(tmp_path / "null", 3)
    write(null, "a report")
    assert stat.S_ISCHR(null.stat().st_mode)
    assert len(list(tmp_path.iterdir())) == 1


def test_a_full_device_is_an_error(tmp_path: Path) -> None:
    full = device(tmp_path / "full", 7)
    with pytest.raises(OptionError, match="full cannot be written: No space left on device"):
        write(full, "a report")
    assert stat.S_ISCHR(full.stat().st_mode)


@POSIX
def test_a_pipe_is_written_to_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write(pipe, b"x" * 100_000)
    reader.join(30)
    assert read == [b"x" * 100_000]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


@POSIX
def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_PATIENCE", 0.1)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OptionError, match="pipe cannot be written: no process reads from it"):
        write(tmp_path / "pipe", "a report")


@POSIX
def test_a_pipe_whose_reader_goes_away_is_an_error(tmp_path: Path) -> None:
    """Only on standard output is it none: there `| head` is meant."""
    os.mkfifo(tmp_path / "pipe")
    read = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    go = threading.Timer(0.2, lambda: os.close(read))
    go.start()
    with pytest.raises(OptionError, match="pipe cannot be written: Broken pipe"):
        write(tmp_path / "pipe", b"x" * 1_000_000)  # more than a pipe holds
    go.join()


@POSIX
@pytest.mark.parametrize("existing", [True, False])
def test_a_symbolic_link_is_followed(tmp_path: Path, existing: bool) -> None:
    (tmp_path / "far").mkdir()
    target, link, chain = tmp_path / "far" / "report.md", tmp_path / "link.md", tmp_path / "chain.md"
    link.symlink_to(Path("far") / "report.md")
    chain.symlink_to("link.md")
    if existing:
        target.write_text("old")
    write(chain, "new")
    assert target.read_text() == "new"
    assert link.is_symlink()
    assert chain.is_symlink()
    assert sorted(p.name for p in tmp_path.rglob("*")) == ["chain.md", "far", "link.md", "report.md"]


@POSIX
def test_standard_output_may_be_named(tmp_path: Path) -> None:
    code = (
        "from pathlib import Path; import sys\n"
        "from ropewalk.disk import write\n"
        "print('before', flush=True); write(Path('/dev/stdout'), 'report\\n'); print('after')"
    )
    with (tmp_path / "out").open("w") as out:
        subprocess.run([sys.executable, "-c", code], stdout=out, check=True)
    assert (tmp_path / "out").read_text() == "before\nreport\nafter\n"


@POSIX
@pytest.mark.parametrize(("umask", "expected"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_mode_that_the_umask_leaves(tmp_path: Path, umask: int, expected: int) -> None:
    before = os.umask(umask)
    try:
        write(tmp_path / "r.md", "x")
    finally:
        os.umask(before)
    assert mode(tmp_path / "r.md") == expected


@POSIX
def test_an_existing_file_keeps_its_mode_and_its_owner(tmp_path: Path) -> None:
    report = tmp_path / "r.md"
    report.write_text("old")
    report.chmod(0o640)
    if os.getuid() == 0:
        os.chown(report, 65534, 65534)
    owner = report.stat().st_uid
    write(report, "new")
    assert (report.read_text(), mode(report), report.stat().st_uid) == ("new", 0o640, owner)


def test_what_a_killed_run_left_is_removed_by_the_next(tmp_path: Path) -> None:
    code = (
        "import os; from pathlib import Path; from ropewalk import disk\n"
        "disk.os.fsync = lambda _: os._exit(9)\n"
        f"disk.write(Path({str(tmp_path / 'r.md')!r}), 'half')"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 9
    assert len(list(tmp_path.iterdir())) == 1
    write(tmp_path / "other.md", "x")
    assert len(list(tmp_path.iterdir())) == 2
    write(tmp_path / "r.md", "whole")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["other.md", "r.md"]


def test_what_another_run_is_writing_is_not_removed(tmp_path: Path) -> None:
    target = tmp_path / "r.md"
    with disk._beside(target) as (file, name):
        disk.write_all(file.fileno(), b"of another")
        write(target, "of this one")
        assert name.read_bytes() == b"of another"
    assert [p.name for p in tmp_path.iterdir()] == ["r.md"]


def test_a_file_that_cannot_be_written_leaves_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = write(tmp_path / "r.md", "old")

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OptionError, match=r"r\.md cannot be written: No space left on device"):
        write(target, "new")
    assert target.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


@NEEDED
def test_a_file_is_on_the_disk_when_it_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its content before its name, and its name before `write` returns."""
    folder = tmp_path / "reports"
    folder.mkdir()
    with Disk(monkeypatch) as disk:
        disk.sync(tmp_path)
        for content in ("old", "new"):
            write(folder / "r.md", content)
            for k, names in enumerate((disk.with_all_names, disk.with_old_names)):
                names(folder, copy := tmp_path / f"{content}-{k}")
                assert {p.name: p.read_text() for p in copy.iterdir()} == {"r.md": content}


def test_short_writes_are_continued(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda handle, data: real(handle, bytes(data)[:7]))
    write(tmp_path / "r.md", "a report of more than seven bytes")
    assert (tmp_path / "r.md").read_text() == "a report of more than seven bytes"


@pytest.mark.parametrize("path", ["nowhere/r.md", "file/r.md", ""])
def test_a_path_that_cannot_be_is_one_message(tmp_path: Path, path: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OptionError, match="cannot be written"):
        write(tmp_path / path, "x")


def test_folders_that_a_killed_run_left_are_removed_by_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    code = (
        "import os, tempfile; from ropewalk import disk\n"
        f"tempfile.tempdir = {str(tmp_path)!r}\n"
        "with disk.temporary_folder() as folder:\n"
        "    (folder / 'spilled').write_bytes(b'x' * 1000)\n"
        "    os._exit(9)"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 9
    (tmp_path / "ropewalk-of-somebody-else").mkdir()  # without a lock: it may be just being made
    assert len(list(tmp_path.iterdir())) == 2
    with disk.temporary_folder() as first, disk.temporary_folder() as second:
        assert first.is_dir()
        assert second.is_dir()
        assert len(list(tmp_path.iterdir())) == 3
    assert [p.name for p in tmp_path.iterdir()] == ["ropewalk-of-somebody-else"]


def test_a_path_with_a_null_character(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"x�\.html cannot be written"):
        write(tmp_path / "x\0.html", "text")
    assert list(tmp_path.iterdir()) == []


def test_what_was_read_is_not_replaced(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    for path in (scores, tmp_path / "r.html"):
        disk.check_replaceable(path, [str(scores), "nowhere.csv", "null\0"])  # there is no file yet
    scores.write_text("a,b")
    disk.check_replaceable(tmp_path / "r.html", [str(scores)])
    disk.check_replaceable(tmp_path, [str(tmp_path)])  # a folder is never replaced
    for path in (scores, tmp_path / "." / "scores.csv"):
        with pytest.raises(OptionError, match=r"scores\.csv is an input file and would be overwritten"):
            disk.check_replaceable(path, ["nowhere.csv", str(scores)])


@POSIX
def test_whoever_is_alone_in_a_folder_sees_what_the_others_did(tmp_path: Path) -> None:
    """Oracle: four threads count to a hundred together."""
    count = tmp_path / "count"
    count.write_text("0")

    def add() -> None:
        for _ in range(25):
            with disk.alone_in(tmp_path):
                count.write_text(str(int(count.read_text()) + 1))

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert count.read_text() == "100"


@POSIX
def test_nobody_waits_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disk, "_LONG", 0.1)
    with (
        disk.alone_in(tmp_path),
        pytest.raises(OptionError, match=r"another run has been writing to .* for a minute"),
        disk.alone_in(tmp_path),
    ):
        pass


def test_without_locks_nobody_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(_: int) -> bool:
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(disk, "locked", no_locks)
    with disk.alone_in(tmp_path), disk.alone_in(tmp_path), disk.alone_in(tmp_path / "nowhere"):
        pass
