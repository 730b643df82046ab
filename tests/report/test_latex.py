"""LaTeX: balanced, and compiled; a name is a name whatever it is made of."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.report import Report
from ropewalk.report.compose import document
from ropewalk.report.document import Document, ReportTable
from ropewalk.report.latex import _LETTERS, _MATHS, escape, render
from ropewalk.report.markdown import render as to_markdown

NASTY = [
    "<script>alert(1)</script>",
    "=cmd|'/c calc'!A1",
    r"\input{/etc/passwd}",
    "a|b*c_d$e#f%g&h~i^j{k}",
    "```",
    r"#$%&_{}~^\\",
    "[b]*[c]",
    "*",
    "naïve Bayes, größer ≥ 0.5 σ²",
    "模型 a--b ''q'' ?` 🙂",
]

Made = Callable[[str], Report]
Compiled = Callable[[str], str]


@pytest.fixture
def compiled(tmp_path: Path) -> Compiled:
    """LaTeX -> the text of the pages; without pdflatex the test is skipped, but not where it is required."""
    if shutil.which("pdflatex") is None or shutil.which("pdftotext") is None:
        reason = "NO LATEX: the tables were NOT compiled. Install it: make latex."
        if os.environ.get("ROPEWALK_LATEX") == "required":
            pytest.fail(reason)
        pytest.skip(reason)

    def run(latex: str) -> str:
        (tmp_path / "table.tex").write_text(latex, encoding="utf-8")
        macros = re.findall(r"\\gdef(\\ropewalk\w+)", latex)
        (tmp_path / "paper.tex").write_text(
            "\\documentclass{article}\\usepackage{booktabs}\\usepackage[T1]{fontenc}\\usepackage{lmodern,graphicx}\\begin{document}"
            "\\input{table}\\raggedright\n\n" + "\n\n".join(macros) + "\\end{document}"
        )
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True)
        log = done.stdout.decode(errors="replace")
        assert done.returncode == 0, log[-2000:]
        assert re.findall(r"Overfull .*", log) == []  # no table runs into the margin or off the page
        text = subprocess.run(["pdftotext", "-layout", "paper.pdf", "-"], cwd=tmp_path, capture_output=True)
        return text.stdout.decode()

    return run


def without_comments(latex: str) -> str:
    return re.sub(r"(?<!\\)%.*", "", latex)


def without_preamble(latex: str) -> str:
    return re.sub(r"\\providecommand.*?(?=\n\n)", "", latex, flags=re.S)


def well_formed(latex: str) -> None:
    """Balanced braces, nothing that TeX would act upon, rows with as many cells as there are columns."""
    text = without_preamble(without_comments(latex))
    depth = 0
    for brace in re.findall(r"(?<!\\)[{}]", text.replace(r"\\", "")):
        depth += 1 if brace == "{" else -1
        assert depth >= 0
    assert depth == 0
    ours = re.sub(r"(?<!\\)\$[^$\n]*\$|~(?=\\cite\{)|(?<=\d)~(?=\\%)", "", text)
    assert re.findall(r"(?<!\\)[#$_^~]", ours) == []
    tables = re.findall(r"\\begin\{tabular\}\{(\w+)\}(.*?)\\end\{tabular\}", text, re.S)
    assert len(tables) == latex.count(r"\begin{") == latex.count(r"\end{")
    for columns, body in tables:
        rows = [line for line in body.splitlines() if line.endswith(r"\\")]
        assert len(rows) >= 2
        for row in rows:
            assert len(re.findall(r"(?<!\\)&", row)) + 1 == len(columns)


@pytest.mark.parametrize(
    "broken", ["a_b", "50 $", "{", "}{", r"\begin{tabular}{lr}" + "\n  a \\\\\n  b & c \\\\\n\\end{tabular}"]
)
def test_the_structure_test_can_fail(broken: str) -> None:
    with pytest.raises(AssertionError):
        well_formed(broken)


@pytest.mark.few(4)
def test_latex_is_well_formed(each: Report) -> None:
    well_formed(each.to_latex())


def test_prose_is_macros_so_that_a_table_stays_a_table(made: Made) -> None:
    latex = made("t").to_latex()
    for name in ("methods", "results", "neurips"):
        assert latex.count(rf"\gdef\ropewalk{name}{{%") == 1
    outside = re.sub(r"\\gdef\\ropewalk\w+\{%\n.*?\n\}", "", latex, flags=re.S)
    outside = re.sub(r"\\ropewalktable\{\\begin\{tabular\}.*?\\end\{tabular\}\}", "", outside, flags=re.S)
    outside = re.sub(r"^\\ropewalkcaption\{.*\}$", "", outside, flags=re.M)
    outside = re.sub(r"\\par\\noindent\\textbf\{warning: .*\}\\par", "", outside)
    # \input sets the tables, and what to read before them.
    assert without_preamble(without_comments(outside)).strip() == ""
    assert r"~\cite{benavoli2017}." in latex


@pytest.mark.few(10)
def test_every_table_has_its_caption(each: Report) -> None:
    latex = without_preamble(each.to_latex())
    tables = len(re.findall(r"\\ropewalktable\{", latex))
    assert tables == len(re.findall(r"^\\ropewalkcaption\{[A-Z].*\.\}\n\\ropewalktable", latex, flags=re.M))


def test_negative_numbers_of_sentences_have_a_minus_sign(made: Made) -> None:
    report = made("t")
    low = re.search(r"interval (-[\d.]+) to", report.results_text())
    assert low
    assert f"interval $-${low[1][1:]} to" in report.to_latex()


def test_the_table_for_seeds_has_the_tests(made: Made) -> None:
    """A template for seeds: number, mean, standard deviation, interval, test against the baseline, p."""
    report = made("crossed")
    latex = report.to_latex()
    (test,) = report.comparisons[0].classical
    assert (
        r"training runs & seeds & mean score & sd & 95\% interval & worst & best & test against b & p \\"
        in latex
    )
    assert re.search(rf"  a & 4 & .* & quasi F & {test.p_value:.3f} \\\\", latex)
    assert re.search(r"  b & 4 & .* & baseline & - \\\\", latex)
    assert "test against" not in report.to_text()


@pytest.fixture(scope="module")
def nasty() -> Report:
    rng = np.random.default_rng(0)
    return rw.compare({name: rng.normal(i / 5, 1, 60) for i, name in enumerate(NASTY)})


def test_names_are_names_in_prose(nasty: Report) -> None:
    latex = nasty.to_latex()
    well_formed(latex)
    assert r"\input{/etc" not in latex
    assert r"\textbackslash{}input\{/etc/passwd\}" in latex
    prose = to_markdown(document(nasty, full=True)).split("## Methods paragraph")[1]
    assert "<script>" not in prose
    assert r"a\|b\*c\_d" in prose or "a|b" not in prose


@pytest.mark.parametrize(
    "name", ["mcnemar", "signed_rank", "crossed", "hierarchical_t", "hierarchical_mcnemar",
             "many", "reference", "many_over_tasks", "loss_matrix"]
)  # fmt: skip
@pytest.mark.few(4)
def test_it_compiles(made: Made, compiled: Compiled, name: str) -> None:
    """Two models and many, one task and many, counts, seeds: also nothing wider than the line."""
    assert "We ask" in compiled(made(name).to_latex())


def test_nasty_names_compile_and_show(nasty: Report, compiled: Compiled) -> None:
    text = re.sub(r"\s+", " ", compiled(nasty.to_latex()))
    for name in NASTY[:4]:
        assert name[:20].replace("'", "’") in text
    assert "#$%&_{}~^\\" in text.replace("˜", "~").replace("ˆ", "^")
    assert "[b]*[c]" in text
    assert "naïve Bayes, größer ≥ 0" in text
    assert "[U+6A21][U+578B] a--b" in text
    assert "root:" not in text  # of /etc/passwd


def test_every_letter_that_stands_as_it_is_can_be_set(compiled: Compiled) -> None:
    """Also signs that are set as mathematics, and any other character, by its code point."""
    rng = np.random.default_rng(0)
    others = [chr(int(i)) for i in rng.integers(0xA1, 0x1FFFF, 300) if not 0xD800 <= i < 0xE000]
    rows = [[*_LETTERS], [*_MATHS], others]
    cells = tuple((" ".join(part[i : i + 7]),) for part in rows for i in range(0, len(part), 7))
    latex = render(Document(blocks=(ReportTable(columns=("signs",), numeric=(False,), rows=cells),)))
    text = compiled(latex)
    assert "ő" in text
    assert "ß" in text
    assert "[U+" in text


def test_a_wide_or_long_table_stays_on_the_page(compiled: Compiled) -> None:
    """Sixty tasks with long names, nine columns of numbers."""
    rng = np.random.default_rng(0)
    rows = [
        {"task": f"a task with a long name {t}", "model": m, "seed": s, "accuracy": rng.normal(0.8, 0.02)}
        for t in range(60)
        for m in ("organisation/model-one-70b-instruct", "organisation/model-two-70b-instruct")
        for s in range(3)
    ]
    latex = rw.compare(pd.DataFrame(rows)).to_latex()
    text = compiled(latex)
    assert "name 0" in text
    assert "name 59" in text
    assert max(latex[m.start() :].split(r"\end{tabular}")[0].count("\n") for m in
               re.finditer(r"\\begin\{tabular\}", latex)) < 47  # fmt: skip


def test_a_row_cannot_begin_with_an_option() -> None:
    r"""\\ looks for * and [ after it, across the end of the line."""
    rows = (("[3cm]", "1"), ("*", "2"), ("a", "-3"))
    latex = render(Document(blocks=(ReportTable(columns=("name", "n"), numeric=(False, True), rows=rows),)))
    assert "  {}[3cm] & 1 \\\\\n  {}* & 2 \\\\\n  a & $-$3 \\\\\n" in latex


@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("e\u0301", "é"),  # composed
        ("a--b", "a-{}-b"),  # no dash
        ("''", "'{}'"),
        ("``", r"\`{}\`{}"),
        ("β ≥ 2", r"$\beta$ $\geq$ 2"),
        ("大", r"\ropewalkchar{大}{5927}"),
        ("95 %", r"95~\%"),
    ],
)
def test_characters(name: str, latex: str) -> None:
    assert escape(name) == latex
