"""Planning: priors, refusals and whether plans come true."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import OptionError
from tests.plan.pilots_of_plans import outcomes, plan, scores


def test_the_loss_matrix_decides_as_well() -> None:
    loss = ((0, 20, 20), (20, 0, 20), (20, 20, 0), (1, 1, 1))
    a = rw.plan(difference=0.02, sd=0.3, rope=0.01, draws=500, more=[4_000])
    b = rw.plan(difference=0.02, sd=0.3, rope=0.01, draws=500, more=[4_000], loss_matrix=loss)
    assert a.pairs[0].directions[0].curve.decided == b.pairs[0].directions[0].curve.decided


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "there is nothing to plan from"),
        ({"difference": 0.02}, "needs sd as well"),
        ({"sd": 0.3}, "needs difference as well"),
        ({"difference": float("nan"), "sd": 0.3}, "difference is nan"),
        ({"difference": 0.02, "sd": 0.0}, r"sd is 0\.0"),
        ({"difference": 0.02, "sd": 0.3, "examples": 1}, "examples is 1"),
        ({"difference": 0.02, "sd": 0.3, "examples": -4}, "examples is -4"),
        ({"difference": 0.02, "sd": 0.3, "unsure": -1.0}, r"unsure is -1\.0"),
        ({"difference": 0.02, "accuracy": (0.9, 0.8)}, "both accuracies and a difference are given"),
        ({"accuracy": (0.9, 1.8), "disagreement": 0.1}, r"the accuracies are 0\.9 and 1\.8"),
        ({"accuracy": (0.9, 0.8)}, "needs the rate of disagreement as well"),
        ({"accuracy": (0.9, 0.8), "disagreement": 0.05}, r"cannot disagree on 0\.05"),
        ({"accuracy": (0.9, 0.8), "disagreement": 0.5}, r"cannot disagree on 0\.5"),
        ({"accuracy": (0.9, 0.8), "disagreement": 0.2, "unsure": 0.1}, "unsure can be used with difference"),
        ({"difference": 0.02, "sd": 0.3, "assurance": 1.0}, r"assurance is 1\.0"),
        ({"difference": 0.02, "sd": 0.3, "rng": 0.5}, r"rng is 0\.5"),
        (
            {"difference": 0.02, "sd": 0.3, "costs": {"exmple": 1.0}},
            'there is no unit "exmple" that could have a cost',
        ),
        ({"difference": 0.02, "sd": 0.3, "costs": {"example": -1.0}}, r"the price of one example is -1\.0"),
        ({"difference": 0.02, "sd": 0.3, "metric": "auroc"}, 'the option "metric" needs data'),
        ({"difference": 0.02, "sd": 0.3, "draws": 0}, "draws is 0"),
        ({"difference": 0.02, "sd": 0.3, "threshold": 0.3}, r"the threshold is 0\.3"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        rw.plan(**options)


def chance(data: object, **options: object) -> float:
    return float(plan(data, more=[3_000], **options).pairs[0].directions[0].curve.decided[0])


def test_plausible_differences_are_small_unless_said_otherwise() -> None:
    data = outcomes(200, seed=4)
    default, given, wide, flat = (
        chance(data, rope=0.01, prior_sd=s) for s in (None, 0.015, 0.1, float("inf"))
    )
    assert default == given  # 0.015 for right and wrong answers
    assert default < wide < flat
    (pair,) = plan(data, rope=0.01).pairs
    assert pair.conditions == "differences of about ±0.015 before seeing data (1.5 percentage points)"
    assert "expects" in plan(data, rope=0.01).to_text()
    document = json.loads(plan(data, rope=0.01).to_json())
    assert document["pairs"][0]["prior"] == {
        "sd": pytest.approx(0.015),
        "source": "1.5 percentage points",
    }
    flat_plan = plan(data, rope=0.01, prior_sd=float("inf"))
    assert "too optimistic" in flat_plan.pairs[0].conditions
    assert json.loads(flat_plan.to_json())["pairs"][0]["prior"]["sd"] is None


def test_where_the_default_spread_comes_from() -> None:
    # In percent it is 1.5; of scores without a range a twentieth of the spread of the differences.
    percent = [81.0, 78, 84, 80, 79, 83, 77, 82], [80.5, 79.5, 82, 81.5, 78, 84, 75, 83]
    frame = pd.DataFrame(
        {
            "task": list("pqrstuvw") * 2,
            "model": ["a"] * 8 + ["b"] * 8,
            "accuracy": [*percent[0], *percent[1]],
        }
    )
    (pair,) = plan(frame, method="sign").pairs
    assert pair.prior is not None
    assert pair.prior.sd == pytest.approx(1.5)
    data = scores()
    (pair,) = plan(data, rope=0.02).pairs
    assert pair.prior is not None
    assert pair.prior.sd == pytest.approx(0.05 * np.std(data["new"] - data["old"], ddof=1))
    assert pair.prior.source == "a twentieth of the standard deviation of the examples' differences"


def test_data_that_surprise_the_prior_are_named() -> None:
    (pair,) = plan(scores(40, mean=0.15), rope=0.1, prior_sd=0.01).pairs
    assert any("standard deviations from what the prior expects" in note for note in pair.notes)
    (pair,) = plan(scores(40, mean=0.15), rope=0.1, prior_sd=0.1).pairs
    assert not pair.notes


@pytest.mark.proof
def test_what_a_plan_says_is_what_comes() -> None:
    # Oracle: true differences from N(0, 0.015²), pilots of 200 that are undecided, and their continuation
    # through rw.compare. calibration/plan_chances.py does the same with more pilots and other data.
    rng = np.random.default_rng(6)

    def draw(truth: float, n: int) -> np.ndarray:
        u = rng.random(n)
        return np.where(u < 0.05 + truth / 2, 1.0, np.where(u > 0.95 + truth / 2, -1.0, 0.0))

    said, flat, came = [], [], []
    for _ in range(90):
        truth = rng.normal(0, 0.015)
        first, more = draw(truth, 200), draw(truth, 3_000)
        pilot = {"a": (first >= 0).astype(float), "b": (first <= 0).astype(float)}
        found = rw.plan(pilot, rope=0.01, more=[3_000], draws=200).pairs[0]
        if found.is_decided:
            continue
        said.append(float(found.directions[0].curve.decided[0]))
        flat.append(chance(pilot, rope=0.01, prior_sd=float("inf")))
        d = np.concatenate([first, more])
        both = {"a": (d >= 0).astype(float), "b": (d <= 0).astype(float)}
        came.append(rw.compare(both, rope=0.01).comparisons[0].verdict.name != "undecided")
    error = np.sqrt(np.mean(came) * (1 - np.mean(came)) / len(came))
    assert np.mean(said) == pytest.approx(np.mean(came), abs=3 * error)
    assert np.mean(flat) > np.mean(came) + 4 * error  # what it was without a prior


@pytest.mark.parametrize("function", [rw.plan, rw.plan.sequential])
def test_a_typo_gets_a_suggestion(function: Any) -> None:
    with pytest.raises(OptionError, match='Did you mean "reference"'):
        function({"a": [1, 0, 1, 1], "b": [0, 0, 1, 1]}, refrence="a")
