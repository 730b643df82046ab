"""Pages that are made from the package itself when the site is built, so that they cannot drift from it.

- methods/: one card per method (method_cards.py).
- api/: the reference of every public name (api_reference.py).
- the directive `method-chooser`: questions to a method, by asking ropewalk itself on small data.
- the directive `measured`: rows of benchmarks/RESULTS.md that match a regular expression.
- links from a page to a file outside docs/ lead to the page that includes this file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

from api_reference import complete, reference, words_of_calls
from chooser_cases import chooser
from docutils import nodes
from docutils.parsers.rst import Directive
from method_cards import cards
from pages import HERE, write
from pygments.lexers.special import TextLexer

# Files of the repository that a page of the site includes.
INCLUDED = {
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "security.md",
    "CHANGELOG.md": "changelog.md",
    "benchmarks/RESULTS.md": "benchmarks.md",
    "README.md": "index.md",
}


def setup(app: Any) -> dict[str, Any]:
    write_pages()  # before Sphinx looks which pages there are
    app.connect("source-read", lead_links_inside)
    app.connect("doctree-read", no_mail)
    app.connect("autodoc-process-docstring", words_of_calls, priority=100)  # before numpydoc
    app.connect("build-finished", versions)
    app.connect("env-check-consistency", complete)
    app.add_directive("method-chooser", Chooser)
    app.add_directive("measured", Measured)
    app.add_lexer("csv", TextLexer)
    return {"parallel_read_safe": True, "version": "1"}


def write_pages() -> None:
    cards()
    reference()
    json_fields()


# --- the JSON document ---


def json_fields() -> None:
    """The fields of the JSON document, from the schema that ships with the package."""
    schema = json.loads((files("ropewalk.report") / "ropewalk-1.schema.json").read_text(encoding="utf-8"))
    parts = [("The document", schema), *((f"`{name}`", part) for name, part in schema["$defs"].items())]
    text = [
        "# The JSON document",
        "",
        schema["description"],
        "",
        'The JSON Schema: <a href="../ropewalk-1.schema.json">ropewalk-1.schema.json</a>. It ships with the package: '
        '`importlib.resources.files("ropewalk.report") / "ropewalk-1.schema.json"`.',
    ]
    for title, part in parts:
        said = [part["description"], ""] if part is not schema else []
        text += ["", f"## {title}", "", *said, "| field | type | |", "| --- | --- | --- |"]
        text += list(_rows(part, ""))
    write(HERE / "api" / "json-document.md", "\n".join(text) + "\n")


def _rows(part: dict[str, Any], before: str) -> Iterator[str]:
    for name, field in part["properties"].items():
        kind, inner = _kind(field)
        required = "" if name in part["required"] else " Optional."
        yield f"| `{before}{name}` | {kind} | {field.get('description', '')}{required} |"
        if inner:
            yield from _rows(inner, f"{before}{name}{'[].' if kind.startswith('list') else '.'}")


def _kind(field: dict[str, Any]) -> tuple[str, dict[str, Any] | None]:
    """The type of a field in words, and the fields inside of it."""
    if "$ref" in field:
        name = field["$ref"].rsplit("/", 1)[1]
        return f"[{name}](#{name})", None
    if "const" in field:
        return f"`{field['const']}`", None
    if "enum" in field:
        return ", ".join(f"`{json.dumps(value).strip(chr(34))}`" for value in field["enum"]), None
    kind = field.get("type", "anything")
    if kind == "array":
        inner, fields = _kind(field["items"])
        return f"list of {inner}", fields
    return " or ".join(kind) if isinstance(kind, list) else kind, field if "properties" in field else None


# --- links ---


def lead_links_inside(app: Any, page: str, source: list[str]) -> None:
    """A link to a file of the repository outside docs/ becomes one to the page that includes it, or plain text."""
    if not (HERE / f"{page}.md").exists():
        return

    folder = (HERE / page).parent

    def inside(found: re.Match[str]) -> str:
        text, anchor = found["text"], found["anchor"] or ""
        target = (folder / found["target"]).resolve()
        if target.is_relative_to(HERE):
            return found[0]
        path = target.relative_to(HERE.parent).as_posix()
        return f"[{text}](/{INCLUDED[path]}{anchor})" if path in INCLUDED else f"`{path}`"

    source[0] = re.sub(
        r"\[(?P<text>[^\]]+)\]\((?P<target>\.\./[^)#]+)(?P<anchor>#[^)]*)?\)", inside, source[0]
    )


def no_mail(app: Any, doctree: nodes.document) -> None:
    """Docutils takes ndcg@10 for an email address; there are none on this site."""
    for link in list(doctree.findall(nodes.reference)):
        if link.get("refuri", "").startswith("mailto:"):
            link.replace_self(nodes.Text(link.astext()))


# --- the chooser ---


class Chooser(Directive):
    """Questions, and for each set of answers the method that ropewalk chooses, with its reason and the command."""

    def run(self) -> list[nodes.Node]:
        return [nodes.raw("", chooser(), format="html")]


# --- the version switch ---


def versions(app: Any, error: Exception | None) -> None:
    """Write the list of versions that the switch reads, next to the folder of the site."""
    site = app.config.html_theme_options["switcher"]["json_url"].removesuffix("/versions.json")
    if error is None and site:
        listed = json.loads((HERE / "versions.json").read_text(encoding="utf-8"))
        addressed = [{**entry, "url": f"{site}/{entry['version']}/"} for entry in listed]
        (Path(app.outdir).parent / "versions.json").write_text(
            json.dumps(addressed, indent=2) + "\n", encoding="utf-8"
        )


# --- figures of the benchmarks ---


class Measured(Directive):
    """What was measured, the figure and its details, for each requested row of the benchmarks."""

    required_arguments = 1
    final_argument_whitespace = True

    def run(self) -> list[nodes.Node]:
        results = (HERE.parent / "benchmarks" / "RESULTS.md").read_text(encoding="utf-8")
        listed = nodes.bullet_list()
        for asked in self.arguments[0].split("|"):
            rows = [line for line in results.splitlines() if line.startswith("| ") and asked in line]
            if len(rows) != 1:
                raise self.error(f"{len(rows)} rows of the benchmarks have {asked!r}, not one")
            what, *_, figure, _, details = (cell.strip() for cell in rows[0].strip("| ").split(" | "))
            said = nodes.paragraph()
            for k, part in enumerate(f"{what}: {figure}; {details}".split("`")):
                said += nodes.literal("", part) if k % 2 else nodes.Text(part)
            listed += nodes.list_item("", said)
        return [listed]
