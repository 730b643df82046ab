"""Paragraphs of a page, folded."""

from __future__ import annotations

import textwrap


def paragraph(*sentences: str) -> str:
    """One paragraph of lines of at most 110 characters; a number stays with its percent sign."""
    whole = " ".join(sentences).replace(" %", "\u00a0%")
    return textwrap.fill(whole, 110, break_long_words=False, break_on_hyphens=False)
