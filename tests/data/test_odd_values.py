"""What may turn the answer round is an error at a gate."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data.odd_values import (
    _next_to_each_other,
    all_the_same,
    cents_and_dollars,
    doubts_on_values,
    refuse_doubts,
)
from ropewalk.errors import DataError


def test_a_gate_refuses_what_a_comparison_warns_of() -> None:
    refuse_doubts([])
    with pytest.raises(DataError, match="A gate does not guess") as caught:
        refuse_doubts(["the sign is unclear", "a score is above one"])
    assert caught.value.what == "the sign is unclear"
    assert list(caught.value.where) == ["a score is above one"]


def scores(metric: str, a: np.ndarray, b: np.ndarray) -> rw.Scores:
    rows = [(m, i, x) for m, values in (("a", a), ("b", b)) for i, x in enumerate(values)]
    data = rw.read(pd.DataFrame(rows, columns=["model", "id", metric]))
    assert isinstance(data, rw.Scores)
    return data


def test_scores_that_are_all_the_same_where_others_vary() -> None:
    some = np.random.default_rng(0).random(50).round(3)
    assert all_the_same(scores("accuracy", some, np.full(50, 0.5))) == (
        "every score of b is 0.5, in 50 units, and those of other models vary: were they computed?",
    )
    right = (np.arange(50) >= 6).astype(float)
    assert all_the_same(scores("correct", right, np.ones(50)))
    right[2:] = 1.0
    assert all_the_same(scores("correct", right, np.ones(50))) == ()  # a test set that is nearly solved
    assert all_the_same(scores("accuracy", some[:49], np.full(49, 0.5))) == ()
    assert all_the_same(scores("accuracy", np.full(50, 0.4), np.full(50, 0.5))) == ()  # the data do not vary


def test_units_that_are_sixty_or_a_hundred_times_apart() -> None:
    some = np.random.default_rng(0).uniform(1, 2, 40)
    (doubt,) = doubts_on_values(scores("duration", some, 60 * some))
    assert doubt.startswith("the scores of b are about sixty times those of a, and none of them overlap")
    assert doubts_on_values(scores("duration", some, 30 * some)) == ()
    assert doubts_on_values(scores("cost", some, 60 * some)) == ()  # models may cost so much more
    (caution,) = cents_and_dollars(scores("cost_usd", some, 100 * some))
    assert caution.endswith("none of them overlap: are some in cents?")
    assert cents_and_dollars(scores("duration", some, 100 * some)) == ()


def test_running_averages_are_not_examples() -> None:
    rng = np.random.default_rng(0)
    hits = rng.random((200, 2)) < 0.8
    running = np.cumsum(hits, axis=0) / np.arange(1, 201)[:, None]
    data = dict(zip("ab", running.T, strict=True))
    assert "hardly change from one row to the next" in " ".join(
        rw.compare(data, higher_is_better=True).audit.cautions
    )
    with pytest.raises(DataError, match="hardly change from one row to the next"):
        rw.gate(data["a"], data["b"], margin=0.01, higher_is_better=True)
    # An easy part before a hard one, and neighbors that are only somewhat alike are examples.
    graded = rng.uniform(0.2, 0.9, 200)
    part = np.repeat([0.0, 0.2], 100)
    noisy = np.convolve(rng.normal(size=202), np.ones(3) / 3, mode="valid")
    for a, b in (
        (np.sort(graded), np.sort(graded) * 1.3),  # as running totals do
        (np.sort(graded), np.sort(graded) + part + 0.05 * rng.random(200)),
        (graded, graded + noisy),
        (graded, graded + np.where(np.arange(200) < 30, rng.random(200), 0)),  # nearly all alike
    ):
        found = rw.compare({"a": a, "b": b}, higher_is_better=True)
        assert not any("hardly change" in c for c in found.audit.cautions)
        assert any("never change direction" in c for c in found.audit.cautions) == bool(
            np.all(np.diff(b) >= 0)
        )


def test_a_series_in_the_later_rows_of_a_large_file() -> None:
    """Stretches of all rows are looked at, and not the first rows alone."""
    rng = np.random.default_rng(0)
    walk = np.cumsum(rng.normal(size=900_000)) / 1_000
    slow = np.convolve(rng.normal(size=300_004), np.ones(5) / 5, mode="valid")
    ranks = np.argsort(np.argsort(slow))
    assert _next_to_each_other(slow) == pytest.approx(np.corrcoef(ranks[1:], ranks[:-1])[0, 1], abs=0.006)
    for rest, doubted in ((walk, True), (rng.normal(size=900_000), False)):
        d = np.concatenate([rng.normal(size=100_000) / 2, rest])
        a = rng.normal(size=len(d))
        data = rw.read({"a": a, "b": a - d}, higher_is_better=True)
        assert isinstance(data, rw.Scores)
        assert any("hardly change" in doubt for doubt in doubts_on_values(data)) == doubted


def test_a_task_that_others_are_called_after() -> None:
    rng = np.random.default_rng(0)
    names = ["mmlu", "mmlu_law", "mmlu_stem", "arc", "gsm8k"]
    rows = [(m, t, x) for m in "ab" for t, x in zip(names, rng.random(5), strict=True)]
    frame = pd.DataFrame(rows, columns=["model", "task", "accuracy"])
    assert '"mmlu" may be made of "mmlu_law", "mmlu_stem"' in rw.compare(frame).audit.cautions[0]
    assert rw.compare(frame[frame["task"] != "mmlu"]).audit.cautions == ()
