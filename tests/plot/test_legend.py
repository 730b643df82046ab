"""Legends: every sign with its text, on as many lines as they need."""

from __future__ import annotations

from typing import Any

from ropewalk.plot.frame import frame
from ropewalk.plot.legend import Sign, hatched, legend
from tests.plot.boards import clear

SIGNS = [
    Sign(text="better", colour="#0072b2"),
    Sign(text="missing", kind="hatched"),
    Sign(text="undecided", colour="#000000", kind="dot"),
    Sign(text="other", colour="#000000", kind="circle"),
]


def drawn(signs: list[Sign]) -> Any:
    with frame(None, "screen") as page:
        page.ax.set_xlim(0, 1)
        page.ax.set_ylim(0, 1)
        page.above = 0
        legend(page, signs)
    return page


def test_boxes_dots_and_hatching_stand_by_their_texts() -> None:
    page = drawn(SIGNS)
    assert [t.get_text() for t in page.ax.texts] == [s.text for s in SIGNS]
    assert len(page.ax.patches) == 2
    assert page.ax.lines[0].get_markerfacecolor() == "#000000"
    assert len({line.get_markerfacecolor() for line in page.ax.lines}) == 2
    clear(page.figure)


def test_signs_without_room_go_to_the_next_line() -> None:
    one, many = drawn(SIGNS), drawn([Sign(text=f"a sign with a long text {i}") for i in range(12)])
    assert many.above > one.above
    assert (
        len({round(t.xyann[1], 3) if hasattr(t, "xyann") else t.get_position()[1] for t in many.ax.texts}) > 1
    )
    clear(many.figure)


def test_hatching_is_one_shape_of_all_polygons() -> None:
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    patch = hatched([square, [(x + 2, y) for x, y in square]])
    assert patch.get_path().get_extents().bounds == (0, 0, 3, 1)
    assert patch.get_hatch() == "//////"
