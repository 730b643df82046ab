"""The plan: what it says, what it refuses, and that it says the same twice."""

from __future__ import annotations

import math
import re

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.special import ndtri
from scipy.stats import norm

import ropewalk as rw
from tests.plan.pilots_of_plans import plan


def on_tasks(sizes: list[int], *, unit: str = "id") -> pd.DataFrame:
    rng = np.random.default_rng(5)
    rows = []
    for t, n in enumerate(sizes):
        d = rng.normal(0.0, 0.1, n)
        d += 0.01 + 0.01 * (t % 2) - d.mean()
        rows += [(m, f"t{t}", i, 0.5 + s * x / 2) for m, s in (("a", 1), ("b", -1)) for i, x in enumerate(d)]
    return pd.DataFrame(rows, columns=["model", "task", unit, "accuracy"])


def chance_of_normal(mean: float, before: float, after: float, edge: float, p: float = 0.95) -> float:
    """Of a normal posterior with this mean, whose standard deviation falls: the chance that it decides."""
    moves, z = norm(mean, np.sqrt(before**2 - after**2)), ndtri(p)
    decided = moves.sf(edge + z * after) + moves.cdf(-edge - z * after)
    inside = lambda x: norm.cdf(edge, x, after) - norm.cdf(-edge, x, after) - p  # noqa: E731
    if inside(0.0) > 0:
        reach = brentq(inside, 0.0, edge)
        decided += moves.cdf(reach) - moves.cdf(-reach)
    return float(decided)


@pytest.mark.parametrize("times", [0.5, 3.0, 40.0])
def test_more_examples_on_exactly_these_tasks_against_the_closed_form(times: float) -> None:
    """What is not known of these tasks is noise within them: its variance falls as 1/n."""
    data, n = on_tasks([150, 200, 250]), 600
    (c,) = rw.compare(data, question="these").overall
    more = int(times * n)
    found = rw.plan(data, question="these", prior_sd=np.inf, more=[more], draws=8_000)
    (direction,) = found.pairs[0].directions
    assert (direction.unit, direction.n) == ("example", n)
    sd = c.posterior.sd
    wanted = chance_of_normal(c.posterior.mean, sd, sd * np.sqrt(n / (n + more)), c.rope.high)
    error = np.sqrt(wanted * (1 - wanted) / 8_000)
    assert direction.curve.decided[0] == pytest.approx(wanted, abs=4 * error + 0.003)
    assert "spread over these tasks" in found.to_text()


def test_more_folds_on_exactly_these_tasks_never_tell_all() -> None:
    """Of n folds per task with correlation rho the part 1/n of 1/n + rho/(1 - rho) falls."""
    data = on_tasks([10, 10, 10, 10], unit="fold")
    (c,) = rw.compare(data, question="these").overall
    found = rw.plan(data, question="these", prior_sd=np.inf, draws=8_000)
    (direction,) = found.pairs[0].directions
    rho = 0.1
    after = c.posterior.sd * np.sqrt(rho / (1 - rho) / (1 / 10 + rho / (1 - rho)))
    wanted = chance_of_normal(c.posterior.mean, c.posterior.sd, after, c.rope.high)
    assert direction.unit == "fold"
    assert direction.curve.limit == pytest.approx(wanted, abs=0.03)  # t with 39 degrees, not normal


def test_the_report_names_examples_for_these_tasks_and_what_is_not_planned_says_so() -> None:
    (c,) = rw.compare(on_tasks([150, 200, 250]), question="these").overall
    assert c.verdict.name == "undecided"
    text = rw.compare(on_tasks([150, 200, 250]), question="these").to_text(width=200)
    assert re.search(r"Next +about [\d,]+ more examples would give an 80% chance", text)
    right = pd.DataFrame(
        [(m, f"t{t}", i, int((i * (7 + k) + t) % 10 < 8)) for t in range(3) for k, m in enumerate("ab")
         for i in range(50)],
        columns=["model", "task", "id", "correct"],
    )  # fmt: skip
    found = plan(right, question="these", rope="0.1sd")
    assert found.pairs[0].directions == ()
    assert "give the ROPE as a number" in found.to_text()


def test_equal_scores_are_planned_like_equal_right_and_wrong_answers() -> None:
    # Oracle: both have the same posterior, so with the same prior both have the same futures.
    graded, answers = np.tile([0.7, 1.0], 10), np.tile([0.0, 1.0], 10)
    decided = []
    for scores in (graded, answers):
        data = {"a": scores, "b": scores}
        plan = rw.plan(data, more=[500, 20_000], prior_sd=0.01, higher_is_better=True, rho=0).pairs[0]
        decided.append(plan.directions[0].curve.decided)
    assert decided[0] == pytest.approx(decided[1], abs=1e-12)
    assert decided[0][0] < 0.5 < decided[0][1]


def test_data_that_do_not_vary_say_how_many_alike_would_decide() -> None:
    # Closed form: (1 - 1/30)^(n + 3) <= 0.05 for scores that are 30 apart and one percentage point.
    scores = np.tile([70.0, 100.0], 10)
    plan = rw.plan({"a": scores, "b": scores}, higher_is_better=True, rho=0).pairs[0]
    assert plan.directions == ()
    needed = math.ceil(math.log(0.05) / math.log(29 / 30) - 3)
    assert any(
        f"{needed} independent examples with the same difference would decide it" in note
        for note in plan.notes
    )
    shifted = rw.plan({"a": scores, "b": scores - 3}, higher_is_better=True, rho=0).pairs[0]
    assert shifted.directions == ()
    # 67 to 100 are 33 apart: Pr(mean <= 1) = 36/66 (1 - 2/36)^(n + 3) after n advantages of 3.
    needed = math.ceil(math.log(0.05 * 66 / 36) / math.log(1 - 2 / 36) - 3)
    said = " ".join(shifted.notes)
    assert "nothing varies" in said
    assert f"{needed} independent examples with the same difference would decide it" in said
