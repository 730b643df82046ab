"""Cells in rows and columns: their names have room, and colours stand where they belong."""

from __future__ import annotations

import numpy as np
import pytest

from ropewalk.plot.frame import frame
from ropewalk.plot.grid import CellGrid
from ropewalk.plot.style import look
from tests.plot.boards import clear

LOOK = look("screen")


def test_short_heads_stand_upright_and_long_ones_are_turned() -> None:
    few = CellGrid.of(["a", "b"], ["x", "y", "z"], LOOK)
    assert not few.is_turned
    assert list(few.heads) == [0, 1, 2]
    many = CellGrid.of(["a", "b"], [f"a column of some length {i}" for i in range(80)], LOOK)
    assert many.is_turned
    assert len(many.heads) < 80


def test_numbers_are_never_turned_but_left_out() -> None:
    grid = CellGrid.of(["a"], [str(i + 1) for i in range(150)], LOOK)
    assert not grid.is_turned
    shown = [grid.columns[i] for i in grid.heads]
    assert shown[0] == "1"
    assert all(int(text) % 5 == 0 for text in shown[1:])


@pytest.mark.parametrize("missing", [False, True])
def test_cells_have_the_colours_that_were_given(missing: bool) -> None:
    colours = np.random.default_rng(0).uniform(size=(2, 3, 3))
    grid = CellGrid.of(["row one", "row two"], ["x", "y", "z"], LOOK, tags=["1", "2"])
    gap = np.zeros((2, 3), dtype=bool)
    gap[1, 2] = missing
    with frame(None, "screen", left=grid.left) as page:
        grid.draw(page, colours, gap)
        assert grid.fill_in(page, [["a", "b", ""], ["", "c", "d"]], [["black"] * 3] * 2)
    mesh = page.ax.collections[0]
    wanted = np.where(gap[..., None], 1.0, colours)
    assert np.asarray(mesh.get_array()) == pytest.approx(wanted)
    assert len(page.ax.patches) == int(missing)
    assert {t.get_text() for t in page.ax.texts} >= {"row one", "x", "a", "d", "1"}
    clear(page.figure)


def test_what_has_no_room_is_not_written() -> None:
    grid = CellGrid.of(["a"], ["x", "y"], LOOK)
    with frame(None, "screen", left=grid.left) as page:
        grid.draw(page, np.zeros((1, 2, 3)), np.zeros((1, 2), dtype=bool))
        before = len(page.ax.texts)
        assert not grid.fill_in(page, [["a word " * 100, "b"]], [["black"] * 2])
        assert len(page.ax.texts) == before
