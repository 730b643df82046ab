"""Blocks as HTML: text is text, tables have heads, and warnings stand out."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from ropewalk.report.document import Bars, Code, Document, Facts, Headline, Lines, ReportTable, Warnings
from ropewalk.report.html.blocks import blocks, fragment, line

NASTY = "<script>alert('&')</script>"


def test_names_are_text_in_every_block() -> None:
    found = blocks(
        [
            Headline(text=NASTY),
            Lines(lines=(NASTY,)),
            Warnings(lines=(NASTY,)),
            Facts(rows=((NASTY, NASTY),)),
            Code(lines=(NASTY,)),
            Bars(rows=((NASTY, 0.5, "0.50"),), verdict=NASTY),
            ReportTable(columns=(NASTY,), numeric=(False,), rows=((NASTY,),)),
        ]
    )
    tree = ET.fromstring(f"<div>{found}</div>")  # it is well-formed
    assert not tree.findall(".//script")
    assert "".join(tree.itertext()).count(NASTY) == 10


def test_numbers_stand_right_and_an_empty_head_is_no_head() -> None:
    table = ReportTable(columns=("", "x"), numeric=(False, True), rows=(("a", "1"),))
    tree = ET.fromstring(blocks([table]))
    assert [(c.tag, c.get("class")) for c in tree.iter() if c.tag in ("th", "td")] == [
        ("td", None),
        ("th", "number"),
        ("td", None),
        ("td", "number"),
    ]


def test_a_bar_is_as_long_as_its_probability() -> None:
    tree = ET.fromstring(f"<div>{blocks([Bars(rows=(('a', 0.25, '0.25'),), verdict='v')])}</div>")
    assert [r.get("width") for r in tree.iter("rect")] == ["256", "64.00"]


def test_warnings_stand_out_and_a_notebook_gets_the_style() -> None:
    assert line("a", warns=True) == '<p class="warning">a</p>'
    assert line("a") == "<p>a</p>"
    assert fragment(Document(blocks=(Lines(lines=("a",)),))).startswith('<div class="ropewalk"><style>')
