"""For sphinx-gallery: the figures that a code block assigned to variables, which pyplot does not know."""

from __future__ import annotations

from typing import Any

from matplotlib.figure import Figure
from sphinx_gallery.scrapers import figure_rst

_taken: list[Figure] = []  # kept, so that no later figure gets the identity of an earlier one


def scrape(block: Any, block_vars: dict[str, Any], gallery_conf: dict[str, Any]) -> str:
    """Save every new figure, and return the reST that shows it."""
    from ropewalk.plot import render

    paths = []
    for figure in list(block_vars["example_globals"].values()):
        if isinstance(figure, Figure) and not any(figure is other for other in _taken):
            _taken.append(figure)
            path = block_vars["image_path_iterator"].next()
            with open(path, "wb") as file:  # noqa: PTH123
                file.write(render(figure, ".png"))
            paths.append(path)
    return figure_rst(paths, gallery_conf["src_dir"])
