"""Percent against fractions, and ROPEs and margins that decide nothing."""

from __future__ import annotations

import numpy as np
import pytest

import ropewalk as rw
from ropewalk.errors import DataError, OptionError
from ropewalk.gate import Policy, judge


def folds(mean: float, n: int = 10, seed: int = 0) -> np.ndarray:
    return mean + np.random.default_rng(seed).normal(0, 0.01 * mean, n)


def test_one_model_in_percent_and_the_other_in_fractions(command, write) -> None:
    rows = [("svm", k, f"{x:.4f}") for k, x in enumerate(folds(0.85))]
    rows += [("forest", k, f"{x:.2f}") for k, x in enumerate(folds(84.0, seed=1))]
    path = write("folds.csv", "model,fold,accuracy", rows)
    code, _, err = command("compare", path)
    assert code == 4
    assert "the scores of forest are in percent and those of svm are fractions" in err
    assert 'Divide the scores of "forest" by 100.' in err
    assert command("plan", path)[0] == 4
    old = write("old.csv", "id,accuracy", enumerate(folds(0.85)))
    new = write("new.csv", "id,accuracy", enumerate(folds(84.0)))
    assert command("gate", old, new, "--margin", "0.01")[0] == 4
    with pytest.raises(DataError, match="in percent"):
        judge(folds(0.8), folds(81.0), Policy(margin=0.01), higher_is_better=True)


def test_a_time_of_one_second_and_another_of_a_minute_are_times(write) -> None:
    a = write("a.csv", "id,seconds", enumerate(folds(0.6)))
    b = write("b.csv", "id,seconds", enumerate(folds(60.0)))
    assert rw.compare([a, b]).comparisons[0].verdict.name == "better"


def test_tasks_on_different_scales_are_said(write) -> None:
    rows = [
        (m, t, k, x)
        for m in "ab"
        for t, mean in (("one", 0.8), ("two", 70.0))
        for k, x in enumerate(folds(mean, seed=ord(m)))
    ]
    report = rw.compare(write("t.csv", "model,task,fold,accuracy", rows))
    assert 'the scores are in percent on "two" and fractions on "one"' in report.audit.cautions[0]


@pytest.mark.parametrize(
    ("width", "said"), [("1", "all of"), ("0.5", "at least half of"), ("-2,0.01", "wider than")]
)
def test_a_rope_as_wide_as_the_range(command, write, width: str, said: str) -> None:
    rng = np.random.default_rng(0)
    path = write("t.csv", "id,a,b", [(i, *rng.integers(0, 2, 2)) for i in range(50)])
    code, out, err = command("compare", path, "--rope", width)
    assert (code, out) == (3, "")
    assert f" is {said} the range of the scores, 0 to 1, so it would decide nothing" in err
    assert "one percentage point is 0.01" in err
    assert command("plan", path, "--rope", width)[0] == 3


def test_a_margin_as_wide_as_the_range(command, sides) -> None:
    code, out, err = command("gate", *sides("accuracy"), "--margin", "1")
    assert (code, out) == (3, "")
    assert "a margin of 1 is all of the range of the accuracy" in err
    with pytest.raises(OptionError, match='margin of task "safety" of 2'):
        judge(
            {"safety": [1, 0] * 20, "law": [1, 0] * 20},
            {"safety": [1, 0] * 20, "law": [1, 0] * 20},
            Policy(margin=0.01, margins={"safety": 2.0}),
        )


def test_a_rope_wider_than_all_scores(write) -> None:
    path = write("t.csv", "id,a,b", [(i, 1.0 + i / 1000, 1.01 + i / 990) for i in range(40)])
    with pytest.raises(OptionError, match="a ROPE of 5 is wider than the scores"):
        rw.compare(path, rope=5, higher_is_better=True)
    rw.compare(path, rope=0.02, higher_is_better=True)


def test_scores_that_hardly_differ_may_have_a_rope_of_a_few_points() -> None:
    a, b = folds(0.9, seed=1), folds(0.9, seed=2)
    assert np.ptp(np.concatenate([a, b])) < 0.05
    assert rw.compare({"a": a, "b": b}, rope=0.05, rho=0.1).comparisons[0].verdict.name == "equivalent"


def test_metrics_of_the_whole_set_and_counts_have_a_range_too(write) -> None:
    rng = np.random.default_rng(0)
    rows = [(i, i % 2, *rng.integers(0, 2, 2)) for i in range(60)]
    path = write("p.csv", "id,truth,svm,forest", rows)
    with pytest.raises(OptionError, match="a ROPE of 1 is at least half of the range of F1"):
        rw.compare(path, metric="f1", rope=1)
    counts = write("c.csv", "n00,n01,n10,n11", [(10, 20, 5, 65)])
    with pytest.raises(OptionError, match="half of the range of accuracy"):
        rw.compare(counts, rope=1)


def test_standard_deviations() -> None:
    with pytest.raises(OptionError, match="2 standard deviations"):
        rw.compare({"a": [1.0, 2.5, 3.0], "b": [1.5, 2.0, 4.0]}, rope="2sd")


def test_a_rope_meant_for_fractions_on_scores_in_percent() -> None:
    report = rw.compare({"a": folds(85.0, 17), "b": folds(84.0, 17, seed=1)}, rope=0.01)
    assert any("for 1 point say 1" in text for text in report.audit.cautions)


def test_a_margin_of_ten_points_is_allowed_and_said() -> None:
    report = rw.compare({"a": [1, 0, 1, 1] * 20, "b": [1, 1, 0, 1] * 20}, rope=0.2)
    assert "20 percentage points" in report.audit.cautions[0]


def test_stated_numbers(command) -> None:
    assert command("plan", "--accuracy", "0.87,0.85", "--disagreement", "0.1", "--rope", "1")[0] == 3
    assert command("plan", "--difference", "0.02", "--sd", "0.3", "--rope", "5")[0] == 3


def test_some_of_many_tasks_in_percent(write) -> None:
    """One number per task: the tasks in percent favor the old model by 1, the others the new one by 0.2."""
    share = np.linspace(0.3, 0.6, 12)
    old = np.where(np.arange(12) < 4, 100 * share, share)
    new = np.where(np.arange(12) < 4, 100 * share - 1, share + 0.2)
    a, b = (write(f"{s}.csv", "task,score", enumerate(x)) for s, x in (("old", old), ("new", new)))
    (said,) = (c for c in rw.compare([a, b]).audit.cautions if "percent" in c)
    assert said.startswith('the scores are in percent on "0", "1", "2", … (4 in all) and fractions on "4"')
    with pytest.raises(DataError, match="the scores are in percent on"):
        rw.gate(a, b, margin=0.01)
    alike = [write(f"{s}.csv", "task,score", enumerate(x)) for s, x in (("old", share), ("new", share + 0.1))]
    assert not any("percent" in c for c in rw.compare(alike).audit.cautions)
