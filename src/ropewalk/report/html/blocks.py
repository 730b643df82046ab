"""Document -> HTML: a fragment for notebooks, a page for a file."""

from __future__ import annotations

from html import escape

from ropewalk.report.document import Bars, Block, Document, Facts, Headline, Lines, Table

_STYLE = """
.ropewalk { font: 15px/1.5 system-ui, sans-serif; max-width: 60rem; }
.ropewalk .answer { font-size: 1.25em; font-weight: 600; margin: .6em 0; }
.ropewalk table { border-collapse: collapse; margin: 1em 0; font-variant-numeric: tabular-nums; }
.ropewalk th, .ropewalk td { padding: .25em .9em .25em 0; text-align: left; vertical-align: top; }
.ropewalk th { border-bottom: 1px solid currentColor; font-weight: 600; }
.ropewalk .number { text-align: right; }
.ropewalk .bar { width: 16rem; background: #8884; }
.ropewalk .bar div { height: .8em; background: #0072b2; }
.ropewalk .warning { border-left: .25em solid #d55e00; padding-left: .7em; }
.ropewalk p { margin: .2em 0; }
"""


_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def fragment(document: Document) -> str:
    """What a notebook shows."""
    return f'<div class="ropewalk"><style>{_STYLE}</style>{"".join(map(_block, document.blocks))}</div>'


def page(document: Document) -> str:
    """One self-contained file: no script, nothing fetched."""
    title = next((b.text for b in document.blocks if isinstance(b, Headline)), "ropewalk")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{escape(title)}</title></head>\n<body>{fragment(document)}</body></html>\n"
    )


def _block(block: Block) -> str:
    if isinstance(block, Headline):
        return f'<p class="answer">{escape(block.text)}</p>'
    if isinstance(block, Lines):
        return "".join(_line(text) for text in block.lines)
    if isinstance(block, Bars):
        rows = "".join(
            f"<tr><td>{escape(label)}</td>"
            f'<td><div class="bar"><div style="width:{100 * p:.2f}%"></div></div></td>'
            f'<td class="number">{p:.3f}</td></tr>'
            for label, p in block.rows
        )
        return f"<table>{rows}</table><p><strong>{escape(block.verdict)}</strong></p>"
    if isinstance(block, Facts):
        rows = "".join(f"<tr><th>{escape(k)}</th><td>{escape(v)}</td></tr>" for k, v in block.rows)
        return f"<table>{rows}</table>"
    return _table(block)


def _line(text: str) -> str:
    kind = ' class="warning"' if text.startswith("warning:") else ""
    return f"<p{kind}>{escape(text)}</p>"


def _table(table: Table) -> str:
    kinds = ['class="number"' if numeric else "" for numeric in table.numeric]

    def cells(tag: str, row: tuple[str, ...]) -> str:
        return "".join(f"<{tag} {kind}>{escape(c)}</{tag}>" for c, kind in zip(row, kinds, strict=True))

    body = "".join(f"<tr>{cells('td', row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{cells('th', table.columns)}</tr></thead><tbody>{body}</tbody></table>"
