"""ropewalk check: how files would be interpreted, without comparing them."""

from __future__ import annotations

from typing import Any

import click

from ropewalk.cli.columns import columns, models, source_of, sql
from ropewalk.cli.shared_options import as_json_option, dependence, loss_option, metric_option
from ropewalk.cli.streams import show_content


@click.command(short_help="Show how files would be interpreted and compared.")
@click.argument("files", nargs=-1, metavar="FILES...")
@sql
@loss_option
@metric_option
@dependence
@models
@columns
@as_json_option
def check(files: tuple[str, ...], as_json: bool, **options: Any) -> None:
    """Show how FILES would be interpreted and compared, without comparing.

    The answer lists columns and their roles, direction, scale, units, tasks, clusters, missing examples, and
    the question and method that `ropewalk compare` would use. Input that `ropewalk compare` refuses is
    refused here as well.
    """
    import ropewalk

    found = ropewalk.check(source_of(files, options["query"]), **options)
    show_content(found.to_json() if as_json else found.to_text(), as_json=as_json)
