"""Directives that run what a page shows: the output on the site is the real one, and a failure stops the build.

`console` runs its lines that start with "$ " in a folder of the page's own; `:exit: 1` says which exit code the last
command has. `python-run` executes its lines in a namespace of the page's own, in the same folder, and shows what they
print and the figure they end with.
"""

from __future__ import annotations

import base64
import contextlib
import io
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.util.docutils import SphinxDirective

WIDTH = 80
_kept: dict[tuple[str, str], Any] = {}  # what a page keeps while it is read


def setup(app: Any) -> dict[str, Any]:
    app.add_directive("console", Console)
    app.add_directive("python-run", PythonRun)
    return {"parallel_read_safe": False, "version": "1"}


class Running(SphinxDirective):
    """What both directives share: the folder of the page."""

    has_content = True

    def kept(self, key: str, make: Callable[[], Any]) -> Any:
        """What the page keeps from block to block."""
        place = (self.env.docname, key)
        if place not in _kept:
            _kept[place] = make()
        return _kept[place]

    @property
    def folder(self) -> Path:
        return Path(self.kept("folder", lambda: tempfile.mkdtemp(prefix="page-")))

    def failed(self, what: str, output: str) -> Exception:
        return self.error(f"{what}\n{output}")


class Console(Running):
    """Commands, each followed by what it prints."""

    option_spec: ClassVar = {"exit": directives.nonnegative_int, "hide-output": directives.flag}

    def run(self) -> list[nodes.Node]:
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        quiet = {
            "PATH": path,
            "COLUMNS": str(WIDTH),
            "NO_COLOR": "1",
            "OMP_NUM_THREADS": "1",
            "PYTHONWARNINGS": "ignore",
        }
        text = []
        for line in self.content:
            if not line.startswith("$ "):
                raise self.failed("a line of a console block has to start with '$ '", line)
            done = subprocess.run(
                ["bash", "-c", line[2:]],
                cwd=self.folder,
                env={**os.environ, **quiet},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            expected = self.options.get("exit", 0) if line == self.content[-1] else 0
            if done.returncode != expected:
                raise self.failed(
                    f"{line[2:]} ended with exit code {done.returncode}, not {expected}", done.stdout
                )
            text.append(line + "\n" + ("" if "hide-output" in self.options else done.stdout))
        block = nodes.literal_block("", "".join(text).rstrip() + "\n")
        block["language"] = "text"
        return [block]


class PythonRun(Running):
    """Python, followed by what it prints and by its figure."""

    option_spec: ClassVar = {"hide-code": directives.flag}

    def run(self) -> list[nodes.Node]:
        names = self.kept("names", lambda: {"__name__": "__main__"})
        code = "\n".join(self.content)
        before, here = Path.cwd(), self.folder
        names.pop("figure", None)
        try:
            os.chdir(here)
            with contextlib.redirect_stdout(io.StringIO()) as out:
                exec(compile(code, f"<{self.env.docname}>", "exec"), names)  # noqa: S102  # our own page
        except Exception as error:
            raise self.failed(f"{type(error).__name__}: {error}", code) from error
        finally:
            os.chdir(before)
        shown: list[nodes.Node] = []
        if "hide-code" not in self.options:
            block = nodes.literal_block("", code)
            block["language"] = "python"
            shown.append(block)
        if out.getvalue().strip():
            printed = nodes.literal_block("", out.getvalue().rstrip())
            printed["language"] = "text"
            shown.append(printed)
        if "figure" in names:
            shown.append(_picture(names["figure"]))
        return shown


def _picture(figure: Any) -> nodes.Node:
    from ropewalk.plot import render

    content = base64.b64encode(render(figure, ".png")).decode()
    return nodes.raw(
        "", f'<img alt="the figure" class="run-figure" src="data:image/png;base64,{content}">', format="html"
    )
