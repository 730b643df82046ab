"""Measuring and breaking lines of text."""

from __future__ import annotations

import matplotlib
import pytest
from matplotlib.figure import Figure

from ropewalk.plot import fonts
from ropewalk.plot.style import settings


@pytest.mark.parametrize("dpi", [72, 150, 300])
@pytest.mark.parametrize("text", ["m" * 60, "i" * 60, "AVATAR To. fi", "← forest better", "−0.01"])
def test_the_width_is_that_of_the_drawn_text(text, dpi):
    """Oracle: the box of the text as it is drawn, to a pixel or two.

    Matplotlib before 3.11 rounds the width of each letter to an eighth of a pixel.
    """
    with settings():
        figure = Figure(figsize=(10, 1), dpi=dpi)
        drawn = figure.text(0, 0.5, text, fontsize=8.5).get_window_extent().width * 72 / dpi
    assert fonts.width(text, 8.5) == pytest.approx(drawn, abs=(2 + len(text) / 16) * 72 / dpi)


@pytest.mark.parametrize("room", [40.0, 90.0, 300.0])
@pytest.mark.parametrize(
    "text",
    ["one two three four five", "org/name-with_parts-7B-instruct better", "x" * 70, "a " + "y" * 70 + " b"],
)
def test_lines_fit_and_nothing_is_lost(text, room):
    lines = fonts.wrap(text, room, 10.0)
    assert all(fonts.width(line, 10.0) <= room for line in lines)
    assert "".join(lines).replace(" ", "") == text.replace(" ", "")


def test_where_lines_break():
    assert fonts.wrap("alpha beta", 1000.0, 10.0) == ["alpha beta"]
    assert fonts.wrap("alpha beta", 40.0, 10.0) == ["alpha", "beta"]
    assert fonts.wrap("0.62,\xa0x y", 40.0, 10.0) == ["0.62,\xa0x", "y"]  # not at a no-break space
    assert fonts.wrap("organisation/model", 75.0, 10.0) == ["organisation/", "model"]  # after a slash
    assert fonts.wrap("", 75.0, 10.0) == [""]


def test_letters_without_a_shape_are_replaced():
    assert fonts.shown("forest-α_é→") == "forest-α_é→"
    assert fonts.shown("漢x🦙") == "�x�"


def test_an_installed_font_fills_in(monkeypatch):
    """STIX comes with matplotlib and has letters that DejaVu Sans does not have."""
    letter = "⤣"
    fonts._installed.cache_clear()
    fonts._letters.cache_clear()
    assert fonts.shown(letter) == "�"
    monkeypatch.setattr(fonts, "_FALLBACKS", ("No Such Font", "STIXGeneral"))
    fonts._installed.cache_clear()
    fonts._letters.cache_clear()
    try:
        assert fonts.families() == ("DejaVu Sans", "STIXGeneral")
        assert fonts.shown(letter) == letter
    finally:
        fonts._installed.cache_clear()
        fonts._letters.cache_clear()


@pytest.mark.parametrize(
    ("asked", "first"),
    [
        ({}, "DejaVu Sans"),
        ({"font.family": "serif"}, "DejaVu Serif"),
        ({"font.family": "STIXGeneral"}, "STIXGeneral"),
        ({"font.sans-serif": ["No Such Font", "DejaVu Sans Mono"]}, "DejaVu Sans Mono"),
        ({"font.family": ["No Such Font", "STIXGeneral"]}, "STIXGeneral"),
    ],
)
def test_the_font_of_the_user_comes_first(asked, first):
    """These fonts come with matplotlib. Letters that the user's font does not have are drawn with ours."""
    with matplotlib.rc_context(asked):
        found = fonts.families()
        assert found[0] == first
        assert "DejaVu Sans" in found
        with settings():
            assert fonts.families() == found


def test_matplotlib_says_that_a_font_is_not_installed(caplog):
    fonts._installed.cache_clear()
    with matplotlib.rc_context({"font.family": "No Such Font"}):
        assert fonts.families() == ("DejaVu Sans",)
    assert "No Such Font" in caplog.text


@pytest.mark.parametrize("room", [20.0, 60.0, 120.0, 400.0])
@pytest.mark.parametrize("text", ["mmlu_abstract_algebra", "x" * 100, "", "ab"])
def test_a_shortened_line_fits_and_keeps_both_ends(text, room):
    line = fonts.shorten(text, room, 8.5)
    assert fonts.width(line, 8.5) <= room
    if line != text:
        start, end = line.split("…")
        assert text.startswith(start)
        assert text.endswith(end)
        assert 0 <= len(end) - len(start) <= 1
    assert fonts.width(text, 8.5) > room or line == text


@pytest.mark.parametrize("text", ["mmlu_abstract_algebra", "AVATAR To. fi " * 3, "x", "ij", ""])
def test_as_many_letters_are_kept_as_there_is_room_for(text):
    """Oracle: every number of letters is tried."""
    for room in (0.0, 10.0, 33.3, 60.0, 90.0, 1000.0):
        fits = [k for k in range(1, len(text)) if fonts.width(fonts._without_middle(text, k), 8.5) <= room]
        kept = max(fits, default=min(1, len(text) - 1))
        expected = text if fonts.width(text, 8.5) <= room else fonts._without_middle(text, kept)
        assert fonts.shorten(text, room, 8.5) == expected
