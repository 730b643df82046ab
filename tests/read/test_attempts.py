"""Several attempts at the same item."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Scores
from ropewalk.errors import OptionError, PairingError


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
