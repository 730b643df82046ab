"""The command line: the only place that prints, writes or exits."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import textwrap
from typing import Any

import click

from ropewalk.cli.check import check
from ropewalk.cli.claim import claim
from ropewalk.cli.compare import compare
from ropewalk.cli.demo import demo
from ropewalk.cli.figures import draw_as_everywhere
from ropewalk.cli.gate import gate
from ropewalk.cli.methods import methods
from ropewalk.cli.metrics import metrics
from ropewalk.cli.plan import plan
from ropewalk.cli.run import run
from ropewalk.cli.streams import (
    ReaderGoneError,
    failed,
    internal,
    reader,
    say,
    settle_streams,
    write_any_letter,
)
from ropewalk.errors import DataError, RopewalkError

# 1 and 2 are answers of `ropewalk gate`. Click's own 2 for bad usage would look like one, and so would
# Python's 1 for an uncaught exception.
BAD_USE = 3
BAD_DATA = 4
INTERNAL = 3
STOPPED = 130
_COMPLETION = "_ROPEWALK_COMPLETE"


class _Group(click.Group):
    """A group that reports a closed standard output; click itself would exit with 1."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        with reader():
            return super().make_context(*arguments, **options)

    def invoke(self, context: click.Context) -> Any:
        with reader():
            return super().invoke(context)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(package_name="ropewalk")
def cli() -> None:
    """Is model A really better than model B?

    ropewalk pairs models unit by unit, computes a posterior of the difference, and answers better,
    equivalent, worse or undecided.
    """


for command in (check, claim, compare, demo, gate, methods, metrics, plan, run):
    cli.add_command(command)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every error is one message on standard error."""
    code = _run(sys.argv[1:] if arguments is None else arguments)
    settle_streams()
    sys.exit(code)


def _run(arguments: list[str]) -> int:
    """Return the exit code: 0, the answer of the gate, or at least 3. It never raises."""
    try:
        write_any_letter()
        draw_as_everywhere()
        return _called(arguments)
    except click.UsageError as error:
        return _bad_use(error)
    except click.ClickException as error:
        return _failed(error.format_message(), BAD_USE)
    except RopewalkError as error:
        return _failed(str(error), BAD_DATA if isinstance(error, DataError) else BAD_USE)
    except (click.Abort, KeyboardInterrupt):
        say("stopped", err=True)
        return STOPPED
    except ReaderGoneError:  # `ropewalk ... | head`
        return 0
    except SystemExit as stop:
        if _COMPLETION in os.environ:  # click has answered a shell completion request
            return stop.code if isinstance(stop.code, int) else 0
        return _failed(str(internal(stop)), INTERNAL)
    except BaseException as error:  # noqa: BLE001  # panics of compiled libraries are not an Exception
        return _failed(str(failed(error)), INTERNAL)


def _called(arguments: list[str]) -> int:
    """Return the exit code of a command that finished or showed its help."""
    try:
        typed = shlex.join(["ropewalk", *arguments])
        code = cli.main(arguments, prog_name="ropewalk", standalone_mode=False, obj=typed)
    except click.UsageError as error:
        if type(error).__name__ != "NoArgsIsHelpError":  # available since click 8.2
            raise
        with reader():
            click.echo(error.ctx.get_help() if error.ctx else str(error))
        return BAD_USE
    if not arguments:  # click before 8.2 has already shown the help
        return BAD_USE
    return code if isinstance(code, int) else 0


def _bad_use(error: click.UsageError) -> int:
    command = error.ctx.command_path if error.ctx else "ropewalk"
    listed = "commands" if command == "ropewalk" else "options"
    hint = f"Run `{command} --help` for the list of {listed}."
    return _failed(f"{error.format_message()}\n\n  {hint}", BAD_USE)


def _failed(message: str, code: int) -> int:
    say(_folded(f"error: {message}"), err=True)
    return code


def _folded(message: str) -> str:
    """Return the message, with its lines folded between words on a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        return message
    width = shutil.get_terminal_size().columns - 1
    lines = []
    for line in message.splitlines():
        indent = line[: len(line) - len(line.lstrip())]
        folded = textwrap.wrap(
            line, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False
        )
        lines += folded or [""]
    return "\n".join(lines)
