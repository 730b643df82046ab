"""PNG files: the pixels of matplotlib's own, in fewer bytes."""

from __future__ import annotations

from io import BytesIO

import matplotlib.style
import numpy as np
import pytest
from matplotlib.figure import Figure
from PIL import Image

import ropewalk as rw
from ropewalk.plot import render


def plain() -> Figure:
    figure = Figure(figsize=(4, 3), dpi=120)
    ax = figure.add_subplot()
    ax.fill_between(np.linspace(0, 1, 50), np.linspace(0, 1, 50) ** 2, color="#80b9d9")
    ax.set_xlabel("difference")
    return figure


def ours() -> Figure:
    return rw.compare({"forest": [1, 1, 0, 1, 1, 1], "svm": [0, 1, 0, 1, 1, 0]}).plot()


def opened(file: bytes) -> Image.Image:
    image = Image.open(BytesIO(file))
    image.load()
    return image


@pytest.mark.parametrize("figure", [plain, ours])
def test_the_pixels_and_the_resolution_are_those_of_matplotlib(figure):
    drawn = figure()
    file, usual = render(drawn, ".png"), BytesIO()
    with rw.plot.style.settings():
        drawn.savefig(usual, format="png")
    mine, theirs = opened(file), opened(usual.getvalue())
    assert (np.asarray(mine) == np.asarray(theirs)).all()
    assert mine.mode == theirs.mode == "RGBA"
    assert mine.info["dpi"] == theirs.info["dpi"]


def test_a_plot_takes_less_space_than_with_filters():
    drawn, usual = ours(), BytesIO()
    drawn.savefig(usual, format="png", pil_kwargs={"compress_level": 3})
    assert len(render(drawn, ".png")) < len(usual.getvalue())


def test_a_file_says_nothing_of_its_maker():
    assert set(opened(render(plain(), ".png")).info) == {"dpi"}


def test_what_the_user_has_set_for_files_is_kept():
    with matplotlib.style.context({"savefig.dpi": 60, "savefig.transparent": True}):
        image = opened(render(plain(), ".png"))
    assert image.size == (240, 180)
    assert image.getpixel((0, 0))[3] == 0
    with matplotlib.style.context({"savefig.bbox": "tight", "savefig.pad_inches": 0.5}):
        assert opened(render(plain(), ".png")).size != (480, 360)
