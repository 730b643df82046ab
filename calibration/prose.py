"""Paragraphs of a page, folded."""

from __future__ import annotations

import textwrap


def paragraph(*sentences: str) -> str:
    """One paragraph, folded into lines of at most 110 characters."""
    return textwrap.fill(" ".join(sentences), 110, break_long_words=False, break_on_hyphens=False)
