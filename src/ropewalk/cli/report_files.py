"""Shared code of commands with a report: the options for its files, and the output."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ropewalk.cli.figures import FORMATS, draw_all
from ropewalk.cli.paths import check_outputs, command_from_here, from_here
from ropewalk.cli.show import show
from ropewalk.cli.streams import say

if TYPE_CHECKING:
    from ropewalk.results import Report

_SLOW = 3  # with more pairs over many tasks than this, the page is slow to write
_PATH = click.Path(path_type=Path)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportFiles:
    """The files of a report, and which of its plots are drawn."""

    html: Path | None = None
    markdown: Path | None = None
    latex: Path | None = None
    plots: Path | None = None
    everything: bool = False
    form: str = "png"

    def check(self, inputs: Sequence[str | Path]) -> None:
        """Refuse to write over a file that was read, or two reports to one file."""
        check_outputs((self.html, self.markdown, self.latex), inputs)

    def called(self, name: str) -> ReportFiles:
        """Return the same files with a name inserted into theirs."""
        html, markdown, latex, plots = (
            path if path is None else path.with_name(f"{path.stem}-{name}{path.suffix}")
            for path in (self.html, self.markdown, self.latex, self.plots)
        )
        return replace(self, html=html, markdown=markdown, latex=latex, plots=plots)

    def write(self, report: Report) -> str:
        """Write the files, and return a text on what was written."""
        from ropewalk.disk import write

        self.check([i.path for i in report.audit.inputs])
        written = [str(path) for path in (self.html, self.markdown, self.latex) if path]
        if self.html:
            if len(report.overall) > _SLOW and sys.stderr.isatty():
                say(
                    f"writing {self.html}: up to half a second per pair, {len(report.overall)} pairs",
                    err=True,
                )
            write(self.html, report.to_html())
        if self.markdown:
            write(self.markdown, report.to_markdown())
        if self.latex:
            write(self.latex, report.to_latex())
        if self.plots:
            drawn = draw_all(report, self.plots, everything=self.everything, form=self.form)
            written.append(drawn.text(self.plots))
        return ", ".join(written)


def report_files(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for the files of a report; the command gets them in one argument, `out`."""

    @wraps(command)
    def collected(
        *arguments: Any,
        html: Path | None,
        markdown: Path | None,
        latex: Path | None,
        plots: Path | None,
        everything: bool,
        form: str,
        **options: Any,
    ) -> Any:
        out = ReportFiles(
            html=html, markdown=markdown, latex=latex, plots=plots, everything=everything, form=form
        )
        return command(*arguments, out=out, **options)

    options = [
        click.option(
            "--html", type=_PATH, metavar="FILE", help="Write the report as an HTML page with plots."
        ),
        click.option(
            "--markdown",
            type=_PATH,
            metavar="FILE",
            help="Write the report as Markdown, with text for a paper.",
        ),
        click.option("--latex", type=_PATH, metavar="FILE", help="Write the tables as LaTeX."),
        click.option(
            "--plots",
            type=_PATH,
            metavar="DIR",
            help="Write plots to DIR: all models, and each pair that is decided or was requested.",
        ),
        click.option(
            "--format",
            "form",
            type=click.Choice(FORMATS),
            default="png",
            show_default=True,
            help="Format of the plots (with --plots); pdf embeds TrueType fonts, svg keeps text as text.",
        ),
        click.option("--all", "everything", is_flag=True, help="Draw all plots (with --plots)."),
    ]
    for option in reversed(options):
        collected = option(collected)
    return collected


def deliver(report: Report, out: ReportFiles, *, as_json: bool, verbose: bool, title: str = "") -> None:
    """Write the files of a report and print it, with the typed command.

    The files come first: if one cannot be written, nothing has been printed that looks like success.
    """
    typed = command_from_here(click.get_current_context().find_root().obj, keep=verbose)
    report = replace(from_here(report, keep=verbose), command=typed)
    written = out.write(report)
    if title and not as_json:
        say(title)
    show(report, as_json=as_json, verbose=verbose)
    if written and not as_json:
        say(f"\nWrote {written}.")
