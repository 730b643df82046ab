"""Checks of the site as it was built: nothing is loaded from another host, and every link within the site leads somewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

# What a browser loads by itself: the attribute of each element. A link is followed only when it is clicked.
LOADED = {
    "script": "src",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "audio": "src",
    "video": "src",
    "link": "href",
}
HARMLESS = {"canonical", "next", "prev", "search", "index", "author", "help"}  # links that are not loaded
ELSEWHERE = re.compile(r"(?:https?:)?//")
IN_CSS = re.compile(r"""(?:url\(|@import)\s*["']?((?:https?:)?//[^"')\s]+)""")


def setup(app: Any) -> dict[str, Any]:
    app.connect("build-finished", check)
    return {"parallel_read_safe": True, "version": "1"}


def check(app: Any, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        faults = found(Path(app.outdir))
        if faults:
            from sphinx.errors import SphinxError

            raise SphinxError("the site is not right:\n" + "\n".join(faults))


class Page(HTMLParser):
    """What a page loads, where it links to, and the anchors that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.loads: list[str] = []
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        said = {key: value or "" for key, value in attributes}
        self.anchors |= {said[key] for key in ("id", "name") if key in said}
        if tag == "a" and "href" in said:
            self.links.append(said["href"])
        loaded = said.get(LOADED.get(tag, ""), "")
        if loaded and not (tag == "link" and set(said.get("rel", "").split()) <= HARMLESS):
            self.loads.append(loaded)


def found(site: Path) -> list[str]:
    """What is wrong with a built site, one line each."""
    written = (
        path for path in sorted(site.rglob("*.html")) if "_static" not in path.parts
    )  # templates of the theme
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in written}
    faults = [
        f"{path.relative_to(site)} loads {address}"
        for path, page in pages.items()
        for address in page.loads
        if ELSEWHERE.match(address)
    ]
    for path in sorted(site.rglob("*.css")):
        text = path.read_text(encoding="utf-8")
        faults += [f"{path.relative_to(site)} loads {address}" for address in IN_CSS.findall(text)]
    for path, page in pages.items():
        for link in (*page.links, *(address for address in page.loads if not address.startswith("data:"))):
            fault = _broken(path, link, pages)
            if fault:
                faults.append(f"{path.relative_to(site)} links to {link}: {fault}")
    return faults


def _broken(path: Path, link: str, pages: dict[Path, Page]) -> str:
    parts = urlsplit(link)
    if parts.scheme or parts.netloc:
        return ""
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if target.is_dir():
        target /= "index.html"
    if not target.exists():
        return "there is no such file"
    anchor = unquote(parts.fragment)
    if anchor and target in pages and anchor not in pages[target].anchors:
        return "the page has no such place"
    return ""
