"""Exit codes: 1 and 2 are answers of the gate, and nothing else may end with them."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from ropewalk.cli import main
from tests import forked

COMMAND = [sys.executable, "-c", "from ropewalk_cli import main; main()"]


@pytest.fixture
def sides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A candidate that passes."""
    monkeypatch.chdir(tmp_path)
    rows = "\n".join(f"{i},{int(i % 9 > 0)}" for i in range(400))
    for name in ("b.csv", "c.csv"):
        Path(name).write_text(f"id,correct\n{rows}\n")
    return ["gate", "b.csv", "c.csv", "--margin", "0.1"]


def code(*arguments: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(list(arguments))
    return int(stop.value.code or 0)


def start(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        check=False,
        text=True,
        **{"capture_output": "stdout" not in options, **options},
    )


def test_the_codes_do_not_need_names_that_click_8_1_has_not(
    sides: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Oracle: click 8.1, whose module of exceptions has no NoArgsIsHelpError."""
    monkeypatch.delattr(click.exceptions, "NoArgsIsHelpError", raising=False)
    assert code(*sides) == 0
    assert code("gate", "b.csv") == 3
    assert code("methods", "nothing") == 3
    assert code("compare", "b.csv", "nothing.csv") == 4
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert "failed" not in err
    assert "Missing argument 'CANDIDATE'" in err


def test_a_library_that_ends_the_process_gives_no_answer(sides: list[str], tmp_path: Path) -> None:
    """As OpenBLAS does without memory: C's exit(1), which no `except` of Python's sees."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "scipy.py").write_text("import ctypes; ctypes.CDLL(None).exit(1)")
    path = os.pathsep.join([str(tmp_path / "broken"), os.environ.get("PYTHONPATH", "")])
    assert start(*sides, env={**os.environ, "PYTHONPATH": path}).returncode == 3
    assert start(*sides).returncode == 0


def test_without_arguments_the_help_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert code() == 3
    out, err = capsys.readouterr()
    assert "Usage: ropewalk" in out + err


@pytest.mark.parametrize("package", ["numpy", "click", "scipy"])
def test_a_package_that_cannot_be_imported_is_no_answer(
    sides: list[str], tmp_path: Path, package: str
) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / f"{package}.py").write_text("raise ImportError('built for another Python')")
    path = os.pathsep.join([str(tmp_path / "broken"), os.environ.get("PYTHONPATH", "")])
    done = start(*sides, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 3, done.stdout
    assert "built for another Python" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("command", "raised"),
    [("gate", "SystemExit(1)"), ("compare", "type('Panic', (BaseException,), {})('oh')")],
)
def test_a_package_that_ends_python_is_one_message(
    sides: list[str], tmp_path: Path, command: str, raised: str
) -> None:
    """Compiled libraries panic where they are loaded, with what is no Exception."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "click.py").write_text(f"raise {raised}")
    path = os.pathsep.join([str(tmp_path / "broken"), os.environ.get("PYTHONPATH", "")])
    done = start(command, *sides[1:], env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("error: ropewalk could not be started: ")
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("command", ["gate", "compare"])
def test_an_interrupt_while_packages_are_imported_is_one_message(
    sides: list[str], tmp_path: Path, command: str
) -> None:
    """It takes a second to import them: Ctrl-C printed a traceback."""
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "click.py").write_text("raise KeyboardInterrupt")
    path = os.pathsep.join([str(tmp_path / "broken"), os.environ.get("PYTHONPATH", "")])
    done = start(command, *sides[1:], env={**os.environ, "PYTHONPATH": path})
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "stopped\n")


class Panic(BaseException):
    """As compiled libraries raise it: no Exception."""


@pytest.mark.parametrize(
    "error", [MemoryError(), RecursionError(), Panic("oh"), SystemExit(1), ImportError()]
)
def test_whatever_is_raised_inside_is_no_answer(
    sides: list[str],
    error: BaseException,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(import_module("ropewalk.gate.judge"), "decide", fail)
    assert code(*sides) == 3
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("error: ")
    assert "Traceback" not in err


@pytest.mark.skipif(sys.platform == "win32", reason="limits of memory are set otherwise there")
def test_too_little_memory_is_no_answer(sides: list[str]) -> None:
    """At some limits Python raises MemoryError, at others OpenBLAS calls exit(1) or never ends."""
    codes = {with_memory(sides, megabytes) for megabytes in (180, 200, 210, 220)}
    # Also killed here because it did not end, aborted, and a library that could not be loaded.
    assert codes <= {0, 3, -9, -6, -11, 127}


def with_memory(sides: list[str], megabytes: int) -> int:
    """The exit code; -9 where it did not end."""
    import resource

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    env = {**os.environ, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    try:
        done = start(*sides, preexec_fn=limit, env=env, timeout=20)
    except subprocess.TimeoutExpired:
        return -9
    assert ("PASS" in done.stdout.upper()) == (done.returncode == 0)
    return done.returncode


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full here")
@pytest.mark.parametrize("arguments", [[], ["--json"]])
def test_a_full_standard_output_is_one_message(sides: list[str], arguments: list[str]) -> None:
    for command in (sides, ["compare", "b.csv", "c.csv"], ["plan", "b.csv", "c.csv"]):
        with Path("/dev/full").open("w") as full:
            done = forked.run(*command, *arguments, stdout=full.fileno())
        assert done.stderr == "error: standard output cannot be written: No space left on device\n"
        assert done.returncode == 3


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is always full here")
@pytest.mark.parametrize("command", [["--help"], ["--version"], [], ["methods"], ["metrics"], ["gate", "-h"]])
def test_a_full_standard_output_is_no_failure_of_ropewalk(command: list[str]) -> None:
    with Path("/dev/full").open("w") as full:
        done = forked.run(*command, stdout=full.fileno())
    assert done.stderr == "error: standard output cannot be written: No space left on device\n"
    assert done.returncode == 3


def nobody_reads() -> int:
    """A pipe whose reader has gone."""
    read, write = os.pipe()
    os.close(read)
    return write


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="there is no such device here")
@pytest.mark.parametrize("option", ["--markdown", "--junit"])
@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_a_gate_does_not_pass_where_the_reader_of_a_file_has_gone(
    sides: list[str], option: str, stream: str
) -> None:
    """`ropewalk gate ... --markdown /dev/stdout | head -1` exited with 0, which is pass."""
    rows = "\n".join(f"{i},0" for i in range(400))
    Path("c.csv").write_text(f"id,correct\n{rows}\n")
    pipe = nobody_reads()
    assert forked.run(*sides, option, f"/dev/{stream}", **{stream: pipe}).returncode == 1
    os.close(pipe)


def test_a_gate_does_not_pass_where_something_else_is_not_read(
    sides: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise BrokenPipeError(32, "Broken pipe")

    monkeypatch.setattr(import_module("ropewalk.gate.judge"), "decide", fail)
    assert code(*sides) == 3
    assert capsys.readouterr().err == "error: there is no answer: Broken pipe\n"


@pytest.mark.parametrize("arguments", [["gate", "--nonsense"], ["compare", "nothing.csv", "c.csv"]])
def test_a_standard_error_that_takes_nothing_changes_no_code(sides: list[str], arguments: list[str]) -> None:
    """`ropewalk compare nothing.csv 2>&1 | true` exited with 1."""
    expected = code(*arguments)
    assert expected >= 3
    pipe = nobody_reads()
    assert forked.run(*arguments, stderr=pipe).returncode == expected
    os.close(pipe)
    if Path("/dev/full").exists():
        with Path("/dev/full").open("w") as full:
            assert forked.run(*arguments, stderr=full.fileno()).returncode == expected


@pytest.mark.parametrize("command", [["compare", "b.csv", "c.csv"], ["methods"], ["--help"]])
def test_a_reader_that_has_gone_is_no_failure(sides: list[str], command: list[str]) -> None:
    read, write = os.pipe()
    os.close(read)
    done = forked.run(*command, stdout=write)
    os.close(write)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell there")
@pytest.mark.parametrize(
    "closed",
    [">&-", "<&- >&- 2>&-", *(pytest.param(x, marks=pytest.mark.proof) for x in ("<&-", "2>&-", ">&- 2>&-"))],
)
def test_closed_streams_do_not_change_the_answer(sides: list[str], closed: str) -> None:
    done = subprocess.run(f"{shlex.join([*COMMAND, *sides])} {closed}", shell=True, check=False)
    assert done.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell there")
def test_no_file_gets_the_number_of_a_closed_stream(tmp_path: Path) -> None:
    """Else whatever a library prints would be written into the journal of an experiment or into a report."""
    code = (
        "import sys\nfrom ropewalk_cli import main\nsys.argv = ['ropewalk', 'methods']\n"
        "try: main()\nexcept SystemExit: pass\nsys.exit(open('report', 'w').fileno())"
    )
    command = shlex.join([sys.executable, "-c", code])
    done = subprocess.run(f"{command} <&- >&- 2>&-", shell=True, check=False, cwd=tmp_path)
    assert done.returncode >= 3


@pytest.mark.skipif(sys.platform == "win32", reason="there is no such shell there")
def test_a_broken_package_with_closed_streams_is_no_answer(sides: list[str], tmp_path: Path) -> None:
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "click.py").write_text("raise ImportError('built for another Python')")
    path = os.pathsep.join([str(tmp_path / "broken"), os.environ.get("PYTHONPATH", "")])
    command = f"{shlex.join([*COMMAND, 'compare', *sides[1:3]])} >&- 2>&-"
    assert subprocess.run(command, shell=True, env={**os.environ, "PYTHONPATH": path}).returncode == 3


def test_a_style_that_lies_in_the_folder_changes_nothing(sides: list[str], tmp_path: Path) -> None:
    """Oracle: the bytes of a plot without it. With `text.usetex` matplotlib would start LaTeX."""
    assert forked.run("compare", "b.csv", "c.csv", "--plots", "before").returncode == 0
    Path("matplotlibrc").write_text("text.usetex: True\naxes.facecolor: red\nfont.size: 30\n")
    done = start("compare", "b.csv", "c.csv", "--plots", "after")
    assert (done.returncode, done.stderr) == (0, "")
    for path in Path("before").iterdir():
        assert path.read_bytes() == (Path("after") / path.name).read_bytes()


def test_the_shell_still_completes_commands(sides: list[str]) -> None:
    done = start(env={**os.environ, "_ROPEWALK_COMPLETE": "bash_source"})
    assert done.returncode == 0
    assert "_ropewalk_completion" in done.stdout


def test_a_lack_of_memory_says_nothing_about_the_models() -> None:
    from ropewalk.cli.streams import internal

    assert "out of memory" in str(internal(MemoryError()))


def test_an_unknown_backend_of_matplotlib_is_ignored(tmp_path: Path) -> None:
    """The command draws to files: the plots have the same bytes."""
    rows = "".join(f"{int(i % 3 > 0)},{int(i % 5 > 1)}\n" for i in range(60))
    (tmp_path / "s.csv").write_text("forest,svm\n" + rows)
    assert forked.run("compare", "s.csv", "--plots", "agg", cwd=tmp_path).returncode == 0
    command = [sys.executable, "-m", "ropewalk", "compare", "s.csv", "--plots", "nonsense"]
    env = {**os.environ, "MPLBACKEND": "nonsense"}
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=env, timeout=120)
    assert done.returncode == 0, done.stderr
    pages = [{p.name: p.read_bytes() for p in (tmp_path / of).iterdir()} for of in ("agg", "nonsense")]
    assert pages[0] == pages[1]
    assert any(name.endswith(".png") for name in pages[0])
