"""Document -> static HTML, as shown in a notebook."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import escape

from ropewalk.report.document import (
    Bars,
    Block,
    Code,
    Details,
    Document,
    Facts,
    Heading,
    Headline,
    Lines,
    Prose,
    ReportTable,
    Warnings,
)

_STYLE = """
.ropewalk { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; }
.ropewalk .answer { font-size: 1.25em; font-weight: 600; margin: .6em 0; }
.ropewalk table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
.ropewalk th, .ropewalk td { padding: .25em .9em .25em 0; text-align: left; vertical-align: top; }
.ropewalk th { border-bottom: 1px solid currentColor; font-weight: 600; }
.ropewalk .number { text-align: right; }
.ropewalk .scroll { overflow-x: auto; }
.ropewalk .plain-bar { width: 16rem; height: 13px; fill: #0072b2; }
.ropewalk .plain-bar .rest { fill: #8884; }
.ropewalk .warning { border-left: .25em solid #d55e00; padding-left: .7em; }
.ropewalk p { margin: .2em 0; }
"""


def fragment(document: Document) -> str:
    """Return the HTML that a notebook shows."""
    return f'<div class="ropewalk"><style>{_STYLE}</style>{blocks(document.blocks)}</div>'


def blocks(found: Iterable[Block]) -> str:
    """Return the blocks without style; a page has its own style."""
    return "".join(map(_block, found))


def _block(block: Block) -> str:
    if isinstance(block, Headline):
        return f'<p class="answer">{escape(block.text)}</p>'
    if isinstance(block, Heading | Details):
        return f"<h3>{escape(' '.join(block.lines))}</h3>"
    if isinstance(block, Prose):
        return f'<p class="paste">{escape(" ".join(block.lines))}</p>'
    if isinstance(block, Code):
        text = "\n".join(block.lines)
        return f'<pre class="paste">{escape(text)}</pre>'
    if isinstance(block, Lines):
        return "".join(line(text, warns=isinstance(block, Warnings)) for text in block.lines)
    if isinstance(block, Bars):
        rows = "".join(
            f"<tr><td>{escape(label)}</td>"
            f'<td><svg class="plain-bar" viewBox="0 0 256 13" preserveAspectRatio="none" aria-hidden="true">'
            f'<rect class="rest" width="256" height="13"/><rect width="{256 * p:.2f}" height="13"/></svg>'
            f'</td><td class="number">{number}</td></tr>'
            for label, p, number in block.rows
        )
        return f"{_scrolls(rows)}<p><strong>{escape(block.verdict)}</strong></p>"
    if isinstance(block, Facts):
        rows = "".join(f"<tr>{_head(k, 'row')}<td>{coded(v)}</td></tr>" for k, v in block.rows)
        return _scrolls(rows)
    return _table(block)


def _scrolls(rows: str) -> str:
    """A table in a box of its own: on a narrow screen it scrolls, and the text around it does not."""
    return f'<div class="scroll"><table>{rows}</table></div>'


def line(text: str, *, warns: bool = False) -> str:
    """Return a line of text; warnings are highlighted."""
    kind = ' class="warning"' if warns else ""
    return f"<p{kind}>{coded(text)}</p>"


def coded(text: str) -> str:
    """Escape a text for HTML; text in backticks becomes code.

    >>> coded("paired on `id` <1>")
    'paired on <code>id</code> &lt;1&gt;'
    """
    return re.sub("`([^`]+)`", r"<code>\1</code>", escape(text))


def _head(text: str, scope: str, kind: str = "") -> str:
    """The head of a row or column; an empty one is a plain cell, so that it is not read aloud as a head."""
    return f'<th scope="{scope}"{kind}>{escape(text)}</th>' if text.strip() else "<td></td>"


def _table(table: ReportTable) -> str:
    kinds = [' class="number"' if numeric else "" for numeric in table.numeric]
    heads = "".join(_head(c, "col", kind) for c, kind in zip(table.columns, kinds, strict=True))
    rows = [
        "".join(f"<td{kind}>{escape(c)}</td>" for c, kind in zip(row, kinds, strict=True))
        for row in table.rows
    ]
    body = "".join(f"<tr>{cells}</tr>" for cells in rows)
    return _scrolls(f"<thead><tr>{heads}</tr></thead><tbody>{body}</tbody>")
