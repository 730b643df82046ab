"""What happened to the data: texts are added to a new audit, and the old one stays as it was."""

from __future__ import annotations

from ropewalk.data import Audit, Dropped


def test_texts_come_after_those_that_are_there() -> None:
    first = Audit(paired=3, notes=("a",), warnings=("b",), cautions=("c",))
    more = first.noted("d", "e").warned("f").cautioned("g")
    assert (more.notes, more.warnings, more.cautions) == (("a", "d", "e"), ("b", "f"), ("c", "g"))
    assert (first.notes, first.warnings, first.cautions) == (("a",), ("b",), ("c",))


def test_a_caution_is_said_once() -> None:
    assert Audit(paired=3).cautioned("a", "b", "a").cautioned("b").cautions == ("a", "b")


def test_only_units_that_a_model_lacks_are_unpaired() -> None:
    lost = (Dropped(reason="only in a.csv", units=3), Dropped(reason="a repeat", units=4, unpaired=False))
    audit = Audit(paired=10, dropped=lost)
    assert (audit.left_out, audit.unpaired) == (7, 3)
