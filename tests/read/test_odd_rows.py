"""What other columns say about rows: failed requests, other judges, epochs of a run, shifted numbers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.errors import DataError

N = 60
Doubts = Callable[..., tuple[str, ...]]


@pytest.fixture
def doubts(tmp_path: Path) -> Doubts:
    """The doubts about two files with these columns."""

    def read(old: dict[str, Any], new: dict[str, Any], **options: Any) -> tuple[str, ...]:
        paths = [tmp_path / "old.csv", tmp_path / "new.csv"]
        for path, columns in zip(paths, (old, new), strict=True):
            pd.DataFrame(columns).to_csv(path, index=False)
        data = rw.read(paths, **options)
        assert isinstance(data, (rw.Scores, rw.Predictions))
        if data.audit.doubts:
            assert set(data.audit.doubts) <= set(rw.compare(paths, **options).audit.cautions)
            with pytest.raises(DataError, match="does not guess"):
                rw.gate(*paths, margin=0.01, missing="drop", **options)
        return data.audit.doubts

    return read


def times(low: float = 1.0, high: float = 3.0, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(low, high, N).round(4)


@pytest.mark.parametrize(
    ("column", "fine", "bad"),
    [
        ("status", "ok", "error"),
        ("Status", "ok", "Timed out"),
        ("status_code", 200, 503),
        ("exit code", 0, 137),
        ("exception", "", "ConnectionError: reset by peer"),
        ("success", 1, 0),
        ("ok", True, False),
        ("timeout", 0, 1),
    ],
)
def test_requests_that_failed_at_once(doubts: Doubts, column: str, fine: Any, bad: Any) -> None:
    failed = np.arange(N) % 4 == 0
    old = {"id": range(N), "latency": times(), column: [fine] * N}
    cells = [bad if f else fine for f in failed]
    new = {"id": range(N), "latency": np.where(failed, 0.01, times(seed=1)), column: cells}
    (found,) = doubts(old, new, score="latency")
    assert found.startswith(
        f"15 of 60 rows of new failed according to `{column}`, but their scores are not worse"
    )
    slow = new | {"latency": np.where(failed, 30.0, times(seed=1))}  # it waited for them
    assert doubts(old, slow, score="latency") == ()


def test_failures_that_count_as_wrong_are_what_they_should_be(doubts: Doubts) -> None:
    failed = np.arange(N) % 4 == 0
    status = np.where(failed, "error", "ok")
    old = {"id": range(N), "score": times(0.3, 0.8), "status": "ok"}
    new = {"id": range(N), "score": np.where(failed, 0.0, times(0.6, 0.9, seed=1)), "status": status}
    assert doubts(old, new) == ()
    (found,) = doubts(old, new | {"score": np.where(failed, 1.0, times(0.6, 0.9, seed=1))})
    assert "rows of new failed" in found


@pytest.mark.parametrize(
    ("column", "old", "new", "said"),
    [
        ("judge", "gpt-4", "llama", 'the scores of old were given by "gpt-4"'),
        ("max_score", 5, 10, 'those of new are out of "10"'),
        ("rubric version", "v1", "v2", "were given by"),
    ],
)
def test_scores_that_were_given_otherwise(doubts: Doubts, column: str, old: Any, new: Any, said: str) -> None:
    def files(a: Any, b: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        return (
            {"id": range(N), "score": times(0.3, 0.8), column: a},
            {"id": range(N), "score": times(0.4, 0.9, seed=1), column: b},
        )

    (found,) = doubts(*files(old, new))
    assert said in found
    assert found.endswith(f"(`{column}`): they can hardly be compared. If they can, leave the column out.")
    assert doubts(*files(old, old)) == ()
    rotating = [old, new] * (N // 2)  # a judge is drawn for every row
    assert doubts(*files(rotating, rotating[::-1])) == ()


def test_devices_matter_to_times_only(doubts: Doubts) -> None:
    for metric, n in (("latency", 1), ("score", 0)):
        found = doubts(
            {"id": range(N), metric: times(0.3, 0.8), "gpu": "A100"},
            {"id": range(N), metric: times(0.4, 0.9, seed=1), "gpu": "H100"},
        )
        assert len(found) == n
    assert "were measured on" not in "".join(found)


@pytest.mark.parametrize(
    ("column", "options"), [("epoch", {"unit": "epoch"}), ("step", {"by_position": True})]
)
def test_epochs_are_not_examples(doubts: Doubts, column: str, options: dict[str, Any]) -> None:
    curve = 0.9 - 0.4 * np.exp(-np.arange(N) / 15)
    old = {column: range(N), "val_acc": curve + 0.001 * times()}
    new = {column: range(N), "val_acc": curve + 0.02 + 0.001 * times(seed=1)}
    (found,) = doubts(old, new, **options)
    assert found.startswith(
        f"the rows are the values of `{column}` in one training run: each score depends on"
    )


def test_episodes_are_examples_unless_their_scores_rise(doubts: Doubts) -> None:
    def files(slope: float) -> list[dict[str, Any]]:
        return [
            {"episode": range(N), "reward": slope * np.arange(N) + times(seed=seed) + seed} for seed in (0, 1)
        ]

    assert doubts(*files(0.0), unit="episode") == ()
    (found,) = doubts(*files(0.5), unit="episode")
    assert "`episode` in one training run" in found


def test_rows_that_are_numbered_from_0_and_from_1(doubts: Doubts) -> None:
    right = (times() > 1.5).astype(int)
    said = "the rows of old are numbered from 0 and those of new from 1: if they are the same rows, each was "
    shifted = {"id": range(1, N + 1), "correct": right[::-1]}
    (found,) = doubts({"id": range(N), "correct": right}, shifted)
    assert found.startswith(said)
    assert doubts({"id": range(N), "correct": right}, {"id": range(2, N + 2), "correct": right}) == ()
    assert doubts({"id": range(N), "correct": right}, {"id": range(N), "correct": right[::-1]}) == ()


def test_a_truth_that_is_called_like_a_metric(doubts: Doubts) -> None:
    price = times(100, 900)
    old = {"id": range(N), "price": price, "svm": price + times(-20, 20, seed=1)}
    new = {"id": range(N), "price": price, "svm": price + times(-60, 60, seed=2)}
    (found,) = doubts(old, new)
    assert found == (
        "`price` is the same for every model, in all 60 units, and `svm` follows it: it is the truth rather "
        'than a score. Name it: truth="price" (--truth price).'
    )
    # an unchanged model, and something else that was measured
    assert doubts(old | {"svm": times(seed=3)}, new | {"svm": times(seed=4)}) == ()
    assert doubts(old, new | {"price": price + 1}) == ()


@pytest.mark.parametrize("classes", [2, 4])
def test_right_answers_in_a_column_called_correct(doubts: Doubts, classes: int) -> None:
    """Both files have the same right answers, so every comparison of them would be a tie."""
    r = np.random.default_rng(0)
    right = r.integers(0, classes, N)
    said = [np.where(r.random(N) < p, right, r.integers(0, classes, N)) for p in (0.7, 0.9)]
    old, new = ({"id": range(N), "correct": right, "prediction": x} for x in said)
    (found,) = doubts(old, new)
    assert found == (
        "`correct` is the same for every model, in all 60 units, and `prediction` has the same values but "
        'differs between models: `correct` seems to be the right answer. Name it: truth="correct" '
        "(--truth correct)."
    )
    # A model run twice, with the same answers or with other columns that vary; and a real difference.
    assert doubts(old, old) == ()
    slow = [(r.random(N) < 0.3).astype(int) * 7 for _ in range(2)]
    assert doubts(old | {"prediction": slow[0]}, new | {"prediction": slow[1]}) == ()
    assert doubts(old, new | {"correct": np.where(np.arange(N) < 3, 0, right)}) == ()


@pytest.mark.parametrize(
    ("columns", "options"),
    [
        ({"bootstrap_id": range(N)}, {"unit": "bootstrap_id"}),
        ({"Bootstrap": range(N)}, {"by_position": True}),
        ({"id": [f"boot_{i}" for i in range(N)]}, {}),
        ({"id": [f"resample {i}" for i in range(N)]}, {}),
    ],
)
def test_bootstrap_samples_are_not_examples(doubts: Doubts, columns: Any, options: dict[str, Any]) -> None:
    (found,) = doubts({**columns, "accuracy": times(0, 1)}, {**columns, "accuracy": times(0, 1)}, **options)
    assert found.startswith("the rows are resamples of the same examples, as ")
    fine = {"id": [f"boots_{i}" for i in range(N)]}
    assert doubts({**fine, "accuracy": times(0, 1)}, {**fine, "accuracy": times(0, 1, seed=1)}) == ()


def test_other_settings_are_said_and_not_refused(tmp_path: Path) -> None:
    right = np.random.default_rng(2).random(N) < 0.8
    paths = [tmp_path / "old.csv", tmp_path / "new.csv"]

    def cautions(old: int, new: int, **more: Any) -> tuple[str, ...]:
        for path, shots in zip(paths, (old, new), strict=True):
            columns = {"id": range(N), "correct": right.astype(int), "n_shot": shots, **more}
            pd.DataFrame(columns).to_csv(path, index=False)
        return rw.read(paths).audit.cautions

    said = (
        '`n_shot` is "0" for old and "5" for new: the difference may come from that, and not from the models.'
    )
    assert cautions(0, 5) == (said,)
    assert cautions(5, 5) == ()
    assert cautions(0, 5, prediction="a", truth="a", correct=None) == (said,)
    assert said.replace("old", "baseline").replace("new", "candidate") in rw.gate(*paths, margin=0.2).warnings
