"""Scores of one model next to another's: turned round, shifted, logarithms, flags."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Scores
from ropewalk.data.odd_pairs import (
    doubts_on_pairs,
    flags_and_grades,
    good_where_bad,
    opposite,
    shifted_ratings,
)

N = 200


def two(old: Any, new: Any, metric: str = "score", **keys: Any) -> Scores:
    units = pd.DataFrame(keys or {"id": range(len(old))})
    sides = [units.assign(model=m, **{metric: np.asarray(x)}) for m, x in (("a", old), ("b", new))]
    found = rw.read(pd.concat(sides))
    assert isinstance(found, Scores)
    return found


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(3)


def test_turned_round(rng: np.random.Generator) -> None:
    skill = rng.normal(0, 0.1, N)
    a, b = 0.6 + skill, 0.65 + skill + rng.normal(0, 0.05, N)
    (doubt,) = good_where_bad(two(a, 1 - b))
    assert doubt.startswith("a is good where b is bad, and bad where it is good (correlation -0.9")
    assert good_where_bad(two(a, b)) == ()
    assert good_where_bad(two(a[:29], 1 - b[:29])) == ()  # too few to tell
    right = rng.random(N) < 0.8
    (doubt,) = good_where_bad(two(right.astype(int), 1 - right.astype(int), "correct"))
    assert "are right and wrong swapped in one file?" in doubt


def test_models_that_differ_by_task_are_not_turned_round(rng: np.random.Generator) -> None:
    """One is good at French, the other at German: around the means of the tasks, they go together."""
    task = np.repeat(["fr", "de"], N // 2)
    skill = rng.normal(0, 0.05, N)
    a = np.where(task == "fr", 0.9, 0.2) + skill
    b = np.where(task == "fr", 0.2, 0.9) + skill
    assert np.corrcoef(a, b)[0, 1] < -0.9
    assert good_where_bad(two(a, b, task=task, id=range(N))) == ()


def test_of_millions_of_units_some_are_looked_at(rng: np.random.Generator) -> None:
    a = rng.random(30_000)
    assert len(good_where_bad(two(a, 1 - a))) == 1


def test_logarithms_of_perplexities(rng: np.random.Generator) -> None:
    nll = 2 + 0.2 * rng.normal(size=N)
    (doubt,) = doubts_on_pairs(two(np.exp(nll), nll - 0.1, "perplexity"))
    assert doubt.startswith("the perplexities of b are about the logarithms of those of a")
    assert doubts_on_pairs(two(np.exp(nll), np.exp(nll - 0.4), "perplexity")) == ()
    assert doubts_on_pairs(two(np.exp(nll), nll - 0.1, "rmse")) == ()


@pytest.mark.parametrize(
    ("metric", "low", "high", "chance"),
    [("auroc", 0.2, 0.8, 0.5), ("auroc", 20, 80, 50), ("mcc", -0.6, 0.6, 0)],
)
def test_worse_than_chance_in_every_fold(metric: str, low: float, high: float, chance: float) -> None:
    wiggle = np.linspace(0, 0.01, 10)
    (doubt,) = doubts_on_pairs(two(low + wiggle, high + wiggle, metric, fold=range(10)))
    assert doubt == (
        f"`{metric}` of a is below {chance:g}, worse than chance, in all 10 folds: are its classes swapped?"
    )
    assert doubts_on_pairs(two(high + wiggle, high + wiggle, metric, fold=range(10))) == ()
    assert doubts_on_pairs(two(low + wiggle, low + wiggle, metric, fold=range(10))) == ()


def test_average_precision_has_no_chance_of_a_half() -> None:
    low = np.linspace(0.1, 0.2, 10)
    assert doubts_on_pairs(two(low, low + 0.5, "pr_auc", fold=range(10))) == ()


def test_ratings_from_zero_and_from_one(rng: np.random.Generator) -> None:
    from_zero = rng.integers(0, 5, N)
    (said,) = shifted_ratings(two(from_zero, from_zero + 1, "helpfulness"))
    assert said == "the ratings of a go from 0 to 4 and those of b from 1 to 5: are they on the same scale?"
    assert shifted_ratings(two(from_zero, rng.permutation(from_zero), "helpfulness")) == ()
    assert shifted_ratings(two(from_zero, from_zero + 1.5, "helpfulness")) == ()
    assert shifted_ratings(two(from_zero, from_zero + 1, "edits")) == ()  # counts of errors have no end
    rare = np.where(np.arange(N) < 3, 0, rng.integers(1, 5, N))
    assert shifted_ratings(two(rare, from_zero + 1, "helpfulness")) == ()


def test_flags_next_to_grades(rng: np.random.Generator) -> None:
    f1 = rng.random(N)
    exact = (f1 > 0.9).astype(float)
    (doubt,) = flags_and_grades(np.column_stack([exact, f1]), ("old", "new"))
    assert doubt.startswith("every score of old is 0 or 1, and many of new lie between")
    assert flags_and_grades(np.column_stack([exact, exact]), ("old", "new")) == ()
    assert flags_and_grades(np.column_stack([f1, f1]), ("old", "new")) == ()
    assert flags_and_grades(np.column_stack([exact, 10 * f1]), ("old", "new")) == ()
    assert flags_and_grades(np.column_stack([exact, f1])[:20], ("old", "new")) == ()


def test_the_mean_of_attempts_is_no_grade(rng: np.random.Generator) -> None:
    """One attempt of a and four of b at each item: their means lie between 0 and 1."""
    rows = [
        (m, i, k, int(rng.random() < 0.7))
        for m, n in (("a", 1), ("b", 4))
        for i in range(60)
        for k in range(n)
    ]
    report = rw.compare(pd.DataFrame(rows, columns=["model", "id", "attempt", "correct"]))
    assert not any("every score of" in c for c in report.audit.cautions)


def test_folds_of_an_accuracy_and_of_an_error_rate(rng: np.random.Generator) -> None:
    right = 0.85 + rng.normal(0, 0.02, 10)
    error = 1 - right + rng.normal(0, 0.004, 10)
    (doubt,) = good_where_bad(two(right, error, fold=range(10)))
    assert doubt.startswith("a is good where b is bad")
    assert good_where_bad(two(right, right - 0.5, fold=range(10))) == ()
    assert good_where_bad(two(right, 1.7 - right, fold=range(10))) == ()  # they overlap


def test_the_other_sign(rng: np.random.Generator) -> None:
    reward = rng.normal(5, 1, N)
    (doubt,) = doubts_on_pairs(two(reward, -rng.normal(5, 1, N), "reward"))
    assert doubt.startswith("the scores of a are about those of b with the other sign (means ")
    assert doubts_on_pairs(two(reward, rng.normal(-1, 0.2, N), "reward")) == ()
    assert doubts_on_pairs(two(reward - 5, rng.normal(0, 1, N), "reward")) == ()


def test_shares_next_to_logits(rng: np.random.Generator) -> None:
    share, logit = rng.random(N), rng.normal(-2, 2, N)
    (doubt,) = doubts_on_pairs(two(share, logit))
    assert doubt.startswith("the scores of a are all between 0 and 1, and those of b go from -")
    assert doubts_on_pairs(two(share, logit, "r2")) == ()
    assert doubts_on_pairs(two(share, logit, "reward")) == ()
    assert doubts_on_pairs(two(np.zeros(N), logit)) == ()  # a constant has no scale


def test_chance_turns_nothing_round() -> None:
    """1,000 pairs of 30 answers that have nothing to do with each other, at the edge of what is possible."""
    rng = np.random.default_rng(3)
    for _ in range(1_000):
        values = (rng.random((30, 2)) < 0.5).astype(float)
        assert np.corrcoef(values.T)[0, 1] > opposite(30)
    assert opposite(100) == -0.6
