"""Report -> one self-contained page that fetches nothing and runs only its own script."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Sequence
from functools import cache, partial
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any
from unicodedata import bidirectional

from ropewalk.report.compose import document
from ropewalk.report.document import (
    Block,
    Cautions,
    Code,
    Facts,
    Heading,
    Headline,
    Lines,
    Question,
    Warnings,
)
from ropewalk.report.html import data
from ropewalk.report.html.blocks import blocks, coded, line
from ropewalk.report.html.downloads import has_left_out
from ropewalk.report.rank_table import rank_table, rank_text
from ropewalk.results.formatting import p_text
from ropewalk.results.headline import headline
from ropewalk.version import VERSION

if TYPE_CHECKING:
    from ropewalk.results.report import Report

_SCRIPTS = ("curves.js", "draw.js", "pair.js", "tables.js", "page.js")
_WARNINGS = 4
_LONG = 12  # code with more lines than this is folded


def page(report: Report) -> str:
    """Return a page with the answer, its plot, and two sliders that update everything."""
    every = document(report, full=True).blocks
    content = [b for b in every if not isinstance(b, (Cautions, Headline, Question))]
    asked = "".join(
        f'<p class="sub">{escape(text)}</p>' for b in every if isinstance(b, Question) for text in b.lines
    )
    end = next((i for i, b in enumerate(content) if isinstance(b, Heading)), len(content))
    paired, warned = _audit(content[:end])
    script = '"use strict";\n(() => {\n' + "".join(map(_file, _SCRIPTS)) + "})();\n"
    style = _file("page.css")
    carried = data.of(report)
    isolated = partial(_isolated, names=_right_to_left([*carried["models"], *carried["tasks"]]))
    saved = carried.pop("files")  # files keep the names as they are
    fill = {
        "policy": escape(_policy(script, style)),
        "version": VERSION,
        "title": isolated(escape(headline(report))),
        "style": style,
        "cautions": isolated(blocks(b for b in every if isinstance(b, Cautions))),
        "sub": isolated(asked + paired),
        "warned": isolated(warned),
        "last": str(carried["last"]),
        "start": str(carried["start"]),
        "lowest": "0.505",
        "threshold": f"{report.threshold:.15g}",
        "moving": escape(_moving(carried)),
        "ranks": isolated(_ranks(report)),
        "static": isolated(blocks(content[:end])),
        "paper": _paper(content[end:]),
        "left": _left(report),
        "footer": _footer(carried, report.seed),
        "data": isolated(_json(carried))[:-1] + f',"files":{_json(saved)}}}',
        "script": script,
    }
    return _filled(_file("page.html"), fill)


@cache
def _file(name: str) -> str:
    return (files("ropewalk.report.html") / name).read_text(encoding="utf-8")


def _filled(template: str, fill: dict[str, str]) -> str:
    """Replace each {name} of the template once; replacements are not searched again."""
    out = []
    for i, part in enumerate(template.split("{")):
        if i == 0:
            out.append(part)
            continue
        name, rest = part.split("}", 1)
        out += [fill[name], rest]
    return "".join(out)


def _policy(script: str, style: str) -> str:
    """Content security policy: only this script and style, by their hash; no other sources, no forms."""
    own = {kind: b64encode(sha256(text.encode()).digest()).decode() for kind, text in
           (("script", script), ("style", style))}  # fmt: skip
    return (
        f"default-src 'none'; script-src 'sha256-{own['script']}'; style-src 'sha256-{own['style']}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _json(content: object) -> str:
    """JSON that is safe inside a script element: `<` is escaped, as it could end it or start a comment."""
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _right_to_left(carried: Sequence[dict[str, str] | str]) -> list[str]:
    """Return the names of models and tasks with right-to-left letters, as they are written on the page."""
    names = {x for found in carried for x in ([found] if isinstance(found, str) else found.values())}
    return [name for name in sorted(names) if any(bidirectional(c) in ("R", "AL") for c in name)]


def _isolated(text: str, names: Sequence[str]) -> str:
    """Put isolates around these names; else a browser orders the numbers next to them right to left."""
    for name in names:
        text = text.replace(escape(name), f"\u2068{escape(name)}\u2069")
    return text


def _audit(content: Sequence[Block]) -> tuple[str, str]:
    """Return what was paired; then the warnings to read first, and how many more data would decide."""
    first, *others = [b for b in content if isinstance(b, Lines)]
    warned = [text for b in others if isinstance(b, Warnings) for text in b.lines]
    notes = [f'<p class="sub">{coded(text)}</p>' for text in first.lines]
    shown = "".join(line(text, warns=True) for text in warned[:_WARNINGS])
    left = len(warned) - _WARNINGS
    more = f'<p class="sub">{left} more warnings at the end of this page.</p>' if left > 0 else ""
    planned = [text for b in content if isinstance(b, Facts) for label, text in b.rows if label == "Next"]
    then = "".join(f'<p class="next"><b>Next:</b> {coded(text)}.</p>' for text in planned[:1])
    return notes[0], f'<div class="before">{shown}{more}{then}{"".join(notes[1:])}</div>'


def _ranks(report: Report) -> str:
    """Return the models by their mean rank over tasks, which does not follow the sliders."""
    if report.mean_ranks is None:
        return ""
    table, text = blocks([rank_table(report.mean_ranks)]), escape(rank_text(report.mean_ranks))
    p = f"Friedman p = {p_text(report.mean_ranks.classical.p_value)}"
    note = f'<p class="note">{text}; {p}. The sliders do not move this table.</p>'
    inside = f'<h2>Mean ranks</h2><div class="static">{table}</div>{note}'
    return f'<section id="mean-ranks">{inside}</section>'


def _paper(content: Sequence[Block]) -> str:
    """Return the parts for a paper; long code is folded under its heading."""
    out, folded = [], None
    for block in content:
        if isinstance(block, Code) and len(block.lines) > _LONG and folded is not None:
            inside = blocks([block])
            out[-1] = f"<details><summary>{escape(folded.lines[0])}</summary>{inside}</details>"
        else:
            out.append(blocks([block]))
        folded = block if isinstance(block, Heading) else None
    return "".join(out)


def _moving(carried: dict[str, object]) -> str:
    if not carried["byThreshold"]:
        return "A loss matrix decided the verdicts, so the sliders are off."
    if not carried["moves"]:
        return "The ROPE cannot be changed here. Verdicts follow the threshold."
    return "Move the sliders to see how the answer depends on the ROPE and on the threshold."


def _left(report: Report) -> str:
    """Return a note on what the files on the page leave out."""
    if not has_left_out(report):
        return ""
    return escape(" comparisons.csv has the pairs over all tasks; save the report as .csv for every task.")


def _footer(carried: dict[str, Any], seed: int) -> str:
    near = (
        "When a slider has moved, probabilities come from tables in this file "
        "and are within 0.0005 of what ropewalk computes"
    )
    packed = any("packed" in found for found in carried["each"])
    more = ", those of single tasks within 0.002" if packed else ""
    return f"ropewalk {escape(VERSION)} · random seed {seed}<br>{near}{more}, unless the page says otherwise."
