"""A document is its blocks: cautions come as one, and none where there is nothing to say."""

from __future__ import annotations

from dataclasses import FrozenInstanceError

import pytest

from ropewalk.report.document import Cautions, Document, Headline, cautions


def test_cautions_are_one_block_of_warnings() -> None:
    assert cautions([]) == []
    assert cautions(["a", "b"]) == [Cautions(lines=("warning: a", "warning: b"))]


def test_a_document_cannot_be_changed() -> None:
    document = Document(blocks=(Headline(text="a is better"),))
    with pytest.raises(FrozenInstanceError):
        document.blocks = ()
