"""Several training runs of each model, from the file to the verdict."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import MethodError, OptionError


def runs(
    seeds: dict[str, list[int]], *, examples: int = 60, lift: float = 0.3, seed: int = 0
) -> pd.DataFrame:
    """A is better than B by `lift`; examples, seeds and their interaction vary."""
    rng = np.random.default_rng(seed)
    easy = rng.normal(size=examples)
    rows = []
    for model, own in seeds.items():
        liking = rng.normal(0, 0.3, examples)
        for s in own:
            z = easy + liking + rng.normal(0, 0.1) + rng.normal(0, 0.3, examples) + lift * (model == "A")
            rows += [(model, s, i, round(v, 6)) for i, v in enumerate(z)]
    return pd.DataFrame(rows, columns=["model", "seed", "id", "score"])


def table(data: pd.DataFrame, model: str) -> np.ndarray:
    return data[data["model"] == model].pivot(index="seed", columns="id", values="score").to_numpy()


def test_the_same_seeds_are_paired() -> None:
    data = runs({"A": [0, 1, 2, 3], "B": [0, 1, 2, 3]})
    report = rw.compare(data, rope=0.05)
    c = report.comparisons[0]
    expected = rw.bayes.crossed(table(data, "A"), b=table(data, "B"), paired=True)
    assert (c.method, c.n > 1) == ("crossed", True)
    assert c.verdict.better == pytest.approx(float(expected.posterior.sf(0.05)), rel=1e-9)
    assert c.classical[0].p_value == pytest.approx(
        rw.nhst.quasi_f(table(data, "A") - table(data, "B")).p_value
    )
    names = {k.name: k for k in c.checks}
    assert names["uncertainty of the mean"].numbers["seed"] == pytest.approx(expected.shares.of_mean.seed)
    assert names["what to replicate next"].text.startswith(expected.next.better)


def test_other_seeds_are_not_paired() -> None:
    data = runs({"A": [0, 1, 2, 3], "B": [7, 8, 9]})
    c = rw.compare(data, rope=0.05).comparisons[0]
    expected = rw.bayes.crossed(table(data, "A"), b=table(data, "B"))
    assert c.verdict.better == pytest.approx(float(expected.posterior.sf(0.05)), rel=1e-9)
    assert c.classical[0].p_value == pytest.approx(
        rw.nhst.quasi_f(table(data, "A"), b=table(data, "B")).p_value
    )
    assert "not paired" in next(k.text for k in c.checks if k.name == "number of seeds")


def test_lower_is_better_turns_every_run() -> None:
    data = runs({"A": [0, 1, 2], "B": [0, 1, 2]})
    up = rw.compare(data, rope=0.05).comparisons[0].verdict
    down = rw.compare(
        data.assign(score=-data["score"]), rope=0.05, higher_is_better=False
    ).comparisons[0].verdict  # fmt: skip
    assert (up.better, up.worse) == pytest.approx((down.better, down.worse), rel=1e-9)


def test_the_table_of_runs() -> None:
    data = runs({"A": [0, 1, 2, 3], "B": [7, 8, 9]})
    report = rw.compare(data)
    means = table(data, "A").mean(axis=1)
    a = report.seeds["A"]
    assert (a.seeds, a.worst, a.best) == (4, pytest.approx(means.min()), pytest.approx(means.max()))
    assert a.sd == pytest.approx(means.std(ddof=1))
    text = report.to_text()
    assert "worst" in text
    assert "4 training runs" not in text  # the models have different numbers of them
    assert json.loads(report.to_json())["seeds"][0]["seeds"] == 4


def test_one_seed_is_an_honest_warning() -> None:
    c = rw.compare(runs({"A": [0, 1, 2], "B": [0]})).comparisons[0]
    warning = next(w for w in c.warnings if w.startswith("one seed"))
    assert warning.startswith("one seed: only one run of B, so how much its seed matters cannot be estimated")
    assert c.classical == []


def test_right_and_wrong_answers_of_several_runs() -> None:
    data = runs({"A": [0, 1, 2, 3], "B": [0, 1, 2, 3]}, examples=200)
    data = data.assign(correct=(data["score"] > 0).astype(int)).drop(columns="score")
    c = rw.compare(data).comparisons[0]
    assert (c.method, c.metric) == ("crossed", "accuracy")
    assert c.rope.high == 0.01  # accuracy of runs: one percentage point


def test_predictions_of_several_runs() -> None:
    data = runs({"A": [0, 1, 2], "B": [5, 6]}, examples=80)
    said = data.assign(truth="yes", prediction=np.where(data["score"] > 0, "yes", "no")).drop(columns="score")
    said.loc[said["id"] % 2 == 0, "truth"] = "no"
    c = rw.compare(said).comparisons[0]
    assert c.method == "crossed"
    with pytest.raises(OptionError, match="several training runs"):
        rw.compare(said, metric="f1")


def test_many_tasks_carry_the_uncertainty_of_the_runs_on() -> None:
    frames = [runs({"A": [0, 1, 2], "B": [0, 1, 2]}, seed=s).assign(task=f"t{s}") for s in range(5)]
    report = rw.compare(pd.concat(frames), rope=0.05)
    assert {c.method for c in report.comparisons} == {"crossed"}
    over = report.overall[0]
    assert over.method == "hierarchical_t"
    # With the noise of the runs left out, the tasks look surer than they are: the pull is less.
    averaged = pd.concat(frames).groupby(["task", "model", "id"], as_index=False)["score"].mean()
    naive = rw.compare(averaged, rope=0.05).overall[0]
    assert over.evidence.shrinkage.mean() > naive.evidence.shrinkage.mean()


def test_crossed_needs_runs() -> None:
    with pytest.raises(MethodError, match="crossed needs several training runs"):
        rw.compare({"A": [0.1, 0.2, 0.4], "B": [0.2, 0.1, 0.3]}, method="crossed")
