"""Scores of folds that nobody called so, rows in another order, and attempts that are not paired."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Scores
from ropewalk.errors import OptionError, PairingError
from ropewalk.gate import Policy, judge


def scores(n: int, models: str = "abcd") -> dict[str, np.ndarray]:
    rng = np.random.default_rng(0)
    base = rng.normal(0.8, 0.02, n)
    return {m: base + 0.005 * i + rng.normal(0, 0.01, n) for i, m in enumerate(models)}


@pytest.mark.parametrize("n", [5, 10, 20, 25, 30, 50, 100])
def test_a_number_that_cross_validation_gives(n: int) -> None:
    report = rw.compare(scores(n), higher_is_better=True)
    assert f"{n} scores per model without ids" in report.audit.cautions[0]
    assert "runs=10 for 10 x 10-fold" in report.audit.cautions[0]
    assert report.classical == []


def test_who_says_how_they_depend_is_believed() -> None:
    data = scores(100)
    corrected = rw.compare(data, rho=0.1, higher_is_better=True)
    assert corrected.audit.cautions == ()
    assert corrected.classical == []
    free = rw.compare(data, rho=0, higher_is_better=True)
    assert free.audit.cautions == ()
    assert [t.name for t in free.classical] != []
    assert rw.compare(scores(97), higher_is_better=True).audit.cautions == ()


def test_right_and_wrong_answers_are_examples() -> None:
    rng = np.random.default_rng(0)
    answers = {m: rng.integers(0, 2, 100) for m in "ab"}
    assert rw.compare(answers).audit.cautions == ()


def test_ids_and_folds_say_it(write) -> None:
    x = scores(10, "ab")
    rows = [(m, k, v) for m in "ab" for k, v in enumerate(x[m])]
    assert rw.compare(write("f.csv", "model,fold,accuracy", rows)).audit.cautions == ()
    assert rw.compare(write("i.csv", "id,a,b", zip(range(10), x["a"], x["b"], strict=True)),
                      higher_is_better=True).audit.cautions == ()  # fmt: skip


def test_a_gate_does_not_guess_it() -> None:
    x = scores(10, "ab")
    with pytest.raises(OptionError, match="10 scores on each side without ids"):
        judge(x["a"], x["b"], Policy(margin=0.01), higher_is_better=True)
    assert judge(x["a"], x["b"], Policy(margin=0.01), higher_is_better=True, rho=0.1).name


def two_orders(write, *, ids: bool) -> tuple[str, str]:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 4, 300)
    said = [np.where(rng.random(300) < 0.9, truth, rng.integers(0, 4, 300)) for _ in range(2)]
    order = rng.permutation(300)
    head = "id,truth,prediction" if ids else "truth,prediction"
    row = (lambda i, *x: (i, *x)) if ids else (lambda i, *x: x)
    a = write("a.csv", head, [row(i, truth[i], said[0][i]) for i in range(300)])
    b = write("b.csv", head.replace("truth,", ""), [row(i, said[1][i]) for i in order])
    return a, b


def test_files_in_different_orders(command, write) -> None:
    a, b = two_orders(write, ids=False)
    code, out, _ = command("compare", a, b, "--by-position")
    assert code == 0
    first = " ".join(out.split()[:60])
    assert first.startswith("warning: the rows were paired by position")
    assert "b agrees with the truth hardly better than chance" in first
    code, _, err = command("gate", a, b, "--by-position", "--margin", "0.01")
    assert code == 4
    assert "do not seem to match" in err


def test_the_same_ids_in_different_orders(write) -> None:
    with pytest.raises(PairingError, match="the same ids in different orders"):
        rw.compare(list(two_orders(write, ids=True)), by_position=True)


def test_scores_that_do_not_correlate(write) -> None:
    rng = np.random.default_rng(0)
    x = rng.uniform(size=200)
    a = write("a.csv", "accuracy", [(v,) for v in x])
    b = write("b.csv", "accuracy", [(v,) for v in rng.permutation(x)])
    assert "hardly correlate" in rw.compare([a, b], by_position=True).audit.cautions[0]
    c = write("c.csv", "accuracy", [(v,) for v in np.clip(x + rng.normal(0, 0.05, 200), 0, 1)])
    assert rw.compare([a, c], by_position=True).audit.cautions == ()


@pytest.mark.parametrize("column", ["attempt", "repeat", "trial"])
def test_eight_attempts_against_five(write, column: str) -> None:
    rng = np.random.default_rng(0)
    rows = [
        (m, i, k, int(rng.random() < p))
        for m, p, times in (("a", 0.8, 8), ("b", 0.5, 5))
        for i in range(40)
        for k in range(times)
    ]
    data = rw.read(write("t.csv", f"model,id,{column},correct", rows))
    assert isinstance(data, Scores)
    assert data.audit.paired == 40
    assert data.audit.dropped == ()
    assert "attempts at the same item were averaged: a 8 each, b 5 each" in data.audit.notes
    wanted = np.mean([r[3] for r in rows if r[:2] == ("a", 7)])
    assert data.task().values[7, 0] == wanted


def test_as_many_repeats_of_each_stay_paired(write) -> None:
    rng = np.random.default_rng(0)
    rows = [(m, i, k, int(rng.random() < 0.7)) for m in "ab" for i in range(20) for k in range(3)]
    assert rw.read(write("t.csv", "model,id,repeat,correct", rows)).audit.paired == 60


def attempted(truth_in: str) -> dict[str, pd.DataFrame]:
    """Files of two models with 5 and 8 attempts at 40 items; the truth in each, or in a file of its own."""
    r = np.random.default_rng(3)
    true = r.choice(list("abc"), 40)
    found = {}
    for model, k, right in (("old", 5, 0.7), ("new", 8, 0.8)):
        said = [
            (i, a, true[i], true[i] if r.random() < right else "abc"[r.integers(3)])
            for i in range(40)
            for a in range(k)
        ]
        found[model] = pd.DataFrame(said, columns=["id", "attempt", "truth", "prediction"])
    if truth_in == "a file of its own":
        found = {m: f.drop(columns="truth") for m, f in found.items()}
        found["truth"] = pd.DataFrame({"id": range(40), "truth": true})
    return found


@pytest.mark.parametrize("truth_in", ["each file", "a file of its own"])
def test_attempts_that_are_predictions_are_right_or_wrong_and_averaged(tmp_path: Path, truth_in: str) -> None:
    """The oracle: the share of right attempts of every item, given as scores."""
    for name, frame in attempted(truth_in).items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    data = rw.read(sorted(tmp_path.glob("*.csv")))
    shares = {}
    for model in ("old", "new"):
        frame = attempted("each file")[model]
        shares[model] = frame.assign(k=frame.truth == frame.prediction).groupby("id").k.mean().to_numpy()
    assert isinstance(data, rw.Scores)
    assert data.differences("new", "old") == pytest.approx(shares["new"] - shares["old"])
    assert (data.metric, data.higher_is_better) == ("accuracy", True)
    assert "attempts at the same item were averaged: new 8 each, old 5 each" in data.audit.notes
    paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
    if truth_in == "each file":
        assert rw.gate(*paths, margin=0.02).overall.advantage == pytest.approx(
            shares["new"].mean() - shares["old"].mean()
        )
        with pytest.raises(OptionError, match="not defined for several attempts"):
            rw.compare(paths, metric="f1_macro")


def test_attempts_with_two_truths_or_none_are_refused(tmp_path: Path) -> None:
    frames = attempted("each file")
    frames["old"].loc[0, "truth"] = "abc".replace(frames["old"].loc[1, "truth"], "")[0]
    for name, frame in frames.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    with pytest.raises(PairingError, match="has two truths"):
        rw.read(sorted(tmp_path.glob("*.csv")))
    frames = attempted("a file of its own")
    frames["truth"] = frames["truth"].iloc[1:]
    for name, frame in frames.items():
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    with pytest.raises(PairingError, match='the item "0" has no truth'):
        rw.read(sorted(tmp_path.glob("*.csv")))
