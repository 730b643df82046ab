"""Document -> LaTeX: the tables, set with booktabs, and the prose as macros."""

from __future__ import annotations

from ropewalk.report.document import Bars, Block, Code, Document, Facts, Heading, Headline, Prose, Table

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "±": r"$\pm$",
    "…": r"\ldots{}",
    "�": "?",
}


def render(document: Document) -> str:
    """The headline as a comment and every table, ready for \\input (\\usepackage{booktabs}).

    After \\input a paper has each paragraph as a macro, such as \\ropewalkmethods; what else stands under a
    heading, such as the checklist, is a comment.
    """
    parts = ["% \\usepackage{booktabs}"]
    under_heading = False
    for block in document.blocks:
        under_heading = under_heading or isinstance(block, Heading)
        text = _block(block, under_heading=under_heading)
        if text:
            parts.append(text)
    return "\n\n".join(parts) + "\n"


def _block(block: Block, *, under_heading: bool) -> str:
    if isinstance(block, Headline):
        return f"% {escape(block.text)}"
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Bars):
        rows = tuple((label, f"{p:.3f}") for label, p in block.rows)
        return _table(Table(columns=("region", "probability"), numeric=(False, True), rows=rows))
    if isinstance(block, Prose):
        body = "\n".join(f"  {_sentence(text, keys)}" for text, keys in block.sentences)
        return f"\\gdef\\ropewalk{block.name}{{%\n{body}%\n}}"
    if isinstance(block, Heading):
        return f"% --- {escape(block.lines[0])}"
    if isinstance(block, Code):
        return "\n".join(f"% {text}".rstrip() for text in block.lines)
    if isinstance(block, Facts) and under_heading:
        return "\n".join(f"% {escape(label)}: {escape(text)}" for label, text in block.rows)
    return ""


def _sentence(text: str, keys: tuple[str, ...]) -> str:
    return f"{escape(text)}~\\cite{{{','.join(keys)}}}." if keys else f"{escape(text)}."


def _table(table: Table) -> str:
    columns = "".join("r" if numeric else "l" for numeric in table.numeric)
    head = " & ".join(escape(c) for c in table.columns)
    rows = "\n".join("  " + " & ".join(escape(c) for c in row) + r" \\" for row in table.rows)
    return (
        f"\\begin{{tabular}}{{{columns}}}\n  \\toprule\n  {head} \\\\\n  \\midrule\n"
        f"{rows}\n  \\bottomrule\n\\end{{tabular}}"
    )


def escape(text: str) -> str:
    """A name is a name, whatever TeX would make of it.

    >>> print(escape(r"\\input{/etc/passwd}"))
    \\textbackslash{}input\\{/etc/passwd\\}
    """
    return "".join(_SPECIAL.get(c, c) for c in text)
