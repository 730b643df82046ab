"""Curves of assurance."""

from __future__ import annotations

import pytest

import ropewalk as rw
from ropewalk.errors import OptionError
from tests.plan.pilots_of_plans import outcomes, plan


def test_the_picture_is_drawn() -> None:
    found = plan(outcomes(), rope=0.01)
    for style in ("screen", "paper"):
        assert rw.plot.render(found.plot(style=style), ".png").startswith(b"\x89PNG")
    with pytest.raises(OptionError, match="there is no plan 3"):
        found.plot(3)
    one = rw.plan(difference=0.02, sd=0.3, rope=0.01, draws=50, more=[500])  # a single point is a band
    assert rw.plot.render(one.plot(), ".png").startswith(b"\x89PNG")
