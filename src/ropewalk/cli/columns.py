"""The options that name columns, which every command that reads files takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ropewalk.data.coverage import MISSING
from ropewalk.errors import OptionError
from ropewalk.questions import ASKS

_COLUMNS = {
    "task": "Column with the task names.",
    "unit": "Column that identifies the examples.",
    "score": "Column with the scores.",
    "truth": "Column with the true labels or numbers.",
    "cluster": "Column with the cluster of each example, such as a document or user.",
    "repeat": "Column with the repetition of cross-validation.",
    "fold": "Column with the fold of cross-validation.",
    "seed": "Column with the training seed. The seed of the random number generator is --rng.",
}


def question(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for what is asked over many tasks."""
    *first, last = (wording.option for wording in ASKS.values())
    options = [
        click.option(
            "--question",
            type=click.Choice([*ASKS, "Q1", "Q2", "Q3"]),
            help=f"Question over several tasks: {', '.join(first)}, or {last}.  [default: average]",
        ),
        click.option(
            "--weights",
            metavar="TASK=W,...",
            help='Task weights for --question these; "size" weights by number of examples.  [default: equal]',
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
            raise OptionError(f'the weight "{part}" is not valid', hint="Write it as TASK=2.") from None
    return found


def dependence(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options for scores of folds, which are not independent."""
    runs = click.option(
        "--runs",
        type=int,
        metavar="N",
        help="Number of repetitions of cross-validation, for scores without ids: 10 for 10 x 10-fold.",
    )
    rho = click.option(
        "--rho",
        type=float,
        metavar="R",
        help="Correlation between folds of cross-validation.  [default: 1/k for k folds]",
    )
    return rho(runs(command))


def columns(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add them to a command, in this order."""
    options = [click.option(f"--{name}", metavar="COLUMN", help=text) for name, text in _COLUMNS.items()]
    options += [
        click.option(
            "--higher-is-better/--lower-is-better",
            default=None,
            help="Direction of the metric.  [default: inferred from its name]",
        ),
        click.option(
            "--missing",
            type=click.Choice(MISSING),
            help="What to do with examples that a model lacks: leave them out, or count them as wrong.",
        ),
        click.option("--sheet", metavar="NAME", help="Sheet of an Excel workbook.  [default: the first]"),
        click.option("--by-position", is_flag=True, help="Pair the files by row number instead of by id."),
    ]
    for option in reversed(options):
        command = option(command)
    return command
