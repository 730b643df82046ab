"""Data of the papers that several tests use."""

from __future__ import annotations

import pytest


@pytest.fixture(scope="session")
def language_pairs():
    """{language pair: (n01, n10)}, Table 1 of Williams: GNN = A, LLM = B."""
    names = "de-en da-en es-en fr-en it-en id-en nl-en sv-en tr-en tr-de zh-en"
    n01 = [63, 159, 175, 180, 202, 185, 195, 156, 64, 113, 44]
    n10 = [66, 198, 149, 167, 167, 193, 176, 133, 30, 103, 46]
    return dict(zip(names.split(), zip(n01, n10, strict=True), strict=True))
