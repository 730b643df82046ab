"""Shared options for the location of the data and the roles of columns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from ropewalk.data.coverage import MISSING

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


_BY_NAME = "[default: found by its name]"

sql = click.option(
    "--sql",
    "query",
    metavar="QUERY",
    help="Read the rows of this SQL query; FILES is then a DuckDB or SQLite file, or omitted.",
)


def source_of(files: tuple[str, ...], query: str | None) -> Any:
    """Return the files for `ropewalk.read`; only a query needs none."""
    if not files and query is None:
        raise click.UsageError("Missing argument 'FILES...'.")
    return list(files) if len(files) > 1 else files[0] if files else None


def _listed(context: click.Context, option: click.Parameter, text: str | None) -> list[str] | None:
    del context, option
    return text.split(",") if text else None


def _one_or_several(
    context: click.Context, option: click.Parameter, names: tuple[str, ...]
) -> str | list[str] | None:
    del context, option
    return list(names) if len(names) > 1 else names[0] if names else None


# The column of models, or the models themselves if each has its own column.
models = click.option(
    "--model",
    metavar="COLUMN",
    multiple=True,
    callback=_one_or_several,
    help="Column with the model names, or one column per model (repeat the option).  "
    "[default: found by its name]",
)


def columns(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add these options to a command, in this order."""
    options = [
        click.option(f"--{name}", metavar="COLUMN", help=f"{text}  {_BY_NAME}")
        for name, text in _COLUMNS.items()
    ]
    options += [
        click.option(
            "--labels",
            metavar="A,B,...",
            callback=_listed,
            help="Additional classes that do not occur in the truth column.  [default: none]",
        ),
        click.option(
            "--positive",
            metavar="LABEL",
            help="Positive class, for a single column of probabilities.  [default: 1, true, yes or the like]",
        ),
        click.option(
            "--higher-is-better/--lower-is-better",
            default=None,
            help="Direction of the metric.  [default: inferred from its name]",
        ),
        click.option(
            "--missing",
            type=click.Choice(MISSING),
            help="Leave out examples that a model lacks (drop), or count them as wrong (worst).  "
            "[default: drop "
            "up to 20%; a gate drops none]",
        ),
        click.option("--sheet", metavar="NAME", help="Sheet of an Excel workbook.  [default: the first]"),
        click.option("--by-position", is_flag=True, help="Pair the files by row number instead of by id."),
    ]
    for option in reversed(options):
        command = option(command)
    return command
