"""The options that name columns, which every command that reads files takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ropewalk.data.coverage import MISSING
from ropewalk.errors import OptionError

_COLUMNS = {
    "task": "Column with the task's name.",
    "unit": "Column that identifies the example.",
    "score": "Column with the score.",
    "truth": "Column with the true label or number.",
    "cluster": "Column with the cluster of each example.",
    "repeat": "Column with the repeat of cross-validation.",
    "fold": "Column with the fold.",
    "seed": "Column with the training seed.",
}


def question(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for what is asked over many tasks."""
    options = [
        click.option(
            "--question",
            type=click.Choice(["average", "these", "next", "likeliest", "Q1", "Q2", "Q3"]),
            help="Over many tasks: the mean over tasks like these, over exactly these, one new task, or the "
            "likeliest outcome on a new task.  [default: average]",
        ),
        click.option(
            "--weights",
            metavar="TASK=W,...",
            help="Weights of the tasks for --question these; size: the number of examples.  [default: equal]",
        ),
    ]
    for option in reversed(options):
        command = option(command)
    return command


def task_weights(text: str | None) -> dict[str, float] | str | None:
    """What `--weights` says: a word, or a weight for each task."""
    if text is None or "=" not in text:
        return text
    found = {}
    for part in text.split(","):
        name, _, weight = part.rpartition("=")
        try:
            found[name.strip()] = float(weight)
        except ValueError:
            raise OptionError(f'the weight "{part}" is not understood', hint="Write it as TASK=2.") from None
    return found


def dependence(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for scores of folds, which are not independent."""
    runs = click.option(
        "--runs",
        type=int,
        metavar="N",
        help="How often the cross-validation was run, for scores without ids: 10 for 10 times 10 folds.",
    )
    rho = click.option(
        "--rho", type=float, metavar="R", help="Correlation between folds.  [default: 1/k for k folds]"
    )
    return rho(runs(command))


def columns(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add them to a command, in this order."""
    options = [click.option(f"--{name}", metavar="COLUMN", help=text) for name, text in _COLUMNS.items()]
    options += [
        click.option(
            "--higher-is-better/--lower-is-better",
            default=None,
            help="Which way is better.  [default: what the metric's name says]",
        ),
        click.option(
            "--missing",
            type=click.Choice(MISSING),
            help="Examples that a model lacks: leave them out, or count them as wrong.",
        ),
        click.option("--sheet", metavar="NAME", help="Sheet of an Excel workbook, if not the first."),
        click.option("--by-position", is_flag=True, help="Row k of every file is the same example."),
    ]
    for option in reversed(options):
        command = option(command)
    return command
