"""Report -> HTML: a fragment for notebooks, a page that a person can play with."""

from ropewalk.report.html.blocks import fragment
from ropewalk.report.html.page import page

__all__ = ["fragment", "page"]
