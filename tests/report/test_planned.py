"""The one-line plan of an undecided comparison."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.assurance import Answers, Growth, Normal
from ropewalk.methods import method_of
from ropewalk.report.planned import first_plans, more_text
from ropewalk.results.comparison import Comparison
from ropewalk.results.evidence import Differences


def scores(n: int = 200, mean: float = 0.02, seed: int = 0) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    base = rng.standard_normal(n)
    return {"new": base + mean + 0.3 * rng.standard_normal(n), "old": base}


def one(data: object, **options: object) -> Comparison:
    report = rw.compare(data, **options)
    return (report.overall or report.comparisons)[0]


def design_of(c: Comparison) -> Growth | None:
    return method_of(c).directions(c).quick


def test_an_undecided_comparison_says_how_many_more() -> None:
    c = one(scores(), rope=0.01)
    assert c.verdict.name == "undecided"
    text = more_text(c)
    assert text.startswith("about ")
    assert text.endswith("more examples would give an 80% chance of a verdict")
    # Oracle: the plan itself, whose curve has closer points and four times the futures.
    needed = rw.plan(scores(), rope=0.01).pairs[0].directions[0].needed
    assert needed is not None
    said = int(text.split()[1].replace(",", ""))
    assert said == pytest.approx(needed, rel=0.35)
    assert f"Next {text}" in " ".join(rw.compare(scores(), rope=0.01).to_text().split())


def test_a_decided_one_says_nothing() -> None:
    assert more_text(one(scores(mean=1.0))) == ""
    loss = ((0, 20, 20), (20, 0, 20), (20, 20, 0), (1, 1, 1))
    assert more_text(one(scores(), rope=0.01, loss_matrix=loss)) == ""  # another rule decided


def test_what_takes_longer_points_to_the_plan() -> None:
    c = one(scores(), rope=0.01, method="signed_rank")
    if c.verdict.name == "undecided":
        assert more_text(c) == "run `ropewalk plan` to see how many more tasks would decide it"
    undecided = one(scores(), rope=0.01)
    assert more_text(replace(undecided, method="poisson_binomial")) == ""


def test_repeats_that_cannot_decide_say_so() -> None:
    rng = np.random.default_rng(2)
    n = 100
    d, base = 0.012 + 0.02 * rng.standard_normal(n), 0.8 + 0.02 * rng.standard_normal(n)
    import pandas as pd

    unit = {"repeat": np.tile(np.arange(n) // 10, 2), "fold": np.tile(np.arange(n) % 10, 2)}
    frame = pd.DataFrame(
        {"model": np.repeat(["A", "B"], n), **unit, "accuracy": np.concatenate([base + d, base])}
    )
    c = one(frame)
    design = design_of(c)
    assert isinstance(design, Normal)
    assert design.extra == pytest.approx(1 / 9)  # Oracle: rho = 1/10, so rho/(1 - rho) = 1/9
    assert (
        more_text(c) == "more folds alone are unlikely to decide it (chance below 0.01); see `ropewalk plan`"
    )


def test_the_design_is_read_off_the_comparison() -> None:
    k = np.repeat([0, 1, 2, 3], [60, 30, 52, 258])
    answers = design_of(one({"A": k // 2, "B": k % 2}, scale="phi"))
    assert isinstance(answers, Answers)
    assert (answers.n01, answers.n10, answers.same) == (30, 52, 318)
    assert answers.edges.high == pytest.approx(
        0.1
    )  # Williams' tenth of a standard deviation, whatever phi is
    assert answers.edges.relative
    share = design_of(one(scores()))
    assert isinstance(share, Normal)
    assert share.edges.high == pytest.approx(0.1)
    assert share.edges.relative
    c = one(scores(), rope=0.01)
    assert isinstance(c.evidence, Differences)
    counted = replace(c, evidence=replace(c.evidence, d=np.empty(0)))  # only the sums are known
    full, sums = design_of(c), design_of(counted)
    assert isinstance(full, Normal)
    assert isinstance(sums, Normal)
    assert full.sums is not None
    assert sums.sums is not None
    assert sums.sums.sd == pytest.approx(full.sums.sd)


def test_pairs_that_need_the_same_plan_share_a_line() -> None:
    rng = np.random.default_rng(4)
    names = [f"t{i}" for i in range(8) for _ in range(10)]
    base = rng.normal(0.8, 0.02, 80)
    models = {f"m{i}": base + rng.normal(0, 0.02, 80) for i in range(3)}
    import pandas as pd

    frame = pd.DataFrame({"task": names, "fold": np.tile(np.arange(10), 8), **models})
    report = rw.compare(frame, higher_is_better=True, rope=0.005)
    undecided = sum(c.verdict.name == "undecided" for c in report.overall)
    assert undecided > 1
    text = f"run `ropewalk plan` to see how many more tasks would decide the {undecided} undecided pairs"
    assert first_plans(report.overall) == [("Next", text)]


def test_of_several_pairs_the_undecided_ones_in_front_get_a_line() -> None:
    rng = np.random.default_rng(0)
    base = rng.standard_normal(100)
    report = rw.compare({f"m{i}": base + 0.3 * rng.standard_normal(100) for i in range(4)}, rope=0.01)
    rows = first_plans(report.comparisons)
    undecided = [c for c in report.comparisons if c.verdict.name == "undecided"]
    assert len(undecided) > 3
    assert [label for label, _ in rows] == ["Next", "", ""]
    in_front = min(undecided, key=lambda c: sorted(c.places or (), reverse=True))
    assert any(text.startswith(f"{in_front.a} - {in_front.b}: about ") for _, text in rows[:2])
    assert rows[2][1] == f"for the other {len(undecided) - 2} undecided pairs run `ropewalk plan`"
    assert first_plans(undecided[:3])[2][1] == "for the other undecided pair run `ropewalk plan`"
    assert first_plans([]) == []
