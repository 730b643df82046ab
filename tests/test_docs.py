"""What docs/any-metric-any-design.md and the README print is what ropewalk prints.

The oracle is the page itself: its Python blocks make the files, its commands are run on them, and what
follows a command has to be what comes out, with "…" for anything.
"""

from __future__ import annotations

import contextlib
import io
import random
import re
import runpy
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from ropewalk.cli import cli

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "any-metric-any-design.md"
# Its digits depend on the release of scikit-learn; tests/test_calibration_example.py holds what it says.
ELSEWHERE = "python examples/calibration.py"


def blocks(text: str) -> list[tuple[str, str]]:
    """The language ("" for none) and the body of every fenced block."""
    return re.findall(r"^```(\w*)\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)


def commands(body: str) -> Iterator[tuple[str, str]]:
    """Each command of a block, and what follows it."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def printed(command: str) -> str:
    """What a command prints."""
    words = shlex.split(command, comments=True)
    if words[0] == "ropewalk":
        result = CliRunner().invoke(cli, words[1:], catch_exceptions=False)
        assert result.exit_code == 0, command
        return result.output
    if words[0] == "head":
        return "\n".join(Path(words[2]).read_text().splitlines()[: -int(words[1])])
    assert words[0] == "python", f"this test does not know how to run {command}"
    with contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path(str(ROOT / words[1]), run_name="__main__")
    return out.getvalue()


def executed(code: str, names: dict[str, Any]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, str(PAGE), "exec"), names)  # noqa: S102  # our own page
    return out.getvalue()


def check(shown: str, real: str, what: str) -> None:
    """The output shown is the real one; "…" stands for anything, and the space around it does not count."""

    def lines(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")

    pattern = r"\s*".join(
        [".*" if piece == "…" else re.escape(piece.strip()) for piece in re.split("(…)", lines(shown))]
    )
    assert re.fullmatch(pattern, lines(real).strip(), flags=re.DOTALL), f"{what} prints\n{real}\nnot\n{shown}"


def run(text: str, names: dict[str, Any]) -> int:
    """Run every block in its order, and compare; how many outputs were compared."""
    code, said, compared = "", "", 0
    for language, body in blocks(text):
        if language == "python":
            code, said = body, executed(body, names)
            continue
        assert language == "", f"a block of {language} is not known here"
        if not body.startswith("$ "):
            check(body, said, code)
            compared += 1
        for command, shown in commands(body):
            if command == ELSEWHERE:
                continue
            real = printed(command)
            if shown.strip():
                check(shown, real, command)
                compared += 1
    return compared


def test_the_page_prints_what_ropewalk_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["example"])
    names: dict[str, Any] = {}
    assert run(PAGE.read_text(encoding="utf-8"), names) >= 15


def readme_files() -> None:
    """The files that the examples of the README are about."""
    rng = random.Random(0)
    labels, hard = [rng.choice("ab") for _ in range(1200)], [rng.random() for _ in range(1200)]
    for model, skill in (("svm", 0.85), ("forest", 0.875)):
        lines = ["id,label,prediction"]
        for i, (label, h) in enumerate(zip(labels, hard, strict=True)):
            right = h + 0.1 * rng.gauss(0, 1) < skill
            lines.append(f"{i},{label},{label if right else 'ab'.replace(label, '')}")
        Path(f"{model}.csv").write_text("\n".join(lines) + "\n")
    rng = random.Random(1)
    hard = [rng.random() for _ in range(3000)]
    for model, skill in (("baseline", 0.80), ("candidate", 0.81)):
        lines = [f"{i},{int(h + 0.05 * rng.gauss(0, 1) < skill)}" for i, h in enumerate(hard)]
        Path(f"{model}.csv").write_text("\n".join(["id,correct", *lines]) + "\n")


def test_the_readme_prints_what_ropewalk_prints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    readme_files()
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    compared = 0
    for language, body in blocks(text):
        if language == "" and body.startswith("$ "):
            for command, shown in commands(body):
                check(shown, printed(command), command)
                compared += 1
    assert compared == 2
    rng = random.Random(2)
    scores = {
        name: [mean + rng.gauss(0, 0.02) for _ in range(30)] for name, mean in (("f", 0.9), ("s", 0.88))
    }
    code = next(body for language, body in blocks(text) if language == "python")
    names: dict[str, Any] = {"forest_scores": scores["f"], "svm_scores": scores["s"]}
    executed(code, names)
    assert names["c"].correlation.high == pytest.approx(1 / 10)
    assert Path("report.html").exists()


def test_the_make_targets_of_the_readme_exist() -> None:
    named = re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert named == ["demo", "test"]
    assert set(named) <= set(targets)


@pytest.mark.parametrize("page", ["README.md", "docs/any-metric-any-design.md"])
def test_links_and_pictures_are_there(page: str) -> None:
    here = ROOT / page
    for target in re.findall(r"\]\(([^)#]+)\)", here.read_text(encoding="utf-8")):
        assert target.startswith("http") or (here.parent / target).exists(), target


def test_the_page_knows_every_metric() -> None:
    from ropewalk.metrics import all_metrics

    table = PAGE.read_text(encoding="utf-8").split("| metric | of | better |")[1].split("\n\n")[0]
    named = set(re.findall(r"`([a-z0-9_@.]+)`", table.replace("`--cluster`", "")))
    assert named == set(all_metrics())


def test_a_wrong_digit_is_noticed() -> None:
    check("a …\n  b 0.12\n…", "a 1\n  c\n  b 0.12\n  d\n", "it")
    with pytest.raises(AssertionError, match="it prints"):
        check("a …\n  b 0.12", "a 1\n  b 0.13\n", "it")
