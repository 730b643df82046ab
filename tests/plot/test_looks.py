"""Looks: two lines, which are the shares that the plan found."""

from __future__ import annotations

import pytest

import ropewalk as rw
from tests.plan.pilots_of_plans import outcomes


@pytest.mark.parametrize("style", ["screen", "paper"])
def test_the_lines_are_the_shares_of_wrong_verdicts(style: str) -> None:
    found = rw.plan.sequential(outcomes(), rope=0.01, batches=4, batch_size=300, draws=200)
    figure = found.plot(style=style)
    edge = found.scenarios[1]
    lines = {tuple(line.get_ydata()) for line in figure.axes[0].lines if len(line.get_xdata()) == 4}
    assert lines == {tuple(edge.stopped.wrong_by_look), tuple(edge.kept.wrong_by_look)}
    words = " ".join(t.get_text() for t in figure.axes[0].texts)
    assert f"stop at {found.threshold:.15g}" in words
