"""What the commands share: showing a report, drawing its pictures, telling how far it is."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ropewalk.cli.streams import standard_output
from ropewalk.errors import OptionError

if TYPE_CHECKING:
    from ropewalk.results import Report
    from ropewalk.results.all_models import Leaderboard

_PATIENCE = 2.0  # seconds without a word
_MOST_PICTURES = 60
_LONGEST = 40  # letters of a model's name in the name of a file


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
        from rich.console import Console

        console = Console(stderr=True)
        if not console.is_terminal:
            yield from items
            return
        from rich.progress import Progress

        start, bar, job = time.monotonic(), None, None
        try:
            for i, item in enumerate(items):
                if bar is None and time.monotonic() - start > _PATIENCE:
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


def pictures(report: Report, folder: Path) -> list[Path]:
    """The pictures of every comparison (of the first sixty) as PNG files.

    With many tasks those over all tasks, which show each task as well: a folder with the pictures of every
    pair on every task helps nobody.
    """
    from ropewalk import plot
    from ropewalk.disk import write

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OptionError(f"{folder} cannot be made: {error.strerror}") from error
    chosen = (report.overall or report.comparisons)[:_MOST_PICTURES]
    jobs = []
    for i, c in enumerate(chosen, start=1):
        # Numbered as in the report, because two pairs may have the same letters left.
        parts = ["overall"] if report.overall else []
        parts += [f"{i:02d}"] if len(chosen) > 1 else []
        parts += [f"{in_a_path(c.a)}-vs-{in_a_path(c.b)}"]
        jobs += [("-".join([*parts, kind]), c, kind) for kind in plot.kinds(c)]
    written = [
        write(folder / f"{stem}.png", plot.render(plot.draw(c, kind), ".png"))
        for stem, c, kind in progress("drawing")(jobs, len(jobs))
    ]
    if report.board is not None and len(report.board.names) > 2:
        written += _all_models(report, report.board, folder)
    models = report.probabilities[0].models[:_MOST_PICTURES] if report.probabilities else ()
    for i, model in enumerate(models, start=1):
        picture = plot.render(report.plot_reliability(model), ".png")
        written.append(write(folder / f"reliability-{i:02d}-{in_a_path(model)}.png", picture))
    captions = "\n\n".join(f"{stem}.png: {plot.caption(c, kind)}" for stem, c, kind in jobs)
    return [*written, write(folder / "captions.txt", captions + "\n")]


def in_a_path(name: str) -> str:
    """What is left of a model's name in the name of a file: letters, digits, and dots inside it.

    >>> in_a_path("../gpt-4o (2024)"), in_a_path("模型")
    ('gpt_4o_2024', 'model')
    """
    kept = re.sub(r"[^A-Za-z0-9.]+", "_", name)[:_LONGEST].strip("._")
    return kept or "model"


def _all_models(report: Report, board: Leaderboard, folder: Path) -> list[Path]:
    """The pictures of all models at once."""
    from ropewalk import plot
    from ropewalk.disk import write
    from ropewalk.nhst import NemenyiResult

    figures = {
        "leaderboard": board.plot(report.metric),
        "ranks": board.plot_ranks(),
        "verdicts": board.plot_verdicts(),
    }
    if board.within_by_task is not None:
        figures["models-by-tasks"] = board.plot_tasks()
    for test in report.classical:
        if isinstance(test, NemenyiResult):
            figures["critical-difference"] = plot.critical_difference(
                board.names, test.average_ranks, test.critical_difference, alpha=test.alpha
            )
    return [write(folder / f"{stem}.png", plot.render(f, ".png")) for stem, f in figures.items()]
