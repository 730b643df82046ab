"""Document -> LaTeX: the tables, set with booktabs."""

from __future__ import annotations

from ropewalk.report.document import Bars, Document, Headline, Table

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
    """The headline as a comment and every table, ready for \\input (\\usepackage{booktabs})."""
    parts = ["% \\usepackage{booktabs}"]
    for block in document.blocks:
        if isinstance(block, Headline):
            parts.append(f"% {escape(block.text)}")
        elif isinstance(block, Table):
            parts.append(_table(block))
        elif isinstance(block, Bars):
            rows = tuple((label, f"{p:.3f}") for label, p in block.rows)
            parts.append(_table(Table(columns=("region", "probability"), numeric=(False, True), rows=rows)))
    return "\n\n".join(parts) + "\n"


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
