"""What renders itself: text and Markdown from one document."""

from __future__ import annotations

import pytest

import ropewalk as rw
from ropewalk.report.document import Document, Headline
from ropewalk.results.rendered import Rendered

SCORES = {"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}


class Said(Rendered):
    """One sentence."""

    def _document(self) -> Document:
        return Document(blocks=(Headline(text="A is better than B."),))


def test_text_and_markdown_say_what_the_document_says() -> None:
    assert Said().to_text().strip() == "A is better than B."
    assert "A is better than B." in Said().to_markdown()
    assert str(Said()) == Said().to_text()


def test_without_a_document_there_is_nothing_to_render() -> None:
    with pytest.raises(NotImplementedError):
        Rendered().to_text()


def test_reports_plans_and_checks_are_rendered_in_one_way() -> None:
    found = (rw.compare(SCORES), rw.plan(SCORES), rw.check(SCORES))
    for one in found:
        assert isinstance(one, Rendered)
        assert str(one) == one.to_text()
        assert "to_text" not in vars(type(one))
        assert max(map(len, one.to_text(width=60).splitlines())) <= 60
