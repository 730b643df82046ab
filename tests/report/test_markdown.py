"""Blocks as Markdown: names are names, and code stands behind a fence of its own."""

from __future__ import annotations

from ropewalk.report.document import (
    Bars,
    Cautions,
    Code,
    Document,
    Facts,
    Heading,
    Headline,
    Lines,
    ReportTable,
)
from ropewalk.report.markdown import escape, render


def test_every_kind_of_block() -> None:
    document = Document(
        blocks=(
            Cautions(lines=("warning: look",)),
            Headline(text="a_1 is better"),
            Heading(lines=("Details",)),
            Lines(lines=("one", "two")),
            Facts(rows=(("unit", "fold"), ("", "alone"))),
            ReportTable(columns=("m|n", "x"), numeric=(False, True), rows=(("a", "1"),)),
        )
    )
    assert render(document).split("\n\n") == [
        "> **warning: look**  ",
        "**a\\_1 is better**",
        "## Details",
        "- one\n- two",
        "- unit: fold\n  - alone",
        "| m\\|n | x |\n| --- | ---: |\n| a | 1 |\n",
    ]


def test_bars_are_a_table_and_the_verdict() -> None:
    bars = Bars(rows=(("a better", 0.9, "0.90"),), verdict="verdict: a better")
    assert render(Document(blocks=(bars,))) == (
        "| region | probability |\n| --- | ---: |\n| a better | 0.90 |\n\nverdict: a better\n"
    )


def test_a_fence_is_longer_than_the_backticks_in_the_code() -> None:
    text = render(Document(blocks=(Code(lines=("x = '````'",)),)))
    assert text == "`````\nx = '````'\n`````\n"


def test_no_name_is_markup() -> None:
    assert escape("<b>`*_[]|#\\") == "&lt;b>\\`\\*\\_\\[\\]\\|\\#\\\\"
