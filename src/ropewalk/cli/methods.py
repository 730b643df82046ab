"""ropewalk methods: assumptions, limits and references of each method."""

from __future__ import annotations

import inspect
import re
import sys
import textwrap
from types import ModuleType

import click

from ropewalk.errors import OptionError, did_you_mean

_NAME = 27  # width of a method's name in the list
_ITEM = "- "  # precedes each of several references


@click.command(short_help="Show what each method assumes, and its formula.")
@click.argument("name", required=False)
def methods(name: str | None) -> None:
    """Show what each method assumes, when not to use it, its formula and its references."""
    if sys.flags.optimize > 1:
        raise OptionError(
            "the descriptions of the methods are not available: Python runs with -OO, which removes them",
            hint="Run the command without -OO, and without PYTHONOPTIMIZE=2 in the environment.",
        )
    from ropewalk import bayes, nhst
    from ropewalk.methods import known

    rooms = (("Bayesian", bayes), ("classical", nhst))
    if name is None:
        for title, room in rooms:
            click.echo(f"\n{title[0].upper()}{title[1:]}")
            for method, doc in _cards(room).items():
                first, *more = textwrap.wrap(doc.splitlines()[0], 79 - _NAME)
                click.echo(
                    "\n".join([f"  {method:<{_NAME - 2}}{first}", *(" " * _NAME + line for line in more)])
                )
        click.echo("\n  `ropewalk methods NAME` shows one method in full.")
        return
    found = [(name, title, _cards(room)[name]) for title, room in rooms if name in _cards(room)]
    if not found and name in known():  # the name used in a report
        card = known()[name].card
        shown = name if card is None else card.__name__
        found = [(shown, "Bayesian", inspect.getdoc(card or type(known()[name])) or "")]
    if not found:
        names = [m for _, room in rooms for m in _cards(room)]
        raise OptionError(f'there is no method "{name}"', hint=did_you_mean(name, names))
    for wanted, title, doc in found:
        click.echo(f"\n{wanted} ({title})\n")
        click.echo("\n".join(f"  {line}".rstrip() for line in _folded(doc)))


def _cards(room: ModuleType) -> dict[str, str]:
    """Return the docstring of every method of a package, which serves as its card."""
    functions = {n: getattr(room, n) for n in room.__all__ if inspect.isfunction(getattr(room, n))}
    return {n: inspect.cleandoc(f.__doc__ or "") for n, f in functions.items()}


def _folded(doc: str) -> list[str]:
    """Return the card in lines for a terminal: paragraphs are refolded, headings and examples are kept."""
    out: list[str] = []
    doc = doc.replace("::\n", "\n").replace("``", "")  # reST markup, like reference numbers
    doc = re.sub(r"(?m)^\.\. \[\d+\] ((?:.+\n?)(?: {3,}.+\n?)*)", _reference, doc)
    for block in doc.split("\n\n"):
        paragraph: list[str] = []
        for line in [*block.splitlines(), ""]:
            if paragraph and line and not line.strip("-"):  # the line under a heading, which has its own line
                out += paragraph
                paragraph = []
                continue
            same = paragraph and line.strip() and _indent(line) == _indent(paragraph[0])
            if paragraph and (not same or line.startswith(_ITEM)):
                first = _indent(paragraph[0])
                out += textwrap.wrap(
                    " ".join(part.strip() for part in paragraph),
                    76,
                    initial_indent=first,
                    subsequent_indent=" " * len(_ITEM) if paragraph[0].startswith(_ITEM) else first,
                )
                paragraph = []
            if ">>>" in block:
                out += [line] if line.strip("-") or not line else []
            elif line.strip():
                paragraph.append(line)
        out.append("")
    return out


def _reference(found: re.Match[str]) -> str:
    return f"{_ITEM}{' '.join(found[1].split())}\n"


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]
