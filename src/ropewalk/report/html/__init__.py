"""Report -> HTML: a fragment for notebooks, and an interactive page."""

from ropewalk.report.html.blocks import fragment
from ropewalk.report.html.page import page

__all__ = ["fragment", "page"]
