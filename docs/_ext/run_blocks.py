"""Directives that run what a page shows: the output on the site is the real one, and a failure stops the build.

`page_blocks` says how a page asks for them. Commands of ropewalk run in this process, others in a shell.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from matplotlib.figure import Figure
from page_blocks import directives as with_directives
from page_blocks import peer_calls
from sphinx.util.docutils import SphinxDirective

HERE = Path(__file__).parents[1]
WIDTH = 80
INCH = 120  # pixels
QUIET = {"COLUMNS": str(WIDTH), "NO_COLOR": "1", "OMP_NUM_THREADS": "1", "PYTHONWARNINGS": "ignore"}
SHELL = set("|&;<>$`*?")
_kept: dict[tuple[str, str], Any] = {}  # what a page keeps while it is read


def setup(app: Any) -> dict[str, Any]:
    app.connect("source-read", turn_into_directives)
    app.add_directive("console", Console)
    app.add_directive("python-run", PythonRun)
    app.add_directive("file", File)
    app.add_directive("peer-run", PeerRun)
    return {"parallel_read_safe": False, "version": "2"}


def turn_into_directives(app: Any, page: str, source: list[str]) -> None:
    if (HERE / f"{page}.md").exists():
        source[0] = with_directives(page, source[0])


class Running(SphinxDirective):
    """What the directives share: the folder of the page, and what is shown of an output."""

    has_content = True
    option_spec: ClassVar = {
        "expect": directives.unchanged,
        "keep": directives.unchanged,
        "hide": directives.flag,
    }

    def kept(self, key: str, make: Callable[[], Any]) -> Any:
        """What the page keeps from block to block."""
        place = (self.env.docname, key)
        if place not in _kept:
            _kept[place] = make()
        return _kept[place]

    @property
    def folder(self) -> Path:
        return Path(self.kept("folder", self.new_folder))

    @staticmethod
    def new_folder() -> str:
        folder = tempfile.mkdtemp(prefix="page-")
        (Path(folder) / "examples").symlink_to(HERE.parent / "examples")
        return folder

    @contextlib.contextmanager
    def in_folder(self) -> Iterator[None]:
        before = {key: os.environ.get(key) for key in QUIET}
        os.environ.update(QUIET)
        try:
            with contextlib.chdir(self.folder):
                yield
        finally:
            for key, value in before.items():
                os.environ.pop(key)
                if value is not None:
                    os.environ[key] = value

    def failed(self, what: str, output: str) -> Exception:
        return self.error(f"{what}\n{output}")

    def shown(self, output: str) -> str:
        """The part of an output that the page shows; it must contain what the text around it claims."""
        flat = " ".join(output.split())
        for said in filter(None, self.options.get("expect", "").split("|")):
            if said not in flat:
                raise self.failed(f"the page says {said!r}; the output does not", output)
        if "hide" in self.options:
            return ""
        keep = self.options.get("keep", "")
        for part in filter(None, keep.split("|")):
            if not re.search(part, output, re.MULTILINE):
                raise self.failed(f"no line of the output is kept by {part!r}", output)
        return _only(output, re.compile(keep)) if keep else output

    def literal(self, text: str, language: str) -> nodes.Node:
        block = nodes.literal_block("", text.rstrip())
        block["language"] = language
        return block


def _only(output: str, keep: re.Pattern[str]) -> str:
    """The headline and the lines that match, with the indented lines that continue them, and "…" for what is left out."""
    lines: list[str] = []
    inside = -1  # the indentation of the last line that matched
    headline = next((line for line in output.splitlines() if line.strip()), "")
    for line in output.splitlines():
        indent = len(line) - len(line.lstrip())
        if line is headline or keep.search(line):
            inside = indent
        elif not line.strip() or inside < 0 or indent <= inside:
            inside = -1
        if inside >= 0:
            lines.append(line)
        elif lines and lines[-1] != "  …":
            lines.append("  …")
    return "\n".join(lines) + "\n"


class Console(Running):
    """Commands, each followed by what it prints."""

    option_spec: ClassVar = {
        **Running.option_spec,
        "exit": directives.nonnegative_int,
        "publish": directives.unchanged,
    }

    def run(self) -> list[nodes.Node]:
        text = []
        for line in self.content:
            if not line.startswith("$ "):
                raise self.failed("a line of a console block has to start with '$ '", line)
            with self.in_folder():
                code, output = _done(line[2:])
            expected = self.options.get("exit", 0) if line == self.content[-1] else 0
            if code != expected:
                raise self.failed(f"{line[2:]} ended with exit code {code}, not {expected}", output)
            text.append(f"{line}\n{self.shown(output)}")
        shown = [self.literal("\n".join(part.rstrip("\n") for part in text), "text")]
        return [*shown, *([self.published(self.options["publish"])] if "publish" in self.options else [])]

    def published(self, file: str) -> nodes.Node:
        """Copy a file that a command wrote into the site, and link to it."""
        page = self.env.docname
        name = f"{page.replace('/', '-')}-{file}"
        folder = Path(self.env.app.outdir) / "reports"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes((self.folder / file).read_bytes())
        link = nodes.reference("", f"Open {file}", refuri=f"{'../' * page.count('/')}reports/{name}")
        return nodes.paragraph("", "", link)


def _done(command: str) -> tuple[int, str]:
    """The exit code of a command, and what it printed."""
    words = shlex.split(command, comments=True)
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", command.split(" #")[0])
    if words[0] == "ropewalk" and not SHELL & set(bare):
        return _ropewalk(words[1:])
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-c", command],
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def _ropewalk(arguments: list[str]) -> tuple[int, str]:
    """A command of ropewalk, without starting Python again."""
    from ropewalk.cli import main

    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            main(arguments)
    except SystemExit as stop:
        return int(stop.code or 0), out.getvalue()
    raise AssertionError("the command did not exit")


class PythonRun(Running):
    """Python, followed by what it prints, the value of its last expression, and its figure."""

    option_spec: ClassVar = {**Running.option_spec, "hide-code": directives.flag}

    def run(self) -> list[nodes.Node]:
        names = self.kept("names", lambda: {"__name__": "__main__"})
        code = "\n".join(self.content)
        out = io.StringIO()
        try:
            with self.in_folder(), contextlib.redirect_stdout(out):
                figure = _executed(code, names, self.env.docname)
        except Exception as error:
            raise self.failed(f"{type(error).__name__}: {error}", code) from error
        output = self.shown(out.getvalue())
        if "hide-code" in self.options:
            return []
        found = [self.literal(code, "python")]
        if output.strip():
            shown = self.literal(output, "text")
            shown["classes"] += ["prose"] if _is_prose(output) else []
            found.append(shown)
        if figure is not None and "hide" not in self.options:
            found.append(_picture(figure))
        return found


def _executed(code: str, names: dict[str, Any], page: str) -> Figure | None:
    """Run the code as a notebook would, show the value of a last expression, and return its figure, if any."""
    names.pop("figure", None)
    tree = ast.parse(code)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, f"<{page}>", "exec"), names)  # noqa: S102  # our own page
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), f"<{page}>", "eval"), names)  # noqa: S307
        if isinstance(value, Figure):
            return value
        if value is not None:
            print(repr(value))
    figure = names.get("figure")
    return figure if isinstance(figure, Figure) else None


class File(Running):
    """A file that the page shows, and that later blocks read."""

    required_arguments = 1
    option_spec: ClassVar = {"language": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        text = "\n".join(self.content) + "\n"
        (self.folder / self.arguments[0]).write_text(text, encoding="utf-8")
        return [self.literal(text, self.options["language"])]


class PeerRun(Running):
    """A call of another package, with the output that `make peers` recorded."""

    required_arguments = 1
    option_spec: ClassVar = {"language": directives.unchanged}

    def run(self) -> list[nodes.Node]:
        recorded = json.loads((HERE / "coming-from" / "recorded.json").read_text(encoding="utf-8"))
        peer, code = self.arguments[0], "\n".join(self.content)
        page = (HERE / f"{self.env.docname}.md").read_text(encoding="utf-8")
        now = next(digest for block, digest in peer_calls(page) if block.body == code)
        kept = recorded.get(peer, {}).get("outputs", {}).get(code, {"run": ""})
        if kept["run"] != now:
            raise self.failed(f"this call of {peer} has no recorded output: run `make peers`", code)
        output = kept["prints"]
        said = nodes.paragraph("", f"{peer} {recorded[peer]['version']} prints:")
        return [
            self.literal(code, self.options["language"]),
            *([said, self.literal(output, "text")] if output.strip() else []),
        ]


def _is_prose(output: str) -> bool:
    """Long lines without columns: these wrap, and tables do not."""
    long = [line.strip() for line in output.splitlines() if len(line) > WIDTH]
    return bool(long) and not any("  " in line for line in long)


def _picture(figure: Figure) -> nodes.Node:
    """The figure, in proportion to its width in inches: one for a column of a paper is narrow here too."""
    from ropewalk.plot import render

    content = base64.b64encode(render(figure, ".png")).decode()
    width = round(figure.get_figwidth() * INCH)
    return nodes.raw(
        "",
        f'<img alt="Figure drawn by the code above" class="run-figure" width="{width}" '
        f'src="data:image/png;base64,{content}">',
        format="html",
    )
