"""Document -> text for a terminal."""

from __future__ import annotations

import io
import textwrap
from typing import TYPE_CHECKING

from ropewalk.errors import short
from ropewalk.report.document import (
    Bars,
    Block,
    Cautions,
    DataNotes,
    Details,
    Document,
    Facts,
    Headline,
    Lines,
    Question,
    ReportTable,
    Warnings,
)
from ropewalk.results.formatting import BETTER, Named

if TYPE_CHECKING:
    from rich.console import Console

_BAR = 26
_HEAD = 28  # width of the head of the first column, if its cells are narrower
_NAME = 8  # least width of a name
# Blocks without an empty line between them, so that the first screen fits a terminal.
_JOINED = {(Cautions, Headline), (Headline, Question), (DataNotes, Lines), (Bars, Facts), (Facts, Warnings)}


def render(document: Document, *, width: int = 80) -> str:
    """Return plain text of at most `width` columns."""
    from rich.console import Console

    console = Console(
        file=io.StringIO(), width=width, color_system=None, legacy_windows=False, force_terminal=False
    )
    show(document, console, plain=False)
    text = console.file.getvalue()  # type: ignore[attr-defined]  # a StringIO
    return "\n".join(line.rstrip() for line in text.splitlines()) + "\n"


def show(document: Document, console: Console, *, plain: bool | None = None) -> None:
    """Print the document; `plain` means ASCII only, the default on terminals without UTF-8."""
    ascii_only = not console.encoding.lower().startswith("utf") if plain is None else plain
    before: Block | None = None
    for block in document.blocks:
        if (type(before), type(block)) not in _JOINED:
            console.print()
        _show(block, console, ascii_only)
        before = block


def _show(block: Block, console: Console, ascii_only: bool) -> None:
    from rich.text import Text

    def line(text: str, style: str = "") -> None:
        # Names are data: use Text instead of markup, without highlighting numbers.
        console.print(Text(_plain(text) if ascii_only else text, style=style), soft_wrap=True)

    def folded(text: str, first: str = "  ", then: str = "  ", style: str = "") -> None:
        for part in textwrap.wrap(
            text, console.width - 1, initial_indent=first, subsequent_indent=then, break_long_words=True
        ) or [first]:
            line(part, style)

    if isinstance(block, Headline):
        folded(block.text, style="bold")
    elif isinstance(block, Details):
        side = "-" if ascii_only else "─"
        line(f"  {side * 3} {block.lines[0]} ".ljust(console.width - 1, side), style="dim")
    elif isinstance(block, DataNotes):
        folded("; ".join(block.lines))
    elif isinstance(block, Lines):
        for i, text in enumerate(block.lines):
            asked = isinstance(block, Question) and i == 0
            folded(text, then="    ", style="yellow" if isinstance(block, Warnings) and not asked else "")
    elif isinstance(block, Bars):
        space = max(12, console.width - _BAR - 14)  # 2 + label + 3 + bar + 3 + 0.000, and one spare column
        labels = [label if len(label) <= space else label[: space - 1] + "…" for label, _, _ in block.rows]
        wide = max(map(len, labels))
        full, empty = ("#", ".") if ascii_only else ("█", "░")
        for label, (_, p, number) in zip(labels, block.rows, strict=True):
            filled = round(p * _BAR)
            line(f"  {label:<{wide}}   {full * filled}{empty * (_BAR - filled)}   {number}")
        line(f"  {block.verdict}", style="bold")
    elif isinstance(block, Facts):
        wide = max(len(label) for label, _ in block.rows) + 2
        for label, text in block.rows:
            folded(text, first=f"  {label:<{wide}}", then=" " * (wide + 2))
    else:
        _show_table(block, console, ascii_only)


def _show_table(table: ReportTable, console: Console, ascii_only: bool) -> None:
    from rich import box
    from rich.padding import Padding
    from rich.table import Table as RichTable
    from rich.text import Text

    grid = RichTable(
        box=box.ASCII_DOUBLE_HEAD if ascii_only else box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
    )
    first, rows = _fitted(table, console.width - 2)
    for i, (name, numeric) in enumerate(zip(table.columns, table.numeric, strict=True)):
        # Names may be folded, but numbers and verdicts may not.
        head = "\n".join(textwrap.wrap(name, first)) if i == 0 else name
        grid.add_column(Text(head), justify="right" if numeric else "left", no_wrap=i > 0)
    for row in rows:
        grid.add_row(*(Text(_plain(cell) if ascii_only else cell) for cell in row))
    console.print(Padding(grid, (0, 0, 0, 2), expand=False))


def _fitted(table: ReportTable, width: int) -> tuple[int, list[tuple[str, ...]]]:
    """Return the width of the first column, and the rows with names shortened until the table fits.

    The first column is as wide as its cells; its head is folded to that width.
    """
    cells = [*zip(*table.rows, strict=True)] if table.rows else [() for _ in table.columns]
    wide = [max(map(len, column), default=0) for column in cells]
    others = [max(w, len(head)) for w, head in zip(wide[1:], table.columns[1:], strict=True)]
    room = width - 2 * len(others)
    if wide[0] + sum(others) <= room:
        most = max(wide[0], min(len(table.columns[0]), room - sum(others), _HEAD))
        return most, [*table.rows]
    named = [i for i, numeric in enumerate(table.numeric[1:]) if not numeric]
    room -= sum(w for i, w in enumerate(others) if i not in named)
    least = max(len(part) for cell in cells[0] for part in _folded(cell)) + 2
    if least + sum(others[i] for i in named) > room:  # all names are cut to the same length
        each = max(_NAME, (room - len(BETTER) * len(named)) // (1 + len(named)))
        cut = [(_cut(row[0], each), *row[1:]) for row in table.rows]
        return each, [
            tuple(_cut(c, each + len(BETTER)) if i - 1 in named else c for i, c in enumerate(row))
            for row in cut
        ]
    return max(least, room - sum(others[i] for i in named)), [*table.rows]


def _folded(cell: str) -> tuple[str, ...]:
    """Return the lines into which a cell can be folded: a pair takes two."""
    return cell.names if isinstance(cell, Named) and len(cell.names) > 1 else (cell,)


def _cut(cell: str, width: int) -> str:
    """Shorten names in the middle, because names of one family differ at their ends.

    >>> model = Named("meta-llama/Llama-3.1-8B-Instruct", after=" *")
    >>> _cut(model, 20), _cut(Named("a", "meta-llama/Llama-3.1-8B"), 16)
    ('meta-llam…Instruct *', 'a - meta-ll…3.1-8B')
    """
    if not isinstance(cell, Named):
        return short(cell, width)
    room = width - 2 if len(cell.names) > 1 else width - len(cell.after)
    return Named(*(short(name, room) for name in cell.names), after=cell.after)


def _plain(text: str) -> str:
    """Return ASCII for terminals without UTF-8."""
    for fancy, simple in (("±", "+-"), ("…", "..."), ("×", "x"), ("–", "-"), ("Δ", "Delta")):
        text = text.replace(fancy, simple)
    return text.encode("ascii", "replace").decode()
