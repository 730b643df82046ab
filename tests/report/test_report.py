"""The renderers: what a reader sees, what a script reads, and names that would like to be code."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.decide import Rule, Verdict
from ropewalk.errors import OptionError
from ropewalk.report import Report
from ropewalk.report.compose import document
from ropewalk.results.formatting import p_text, shares

NASTY = [
    "<script>alert(1)</script>",
    "=cmd|'/c calc'!A1",
    r"\input{/etc/passwd}",
    "[bold]x[/bold]",
    "a|b*c_d$e#f%g&h~i^j{k}",
]


@pytest.fixture(scope="module")
def pair() -> Report:
    a = [0] * 213 + [1] * 787
    b = [0] * 54 + [1] * 159 + [0] * 198 + [1] * 589
    return rw.compare({"GNN": a, "LLM": b}, rope=0.01)


@pytest.fixture(scope="module")
def many() -> Report:
    rng = np.random.default_rng(0)
    return rw.compare({name: rng.normal(i / 5, 1, 60) for i, name in enumerate(NASTY)})


def test_the_answer_comes_first(pair: Report) -> None:
    text = pair.to_text()
    assert " ".join(text.split()).startswith(
        "GNN is probably better than LLM (0.94), but that is not enough for a verdict at 0.95."
    )
    assert "1,000 examples paired" in text
    assert "GNN better by more than 0.01" in text
    assert f"{pair.comparisons[0].verdict.better:.3f}" in text
    assert "Verdict: undecided (no probability reaches 0.95)" in text
    assert "GNN right, LLM wrong: 198" in text
    assert "Cohen's g = 0.0546 in favor of GNN (small)" in text
    assert "McNemar p = 0.044" in text
    assert "ropewalk methods mcnemar" in text


def test_nobody_says_significant(pair: Report, many: Report) -> None:
    for report in (pair, many):
        for form in (report.to_text(), report.to_markdown(), report.to_html(), report.to_json()):
            assert "significant" not in form.lower()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_text_keeps_within_its_width(pair: Report, many: Report, width: int) -> None:
    for report in (pair, many):
        assert max(len(line) for line in report.to_text(width=width).splitlines()) <= width


def test_every_pair_has_its_sentence(many: Report) -> None:
    text = " ".join(many.to_text().split())
    for c in many.comparisons:
        assert " ".join(c.verdict.sentence.split()) in text


def test_ascii_where_the_terminal_has_nothing_else(pair: Report) -> None:
    import io

    from rich.console import Console

    from ropewalk.report import text

    out = io.StringIO()
    text.show(document(pair), Console(file=out, width=80), plain=True)
    assert out.getvalue().isascii()
    assert "####" in out.getvalue()


def test_json_is_the_document_that_scripts_rely_on(pair: Report) -> None:
    content = json.loads(pair.to_json())
    assert content["schema"] == "ropewalk/1"
    assert content["question"] == "Q1"
    assert content["audit"]["paired"] == 1000
    assert content["audit"]["dropped"] == []
    assert content["audit"]["warnings"] == []
    (c,) = content["comparisons"]
    assert (c["task"], c["a"], c["b"], c["method"], c["n"]) == (None, "GNN", "LLM", "mcnemar", 1000)
    assert set(c["estimate"]) == {"name", "mean", "hdi", "level"}
    assert {"low", "high", "scale", "source"} <= set(c["rope"])
    assert sum(c["probability"].values()) == pytest.approx(1.0)
    assert (c["verdict"], c["threshold"]) == ("undecided", 0.95)
    assert c["effect"] == {"name": "Cohen's g", "value": pytest.approx(-0.0546, abs=1e-4), "label": "small"}
    assert c["classical"] == [
        {
            "name": "McNemar",
            "statistic": pytest.approx(4.04, abs=0.01),
            "p_value": pytest.approx(0.0443, abs=1e-4),
        }
    ]
    assert content["overall"] == []
    assert [m["name"] for m in content["models"]] == ["GNN", "LLM"]
    assert content["provenance"] == {"ropewalk": rw.__version__, "seed": 0, "inputs": []}


class Page(HTMLParser):
    """Collects tags and text; refuses what is not well nested."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: set[str] = set()
        self.scripts = 0
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)
        self.scripts += tag == "script"
        if tag not in ("meta", "input", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def test_names_are_names_in_html(many: Report) -> None:
    page = Page()
    page.feed(many.to_html())
    assert page.open == []
    assert page.scripts == 2  # ours, and the data
    assert page.tags.isdisjoint({"img", "iframe", "link", "object"})
    text = "".join(page.text)
    for name in NASTY:
        assert name in text


def test_a_notebook_shows_a_table(pair: Report) -> None:
    fragment = pair._repr_html_()
    assert fragment.startswith('<div class="ropewalk">')
    assert "<table>" in fragment
    assert "<html" not in fragment


def test_names_are_names_in_markdown_and_text(many: Report) -> None:
    markdown = many.to_markdown()
    assert "<script>" not in markdown
    assert r"a\|b\*c\_d" in markdown
    assert "[bold]x[/bold]" in many.to_text()  # rich would have taken it for markup


def test_latex_escapes_names(many: Report) -> None:
    latex = many.to_latex()
    assert r"\textbackslash{}input\{/etc/passwd\}" in latex
    assert r"\input{/etc" not in latex
    assert r"a\textbar{}b*c\_d\$e\#f\%g\&h" in latex
    assert latex.count(r"\begin{tabular}") == latex.count(r"\end{tabular}") == 3  # models, matrix, pairs


@pytest.mark.parametrize("suffix", [".txt", ".md", ".tex", ".html", ".json"])
def test_save_picks_the_form_by_the_suffix(pair: Report, tmp_path: Path, suffix: str) -> None:
    path = pair.save(tmp_path / f"report{suffix}")
    form = {".txt": "text", ".md": "markdown", ".tex": "latex", ".html": "html", ".json": "json"}[suffix]
    assert path.read_text() == getattr(pair, f"to_{form}")()
    assert [p.name for p in tmp_path.iterdir()] == [path.name]  # no temporary file is left


def test_save_does_not_replace_what_was_compared(tmp_path: Path) -> None:
    scores = tmp_path / "scores.csv"
    scores.write_text("id,a,b\n" + "".join(f"{i},{i % 2},{i % 3 // 2}\n" for i in range(30)))
    before = scores.read_bytes()
    report = rw.compare(scores)
    with pytest.raises(OptionError, match=r"scores\.csv is an input file and would be overwritten"):
        report.save(scores)
    assert scores.read_bytes() == before


def test_save_refuses_what_it_cannot_write(pair: Report, tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"cannot be saved as \"report.docx\"(.|\n)*\.html"):
        pair.save(tmp_path / "report.docx")
    with pytest.raises(OptionError, match="cannot be written"):
        pair.save(tmp_path / "nowhere" / "report.html")


def test_a_failed_write_leaves_the_old_file(pair: Report, tmp_path: Path) -> None:
    target = tmp_path / "report.json"
    target.mkdir()  # cannot be replaced by a file
    with pytest.raises(OptionError, match="cannot be written"):
        pair.save(target)
    assert [p.name for p in tmp_path.iterdir()] == ["report.json"]


@pytest.mark.parametrize(
    ("p", "text"),
    [
        ((0.0, 1.0, 0.0), ("0.00", "1.00", "0.00")),
        ((0.001, 0.5, 0.499), ("<0.01", "0.50", "0.50")),
        ((1.0, 1e-30, 0.0), (">0.99", "<0.01", "<0.01")),
        ((0.994, 0.006, 0.0), ("0.99", "0.01", "<0.01")),
    ],
)
def test_probabilities_are_not_rounded_to_certainty(
    p: tuple[float, float, float], text: tuple[str, str, str]
) -> None:
    verdict = Verdict(name="better", better=p[0], equivalent=p[1], worse=p[2], decided_by=Rule(), sentence="")
    assert shares(verdict) == text


def test_small_p_values_keep_their_size() -> None:
    assert [p_text(p) for p in (0.5, 0.0441, 0.001, 0.00065)] == ["0.500", "0.044", "0.001", "6.5e-04"]
