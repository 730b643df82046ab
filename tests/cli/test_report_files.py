"""The files that a report is written to: one set of options for every command, and the output."""

from __future__ import annotations

from pathlib import Path

import pytest
from click import Command
from click.testing import CliRunner

import ropewalk as rw
from ropewalk.cli import cli
from ropewalk.cli.report_files import ReportFiles
from ropewalk.errors import OptionError

OPTIONS = {"html", "markdown", "latex", "plots", "form", "everything"}


def _command(name: str) -> Command:
    command = cli.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    return command


@pytest.mark.parametrize("name", ["compare", "run"])
def test_every_command_with_a_report_has_the_same_options(name: str) -> None:
    found = {p.name: getattr(p, "help", None) for p in _command(name).params if p.name in OPTIONS}
    assert set(found) == OPTIONS
    assert found == {p.name: p.help for p in _command("compare").params if p.name in OPTIONS}


def test_the_files_of_another_method_stand_beside_the_first() -> None:
    first = ReportFiles(html=Path("out/r.html"), plots=Path("plots"), form="svg")
    assert first.called("sign") == ReportFiles(
        html=Path("out/r-sign.html"), plots=Path("plots-sign"), form="svg"
    )


def test_what_was_read_is_not_written_over(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("id,a,b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20)))
    with pytest.raises(OptionError, match=r"scores\.csv"):
        ReportFiles(latex=table).write(rw.compare(table))
    with pytest.raises(OptionError, match="two outputs"):
        ReportFiles(html=tmp_path / "x", markdown=tmp_path / "x").check([])


def test_what_was_written_is_named_last(tmp_path: Path) -> None:
    table = tmp_path / "scores.csv"
    table.write_text("id,a,b\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(20)))
    page, text = tmp_path / "r.html", tmp_path / "r.md"
    shown = CliRunner().invoke(cli, ["compare", str(table), "--html", str(page), "--markdown", str(text)])
    assert shown.exit_code == 0
    assert shown.output.endswith(f"\nWrote {page}, {text}.\n")
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "# " in text.read_text(encoding="utf-8")
