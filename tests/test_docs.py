"""Every block and every command of the README and of the pages is executed, here or when the site is built.

The site runs the blocks of docs/ (docs/_ext/page_blocks.py has the rules). The README is run here, against
the output that it prints: "…" stands for anything.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import random
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas
import pytest
from click.testing import CliRunner

import ropewalk as rw
from ropewalk.cli import cli

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
sys.path.append(str(DOCS / "_ext"))
MADE = {"api", "methods", "gallery", "_build", ".venv"}  # folders of docs/ that the build writes
SOURCES = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "SECURITY.md",
    *sorted(p for p in DOCS.rglob("*.md") if not MADE & set(p.relative_to(DOCS).parts)),
]
# The blocks of files that the site does not run, and what executes each.
ELSEWHERE = {
    ("README.md", "make demo"): "installs; the targets are held against the Makefile below",
    ("README.md", "$ ropewalk compare svm.csv"): "below",
    ("README.md", "import ropewalk as rw"): "below",
    ("README.md", "$ ropewalk gate baseline.csv"): "below",
    ("CONTRIBUTING.md", "make test"): "the targets are held against the Makefile below",
    ("CONTRIBUTING.md", '"""One sentence'): "below",
    ("CONTRIBUTING.md", "from ropewalk.decide"): "tests/methods/test_a_new_method.py",
}
COMMAND = re.compile(r"^\s*(\$ |ropewalk |pip |make |python |dask |import |from \w+ import )", re.MULTILINE)


RULES = importlib.import_module("page_blocks")


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# --- blocks ---


@pytest.mark.parametrize("path", [p for p in SOURCES if p.is_relative_to(DOCS)], ids=name)
def test_every_block_of_a_page_is_run_when_the_site_is_built(path: Path) -> None:
    page = path.relative_to(DOCS).with_suffix("").as_posix()
    text = path.read_text(encoding="utf-8")
    RULES.directives(page, text)  # a block that is not run, without a reason, is an error here
    for block in RULES.blocks(text):
        if block.language == "console":
            assert all(line.startswith("$ ") for line in block.body.splitlines()), (
                f"{name(path)}, line {block.first + 1}: output is made by the build"
            )


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_no_command_hides_in_an_indented_block(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    for block in RULES.blocks("\n".join(lines)):
        lines[block.first : block.last + 1] = [""] * (block.last + 1 - block.first)
    hidden = [line for line in lines if re.match(r"\s{4,}", line) and COMMAND.match(line)]
    assert not hidden


def test_every_block_of_the_readme_and_of_contributing_is_run_by_a_test() -> None:
    found = set()
    for path in SOURCES[:3]:
        for block in RULES.blocks(path.read_text(encoding="utf-8")):
            keys = [(p, start) for p, start in ELSEWHERE if p == path.name and block.body.startswith(start)]
            assert len(keys) == 1, f"{path.name}, line {block.first + 1}: nothing runs this block"
            found.update(keys)
    assert found == set(ELSEWHERE)


def test_every_call_of_another_package_has_its_recorded_output() -> None:
    recorded = json.loads((DOCS / "coming-from" / "recorded.json").read_text(encoding="utf-8"))
    wanted = (DOCS / "coming-from" / "requirements.txt").read_text(encoding="utf-8").split()
    shown = {
        (block.options["peer"], block.body, digest)
        for path in SOURCES
        for block, digest in RULES.peer_calls(path.read_text(encoding="utf-8"))
    }
    assert shown == {
        (peer, code, output["run"])
        for peer, kept in recorded.items()
        for code, output in kept["outputs"].items()
    }
    of_r = {"tidyposterior"}
    assert {f"{peer}=={recorded[peer]['version']}" for peer in recorded.keys() - of_r} == set(wanted)


def test_every_exception_is_needed() -> None:
    used = set()
    for path in SOURCES[3:]:
        page = path.relative_to(DOCS).with_suffix("").as_posix()
        for block in RULES.blocks(path.read_text(encoding="utf-8")):
            if not (block.file or block.language in ("python", "console")):
                used |= {(p, s) for p, s in RULES.NOT_RUN if p == page and block.body.startswith(s)}
    assert used == set(RULES.NOT_RUN)


def test_what_make_installed_is_said_to_type_it_types() -> None:
    recipe = (ROOT / "Makefile").read_text(encoding="utf-8").split("\ninstalled: ")[1].split("\n\n")[0]
    typed = {line.split("/bin/", 1)[-1].replace(" --quiet", "") for line in recipe.splitlines()}
    said = [start for (_, start), why in RULES.NOT_RUN.items() if "`make installed`" in why]
    assert said
    assert set(said) <= typed


PAGES_OF_BEGINNERS = ("start", "tutorials", "gallery_src")


@pytest.mark.parametrize("folder", PAGES_OF_BEGINNERS)
def test_what_the_pages_of_beginners_import_they_were_told_to_install(folder: str) -> None:
    """In a new environment, with what `docs/start/install.md` types and nothing else."""
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    install = (DOCS / "start" / "install.md").read_text(encoding="utf-8")
    (extra, more) = re.findall(r"^pip install '\.\[(\w+)\]' (\w+)$", install, flags=re.MULTILINE)[0]
    needs = [*declared["dependencies"], *declared["optional-dependencies"][extra], more, "ropewalk"]
    told = {re.match(r"[\w-]+", need)[0] for need in needs}  # type: ignore[index]
    told |= {"sklearn"} if "scikit-learn" in told else set()
    for path in sorted((DOCS / folder).glob("*.*")):
        text = path.read_text(encoding="utf-8")
        code = (
            text
            if path.suffix == ".py"
            else "".join(f"{b.body}\n" for b in RULES.blocks(text) if b.language == "python")
        )
        found = set(re.findall(r"^(?:import|from) (\w+)", code, flags=re.MULTILINE))
        assert found - told <= sys.stdlib_module_names, path.name


def test_a_block_that_nothing_runs_is_noticed() -> None:
    for language in ("shell", "", "text", "toml", "json", "python-console"):
        with pytest.raises(ValueError, match="NOT_RUN has no reason"):
            RULES.directives("some/page", f"```{language}\nrm -rf results\n```\n")
    with pytest.raises(ValueError, match="is not understood"):
        list(RULES.blocks("```console exits=1\n$ true\n```\n"))
    with pytest.raises(ValueError, match="does not end"):
        list(RULES.blocks("```python\nprint(1)\n"))
    assert COMMAND.search("  pip install x")


def test_a_plain_block_becomes_a_directive() -> None:
    page = """a

```console exit=1 keep="a|b c"
$ false
```

<!-- python
x = 1
-->

```csv t.csv
a,b
```
"""
    assert RULES.directives("page", page).splitlines() == [
        "a", "",
        "````{console}", ':exit: "1"', ':keep: "a|b c"', "$ false", "````", "",
        "````{python-run}", ":hide-code:", "x = 1", "````", "",
        "````{file} t.csv", ":language: csv", "a,b", "````",
    ]  # fmt: skip


# --- commands, options and names in the text ---


def inline(path: Path) -> Iterator[str]:
    """Every piece of code in the sentences and tables of a page."""
    lines = path.read_text(encoding="utf-8").splitlines()
    for block in RULES.blocks("\n".join(lines)):
        lines[block.first : block.last + 1] = [""] * (block.last + 1 - block.first)
    for code in re.findall(r"`([^`\n]+(?:\n[^`\n]+)?)`", "\n".join(lines)):
        yield " ".join(code.split())


OPTIONS = {
    command: {option for p in parsed.params for option in (*p.opts, *p.secondary_opts)} | {"--help"}
    for command, parsed in cli.commands.items()
}
OPTIONS_OF_OTHERS = {
    "--log_samples",
    "--rows",
    "--only",
    "--renew",
    "--page",
}  # lm_eval, benchmarks/, calibration/


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_commands_options_and_names_in_the_text_exist(path: Path) -> None:
    every = set.union(*OPTIONS.values()) | {"--version"} | OPTIONS_OF_OTHERS
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    for code in inline(path):
        command = re.match(r"ropewalk (\w+)", code)
        if command:
            assert command[1] in OPTIONS, code
        for option in re.findall(r"(?<!\S)(--[a-z][\w-]*)", code):
            assert option in (OPTIONS[command[1]] if command else every), code
        for target in re.findall(r"^make ([a-z-]+)", code):
            assert target in targets, code
        for dotted in re.findall(r"\brw((?:\.\w+)+)", code):
            thing: Any = rw
            for part in dotted[1:].split("."):
                thing = getattr(thing, part, None)
                assert thing is not None, code


# Whole commands within sentences, without "..." and words to replace. Those of docs/formats.md
# need the files of each tool: tests/read/formats/test_page.py runs them.
WHOLE = sorted(
    {
        code
        for path in SOURCES
        for code in inline(path)
        if re.match(r"ropewalk (\w+ [^-]|-)", code) and not re.search(r"\.\.\.|\b[A-Z]{2,}\b|my_test", code)
        if path.name != "formats.md"
    }
)


def test_whole_commands_are_found_in_the_text() -> None:
    for code in ("ropewalk check results.csv", "ropewalk methods bootstrap", "ropewalk --version"):
        assert code in WHOLE


@pytest.mark.parametrize("code", WHOLE)
def test_whole_commands_in_the_text_run(code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    readme_files()
    table = [f"{i},{int(i % 10 > 2)},{int(i % 10 > 1)}" for i in range(50)]
    Path("results.csv").write_text("\n".join(["id,svm,forest", *table]) + "\n")
    Path("logs").mkdir()
    for k, (model, path) in enumerate((("svm", "a.csv"), ("forest", "b.csv"))):
        Path(path).write_text(Path(f"{model}.csv").read_text())
        pandas.DataFrame({"id": range(50), "correct": [int(i % 10 > k) for i in range(50)]}).to_parquet(
            f"logs/{model}.parquet"
        )
    assert printed(code)


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_links_and_pictures_are_there(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        made = MADE & set(Path(target).parts)
        assert target.startswith("http") or made or (path.parent / target).exists(), target


@pytest.mark.parametrize("path", SOURCES, ids=name)
def test_nothing_is_promised_from_a_package_index(path: Path) -> None:
    assert not re.search(r"pip install '?ropewalk", path.read_text(encoding="utf-8"))


# --- the README ---


def commands(body: str) -> Iterator[tuple[str, str]]:
    """Each command of a block, and what follows it."""
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def printed(command: str) -> str:
    """What a command prints."""
    result = CliRunner().invoke(cli, shlex.split(command)[1:], catch_exceptions=False)
    assert result.exit_code == 0, command
    return result.output


def executed(code: str, names: dict[str, Any]) -> str:
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(code, "README.md", "exec"), names)  # noqa: S102  # our own page
    return out.getvalue()


def check(shown: str, real: str, what: str) -> None:
    """The output shown is the real one; "…" stands for anything, and the space around it does not count."""

    def lines(text: str) -> str:
        return "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")

    pattern = r"\s*".join(
        [".*" if piece == "…" else re.escape(piece.strip()) for piece in re.split("(…)", lines(shown))]
    )
    assert re.fullmatch(pattern, lines(real).strip(), flags=re.DOTALL), f"{what} prints\n{real}\nnot\n{shown}"


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
    for block in RULES.blocks(text):
        for command, shown in commands(block.body):
            check(shown, printed(command), command)
            compared += 1
    assert compared == 2
    rng = random.Random(2)
    scores = {
        name: [mean + rng.gauss(0, 0.02) for _ in range(30)] for name, mean in (("f", 0.9), ("s", 0.88))
    }
    code = next(block.body for block in RULES.blocks(text) if block.language == "python")
    names: dict[str, Any] = {"forest_scores": scores["f"], "svm_scores": scores["s"]}
    executed(code, names)
    assert names["c"].correlation.high == pytest.approx(1 / 10)
    assert Path("report.html").exists()


def test_the_make_targets_of_the_readme_exist() -> None:
    named = re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert named == ["demo", "test"]
    assert set(named) <= set(targets)


def test_the_table_of_metrics_names_every_metric() -> None:
    from ropewalk.metrics import all_metrics

    page = (DOCS / "any-metric-any-design.md").read_text(encoding="utf-8")
    table = page.split("| metric | computed from | better |")[1].split("\n\n")[0]
    named = set(re.findall(r"`([a-z0-9_@.]+)`", table.replace("`--cluster`", "")))
    assert named == set(all_metrics())


def test_the_skeleton_of_contributing_runs() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (code,) = (b.body for b in RULES.blocks(text) if b.body.startswith('"""One sentence'))
    executed(code, {})


def test_a_wrong_digit_is_noticed() -> None:
    check("a …\n  b 0.12\n…", "a 1\n  c\n  b 0.12\n  d\n", "it")
    with pytest.raises(AssertionError, match="it prints"):
        check("a …\n  b 0.12", "a 1\n  b 0.13\n", "it")
