"""What the commands share: showing a report, telling how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import click

from ropewalk.cli.streams import standard_output

if TYPE_CHECKING:
    from ropewalk.results import Report

_PATIENCE = 2.0  # seconds without a word


def show(report: Report, *, as_json: bool = False) -> None:
    """Print a report: in colour where that is possible, or as the JSON document."""
    if as_json:
        content = report.to_json()
        with standard_output():
            click.echo(content, nl=False)
        return
    from rich.console import Console

    from ropewalk.report import text
    from ropewalk.report.compose import document

    console = Console(highlight=False)
    if not console.is_terminal:
        console = Console(highlight=False, width=80)
    composed = document(report)
    with standard_output():
        text.show(composed, console)


def progress(label: str) -> Callable[[Iterable[Any], int], Iterator[Any]]:
    """Wrap a loop: after two seconds a bar appears on standard error, if that is a terminal."""

    def wrap(items: Iterable[Any], total: int) -> Iterator[Any]:
        start, bar, job, silent = time.monotonic(), None, None, False
        try:
            for i, item in enumerate(items):
                if bar is None and not silent and time.monotonic() - start > _PATIENCE:
                    from rich.console import Console  # most comparisons are done before that
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
