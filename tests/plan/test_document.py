"""A plan as text."""

from __future__ import annotations

import ropewalk as rw
from tests.plan.pilots_of_plans import outcomes, plan


def test_the_text_fits_eighty_columns() -> None:
    for found in (plan(outcomes(), rope=0.01), rw.plan(difference=0.02, sd=0.3, rope=0.01, draws=100)):
        assert max(map(len, found.to_text().splitlines())) <= 80
    assert "± one standard error" in found.to_text()
    assert repr(found).startswith("<ropewalk plan: About")
    assert str(found) == found.to_text()


def test_the_columns_name_the_models() -> None:
    found = plan(outcomes(), rope=0.01)
    (pair,) = found.pairs
    (head,) = (line for line in found.to_text().splitlines() if "  decided" in line)
    assert f"{pair.a} better  equivalent  {pair.b} better" in head
