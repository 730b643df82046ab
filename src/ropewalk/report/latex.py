"""Document -> LaTeX: the tables, set with booktabs, and the prose as macros.

It is written for pdfLaTeX with T1 fonts, and other engines take it as well. Letters with accents stand as
they are, Greek and the signs below as mathematics. Other characters, such as Chinese names, are set if the
font of the engine has them; otherwise, and always with pdfLaTeX, as code points: [U+6A21].
"""

from __future__ import annotations

import re
from unicodedata import normalize

from ropewalk.report.document import (
    Bars,
    Block,
    Cautions,
    Code,
    Document,
    Facts,
    Heading,
    Headline,
    Prose,
    Question,
    ReportTable,
)

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
    "`": r"\`{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "…": r"\ldots{}",
    "–": "--",
    "—": "---",
    "\N{NO-BREAK SPACE}": "~",
    "\N{REPLACEMENT CHARACTER}": "?",
}
_GREEK = (
    "alpha beta gamma delta varepsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon "
    "varphi chi psi omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_MATHS = {
    "±": r"\pm",
    "×": r"\times",
    "÷": r"\div",
    "·": r"\cdot",
    "°": r"^\circ",
    "²": "^2",
    "³": "^3",
    "−": "-",
    "≥": r"\geq",
    "≤": r"\leq",
    "≠": r"\neq",
    "≈": r"\approx",
    "→": r"\to",
    "←": r"\gets",
    "∞": r"\infty",
    **{
        letter: rf"\{name}"
        for letter, name in zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", _GREEK.split(), strict=True)
    },
    "µ": r"\mu",
    "ς": r"\varsigma",
    "ο": "o",
}
# The letters of T1 beyond ASCII: Latin-1 and Latin Extended-A, with a few exceptions.
_LETTERS = {chr(i) for i in range(0xC0, 0x180)} - set("×÷ĦħĸĿŀŉŦŧſ")
_LIGATURES = re.compile(r"(?<=-)(?=-)|(?<=')(?=')|(?<=,)(?=,)")
_ROWS = 40  # tables do not break across pages, so a longer one is split

# A table wider than the line is set smaller; characters that the engine cannot set are named.
_PREAMBLE = r"""% \usepackage{booktabs}\usepackage[T1]{fontenc}, and \usepackage{graphicx} for wide tables
\providecommand\ropewalktable[1]{\par\medskip\noindent\sbox0{#1}%
  \ifdim\wd0>\linewidth\sbox0{\small\setlength\tabcolsep{4pt}#1}\fi
  \ifdim\wd0>\linewidth\sbox0{\footnotesize\setlength\tabcolsep{3pt}#1}\fi
  \ifdim\wd0>\linewidth\sbox0{\scriptsize\setlength\tabcolsep{2pt}#1}\fi
  \ifdim\wd0>\linewidth\ifdefined\resizebox\sbox0{\resizebox{\linewidth}{!}{\unhbox0}}\fi\fi
  \usebox0\par\medskip}
\providecommand\ropewalkcaption[1]{\par\medskip{\noindent\small\sloppy #1\par}}
\providecommand\ropewalkchar[2]{\ifdefined\Umathcode\iffontchar\font"#2 #1\else[U+#2]\fi\else[U+#2]\fi}"""


def render(document: Document) -> str:
    """Return the headline as a comment and every table, ready for \\input (\\usepackage{booktabs}).

    After \\input each paragraph is a macro, such as \\ropewalkmethods; any other content under a
    heading, such as the checklist, is a comment. A table is the argument of \\ropewalktable, and its caption
    that of \\ropewalkcaption; a paper may define both in its own way beforehand.
    """
    parts = [_PREAMBLE]
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
    if isinstance(block, Question):
        return "\n".join(f"% {escape(text)}" for text in block.lines)
    if isinstance(block, Cautions):  # set in the paper, so that it is not overlooked
        return "\n".join(f"\\par\\noindent\\textbf{{{escape(text)}}}\\par" for text in block.lines)
    if isinstance(block, ReportTable):
        return _table(block)
    if isinstance(block, Bars):
        rows = tuple((label, number) for label, _, number in block.rows)
        first = f"region, {block.about}" if block.about else "region"
        columns = (first, "probability")
        return _table(ReportTable(columns=columns, numeric=(False, True), rows=rows, caption=block.caption))
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
    said = _minus(escape(text))
    return f"{said}~\\cite{{{','.join(keys)}}}." if keys else f"{said}."


def _table(table: ReportTable) -> str:
    parts = [table.rows[i : i + _ROWS] for i in range(0, len(table.rows), _ROWS)]
    caption = f"\\ropewalkcaption{{{_minus(escape(table.caption))}}}\n" if table.caption else ""
    return caption + "\n\n".join(_tabular(table, rows) for rows in parts)


def _tabular(table: ReportTable, rows: tuple[tuple[str, ...], ...]) -> str:
    columns = "".join("r" if numeric else "l" for numeric in table.numeric)
    head = " & ".join(escape(c) for c in table.columns)
    cells = [
        [_number(c) if numeric else escape(c) for c, numeric in zip(row, table.numeric, strict=True)]
        for row in rows
    ]
    for row in cells:
        if row[0].startswith(("[", "*")):  # TeX would read it as an option of the previous \\
            row[0] = "{}" + row[0]
    body = "\n".join("  " + " & ".join(row) + r" \\" for row in cells)
    return (
        f"\\ropewalktable{{\\begin{{tabular}}{{{columns}}}\n  \\toprule\n  {head} \\\\\n  \\midrule\n"
        f"{body}\n  \\bottomrule\n\\end{{tabular}}}}"
    )


def _number(text: str) -> str:
    """Return a number with a minus sign instead of a hyphen, and with powers of ten.

    >>> print(_number("-0.5"), _number("6.5e-04"), _number("0.1 to 0.2"))
    $-$0.5 $6.5\\times10^{-4}$ 0.1 to 0.2
    """
    power = re.fullmatch(r"([-+]?[\d.]+)e([-+]?\d+)", text)
    if power:
        return rf"${power[1]}\times10^{{{int(power[2])}}}$"
    return _minus(escape(text))


def _minus(text: str) -> str:
    """Put a minus sign before every negative number.

    >>> print(_minus("gpt-4 (-0.5 to 2e-3)"))
    gpt-4 ($-$0.5 to 2e-3)
    """
    return re.sub(r"(?<![^\s(])-(?=[\d.])", "$-$", text)


def escape(text: str) -> str:
    """Escape a text so that TeX prints it literally.

    >>> print(escape(r"\\input{/etc/passwd}"))
    \\textbackslash{}input\\{/etc/passwd\\}
    """
    words = "".join(_character(c) for c in _LIGATURES.sub("\0", normalize("NFC", text)))
    return re.sub(r"(?<=\d) (?=\\%)", "~", words)


def _character(c: str) -> str:
    if c == "\0":  # keeps TeX from joining two characters
        return "{}"
    if c in _SPECIAL:
        return _SPECIAL[c]
    if c in _MATHS:
        return f"${_MATHS[c]}$"
    if " " <= c <= "~" or c in _LETTERS:
        return c
    return rf"\ropewalkchar{{{c}}}{{{ord(c):04X}}}"
