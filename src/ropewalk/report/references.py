"""References of the methods that a report used, as BibTeX."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib.resources import files

from ropewalk.methods import known
from ropewalk.version import VERSION


def entries() -> dict[str, str]:
    """Return every entry by its key, from references.bib and from registered methods.

    DOIs are those on the method cards; an entry whose DOI was not found has none.
    """
    return _entries("\n".join([_shipped(), *(m.references for m in known().values() if m.references)]))


@cache
def _shipped() -> str:
    text = (files("ropewalk.report") / "references.bib").read_text(encoding="utf-8")
    return text.replace("@VERSION@", VERSION)


@cache
def _entries(text: str) -> dict[str, str]:
    return {entry[1]: entry[0] for entry in re.finditer(r"^@\w+\{(\w+),\n.*?^\}\n", text, re.M | re.S)}


def short_form(key: str) -> str:
    """Return authors and year, as cited in a text.

    >>> short_form("benavoli2017"), short_form("juarez2010"), short_form("cohen1988")
    ('Benavoli et al. 2017', 'Juárez & Steel 2010', 'Cohen 1988')
    """
    entry = entries()[key]
    author, year = (_field(entry, name) for name in ("author", "year"))
    families = [_letters(name.split(",")[0]) for name in author.split(" and ")]
    names = {1: families[0], 2: " & ".join(families)}.get(len(families), f"{families[0]} et al.")
    return f"{names} {year}"


def cited(keys: Iterable[str]) -> str:
    """
    >>> cited(["rubin1981", "cohen1988"])
    'Rubin 1981; Cohen 1988'
    """
    return "; ".join(short_form(key) for key in keys)


def bibtex(keys: Iterable[str]) -> str:
    """Return the entries of these keys, each once, in alphabetical order."""
    return "\n".join(entries()[key] for key in sorted(set(keys)))


def _field(entry: str, name: str) -> str:
    found = re.search(rf"^  {name} = \{{(.*)\}},$", entry, re.M)
    assert found, f"no {name} in {entry}"  # the file shipped with ropewalk
    return found[1]


_ACCENTS = {"'": "\N{COMBINING ACUTE ACCENT}", "v": "\N{COMBINING CARON}", "c": "\N{COMBINING CEDILLA}"}


def _letters(tex: str) -> str:
    """Replace TeX accents by letters."""
    plain = re.sub(r"\{\\(['vc])\{(\w)\}\}", lambda m: m[2] + _ACCENTS[m[1]], tex)
    return unicodedata.normalize("NFC", plain).strip("{}")
