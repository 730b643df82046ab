"""Document -> Markdown."""

from __future__ import annotations

import re

from ropewalk.report.document import (
    Bars,
    Block,
    Cautions,
    Code,
    Details,
    Document,
    Facts,
    Heading,
    Headline,
    Lines,
    Prose,
    ReportTable,
)

_CODE = re.compile(r"((?<!`)`[\w .:/@+-]+`(?!`))")


def render(document: Document) -> str:
    """Return GitHub-flavored Markdown."""
    return "\n\n".join(_block(b) for b in document.blocks) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Headline):
        return f"**{escape(block.text)}**"
    if isinstance(block, Heading | Details):
        return f"## {escape(block.lines[0])}"
    if isinstance(block, Prose):
        return escape(block.lines[0])
    if isinstance(block, Code):
        return _fenced(block.lines)
    if isinstance(block, Cautions):
        return "\n".join(f"> **{escape(text)}**  " for text in block.lines)
    if isinstance(block, Lines):
        return "\n".join(f"- {escape(text)}" for text in block.lines)
    if isinstance(block, Bars):
        rows = tuple((label, number) for label, _, number in block.rows)
        table = ReportTable(columns=("region", "probability"), numeric=(False, True), rows=rows)
        return f"{_table(table)}\n\n{escape(block.verdict)}"
    if isinstance(block, Facts):
        # Continuation lines of a fact go below it.
        return "\n".join(
            f"- {escape(f'{label}: {text}')}" if label else f"  - {escape(text)}"
            for label, text in block.rows
        )
    return _table(block)


def _fenced(lines: tuple[str, ...]) -> str:
    """Return the lines verbatim, in a fence longer than any run of backticks in them."""
    longest = max((len(run) for text in lines for run in re.findall("`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return "\n".join([fence, *lines, fence])


def _table(table: ReportTable) -> str:
    head = " | ".join(escape(c) for c in table.columns)
    rule = " | ".join("---:" if numeric else "---" for numeric in table.numeric)
    rows = "\n".join("| " + " | ".join(escape(c) for c in row) + " |" for row in table.rows)
    return f"| {head} |\n| {rule} |\n{rows}"


def escape(text: str) -> str:
    """Escape markup, cell borders and HTML.

    >>> escape("a|b <b>*x*")
    'a\\\\|b &lt;b>\\\\*x\\\\*'
    >>> escape("truth: `the_label`")
    'truth: `the_label`'
    """
    parts = _CODE.split(text)  # every second part is code, in which nothing needs escaping
    parts[::2] = [_escaped(part) for part in parts[::2]]
    return "".join(parts)


def _escaped(text: str) -> str:
    for mark in "\\`*_[]|#":
        text = text.replace(mark, "\\" + mark)
    return text.replace("<", "&lt;")
