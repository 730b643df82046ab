"""What a plan says."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import OptionError
from tests.plan.pilots_of_plans import outcomes, plan, scores


def test_an_undecided_comparison_gets_a_number() -> None:
    found = plan(outcomes(), rope=0.01)
    (pair,) = found.pairs
    (direction,) = pair.directions
    assert pair.now is not None
    assert pair.now.name == "undecided"
    assert (direction.unit, direction.n, pair.method) == ("example", 1_200, "mcnemar")
    assert direction.needed is not None
    assert pair.sentence == (
        f"About {direction.needed:,} more examples would decide between forest and svm with probability 0.8."
    )
    assert direction.earliest is not None
    assert direction.earliest < direction.needed
    # Oracle of `stays`: the same counts, scaled, through compare itself.
    assert direction.stays is not None
    times = (1_200 + direction.stays) / 1_200
    table = dict(zip(("n00", "n01", "n10", "n11"), rw.read(outcomes()).counts("forest", "svm"), strict=True))
    posterior = rw.bayes.accuracy_difference(**{k: round(v * times) for k, v in table.items()})
    assert posterior.sf(0.01) >= 0.95 - 1e-3
    before = rw.bayes.accuracy_difference(**{k: round(v * times * 0.9) for k, v in table.items()})
    assert before.sf(0.01) < 0.95


def test_a_decided_comparison_needs_nothing() -> None:
    found = plan(scores(mean=0.5))
    assert found.pairs[0].sentence == "new is better than old: already decided, no more data are needed."
    assert found.pairs[0].directions == ()
    with pytest.raises(OptionError, match="there is no curve to draw: every pair is decided"):
        found.plot()


def test_folds_that_cannot_decide_say_so() -> None:
    rng = np.random.default_rng(2)
    rows = {"model": [], "repeat": [], "fold": [], "accuracy": []}
    for r in range(10):
        for k in range(10):
            base = 0.8 + 0.02 * rng.standard_normal()
            for model, value in (("nb", base), ("tree", base + 0.012 + 0.02 * rng.standard_normal())):
                for name, cell in zip(rows, (model, r, k, value), strict=True):
                    rows[name].append(cell)

    found = plan(pd.DataFrame(rows))
    (d,) = found.pairs[0].directions
    assert d.unit == "fold"
    assert d.needed is None
    assert d.curve.limit < 0.2
    text = found.to_text()
    assert "More folds alone cannot decide between" in text
    assert "more data sets" in text.replace("\n", " ")


def test_a_method_that_cannot_be_planned_says_so() -> None:
    rng = np.random.default_rng(0)

    rows = [
        (f"t{t}", i, x, x - 0.02 + 0.3 * rng.standard_normal())
        for t in range(6)
        for i, x in enumerate(rng.standard_normal(20))
    ]
    frame = pd.DataFrame(rows, columns=["task", "id", "new", "old"])
    found = rw.plan(frame, task="task", unit="id", method="poisson_binomial", draws=50)
    assert "planning is not supported for poisson_binomial" in found.to_text().replace("\n", " ")
    assert "There is no plan for new and old: see the note." in found.to_text()
