"""Pictures for papers: fonts go into the file, and nothing else has to be at hand to show it."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
import zlib
from collections.abc import Callable

import matplotlib
import numpy as np
import pandas as pd
import pytest
from matplotlib.text import Text

import ropewalk as rw
from ropewalk import plot
from ropewalk.report import Report

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def reports() -> dict[str, Report]:
    rng = np.random.default_rng(0)
    order = rng.permutation(1000)
    right = {"GNN": [0] * 213 + [1] * 787, "LLM": [0] * 54 + [1] * 159 + [0] * 198 + [1] * 589}
    tasks = {f"t{i}": rng.normal(0.01 * i, 0.03, 20) for i in range(6)}
    rows = [(t, m, u, 0.8 + (m == "a") * d[u]) for t, d in tasks.items() for m in "ab" for u in range(20)]
    columns = dict(zip(("task", "model", "unit", "accuracy"), zip(*rows, strict=True), strict=True))
    return {
        "one": rw.compare({m: np.array(x)[order] for m, x in right.items()}, rope=0.01),
        "scores": rw.compare({m: rng.normal(i / 5, 1, 60) for i, m in enumerate("ab")}),
        "tasks": rw.compare(pd.DataFrame(columns)),
    }


def pictures(report: Report) -> list[tuple[str, Callable[[str], matplotlib.figure.Figure]]]:
    (c,) = report.overall or report.comparisons
    return [(kind, lambda style, kind=kind: c.plot(kind, style=style)) for kind in plot.kinds(c)]


CASES = [
    *[("one", kind) for kind in ("posterior", "differences", "hdi")],
    *[("scores", kind) for kind in ("posterior", "differences", "qq", "hdi")],
    *[("tasks", kind) for kind in ("forest", "simplex", "tasks", "next_task")],
]


def drawn(reports: dict[str, Report], name: str, kind: str, style: str) -> matplotlib.figure.Figure:
    found = dict(pictures(reports[name]))
    assert kind in found
    return found[kind](style)


def inflated(pdf: bytes) -> bytes:
    """The PDF with its streams unpacked."""
    out = [pdf]
    for stream in re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.S):
        try:
            out.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return b"\n".join(out)


@pytest.mark.parametrize(("name", "kind"), CASES)
@pytest.mark.parametrize("style", [pytest.param("screen", marks=pytest.mark.proof), "paper"])
@pytest.mark.few(4)
def test_every_font_of_a_pdf_is_embedded_as_truetype(
    reports: dict[str, Report], name: str, kind: str, style: str
) -> None:
    """Journals refuse Type 3 fonts and fonts that are only named."""
    pdf = inflated(plot.render(drawn(reports, name, kind, style), "pdf"))
    named = len(re.findall(rb"/Type /FontDescriptor", pdf))
    assert named >= 1
    assert len(re.findall(rb"/FontFile2 \d+ 0 R", pdf)) == named
    assert b"/Type3" not in pdf
    assert b"/Subtype /Type1" not in pdf
    assert b"/Subtype /Image" not in pdf  # vector throughout


@pytest.mark.parametrize(("name", "kind"), CASES)
@pytest.mark.few(4)
def test_an_svg_has_its_words_as_text_and_fetches_nothing(
    reports: dict[str, Report], name: str, kind: str
) -> None:
    """Words can be searched and edited."""
    root = ET.fromstring(plot.render(drawn(reports, name, kind, "paper"), "svg"))
    assert root.findall(f".//{SVG}path")
    assert root.findall(f".//{SVG}text")
    assert not root.findall(f".//{SVG}image")
    for element in root.iter():
        for attribute, value in element.attrib.items():
            if attribute.endswith("href"):
                assert value.startswith("#")


def test_the_settings_of_the_user_do_not_get_into_the_file(reports: dict[str, Report]) -> None:
    """A user with Type 3 fonts, or text as shapes, gets the same file."""
    figure = reports["one"].comparisons[0].plot(style="paper")
    before = [plot.render(figure, form) for form in ("pdf", "svg")]
    with matplotlib.rc_context({"pdf.fonttype": 3, "svg.fonttype": "path", "pdf.use14corefonts": True}):
        assert [plot.render(figure, form) for form in ("pdf", "svg")] == before


@pytest.mark.parametrize(("name", "kind"), CASES)
@pytest.mark.few(4)
def test_the_title_is_a_finding(reports: dict[str, Report], name: str, kind: str) -> None:
    """A title says something about these models or numbers: it names one, or gives a number."""
    figure = drawn(reports, name, kind, "screen")
    (title,) = [t.get_text() for t in figure.findobj(Text) if t.get_fontsize() == 13 and t.get_text()]
    report = reports[name]
    names = [m.name for m in report.models]
    words = set(re.findall(r"\w+", title))
    assert words & set(names) or re.search(r"\d", title) or words & {"normal", "undecided", "equivalent"}, (
        title
    )
    assert title.lower().strip() not in (kind, f"{kind} plot", "posterior", "differences")
    assert "significant" not in title.lower()
