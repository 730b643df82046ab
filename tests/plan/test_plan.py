"""The plan: what it says, what it refuses, and that it says the same twice."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq
from scipy.special import ndtri
from scipy.stats import norm

import ropewalk as rw
from ropewalk.errors import MethodError, OptionError
from ropewalk.plan.result import Plan


def outcomes(n: int = 1_200, seed: int = 0) -> dict[str, np.ndarray]:
    k = np.random.default_rng(seed).choice(4, n, p=[0.08, 0.062, 0.081, 0.777])
    return {"forest": k // 2, "svm": k % 2}


def scores(n: int = 300, mean: float = 0.03, seed: int = 1) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(seed)
    base = rng.standard_normal(n)
    return {"new": base + mean + 0.3 * rng.standard_normal(n), "old": base}


def plan(data: object, **options: object) -> Plan:
    return rw.plan(data, draws=400, **options)


# --- what it says --------------------------------------------------------------------------------------


def test_an_undecided_comparison_gets_a_number() -> None:
    found = plan(outcomes(), rope=0.01)
    (pair,) = found.pairs
    (direction,) = pair.directions
    assert pair.now is not None
    assert pair.now.name == "undecided"
    assert (direction.unit, direction.n, pair.method) == ("example", 1_200, "mcnemar")
    assert direction.needed is not None
    assert pair.sentence == (
        f"About {direction.needed:,} more examples decide between forest and svm with probability 0.8."
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
    assert found.pairs[0].sentence == "new is better than old: decided already, nothing more is needed."
    assert found.pairs[0].directions == ()
    with pytest.raises(OptionError, match="there is no curve to draw: nothing is undecided"):
        found.plot()


def test_the_plan_of_stated_numbers_is_the_power_formula() -> None:
    # Oracle: N = ((z_0.95 + z_0.8) sd/(difference - rope))², with sd known.
    found = rw.plan(difference=0.03, sd=0.2, rope=0.01)
    exact = ((ndtri(0.95) + ndtri(0.8)) * 0.2 / 0.02) ** 2
    needed = found.pairs[0].directions[0].needed
    assert needed == pytest.approx(exact, rel=0.08)
    assert found.pairs[0].now is None
    assert f"About {needed:,} examples decide between A and B" in found.to_text()


def test_stated_accuracies_with_their_examples_are_the_counts() -> None:
    # Oracle: the plan of the very counts.
    stated = rw.plan(accuracy=(0.87, 0.85), disagreement=0.1, examples=1_000, rope=0.01, draws=500)
    a = np.repeat([0, 0, 1, 1], [90, 40, 60, 810])
    b = np.repeat([0, 1, 0, 1], [90, 40, 60, 810])
    counted = rw.plan({"A": a, "B": b}, rope=0.01, draws=500)
    np.testing.assert_array_equal(
        stated.pairs[0].directions[0].curve.decided, counted.pairs[0].directions[0].curve.decided
    )


def test_being_unsure_of_the_difference_lowers_the_top_of_the_curve() -> None:
    sure = rw.plan(difference=0.03, sd=0.2, rope=0.01, more=[2_000])
    unsure = rw.plan(difference=0.03, sd=0.2, rope=0.01, unsure=0.02, more=[2_000])
    assert unsure.pairs[0].directions[0].curve.decided[0] < sure.pairs[0].directions[0].curve.decided[0] - 0.1


def test_folds_that_cannot_decide_say_so() -> None:
    rng = np.random.default_rng(2)
    rows = {"model": [], "repeat": [], "fold": [], "accuracy": []}
    for r in range(10):
        for k in range(10):
            base = 0.8 + 0.02 * rng.standard_normal()
            for model, value in (("nb", base), ("tree", base + 0.012 + 0.02 * rng.standard_normal())):
                for name, cell in zip(rows, (model, r, k, value), strict=True):
                    rows[name].append(cell)
    import pandas as pd

    found = plan(pd.DataFrame(rows))
    (d,) = found.pairs[0].directions
    assert d.unit == "fold"
    assert d.needed is None
    assert d.curve.limit < 0.2
    text = found.to_text()
    assert "More folds alone cannot decide between" in text
    assert "more data sets" in text.replace("\n", " ")


def test_seeds_and_examples_with_prices() -> None:
    rng = np.random.default_rng(0)
    rows = ["model,seed,id,score"]
    v = 0.2 * rng.standard_normal(60)
    for s in range(4):
        base, u, e = rng.standard_normal(60), 0.02 * rng.standard_normal(), 0.1 * rng.standard_normal(60)
        rows += [f"old,{s},{j},{base[j]}" for j in range(60)]
        rows += [f"new,{s},{j},{base[j] + 0.03 + u + v[j] + e[j]}" for j in range(60)]
    path = Path("runs.csv")
    path.write_text("\n".join(rows))
    found = rw.plan(path, unit="id", seed="seed", rope=0.02, draws=200, costs={"seed": 10.0, "example": 0.05})
    (pair,) = found.pairs
    assert [d.unit for d in pair.directions] == ["seed", "example"]
    prices = [w.price for w in pair.ways]
    assert prices == sorted(prices, key=lambda p: p or 0.0)
    first = pair.ways[0]
    assert first.price == pytest.approx(
        10.0 * first.adds.get("seed", 0) + 0.05 * first.adds.get("example", 0)
    )
    assert "ways to get there, the cheapest first" in found.to_text()


def test_clusters_can_grow_in_number_or_in_rows() -> None:
    rng = np.random.default_rng(5)
    doc = np.repeat(np.arange(40), 6)
    effect = 0.05 * rng.standard_normal(40)
    old = rng.standard_normal(240)
    import pandas as pd

    frame = pd.DataFrame(
        {
            "id": np.arange(240),
            "doc": [f"d{i}" for i in doc],
            "new": old + 0.02 + effect[doc] + 0.1 * rng.standard_normal(240),
            "old": old,
        }
    )
    found = rw.plan(frame, cluster="doc", rope=0.01, draws=300, costs={"cluster": 3.0, "example": 0.1})
    clusters, more_rows = found.pairs[0].directions
    assert (clusters.unit, clusters.n, more_rows.unit, more_rows.n) == ("cluster", 40, "row", 6)
    assert more_rows.curve.limit < 1
    assert more_rows.cost == pytest.approx(40 * 0.1)  # a row in each of the clusters
    if clusters.needed is not None:
        assert clusters.price == pytest.approx(3.0 * clusters.needed)


@pytest.mark.parametrize(
    "method", ["signed_rank", "sign", "hierarchical_t", "hierarchical_mcnemar", "hierarchical_accuracy"]
)
def test_over_tasks_tasks_are_added(method: str) -> None:
    rng = np.random.default_rng(3)
    import pandas as pd

    rows = []
    for t in range(8):
        shift = 0.1 * rng.standard_normal()
        for i in range(60):
            u = rng.random()
            rows.append((f"t{t}", i, int(u < 0.75 + shift * (rng.random() < 0.3)), int(rng.random() < 0.75)))
    frame = pd.DataFrame(rows, columns=["task", "id", "new", "old"])
    rope = "auto" if method == "hierarchical_mcnemar" else 0.03
    found = rw.plan(frame, task="task", unit="id", method=method, rope=rope, draws=40, more=[4, 16])
    (pair,) = found.pairs
    assert pair.method == method
    if pair.now is not None and pair.now.name == "undecided":
        (d,) = pair.directions
        assert (d.unit, d.n) == ("task", 8)
        assert d.curve.more.tolist() == [4, 16]


def test_a_method_that_cannot_be_planned_says_so() -> None:
    rng = np.random.default_rng(0)
    import pandas as pd

    rows = [
        (f"t{t}", i, x, x - 0.02 + 0.3 * rng.standard_normal())
        for t in range(6)
        for i, x in enumerate(rng.standard_normal(20))
    ]
    frame = pd.DataFrame(rows, columns=["task", "id", "new", "old"])
    found = rw.plan(frame, task="task", unit="id", method="poisson_binomial", draws=50)
    assert "it is not known how to plan for poisson_binomial" in found.to_text().replace("\n", " ")
    assert "There is no plan for new and old: see the note." in found.to_text()


def test_of_many_pairs_the_undecided_ones_are_planned() -> None:
    rng = np.random.default_rng(0)
    base = rng.standard_normal(200)
    models = {f"m{i}": base + 0.3 * rng.standard_normal(200) for i in range(6)}
    found = plan(models, rope=0.001)
    verdicts = [c.verdict.name for c in rw.compare(models, rope=0.001).comparisons]
    assert len(found.pairs) == 10
    assert found.left_out == verdicts.count("undecided") - 10 > 0
    assert f"{found.left_out} more undecided pairs" in found.to_text()
    one = plan(models, rope=0.001, pairs=[("m0", "m3")])
    assert [(p.a, p.b) for p in one.pairs] == [("m0", "m3")]


def test_the_same_seed_is_the_same_document() -> None:
    a, b = (plan(outcomes(), rope=0.01, rng=3).to_json() for _ in range(2))
    assert a == b
    content = json.loads(a)
    assert content["schema"] == "ropewalk-plan/1"
    (pair,) = content["pairs"]
    row = pair["directions"][0]["curve"][0]
    assert row["decided"] == pytest.approx(row["better"] + row["equivalent"] + row["worse"])
    assert content["provenance"]["seed"] == 3
    other = plan(outcomes(), rope=0.01, rng=4).to_json()
    assert other != a


def test_the_text_fits_eighty_columns() -> None:
    for found in (plan(outcomes(), rope=0.01), rw.plan(difference=0.02, sd=0.3, rope=0.01, draws=100)):
        assert max(map(len, found.to_text().splitlines())) <= 80
    assert "± one standard error" in found.to_text()
    assert repr(found).startswith("<ropewalk plan: About")
    assert str(found) == found.to_text()


def test_the_picture_is_drawn() -> None:
    found = plan(outcomes(), rope=0.01)
    for style in ("screen", "paper"):
        assert rw.plot.render(found.plot(style=style), ".png").startswith(b"\x89PNG")
    with pytest.raises(OptionError, match="there is no plan 3"):
        found.plot(3)
    one = rw.plan(difference=0.02, sd=0.3, rope=0.01, draws=50, more=[500])  # a single point is a band
    assert rw.plot.render(one.plot(), ".png").startswith(b"\x89PNG")


def test_the_loss_matrix_decides_as_well() -> None:
    loss = ((0, 20, 20), (20, 0, 20), (20, 20, 0), (1, 1, 1))
    a = rw.plan(difference=0.02, sd=0.3, rope=0.01, draws=500, more=[4_000])
    b = rw.plan(difference=0.02, sd=0.3, rope=0.01, draws=500, more=[4_000], loss_matrix=loss)
    assert a.pairs[0].directions[0].curve.decided == b.pairs[0].directions[0].curve.decided


# --- what it refuses -----------------------------------------------------------------------------------


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
        ({"accuracy": (0.9, 0.8), "disagreement": 0.2, "unsure": 0.1}, "unsure goes with difference"),
        ({"difference": 0.02, "sd": 0.3, "assurance": 1.0}, r"assurance is 1\.0"),
        ({"difference": 0.02, "sd": 0.3, "rng": 0.5}, r"rng is 0\.5"),
        (
            {"difference": 0.02, "sd": 0.3, "costs": {"exmple": 1.0}},
            'there is no unit "exmple" to have a price',
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


def test_data_and_stated_numbers_are_too_much() -> None:
    with pytest.raises(OptionError, match="both data and stated numbers are given"):
        rw.plan(outcomes(), difference=0.02, sd=0.3)


# --- in batches ----------------------------------------------------------------------------------------


def test_a_plan_in_batches() -> None:
    found = rw.plan.sequential(outcomes(), rope=0.01, batches=6, batch_size=200, draws=400)
    assert [s.name for s in found.scenarios] == [
        "no difference",
        "at the edge",
        "twice the edge",
        "four times the edge",
        "as the data say",
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
    with pytest.raises(OptionError, match="needs a ROPE with a width"):
        rw.plan.sequential(difference=0.02, sd=0.3, rope=0.0)
    with pytest.raises(OptionError, match="one pair of models on one task"):
        rw.plan.sequential({**scores(), "third": np.zeros(300)})
    with pytest.raises(MethodError, match="a plan in batches is not known for signed_rank"):
        rw.plan.sequential(scores(), method="signed_rank")


def test_a_look_after_the_pilot_goes_on_from_it() -> None:
    # Oracle: one batch of m units after the pilot is the assurance of m more.
    data = outcomes()
    one = rw.plan.sequential(data, rope=0.01, batches=1, batch_size=5_000, draws=4_000)
    curve = rw.plan(data, rope=0.01, more=[5_000], draws=4_000).pairs[0].directions[0].curve
    decided = 1 - float(one.scenarios[-1].stopped.verdicts[3])
    assert decided == pytest.approx(float(curve.decided[0]), abs=4 * np.sqrt(2 * 0.25 / 4_000))


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


# --- the prior of the difference -------------------------------------------------------------------------


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
    assert (
        pair.conditions == "differences of about ±0.015 before the data (one and a half points of a hundred)"
    )
    assert "expects" in plan(data, rope=0.01).to_text()
    document = json.loads(plan(data, rope=0.01).to_json())
    assert document["pairs"][0]["prior"] == {
        "sd": pytest.approx(0.015),
        "source": "one and a half points of a hundred",
    }
    flat_plan = plan(data, rope=0.01, prior_sd=float("inf"))
    assert "promises too much" in flat_plan.pairs[0].conditions
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


def test_stated_numbers_that_were_measured_have_a_prior() -> None:
    measured = plan(None, difference=0.03, sd=0.3, rope=0.01, examples=200).pairs[0]
    assert measured.prior is not None
    assert measured.prior.sd == pytest.approx(0.015)
    assert plan(None, difference=0.03, sd=0.3, rope=0.01).pairs[0].prior is None
    with pytest.raises(OptionError, match="the stated numbers are taken as the truth"):
        plan(None, difference=0.03, sd=0.3, rope=0.01, prior_sd=0.1)
    for bad in (0.0, -1.0, float("nan"), True):
        with pytest.raises(OptionError, match="prior_sd is"):
            plan(outcomes(200), prior_sd=bad)


def test_batches_expect_plausible_differences_too() -> None:
    flat, default = (
        rw.plan.sequential(outcomes(200, seed=4), rope=0.01, batches=3, draws=400, prior_sd=s)
        for s in (float("inf"), None)
    )
    assert default.to_json() != flat.to_json()


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


# --- exactly these tasks -------------------------------------------------------------------------------


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
    assert re.search(r"to decide it +about [\d,]+ more examples \(chance 0\.8", text)
    right = pd.DataFrame(
        [(m, f"t{t}", i, int((i * (7 + k) + t) % 10 < 8)) for t in range(3) for k, m in enumerate("ab")
         for i in range(50)],
        columns=["model", "task", "id", "correct"],
    )  # fmt: skip
    found = plan(right, question="these", rope="0.1sd")
    assert found.pairs[0].directions == ()
    assert "give the ROPE as a number" in found.to_text()
