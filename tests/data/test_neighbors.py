"""Rows that are shifted by one against the truth, or against another model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import ropewalk as rw
from ropewalk.data import Predictions, Scores
from ropewalk.data.neighbors import _agreements, _correlation, _is_shifted, shifted_by_one
from ropewalk.errors import DataError

N = 120
TRUTH, GOOD = np.random.default_rng(5).multivariate_normal([0, 0], [[1, 0.95], [0.95, 1]], N).T * 40 + 200
WORDS = np.random.default_rng(6).choice(["cat", "dog", "emu"], N)
SAID = np.where(np.random.default_rng(7).random(N) < 0.9, WORDS, "cat")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(8)


def read(truth: Any, a: Any, b: Any) -> Predictions:
    sides = [
        pd.DataFrame({"id": range(N), "truth": truth, "prediction": x, "model": m})
        for m, x in zip("ab", (a, b), strict=True)
    ]
    found = rw.read(pd.concat(sides))
    assert isinstance(found, Predictions)
    return found


@pytest.mark.parametrize("by", [-1, 1])
@pytest.mark.parametrize(("truth", "said"), [(TRUTH, GOOD), (WORDS, SAID)])
def test_predictions_of_the_neighbors(truth: Any, said: Any, by: int, rng: np.random.Generator) -> None:
    (doubt,) = shifted_by_one(read(truth, said, np.roll(said, by)))
    assert doubt.startswith("the predictions of b fit the truth one row before or after (agreement 0.")
    assert shifted_by_one(read(truth, said, said)) == ()
    assert shifted_by_one(read(truth, said, rng.permutation(said))) == ()


def test_the_last_value_is_a_forecast() -> None:
    assert shifted_by_one(read(TRUTH, GOOD, np.roll(TRUTH, 1))) == ()


def test_a_series_that_changes_slowly_says_nothing(rng: np.random.Generator) -> None:
    slow = np.sin(np.arange(N) / 6) * 50 + 200
    assert (
        shifted_by_one(read(slow, slow + rng.normal(0, 5, N), np.roll(slow + rng.normal(0, 5, N), 1))) == ()
    )


def scores(a: Any, b: Any) -> Scores:
    sides = [
        pd.DataFrame({"id": range(len(x)), "accuracy": x, "model": m})
        for m, x in zip("ab", (a, b), strict=True)
    ]
    found = rw.read(pd.concat(sides))
    assert isinstance(found, Scores)
    return found


def test_scores_of_the_neighbors(rng: np.random.Generator) -> None:
    a = rng.random(N)
    b = 0.8 * a + 0.2 * rng.random(N)
    (doubt,) = shifted_by_one(scores(a, np.roll(b, 1)))
    assert doubt.startswith("the scores of b fit those of a one row before or after (correlation 0.9")
    assert shifted_by_one(scores(a, b)) == ()
    assert shifted_by_one(scores(a[:20], np.roll(b, 1)[:20])) == ()  # too few to tell


def test_a_few_mistakes_next_to_each_other_are_chance() -> None:
    """Two mistakes of one model and one of the other, in neighboring rows of 30: a gate refused them."""
    a, b = np.ones(30), np.ones(30)
    a[[7, 20]], b[8] = 0, 0
    assert np.corrcoef(a[:-1], b[1:])[0, 1] > 0.6
    assert shifted_by_one(scores(a, b)) == ()


def test_both_commands_say_it(tmp_path: Path) -> None:
    paths = [tmp_path / "a.csv", tmp_path / "b.csv"]
    for path, said in zip(paths, (SAID, np.roll(SAID, 1)), strict=True):
        pd.DataFrame({"id": range(N), "truth": WORDS, "prediction": said}).to_csv(path, index=False)
    assert any("are its rows shifted by one?" in c for c in rw.compare(paths).audit.cautions)
    with pytest.raises(DataError, match="are its rows shifted by one"):
        rw.gate(*paths, margin=0.02)


@pytest.mark.parametrize("n", [30, 60])
def test_chance_is_no_shift(n: int, rng: np.random.Generator) -> None:
    """Without a limit on chance, 39 of 10,000 pairs of 30 answers had neighbors that agree by 0.5."""
    pairs = (rng.random((10_000, 2, n)) < 0.6).astype(float)
    assert not any(_is_shifted(*_agreements(a, b, _correlation)) for a, b in pairs)
