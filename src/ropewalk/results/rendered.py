"""Base class of answers that render themselves: reports, plans and the interpretation of data."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ropewalk.report.document import Document


class Rendered:
    """An answer that renders itself from its document."""

    __slots__ = ()

    def _document(self) -> Document:
        raise NotImplementedError

    def to_text(self, *, width: int = 80) -> str:
        """Render it as plain text.

        Parameters
        ----------
        width : int, default 80
            Number of columns.

        Returns
        -------
        str
            What the command prints.
        """
        from ropewalk.report import text

        return text.render(self._document(), width=width)

    def to_markdown(self) -> str:
        """Render it as Markdown.

        Returns
        -------
        str
            A Markdown document.
        """
        from ropewalk.report import markdown

        return markdown.render(self._document())

    def __str__(self) -> str:
        return self.to_text()
