"""Shared code of the commands: printing a report, showing progress."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

from ropewalk.cli.streams import show_content, standard_output

if TYPE_CHECKING:
    from ropewalk.report.document import Document
    from ropewalk.results import Report

_WARNINGS = 2  # most warnings on the first screen
_HEIGHT = 24  # lines of a terminal; the first printed line is empty and may scroll away
_PATIENCE = 2.0  # seconds before a progress bar appears


_FOOTER = "Details: --verbose   Page with plots: --html FILE   Paper: --markdown FILE"


def show(report: Report, *, as_json: bool = False, verbose: bool = False) -> None:
    """Print the first screen of a report, the whole of it if `verbose`, or the JSON document."""
    if as_json:
        show_content(report.to_json(), as_json=True)
        return
    from rich.console import Console

    from ropewalk.report import text
    from ropewalk.report.compose import document

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=80)
    composed = document(report) if verbose else brief(report, console.width)
    with standard_output():
        text.show(composed, console)


def brief(report: Report, width: int = 80) -> Document:
    """Return the first screen, and a line on how to get more.

    At most two warnings are shown after the answer, and only one if the screen of a single pair would not fit
    a terminal with both; the others are counted.
    """
    from ropewalk.report import text
    from ropewalk.report.compose import document
    from ropewalk.report.document import Block, Document, Lines, Warnings

    *blocks, last = document(report, brief=True).blocks
    footer = Lines(lines=(_FOOTER,))
    if type(last) is not Warnings:
        return Document(blocks=(*blocks, last, footer))

    def screen(most: int) -> Document:
        lines, left = last.lines[:most], len(last.lines[most:])
        if left:
            lines = (*lines, f"{left} more warning{'' if left == 1 else 's'}: --verbose")
        shown: list[Block] = [*blocks, Warnings(lines=lines), footer]
        return Document(blocks=tuple(shown))

    found = screen(_WARNINGS)
    if len(report.answers) == 1 and text.render(found, width=width).count("\n") > _HEIGHT:
        found = screen(1)
    return found


def progress(label: str) -> Callable[[Iterable[Any], int], Iterator[Any]]:
    """Wrap a loop with a progress bar on standard error, shown after two seconds if that is a terminal."""

    def wrap(items: Iterable[Any], total: int) -> Iterator[Any]:
        start, bar, job, silent = time.monotonic(), None, None, False
        try:
            for i, item in enumerate(items):
                if bar is None and not silent and time.monotonic() - start > _PATIENCE:
                    from rich.console import Console  # most comparisons finish before that
                    from rich.progress import Progress

                    console = Console(stderr=True)
                    silent = not console.is_terminal
                    if not silent:
                        bar = Progress(console=console, transient=True)
                        bar.start()
                        job = bar.add_task(label, total=total)
                if bar is not None and job is not None:
                    bar.update(job, completed=i)
                yield item
        finally:
            if bar is not None:
                bar.stop()

    return wrap
