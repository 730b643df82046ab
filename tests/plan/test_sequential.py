"""Plans in batches."""

from __future__ import annotations

import json

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.errors import MethodError, OptionError
from tests.plan.pilots_of_plans import outcomes, scores


def test_a_plan_in_batches() -> None:
    found = rw.plan.sequential(outcomes(), rope=0.01, batches=6, batch_size=200, draws=400)
    assert [s.name for s in found.scenarios] == [
        "no difference",
        "at the edge",
        "twice the edge",
        "four times the edge",
        "as observed",
    ]
    for s in found.scenarios:
        assert s.stopped.verdicts.sum() == pytest.approx(1.0)
        assert 200 <= s.stopped.units <= 1_200
        assert s.kept.units >= s.stopped.units
    assert found.edge.wrong > found.edge.wrong_once - 0.03
    assert found.scenarios[1].kept.verdicts[0] <= 0.05
    text = found.to_text()
    assert max(map(len, text.splitlines())) <= 80
    assert 'keeps a wrong "better" there at 5%' in " ".join(text.split())
    content = json.loads(found.to_json())
    assert content["schema"] == "ropewalk-plan-sequential/1"
    assert content["keeping"]["threshold"] == found.keeping
    assert rw.plot.render(found.plot(), ".png").startswith(b"\x89PNG")
    assert str(found) == text
    assert "ropewalk plan in batches" in repr(found)


def test_what_batches_refuse() -> None:
    stated = {"difference": 0.02, "sd": 0.3, "rope": 0.01, "draws": 50}
    with pytest.raises(OptionError, match="batches is 0"):
        rw.plan.sequential(batches=0, **stated)
    with pytest.raises(OptionError, match="batch_size is 1"):
        rw.plan.sequential(batch_size=1, **stated)
    with pytest.raises(OptionError, match="needs a ROPE of positive width"):
        rw.plan.sequential(difference=0.02, sd=0.3, rope=0.0)
    with pytest.raises(OptionError, match="one pair of models on one task"):
        rw.plan.sequential({**scores(), "third": np.zeros(300)})
    with pytest.raises(MethodError, match="sequential plans are not supported for signed_rank"):
        rw.plan.sequential(scores(), method="signed_rank")


def test_a_look_after_the_pilot_goes_on_from_it() -> None:
    # Oracle: one batch of m units after the pilot is the assurance of m more.
    data = outcomes()
    one = rw.plan.sequential(data, rope=0.01, batches=1, batch_size=5_000, draws=4_000)
    curve = rw.plan(data, rope=0.01, more=[5_000], draws=4_000).pairs[0].directions[0].curve
    decided = 1 - float(one.scenarios[-1].stopped.verdicts[3])
    assert decided == pytest.approx(float(curve.decided[0]), abs=4 * np.sqrt(2 * 0.25 / 4_000))


def test_batches_expect_plausible_differences_too() -> None:
    flat, default = (
        rw.plan.sequential(outcomes(200, seed=4), rope=0.01, batches=3, draws=400, prior_sd=s)
        for s in (float("inf"), None)
    )
    assert default.to_json() != flat.to_json()
