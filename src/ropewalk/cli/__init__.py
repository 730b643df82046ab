"""The command line: the only place that prints, writes or exits."""

from __future__ import annotations

import shlex
import sys

import click

from ropewalk.cli.compare import compare
from ropewalk.cli.demo import demo
from ropewalk.cli.gate import gate
from ropewalk.cli.methods import methods
from ropewalk.cli.plan import plan
from ropewalk.cli.run import run
from ropewalk.errors import DataError, RopewalkError

# 1 and 2 are answers of `ropewalk gate`, and click's own 2 for bad usage would be taken for one.
BAD_USE = 3
BAD_DATA = 4


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="ropewalk")
def cli() -> None:
    """Is model A really better than model B?

    ropewalk pairs models unit by unit, computes a posterior of the difference, and answers better,
    equivalent, worse or undecided.
    """


for command in (compare, demo, gate, methods, plan, run):
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every error is one message on standard error."""
    try:
        typed = shlex.join(["ropewalk", *(sys.argv[1:] if arguments is None else arguments)])
        code = cli.main(arguments, prog_name="ropewalk", standalone_mode=False, obj=typed)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else str(error))
        sys.exit(BAD_USE)
    except click.ClickException as error:
        click.echo(f"error: {error.format_message()}", err=True)
        click.echo("\n  Try 'ropewalk --help'.", err=True)
        sys.exit(BAD_USE)
    except RopewalkError as error:
        click.echo(f"error: {error}", err=True)
        sys.exit(BAD_DATA if isinstance(error, DataError) else BAD_USE)
    except (click.Abort, KeyboardInterrupt):
        click.echo("stopped", err=True)
        sys.exit(130)
    except BrokenPipeError:  # `ropewalk ... | head`: the reader has gone
        sys.stderr.close()
        sys.exit(0)
